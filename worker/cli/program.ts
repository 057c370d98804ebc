import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { root } from '../paths.ts';
import { registerBench } from './bench.ts';
import { registerDoctor } from './doctor.ts';
import { registerTrain } from './train.ts';

/** The whole `leash` command; it throws CommanderError instead of ending the process. */
export function leashProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('leash')
    .description('Teach robots to move: simulate, train and measure policies.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('Add --help to see how it is used.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'leash: ')) })
    // Inherited by the commands that are registered after it.
    .exitOverride();
  registerDoctor(program);
  registerTrain(program);
  registerBench(program);
  program.addHelpText(
    'after',
    `
Examples:
  npx leash doctor
  npx leash train pupper --steps 10M --seed 42 --out runs/walk
  npx leash <command> --help

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`,
  );
  return program;
}
