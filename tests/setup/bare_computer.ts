import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../../worker/paths.ts';

export interface BareComputer {
  /** A copy of the repository with setup's own files, and nothing installed. */
  readonly folder: string;
  /** Puts a shell script in PATH; it replaces one of that name. Each call is noted with its arguments. */
  program(name: string, script: string): void;
  remove(name: string): void;
  setUp(env?: Record<string, string>, nodeArguments?: readonly string[]): { code: number | null; output: string };
  /** What was called since the last time, one line a call: `apt-get -q -y update`. */
  calls(): string[];
}

export const mujocoVersion = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
  .dependencies['@mujoco/mujoco'];

const doctorJson = JSON.stringify({
  usable: true,
  groups: [{ title: 'Leash', findings: [{ state: 'ok', title: 'Node', detail: 'there' }] }],
});

/** npm that installs the one package that setup itself calls. */
const npm = `mkdir -p node_modules/typescript/bin
echo 'require("node:fs").mkdirSync("dist", { recursive: true })' > node_modules/typescript/bin/tsc`;

/** pip that hands over a file, and unpacking that makes of it what MuJoCo's package holds. */
export const python3 = `case "$*" in
  "-m pip --version") echo "pip 23.0.1" ;;
  "-m pip download"*) : > "$(folder_of "$@")/mujoco.whl" ;;
  "-m zipfile -e"*) mkdir -p "$5/mujoco/include/mujoco" "$5/mujoco-${mujocoVersion}.dist-info/licenses"
    echo library > "$5/mujoco/libmujoco.so.${mujocoVersion}"; echo header > "$5/mujoco/include/mujoco/mujoco.h" ;;
  *) exit 9 ;;
esac`;

/** Setup's files in a folder of their own, with programs that only note that they were called. */
export function bareComputer(): BareComputer {
  const folder = mkdtempSync(join(tmpdir(), 'leash-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['scripts/setup.mjs', 'scripts/setup', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  };
  write('scripts/build_native.mjs', 'console.log("built the addons")');
  write('bin/leash.js', `console.log(${JSON.stringify(doctorJson)})`);
  mkdirSync(join(folder, 'programs'));
  symlinkSync('/usr/bin/env', join(folder, 'programs/env'));
  const notes = join(folder, 'calls');
  const program = (name: string, script: string): void => {
    const helper = 'folder_of() { while [ "$1" != -d ]; do shift; done; echo "$2"; }';
    write(`programs/${name}`, `#!/bin/sh\necho "${name} $*" >> ${notes}\nPATH=/usr/bin:/bin\n${helper}\n${script}\n`);
  };
  program('npm', npm);
  program('python3', python3);
  for (const name of ['cmake', 'make', 'c++', 'apt-get']) program(name, 'exit 0');
  program('sudo', 'exec "$@"');
  return {
    folder,
    program,
    remove: (name) => rmSync(join(folder, 'programs', name)),
    setUp: (env = {}, nodeArguments = []) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArguments, join('scripts', 'setup.mjs')], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: join(folder, 'programs'), ...env },
      });
      return { code: status, output: stdout + stderr };
    },
    calls: () => {
      const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
      rmSync(notes, { force: true });
      return lines.filter((line) => line !== 'python3 -m pip --version');
    },
  };
}
