import { describe, expect, it } from 'vitest';
import type { Finding } from '../../worker/gpu/finding.ts';
import { examineGpu } from '../../worker/gpu/gpu_doctor.ts';
import { type FakeComputer, fakeComputer, plugInCard } from './fake_computer.ts';
import { rocminfoOutput } from './rocminfo_output.ts';

async function line(computer: FakeComputer, id: string): Promise<Finding> {
  const { findings } = await examineGpu(computer.machine);
  const found = findings.find((finding) => finding.id === id);
  if (found === undefined) throw new Error(`The doctor has no line ${id}; it has ${findings.map((finding) => finding.id).join(', ')}.`);
  return found;
}

const closed = { canOpen: (path: string): boolean => !path.startsWith('/dev/') };

describe('a computer with all in place', () => {
  it('has only ok lines', async () => {
    const computer = fakeComputer({ groups: [1000, 44, 105] });
    plugInCard(computer);
    computer.file('/opt/rocm/.info/version', '6.2.4-139\n');
    computer.file('/opt/rocm/lib/libamdhip64.so.6');
    computer.program('rocminfo', `cat <<'TEXT'\n${rocminfoOutput([{ gfx: 'gfx1100', name: 'AMD Radeon RX 7900 XTX', units: 96 }])}TEXT`);
    const { findings } = await examineGpu(computer.machine);
    expect(Object.fromEntries(findings.map((finding) => [finding.id, `${finding.state}: ${finding.detail}`]))).toEqual({
      card: 'ok: 0000:03:00.0 (device 0x744c)',
      kfd: 'ok: can be opened',
      render: 'ok: renderD128',
      'group-render': 'ok: you are a member',
      'group-video': 'ok: you are a member',
      rocm: 'ok: 6.2.4-139 in /opt/rocm',
      rocminfo: 'ok: gfx1100 AMD Radeon RX 7900 XTX, 96 compute units',
      hip: 'ok: /opt/rocm/lib/libamdhip64.so.6',
    });
    expect(findings.every((finding) => finding.mend === null)).toBe(true);
  });
});

describe('the card and its driver', () => {
  it('calls a computer without an AMD card missing, not wrong', async () => {
    const computer = fakeComputer();
    computer.file('/sys/bus/pci/devices/0000:01:00.0/vendor', '0x10de\n');
    computer.file('/sys/bus/pci/devices/0000:01:00.0/class', '0x030000\n');
    expect((await line(computer, 'card')).state).toBe('missing');
    expect(await line(computer, 'kfd')).toMatchObject({ state: 'missing', mend: 'comes with an AMD GPU and its driver' });
  });

  it('does not take AMD’s bridges and sound chips for GPUs', async () => {
    const computer = fakeComputer();
    computer.file('/sys/bus/pci/devices/0000:00:00.0/vendor', '0x1002\n');
    computer.file('/sys/bus/pci/devices/0000:00:00.0/class', '0x040300\n');
    expect((await line(computer, 'card')).state).toBe('missing');
  });

  it('takes an Instinct accelerator, which is no display', async () => {
    const computer = fakeComputer();
    computer.file('/sys/bus/pci/devices/0000:c1:00.0/vendor', '0x1002\n');
    computer.file('/sys/bus/pci/devices/0000:c1:00.0/device', '0x74a1\n');
    computer.file('/sys/bus/pci/devices/0000:c1:00.0/class', '0x120000\n');
    expect(await line(computer, 'card')).toMatchObject({ state: 'ok', detail: '0000:c1:00.0 (device 0x74a1)' });
  });

  it('asks for the driver when the card is there and /dev/kfd is not', async () => {
    const computer = fakeComputer();
    computer.file('/sys/bus/pci/devices/0000:03:00.0/vendor', '0x1002\n');
    computer.file('/sys/bus/pci/devices/0000:03:00.0/class', '0x030000\n');
    expect(await line(computer, 'kfd')).toMatchObject({ state: 'wrong', mend: expect.stringContaining('modprobe amdgpu') });
  });

  it('does not count another maker’s render node', async () => {
    const computer = fakeComputer();
    computer.file('/dev/dri/renderD128');
    computer.file('/sys/class/drm/renderD128/device/vendor', '0x8086\n');
    expect(await line(computer, 'render')).toMatchObject({ state: 'missing', detail: 'renderD128, none of them AMD’s' });
  });
});

describe('permission', () => {
  it('tells a closed device from an absent one, and names the group that owns it', async () => {
    const computer = fakeComputer({ ...closed, groupOf: () => 105 });
    plugInCard(computer);
    const finding = await line(computer, 'kfd');
    expect(finding).toMatchObject({ state: 'wrong', mend: 'sudo usermod -aG render $USER, then log out and in again' });
    expect(finding.detail).toContain('belongs to group render');
  });

  it('does not advise to join the group root', async () => {
    const computer = fakeComputer({ ...closed, groupOf: () => 0 });
    plugInCard(computer);
    expect((await line(computer, 'kfd')).mend).not.toContain('usermod');
  });

  it('says to log in again when the person was added but the session is older', async () => {
    const computer = fakeComputer(closed);
    plugInCard(computer);
    expect(await line(computer, 'group-video')).toMatchObject({ state: 'wrong', mend: 'log out and in again' });
    expect(await line(computer, 'group-render')).toMatchObject({ state: 'missing', detail: 'you are not a member' });
  });

  it('asks for no group when the devices open without it', async () => {
    const computer = fakeComputer();
    plugInCard(computer);
    expect((await line(computer, 'group-render')).state).toBe('ok');
  });

  it('asks root for no group', async () => {
    expect((await line(fakeComputer({ ...closed, uid: 0 }), 'group-render')).state).toBe('ok');
  });

  it('hands a container’s mend to a person in a container', async () => {
    const computer = fakeComputer({ ...closed, groupOf: () => 110 });
    plugInCard(computer);
    computer.file('/.dockerenv');
    expect((await line(computer, 'kfd')).mend).toBe('start the container with --group-add 110');
    expect((await line(computer, 'surroundings')).title).toBe('container');
  });
});

describe('Windows Subsystem for Linux', () => {
  it('needs neither /dev/kfd nor a render node', async () => {
    const computer = fakeComputer();
    computer.file('/dev/dxg');
    expect((await line(computer, 'kfd')).state).toBe('ok');
    expect((await line(computer, 'render')).state).toBe('ok');
    expect((await line(computer, 'surroundings')).title).toBe('Windows');
  });

  it('names the mend on the Windows side when /dev/dxg is absent', async () => {
    const computer = fakeComputer();
    computer.file('/proc/sys/kernel/osrelease', '5.15.153.1-microsoft-standard-WSL2\n');
    expect(await line(computer, 'kfd')).toMatchObject({ state: 'wrong', mend: expect.stringContaining('wsl --update') });
  });
});

describe('ROCm and HIP', () => {
  it('takes the newest of several ROCm folders', async () => {
    const computer = fakeComputer();
    computer.file('/opt/rocm-6.9.0/.info/version', '6.9.0\n');
    computer.file('/opt/rocm-6.10.1/.info/version', '6.10.1\n');
    expect((await line(computer, 'rocm')).detail).toBe('6.10.1 in /opt/rocm-6.10.1');
  });

  it('finds the distribution’s HIP library', async () => {
    const computer = fakeComputer();
    computer.file('/usr/lib/x86_64-linux-gnu/libamdhip64.so.5');
    expect((await line(computer, 'hip')).detail).toBe('/usr/lib/x86_64-linux-gnu/libamdhip64.so.5');
    expect(await line(computer, 'rocm')).toMatchObject({ state: 'ok', detail: 'the distribution’s own packages' });
  });

  it('says so when ROCM_PATH leads nowhere', async () => {
    const computer = fakeComputer({}, { ROCM_PATH: '/opt/typo' });
    expect(await line(computer, 'rocm')).toMatchObject({ state: 'wrong', detail: 'ROCM_PATH is /opt/typo, which does not exist' });
  });

  it('calls an installation without its version file incomplete', async () => {
    const computer = fakeComputer();
    computer.file('/opt/rocm/bin/hipcc');
    expect((await line(computer, 'rocm')).state).toBe('wrong');
  });

  it('is missing both on a bare computer', async () => {
    const computer = fakeComputer();
    expect((await line(computer, 'rocm')).state).toBe('missing');
    expect((await line(computer, 'hip')).state).toBe('missing');
  });
});
