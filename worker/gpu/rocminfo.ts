import { type Finding, missing, ok, wrong } from './finding.ts';
import type { Machine, ProgramResult } from './machine.ts';

/** One GPU as ROCm's runtime lists it. */
export interface GpuAgent {
  /** `gfx1100` */
  readonly gfx: string;
  /** `AMD Radeon RX 7900 XTX`, or '' where ROCm has none. */
  readonly marketingName: string;
  readonly computeUnits: number | null;
}

export type RocmInfo =
  | { readonly state: 'agents'; readonly agents: readonly GpuAgent[] }
  | { readonly state: 'absent' }
  | { readonly state: 'hung' }
  | { readonly state: 'failed'; readonly reason: string };

export const ROCMINFO_TIMEOUT_SECONDS = 5;

/** Asks `rocminfo`, from PATH or from ROCm's own folder. */
export async function askRocminfo(machine: Machine, rocmFolder: string): Promise<RocmInfo> {
  const fromPath = await machine.run('rocminfo', [], ROCMINFO_TIMEOUT_SECONDS);
  const result =
    fromPath.outcome === 'not found' ? await machine.run(`${rocmFolder}/bin/rocminfo`, [], ROCMINFO_TIMEOUT_SECONDS) : fromPath;
  return readRocminfo(result);
}

/** Lines by which rocminfo tells that it failed; it may exit with 0 all the same. */
const complaint =
  /not loaded|unable to open|permission denied|operation not permitted|hsa api call failure|HSA_STATUS_ERROR|error while loading/i;

/** What a run of rocminfo says. Agents listed count even after a complaint: an idle laptop GPU makes it complain in vain. */
export function readRocminfo(result: ProgramResult): RocmInfo {
  if (result.outcome === 'not found') return { state: 'absent' };
  if (result.outcome === 'timed out') return { state: 'hung' };
  const agents = parseAgents(result.output);
  if (agents.length > 0) return { state: 'agents', agents };
  const lines = result.output.split('\n').map((line) => line.trim());
  const said = lines.find((line) => complaint.test(line));
  if (said !== undefined) return { state: 'failed', reason: said };
  if (result.exitCode !== 0)
    return { state: 'failed', reason: lines.find((line) => line !== '') ?? `it ended with code ${result.exitCode ?? 'none'}` };
  return { state: 'agents', agents: [] };
}

/** The GPU agents in rocminfo's text; CPUs are agents too and are left out. */
export function parseAgents(text: string): GpuAgent[] {
  // Sections start with `Agent 2` between two lines of asterisks; the first piece is the preamble.
  const sections = text.split(/^\*+\s*\nAgent \d+\s*\n\*+\s*$/m).slice(1);
  const agents: GpuAgent[] = [];
  for (const section of sections) {
    // The first of a name is the agent's own; pools and ISAs repeat names further down.
    const field = (name: string): string => new RegExp(`^ {2}${name}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(section)?.[1] ?? '';
    const gfx = field('Name');
    if (field('Device Type') !== 'GPU' && !/^gfx[0-9a-f]+$/.test(gfx)) continue;
    const units = Number.parseInt(field('Compute Unit'), 10);
    agents.push({ gfx, marketingName: field('Marketing Name'), computeUnits: Number.isNaN(units) ? null : units });
  }
  return agents;
}

export function rocminfoFinding(info: RocmInfo, overrideGfx: string | undefined): Finding {
  const title = 'rocminfo';
  switch (info.state) {
    case 'absent':
      return missing('rocminfo', title, 'not installed', 'sudo apt install rocminfo (or ROCm from AMD, see the line of ROCm)');
    case 'hung':
      return wrong(
        'rocminfo',
        title,
        `no answer in ${ROCMINFO_TIMEOUT_SECONDS} s`,
        'the driver is stuck: look at sudo dmesg | grep -iE "amdgpu|kfd", then restart the computer',
      );
    case 'failed':
      return wrong('rocminfo', title, `it says: ${info.reason}`, failureMend(info.reason));
    case 'agents': {
      if (info.agents.length === 0)
        return wrong(
          'rocminfo',
          title,
          'lists no GPU, only processors',
          'sudo dmesg | grep -i kfd tells whether the driver supports your card',
        );
      const names = info.agents.map((agent) => describeAgent(agent)).join('; ');
      return ok('rocminfo', title, overrideGfx === undefined ? names : `${names} (HSA_OVERRIDE_GFX_VERSION=${overrideGfx})`);
    }
  }
}

function describeAgent(agent: GpuAgent): string {
  const units = agent.computeUnits === null ? '' : `, ${agent.computeUnits} compute units`;
  return agent.marketingName === '' ? `${agent.gfx}${units}` : `${agent.gfx} ${agent.marketingName}${units}`;
}

function failureMend(reason: string): string {
  if (/permission denied|not permitted/i.test(reason)) return 'see the lines of /dev/kfd and the groups';
  if (/not loaded|no such file/i.test(reason)) return 'see the line of /dev/kfd';
  if (/loading shared libraries/i.test(reason)) return 'reinstall it: sudo apt install --reinstall rocminfo';
  return 'run rocminfo by itself, and look at sudo dmesg | grep -i kfd';
}
