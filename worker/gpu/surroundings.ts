import type { Machine } from './machine.ts';

/** Where Linux itself runs; the mends of the GPU's lines depend on it. */
export type Surroundings = 'plain' | 'wsl' | 'container';

export function surroundingsOf(machine: Machine): Surroundings {
  if (machine.exists('/dev/dxg') || /microsoft/i.test(machine.readText('/proc/sys/kernel/osrelease') ?? '')) return 'wsl';
  if (machine.exists('/.dockerenv') || machine.exists('/run/.containerenv') || machine.env['container'] !== undefined) return 'container';
  return /docker|kubepods|containerd|lxc/.test(machine.readText('/proc/1/cgroup') ?? '') ? 'container' : 'plain';
}

/** How a container gets the two devices, from outside. */
export const CONTAINER_MEND = 'start the container with --device=/dev/kfd --device=/dev/dri';
