import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examineGpu } from '../../worker/gpu/gpu_doctor.ts';
import { parseAgents, rocminfoFinding } from '../../worker/gpu/rocminfo.ts';
import { type FakeComputer, fakeComputer } from './fake_computer.ts';
import { rocminfoOutput } from './rocminfo_output.ts';

const navi = { gfx: 'gfx1100', name: 'AMD Radeon RX 7900 XTX', units: 96 };

async function lineOfRocminfo(computer: FakeComputer): Promise<{ state: string; detail: string; mend: string | null }> {
  const { findings } = await examineGpu(computer.machine);
  const { state, detail, mend } = findings.find((finding) => finding.id === 'rocminfo')!;
  return { state, detail, mend };
}

describe('reading rocminfo', () => {
  it('lists every GPU with its gfx name and leaves processors out', () => {
    const text = rocminfoOutput([navi, { gfx: 'gfx90a', name: 'AMD Instinct MI210', units: 104 }]);
    expect(parseAgents(text)).toEqual([
      { gfx: 'gfx1100', marketingName: 'AMD Radeon RX 7900 XTX', computeUnits: 96 },
      { gfx: 'gfx90a', marketingName: 'AMD Instinct MI210', computeUnits: 104 },
    ]);
  });

  it('takes an agent without a marketing name', () => {
    expect(parseAgents(rocminfoOutput([{ ...navi, name: '' }]))).toEqual([{ gfx: 'gfx1100', marketingName: '', computeUnits: 96 }]);
  });

  it('says that a card is passed off as another', () => {
    expect(rocminfoFinding({ state: 'agents', agents: parseAgents(rocminfoOutput([navi])) }, '11.0.0').detail).toBe(
      'gfx1100 AMD Radeon RX 7900 XTX, 96 compute units (HSA_OVERRIDE_GFX_VERSION=11.0.0)',
    );
  });
});

describe('running rocminfo', () => {
  it('names the GPUs that the program prints', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', `cat <<'TEXT'\n${rocminfoOutput([navi])}TEXT`);
    expect(await lineOfRocminfo(computer)).toEqual({ state: 'ok', detail: 'gfx1100 AMD Radeon RX 7900 XTX, 96 compute units', mend: null });
  });

  it('finds it in ROCm’s folder when PATH has none', async () => {
    const computer = fakeComputer({}, { ROCM_PATH: '/opt/rocm-6.2.4' });
    computer.file('/opt/rocm-6.2.4/bin/rocminfo', `#!/bin/sh\n/bin/cat <<'TEXT'\n${rocminfoOutput([navi])}TEXT\n`, 0o755);
    expect((await lineOfRocminfo(computer)).state).toBe('ok');
  });

  it('is missing when it is nowhere', async () => {
    expect(await lineOfRocminfo(fakeComputer())).toMatchObject({ state: 'missing', mend: expect.stringContaining('apt install rocminfo') });
  });

  it('gives up on one that hangs, and ends what it started', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', `sleep 600 &\necho $! > ${computer.folder}/sleeper\nwait`);
    expect(await lineOfRocminfo(computer)).toMatchObject({ state: 'wrong', detail: 'no answer in 5 s' });
    const sleeper = computer.machine.readText('/sleeper')?.trim();
    expect(sleeper).toMatch(/^\d+$/);
    await expect.poll(() => isRunning(sleeper ?? '')).toBe(false);
  });

  it('does not believe exit code 0 when the text tells of an error', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', 'echo "ROCk module is NOT loaded, possibly no GPU devices"\nexit 0');
    expect(await lineOfRocminfo(computer)).toEqual({
      state: 'wrong',
      detail: 'it says: ROCk module is NOT loaded, possibly no GPU devices',
      mend: 'see the line of /dev/kfd',
    });
  });

  it('points to the groups when the device is closed', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', 'echo "ROCk module is loaded"\necho "Unable to open /dev/kfd read-write: Permission denied" >&2\nexit 1');
    expect(await lineOfRocminfo(computer)).toMatchObject({ state: 'wrong', mend: 'see the lines of /dev/kfd and the groups' });
  });

  it('counts agents even after a complaint about the module, as with a sleeping laptop GPU', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', `echo "ROCk module is NOT loaded, possibly no GPU devices"\ncat <<'TEXT'\n${rocminfoOutput([navi])}TEXT`);
    expect((await lineOfRocminfo(computer)).state).toBe('ok');
  });

  it('is wrong when only processors are listed', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', `cat <<'TEXT'\n${rocminfoOutput([])}TEXT`);
    expect(await lineOfRocminfo(computer)).toMatchObject({ state: 'wrong', detail: 'lists no GPU, only processors' });
  });

  it('quotes the first line of a failure that it does not know', async () => {
    const computer = fakeComputer();
    computer.program('rocminfo', 'echo; echo "assertion failed: topology"; exit 134');
    expect(await lineOfRocminfo(computer)).toMatchObject({ state: 'wrong', detail: 'it says: assertion failed: topology' });
  });
});

/** Not gone and not a zombie that nobody has reaped. */
function isRunning(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z';
}
