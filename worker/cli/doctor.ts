import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { examineComputer } from '../gpu/computer_checks.ts';
import type { FindingGroup } from '../gpu/finding.ts';
import { examineGpu } from '../gpu/gpu_doctor.ts';
import { openMachine } from '../gpu/machine.ts';
import { root } from '../paths.ts';
import { doctorTable } from './doctor_table.ts';
import { EXIT } from './exit_code.ts';
import { examineLeash, isUsable } from './leash_checks.ts';

/** `leash doctor`: what is there, what is missing, and how to mend it. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('what this computer has for Leash, and how to mend what is missing')
    .description('Looks at Leash’s own parts, the computer and the AMD GPU. Each line is ok, missing or wrong, with the mend.')
    .option('--json', 'print the same as JSON')
    .addHelpText(
      'after',
      `
Examples:
  npx leash doctor
  npx leash doctor --json > doctor.json

Exit code 0 when Leash can train and measure here (with or without a GPU), 1 when it cannot.`,
    )
    .action(async (options: { json?: true }) => {
      const machine = openMachine();
      const leash = await examineLeash(root);
      const groups = [leash, examineComputer(machine, availableParallelism(), root), await examineGpu(machine)];
      const usable = isUsable(leash);
      process.stdout.write(
        options.json ? doctorJson(groups, usable) : doctorTable(groups, { color: process.stdout.isTTY && !process.env['NO_COLOR'] }),
      );
      process.exitCode = usable ? EXIT.done : EXIT.failed;
    });
}

function doctorJson(groups: readonly FindingGroup[], usable: boolean): string {
  return `${JSON.stringify({ usable, groups }, null, 2)}\n`;
}
