import { amdCards } from './amd_cards.ts';
import { type Finding, missing, ok, wrong } from './finding.ts';
import { groupName } from './group_checks.ts';
import type { Machine } from './machine.ts';
import { CONTAINER_MEND, type Surroundings } from './surroundings.ts';

/** /dev/kfd, through which every ROCm program reaches the GPU. */
export function checkKfd(machine: Machine, surroundings: Surroundings): Finding {
  const path = '/dev/kfd';
  if (machine.exists(path))
    return machine.canOpen(path) ? ok('kfd', path, 'can be opened') : wrong('kfd', path, ...closedDevice(machine, path, surroundings));
  if (surroundings === 'wsl') {
    return machine.exists('/dev/dxg')
      ? ok('kfd', path, 'not needed in WSL, which has /dev/dxg')
      : wrong('kfd', path, 'WSL without /dev/dxg', 'run in Windows: wsl --update, and install AMD’s Adrenalin driver there');
  }
  return amdCards(machine).length > 0
    ? wrong('kfd', path, 'absent although an AMD GPU is on the PCI bus', mendOfAbsence(machine, surroundings))
    : missing('kfd', path, 'absent', mendOfAbsence(machine, surroundings));
}

/** /dev/dri/renderD*, one a GPU of any maker; only AMD's count. */
export function checkRenderNodes(machine: Machine, surroundings: Surroundings): Finding {
  const title = '/dev/dri/renderD*';
  const nodes = machine.list('/dev/dri').filter((name) => /^renderD\d+$/.test(name));
  if (nodes.length === 0) {
    if (surroundings === 'wsl') return ok('render', title, 'not needed in WSL');
    return missing('render', title, 'absent', mendOfAbsence(machine, surroundings));
  }
  const vendor = (name: string): string | undefined => machine.readText(`/sys/class/drm/${name}/device/vendor`)?.trim();
  const amd = nodes.filter((name) => vendor(name) === '0x1002');
  if (amd.length === 0)
    return missing('render', title, `${nodes.join(', ')}, none of them AMD’s`, 'nothing to mend: training runs on the CPU');
  const closed = amd.find((name) => !machine.canOpen(`/dev/dri/${name}`));
  return closed === undefined
    ? ok('render', title, amd.join(', '))
    : wrong('render', title, ...closedDevice(machine, `/dev/dri/${closed}`, surroundings));
}

function mendOfAbsence(machine: Machine, surroundings: Surroundings): string {
  if (surroundings === 'container') return CONTAINER_MEND;
  if (amdCards(machine).length === 0) return 'comes with an AMD GPU and its driver';
  return 'load the driver: sudo modprobe amdgpu, then look at: sudo dmesg | grep -i amdgpu';
}

/** Words and mend for a device that is there and cannot be opened by this process. */
function closedDevice(machine: Machine, path: string, surroundings: Surroundings): [detail: string, mend: string] {
  const gid = machine.groupOf(path);
  const name = gid === null ? null : groupName(machine, gid);
  const owner = name ?? `number ${gid ?? 'unknown'}`;
  const detail = `${path} is there but closed to you; it belongs to group ${owner}`;
  if (surroundings === 'container') return [detail, `start the container with --group-add ${gid ?? 'render'}`];
  // A group of 0 or without a name comes from missing udev rules; joining it would not help or would be unwise.
  if (gid === 0 || name === null)
    return [detail, 'install the udev rules of ROCm, or: sudo chgrp render /dev/kfd && sudo chmod g+rw /dev/kfd'];
  return [detail, `sudo usermod -aG ${name} $USER, then log out and in again`];
}
