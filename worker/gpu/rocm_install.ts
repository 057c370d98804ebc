import { type Finding, missing, ok, wrong } from './finding.ts';
import type { Machine } from './machine.ts';

const INSTALL =
  'install ROCm as rocm.docs.amd.com describes, or your distribution’s: sudo apt install hipcc libamdhip64-dev rocm-device-libs';

/** ROCm's folder: ROCM_PATH, /opt/rocm, else the newest /opt/rocm-*. */
export function rocmFolder(machine: Machine): string {
  const chosen = machine.env['ROCM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  if (machine.exists('/opt/rocm')) return '/opt/rocm';
  const versioned = machine.list('/opt').filter((name) => name.startsWith('rocm-'));
  const newest = versioned.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest === undefined ? '/opt/rocm' : `/opt/${newest}`;
}

export function checkRocmVersion(machine: Machine, hip: HipLibrary | null): Finding {
  const folder = rocmFolder(machine);
  const version = machine.readText(`${folder}/.info/version`)?.trim();
  if (version !== undefined && version !== '') return ok('rocm', 'ROCm', `${version} in ${folder}`);
  if (hip !== null && !hip.path.startsWith('/opt/')) return ok('rocm', 'ROCm', 'the distribution’s own packages');
  if (machine.exists(folder))
    return wrong('rocm', 'ROCm', `${folder} has no .info/version`, `reinstall ROCm: the installation in ${folder} is incomplete`);
  const chosen = machine.env['ROCM_PATH'];
  if (chosen !== undefined && chosen !== '')
    return wrong('rocm', 'ROCm', `ROCM_PATH is ${chosen}, which does not exist`, 'correct or unset ROCM_PATH');
  return missing('rocm', 'ROCm', 'not installed', INSTALL);
}

export interface HipLibrary {
  readonly path: string;
  /** Of the file's name: 6 in libamdhip64.so.6; null where only the bare name is there. */
  readonly major: number | null;
}

/** The HIP runtime where the loader or ROCm keeps it. */
export function findHipLibrary(machine: Machine): HipLibrary | null {
  const rocm = rocmFolder(machine);
  const folders = [
    ...(machine.env['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')),
    `${rocm}/lib`,
    `${rocm}/lib64`,
    '/usr/lib/x86_64-linux-gnu',
    '/usr/lib/aarch64-linux-gnu',
    '/usr/lib64',
    '/usr/lib',
    '/usr/local/lib',
  ];
  for (const folder of folders) {
    const names = machine.list(folder).filter((name) => /^libamdhip64\.so(\.\d+)*$/.test(name));
    // The loader asks for libamdhip64.so.N; the bare name alone is a development link.
    const name = names.find((one) => /\.so\.\d+/.test(one)) ?? names[0];
    if (name !== undefined) return { path: `${folder}/${name}`, major: majorOf(name) };
  }
  return null;
}

function majorOf(name: string): number | null {
  const text = /\.so\.(\d+)/.exec(name)?.[1];
  return text === undefined ? null : Number(text);
}

export function hipFinding(machine: Machine, hip: HipLibrary | null): Finding {
  if (hip === null) return missing('hip', 'HIP library', 'libamdhip64.so is not there', 'comes with ROCm: see its line');
  if (!machine.exists(hip.path)) return wrong('hip', 'HIP library', `${hip.path} is a link to nothing`, 'reinstall ROCm’s HIP runtime');
  return ok('hip', 'HIP library', hip.path);
}
