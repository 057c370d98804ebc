import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fetchMujoco, findMujoco, mujocoVersion } from './mujoco_library.mjs';
import { installNpmPackages, npmPackagesAreThere } from './npm_packages.mjs';
import { ask, root, run } from './programs.mjs';
import { aptCommand, installTools, missingTools } from './system_packages.mjs';

/**
 * All of `npm run setup`. A step that Leash cannot do without ends it; any other is told, and the rest goes on.
 * @returns exit code
 */
export function setUp() {
  const gaps = [];
  const mujoco = findMujoco();
  const needsNpm = !npmPackagesAreThere();
  const tools = missingTools(mujoco === null);
  tellPlan(needsNpm, tools, mujoco);

  if (needsNpm) {
    step('npm packages');
    const problem = installNpmPackages();
    if (problem !== null) return stop(problem);
  }
  linkCommand();

  if (tools.length > 0) {
    step('system packages');
    note(gaps, installTools(tools));
  }
  if (mujoco === null) {
    step(`MuJoCo ${mujocoVersion}`);
    note(gaps, fetchMujoco(), 'Until then the slower WebAssembly engine serves.');
  } else if (mujoco.problem) {
    note(gaps, mujoco.problem, 'Until then the slower WebAssembly engine serves.');
  }

  step('native addons');
  if (!run(process.execPath, [join('scripts', 'build_native.mjs')])) {
    note(
      gaps,
      'the native addons were not built (the reason is above); mend that, then run `npm run setup` again.',
      'Until then there is no training.',
    );
  }

  step('leash');
  if (!run(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json']))
    return stop('the build of dist/ failed (the reason is above).');
  return close(gaps);
}

function tellPlan(needsNpm, tools, mujoco) {
  const plan = [];
  if (needsNpm) plan.push('npm packages of package-lock.json, into node_modules/');
  if (tools.length > 0) plan.push(`${tools.map((tool) => tool.debian).join(', ')}, ${aptInWords()}`);
  if (mujoco === null) plan.push(`MuJoCo ${mujocoVersion}, about 30 MB with pip download, into build/mujoco/`);
  console.log(
    plan.length === 0
      ? 'Everything is installed; building.'
      : `This installs:\n${plan.map((line) => `  - ${line}`).join('\n')}\nand builds native/ and worker/.`,
  );
}

function aptInWords() {
  const before = aptCommand();
  if (before === null) return 'which you will have to install by hand';
  return before.length > 0 ? 'with sudo apt-get, which may ask for your password' : 'with apt-get';
}

/** Lets `npx leash` find our own command instead of asking the registry for a package of that name. */
function linkCommand() {
  const folder = join(root, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'leash');
  rmSync(link, { force: true });
  symlinkSync(join('..', '..', 'bin', 'leash.js'), link);
  chmodSync(join(root, 'bin', 'leash.js'), 0o755);
}

/** Starts what was built, and tells what it found of itself. */
function close(gaps) {
  const { stdout, output } = ask(process.execPath, [join('bin', 'leash.js'), 'doctor', '--json']);
  let groups;
  try {
    groups = JSON.parse(stdout).groups;
  } catch {
    console.error(output);
    return stop('leash was built, but it does not start (its words are above).');
  }
  const findings = groups.find((group) => group.title === 'Leash').findings;
  console.log(`\n${findings.map((one) => `  ${one.state.padEnd(7)}  ${one.title}: ${one.detail}`).join('\n')}`);
  if (gaps.length > 0) console.log(`\nSet up, except for this:\n${gaps.map((gap) => `  - ${gap}`).join('\n')}`);
  const policy = join('assets', 'policies', 'pupper-walk');
  console.log(`\nReady. Next: npx leash ${existsSync(join(root, policy)) ? `bench ${policy}` : '--help'}`);
  return 0;
}

function step(name) {
  console.log(`\n— ${name}`);
}

function note(gaps, problem, consequence = '') {
  if (problem === null) return;
  console.error(`setup: ${problem}`);
  gaps.push(consequence === '' ? problem : `${problem} ${consequence}`);
}

function stop(problem) {
  console.error(`\nsetup: ${problem}`);
  return 1;
}
