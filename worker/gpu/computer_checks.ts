import { type Finding, type FindingGroup, missing, ok, wrong } from './finding.ts';
import type { Machine } from './machine.ts';

const GB = 1e9;
/** A default training stays below this. */
const NEEDED_MEMORY_BYTES = 1.5 * GB;
const NEEDED_DISK_BYTES = 2 * GB;

/** The computer itself: what training on the processor needs. */
export function examineComputer(machine: Machine, cores: number, folder: string): FindingGroup {
  return {
    title: 'Computer',
    findings: [checkCores(machine, cores), checkSimd(machine), checkMemory(machine), checkDisk(machine, folder)],
  };
}

/** @param cores that this process may run on */
export function checkCores(machine: Machine, cores: number): Finding {
  const model = /^model name\s*:\s*(.+)$/m.exec(machine.readText('/proc/cpuinfo') ?? '')?.[1];
  const name = model === undefined ? '' : ` of ${model.trim()}`;
  const quota = cgroupCores(machine);
  if (quota !== null && quota < cores)
    return wrong(
      'cores',
      'cores',
      `${cores}${name}, but the container may use only ${quota.toFixed(1)}`,
      'start the container with more --cpus, or train with --threads',
    );
  return ok('cores', 'cores', `${cores}${name}`);
}

function cgroupCores(machine: Machine): number | null {
  const [quota, period] = (machine.readText('/sys/fs/cgroup/cpu.max') ?? '').trim().split(/\s+/).map(Number);
  return Number.isFinite(quota) && quota > 0 && period > 0 ? quota / period : null;
}

/** Vector instructions that the learner can use. */
export function checkSimd(machine: Machine): Finding {
  const text = machine.readText('/proc/cpuinfo') ?? '';
  const flags = new Set((/^(?:flags|Features)\s*:\s*(.+)$/m.exec(text)?.[1] ?? '').split(/\s+/));
  if (flags.has('avx512f')) return ok('simd', 'vector unit', 'AVX-512 and AVX2');
  if (flags.has('avx2') && flags.has('fma')) return ok('simd', 'vector unit', 'AVX2');
  if (flags.has('asimd')) return ok('simd', 'vector unit', 'NEON');
  return missing(
    'simd',
    'vector unit',
    'neither AVX2 nor AVX-512',
    'nothing to mend: everything runs, but training is several times slower',
  );
}

export function checkMemory(machine: Machine): Finding {
  const kilobytes = /^MemAvailable:\s*(\d+) kB$/m.exec(machine.readText('/proc/meminfo') ?? '')?.[1];
  if (kilobytes === undefined) return missing('memory', 'memory', '/proc/meminfo does not tell', null);
  const limit = containerMemory(machine);
  const free = Math.min(Number(kilobytes) * 1024, limit ?? Number.POSITIVE_INFINITY);
  const detail = `${gigabytes(free)} free${limit === free ? ' (the container’s limit)' : ''}`;
  if (free < NEEDED_MEMORY_BYTES)
    return wrong('memory', 'memory', detail, `a training needs ${gigabytes(NEEDED_MEMORY_BYTES)}: close other programs`);
  return ok('memory', 'memory', detail);
}

/** Bytes that the container may still take, or null without a limit. */
function containerMemory(machine: Machine): number | null {
  const folder = '/sys/fs/cgroup';
  const limit = Number(machine.readText(`${folder}/memory.max`) ?? 'max');
  const used = Number(machine.readText(`${folder}/memory.current`) ?? 'none');
  if (!Number.isFinite(limit) || !Number.isFinite(used)) return null;
  // File pages that the kernel gives back at once count as used there.
  const reclaimable = Number(/^inactive_file (\d+)$/m.exec(machine.readText(`${folder}/memory.stat`) ?? '')?.[1] ?? 0);
  return Math.max(0, limit - used + reclaimable);
}

/** @param folder where Leash and its runs lie */
export function checkDisk(machine: Machine, folder: string): Finding {
  const free = machine.freeBytes(folder);
  if (free === null) return missing('disk', 'disk', `${folder} does not tell its free space`, null);
  const detail = `${gigabytes(free)} free`;
  if (free < NEEDED_DISK_BYTES)
    return wrong('disk', 'disk', detail, `checkpoints and episodes need ${gigabytes(NEEDED_DISK_BYTES)}: free some space`);
  return ok('disk', 'disk', detail);
}

function gigabytes(bytes: number): string {
  return `${(bytes / GB).toFixed(1)} GB`;
}
