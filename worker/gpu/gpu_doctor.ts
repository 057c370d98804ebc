import { checkCards } from './amd_cards.ts';
import { checkKfd, checkRenderNodes } from './device_checks.ts';
import { type Finding, type FindingGroup, ok } from './finding.ts';
import { checkGroup } from './group_checks.ts';
import type { Machine } from './machine.ts';
import { checkRocmVersion, findHipLibrary, hipFinding, rocmFolder } from './rocm_install.ts';
import { askRocminfo, rocminfoFinding } from './rocminfo.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

/** Everything between this process and an AMD GPU, in the order in which it has to be mended. */
export async function examineGpu(machine: Machine): Promise<FindingGroup> {
  const surroundings = surroundingsOf(machine);
  const hip = findHipLibrary(machine);
  return {
    title: 'AMD GPU',
    findings: [
      ...surroundingsLine(surroundings),
      checkCards(machine, surroundings),
      checkKfd(machine, surroundings),
      checkRenderNodes(machine, surroundings),
      checkGroup(machine, 'render', surroundings),
      checkGroup(machine, 'video', surroundings),
      checkRocmVersion(machine, hip),
      rocminfoFinding(await askRocminfo(machine, rocmFolder(machine)), machine.env['HSA_OVERRIDE_GFX_VERSION']),
      hipFinding(machine, hip),
    ],
  };
}

function surroundingsLine(surroundings: Surroundings): Finding[] {
  if (surroundings === 'wsl') return [ok('surroundings', 'Windows', 'this Linux runs in WSL, which reaches the GPU through /dev/dxg')];
  if (surroundings === 'container') return [ok('surroundings', 'container', 'what the container was not given, this process cannot see')];
  return [];
}
