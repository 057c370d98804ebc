import { describe, expect, it } from 'vitest';
import { checkCores, checkDisk, checkMemory, checkSimd } from '../../worker/gpu/computer_checks.ts';
import { fakeComputer } from './fake_computer.ts';

const cpuinfo = (flags: string): string => `processor\t: 0\nmodel name\t: AMD EPYC 9474F\nflags\t\t: fpu sse2 ${flags}\n`;

describe('the processor', () => {
  it.each([
    ['avx avx2 fma', 'ok', 'AVX2'],
    ['avx avx2 fma avx512f', 'ok', 'AVX-512 and AVX2'],
    ['avx', 'missing', 'neither AVX2 nor AVX-512'],
  ])('with %s is %s', (flags, state, detail) => {
    const computer = fakeComputer();
    computer.file('/proc/cpuinfo', cpuinfo(flags));
    expect(checkSimd(computer.machine)).toMatchObject({ state, detail });
  });

  it('of ARM has NEON', () => {
    const computer = fakeComputer();
    computer.file('/proc/cpuinfo', 'processor\t: 0\nFeatures\t: fp asimd evtstrm\n');
    expect(checkSimd(computer.machine)).toMatchObject({ state: 'ok', detail: 'NEON' });
  });

  it('is named with its cores', () => {
    const computer = fakeComputer();
    computer.file('/proc/cpuinfo', cpuinfo('avx2'));
    expect(checkCores(computer.machine, 8)).toMatchObject({ state: 'ok', detail: '8 of AMD EPYC 9474F' });
  });

  it('that a container may use only in part is said to be', () => {
    const computer = fakeComputer();
    computer.file('/sys/fs/cgroup/cpu.max', '150000 100000\n');
    expect(checkCores(computer.machine, 8)).toMatchObject({ state: 'wrong', detail: '8, but the container may use only 1.5' });
  });

  it('without a limit of the container is ok', () => {
    const computer = fakeComputer();
    computer.file('/sys/fs/cgroup/cpu.max', 'max 100000\n');
    expect(checkCores(computer.machine, 8).state).toBe('ok');
  });
});

describe('memory and disk', () => {
  it('calls less than a training needs wrong', () => {
    const computer = fakeComputer();
    computer.file('/proc/meminfo', 'MemTotal: 4000000 kB\nMemAvailable: 1000000 kB\n');
    expect(checkMemory(computer.machine)).toMatchObject({ state: 'wrong', detail: '1.0 GB free' });
  });

  it('counts what the container may still take, with file pages that the kernel gives back', () => {
    const computer = fakeComputer();
    computer.file('/proc/meminfo', 'MemAvailable: 32000000 kB\n');
    computer.file('/sys/fs/cgroup/memory.max', '4000000000\n');
    computer.file('/sys/fs/cgroup/memory.current', '3900000000\n');
    computer.file('/sys/fs/cgroup/memory.stat', 'anon 900000000\ninactive_file 3000000000\n');
    expect(checkMemory(computer.machine)).toMatchObject({ state: 'ok', detail: '3.1 GB free (the container’s limit)' });
  });

  it('calls a full disk wrong', () => {
    const { machine } = fakeComputer({ freeBytes: () => 5e8 });
    expect(checkDisk(machine, '/home')).toMatchObject({ state: 'wrong', detail: '0.5 GB free' });
  });
});
