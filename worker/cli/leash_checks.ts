import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, type FindingGroup, missing, ok, wrong } from '../gpu/finding.ts';
import { findNativeAddon } from '../physics/native_addon.ts';
import { openEngine } from '../physics/open_engine.ts';
import { loadLearnerAddon } from '../training/learner_addon.ts';

const SETUP = 'npm run setup';
export const NEEDED_NODE = 20;

/** Leash's own parts: what `npm run setup` puts in place. */
export async function examineLeash(root: string): Promise<FindingGroup> {
  return {
    title: 'Leash',
    findings: [checkNode(process.versions.node), checkPackages(root), await checkWasmEngine(), checkNativeEngine(), checkLearner()],
  };
}

/** Whether Leash can do its work; a missing GPU, and a missing native engine, only cost time. */
export function isUsable(leash: FindingGroup): boolean {
  const needed = ['node', 'packages', 'mujoco-wasm', 'learner'];
  return leash.findings.every((finding) => finding.state === 'ok' || !needed.includes(finding.id));
}

/** @param version without a `v`: `20.20.2` */
export function checkNode(version: string): Finding {
  const major = Number.parseInt(version, 10);
  if (major >= NEEDED_NODE) return ok('node', 'Node', version);
  return wrong('node', 'Node', `${version}, and Leash needs ${NEEDED_NODE} or newer`, 'install a newer one, for example from nodejs.org');
}

/** Compares node_modules with package.json, to the digit. */
export function checkPackages(root: string): Finding {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const names = Object.keys(dependencies);
  const found = new Map(names.map((name) => [name, installedVersion(root, name)]));
  const absent = names.filter((name) => found.get(name) === null);
  if (absent.length > 0) return missing('packages', 'npm packages', `without ${absent.join(', ')}`, SETUP);
  const other = names.filter((name) => found.get(name) !== dependencies[name]);
  if (other.length > 0) {
    const differences = other.map((name) => `${name} ${found.get(name)} instead of ${dependencies[name]}`);
    return wrong('packages', 'npm packages', differences.join(', '), SETUP);
  }
  return ok('packages', 'npm packages', `all ${names.length} that package.json names`);
}

function installedVersion(root: string, name: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string };
    return version;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function checkWasmEngine(): Promise<Finding> {
  try {
    return ok('mujoco-wasm', 'MuJoCo (WASM)', (await openEngine('wasm')).mujocoVersion);
  } catch (error) {
    return wrong('mujoco-wasm', 'MuJoCo (WASM)', messageOf(error), SETUP);
  }
}

function checkNativeEngine(): Finding {
  const native = findNativeAddon();
  return 'addon' in native
    ? ok('mujoco-native', 'MuJoCo (native)', `${native.addon.mujocoVersion}; training and benchmarks use it`)
    : missing('mujoco-native', 'MuJoCo (native)', native.missing, `${SETUP} (without it the WASM engine serves, about half as fast)`);
}

function checkLearner(): Finding {
  try {
    const addon = loadLearnerAddon();
    return ok('learner', 'learner', `${addon.device}, ${addon.simd}`);
  } catch (error) {
    return missing('learner', 'learner', messageOf(error), SETUP);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
