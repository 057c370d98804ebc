import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, root } from './programs.mjs';

/** The native library has the version of the WebAssembly build. */
export const mujocoVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies['@mujoco/mujoco'];

const home = join(root, 'build', 'mujoco');
const libraryName = /^libmujoco[.\d]*\.(so|dylib)[.\d]*$/;

/** The names under which the build looks for the library. */
const wantedNames = [`libmujoco.so.${mujocoVersion}`, `libmujoco.${mujocoVersion}.dylib`];

/** Where MuJoCo's library already is: { folder } or null; { problem } when MUJOCO_HOME leads nowhere. */
export function findMujoco() {
  const chosen = process.env.MUJOCO_HOME;
  if (!chosen) return isMujoco(home) ? { folder: home } : null;
  if (isMujoco(chosen)) return { folder: chosen };
  return { problem: `MUJOCO_HOME is ${chosen}, which holds no ${wantedNames[0]} with include/mujoco/mujoco.h: correct it or unset it.` };
}

function isMujoco(folder) {
  const library = ['lib', '.'].some((place) => wantedNames.some((name) => existsSync(join(folder, place, name))));
  return library && existsSync(join(folder, 'include', 'mujoco', 'mujoco.h'));
}

/** Fetches MuJoCo's package from the Python index without installing it, and lays out build/mujoco/. @returns null, or in one sentence what went wrong */
export function fetchMujoco() {
  mkdirSync(join(root, 'build'), { recursive: true });
  const temporary = mkdtempSync(join(root, 'build', 'mujoco-'));
  try {
    const wheel = downloadWheel(temporary);
    if (wheel === null) return `pip could not fetch mujoco ${mujocoVersion}; check the network, or point MUJOCO_HOME to MuJoCo’s folder.`;
    const unpacked = join(temporary, 'unpacked');
    const unzipped = ask('python3', ['-m', 'zipfile', '-e', wheel, unpacked]);
    if (!unzipped.done)
      return `the downloaded package of MuJoCo did not unpack (${lastLine(unzipped.output)}); run \`npm run setup\` again.`;
    return layOut(unpacked, join(temporary, 'whole'));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @returns path of the wheel, or null */
function downloadWheel(folder) {
  const plain = [
    '-m',
    'pip',
    'download',
    '-q',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
    `mujoco==${mujocoVersion}`,
    '-d',
    folder,
  ];
  // libmujoco does not depend on the Python that the package was made for: where this Python has none, another's will do.
  const platform = `manylinux_2_28_${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
  const other = [...plain, '--platform', platform, '--implementation', 'cp', '--python-version', '3.12'];
  for (const args of [plain, other]) {
    const { done, output } = ask('python3', args);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (done && wheel !== undefined) return join(folder, wheel);
    if (args === other) console.error(output.trim());
  }
  return null;
}

/** Moves the library, headers and licences into `whole`, and that to build/mujoco in one step. */
function layOut(unpacked, whole) {
  const source = join(unpacked, 'mujoco');
  const libraries = readdirSync(source).filter((name) => libraryName.test(name));
  if (libraries.length === 0) return `the package mujoco ${mujocoVersion} holds no libmujoco for this system.`;
  mkdirSync(join(whole, 'lib'), { recursive: true });
  for (const name of libraries) renameSync(join(source, name), join(whole, 'lib', name));
  renameSync(join(source, 'include'), join(whole, 'include'));
  const licences = join(unpacked, `mujoco-${mujocoVersion}.dist-info`, 'licenses');
  if (existsSync(licences)) renameSync(licences, join(whole, 'licenses'));
  rmSync(home, { recursive: true, force: true });
  renameSync(whole, home);
  return null;
}

function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? '';
}
