// `npm run build:native`: builds the addons of native/ and puts them into build/native/. No network: Node's headers come from node_modules.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { ask, hasProgram, root } from './setup/programs.mjs';

const buildFolder = join(root, 'build', 'native-cmake');
const addonFolder = join(root, 'build', 'native');

const problem = build();
if (problem !== null) {
  console.error(`native addons: ${problem}`);
  process.exitCode = 1;
}

/** @returns null, or in one sentence what went wrong */
function build() {
  const missing = missingProgram();
  if (missing !== null) return missing;
  const configured = configure();
  if (!configured.done) return failed('cmake could not prepare the build', configured.output);
  console.log(configured.output.includes('native engine: left out') ? 'building without the native engine: no libmujoco' : 'building');
  const built = ask('cmake', ['--build', buildFolder, '--parallel', String(availableParallelism())]);
  if (!built.done) return failed('they did not compile', built.output);
  for (const line of deliver()) console.log(line);
  return null;
}

function missingProgram() {
  const mend = (packages) => `install it (Debian, Ubuntu: sudo apt install ${packages}), then run \`npm run setup\` again.`;
  if (!hasProgram('cmake')) return `cmake is not installed; ${mend('cmake')}`;
  if (!hasProgram('make') && !hasProgram('ninja')) return `neither make nor ninja is installed; ${mend('make')}`;
  const compilers = [process.env.CXX, 'c++', 'g++', 'clang++'].filter((name) => name);
  if (!compilers.some((name) => existsSync(name) || hasProgram(name))) return `a C++ compiler is not installed; ${mend('g++')}`;
  for (const name of ['node-api-headers', 'node-addon-api']) {
    if (!existsSync(join(root, 'node_modules', name))) return `node_modules lacks ${name}: run \`npm run setup\`.`;
  }
  return null;
}

/** Prepares the build anew each time, since MUJOCO_HOME may lead elsewhere now; where nothing changed it takes a moment. */
function configure() {
  const first = cmakeConfigure();
  if (first.done || !existsSync(join(buildFolder, 'CMakeCache.txt'))) return first;
  // What an earlier build noted down (a moved folder, a compiler that is gone) may be all that is wrong.
  rmSync(buildFolder, { recursive: true, force: true });
  return cmakeConfigure();
}

function cmakeConfigure() {
  const args = ['-S', join(root, 'native'), '-B', buildFolder, '-DCMAKE_BUILD_TYPE=Release'];
  const isNew = !existsSync(join(buildFolder, 'CMakeCache.txt'));
  if (isNew && !hasProgram('make')) args.push('-G', 'Ninja');
  return ask('cmake', args);
}

/** Puts the addons that changed in place by renaming: processes that use an old one keep it. @returns a line for each */
function deliver() {
  mkdirSync(addonFolder, { recursive: true });
  const built = readFileSync(join(buildFolder, 'addons.txt'), 'utf8').trim().split('\n');
  const names = built.map((file) => basename(file));
  for (const stale of readdirSync(addonFolder)) {
    if (stale.endsWith('.node') && !names.includes(stale)) rmSync(join(addonFolder, stale));
  }
  return built.map((file) => {
    const target = join(addonFolder, basename(file));
    if (existsSync(target) && readFileSync(target).equals(readFileSync(file))) return `${basename(file)}: up to date`;
    const temporary = `${target}.${process.pid}`;
    copyFileSync(file, temporary);
    renameSync(temporary, target);
    return `${basename(file)}: built`;
  });
}

function failed(what, output) {
  console.error(output.trim());
  return `${what} (the reason is above).`;
}
