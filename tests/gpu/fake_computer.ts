import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Machine, openMachine } from '../../worker/gpu/machine.ts';

export interface FakeComputer {
  /** Where it lies on the real disk. */
  readonly folder: string;
  readonly machine: Machine;
  /** Puts a file at an absolute path of the fake computer. */
  file(path: string, text?: string, mode?: number): void;
  /** Puts a shell script into the fake computer's PATH. */
  program(name: string, script: string): void;
}

/** A folder that plays a computer, gone after the test. The shell's own commands stay reachable for its programs. */
export function fakeComputer(overrides: Partial<Machine> = {}, env: Record<string, string> = {}): FakeComputer {
  const root = mkdtempSync(join(tmpdir(), 'leash-computer-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const programs = join(root, 'programs');
  const file = (path: string, text = '', mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  return {
    folder: root,
    machine: { ...openMachine(root, { PATH: programs, ...env }), uid: 1000, groups: [1000], ...overrides },
    file,
    program: (name, script) => file(`/programs/${name}`, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`, 0o755),
  };
}

/** An RX 7900 XTX as Linux shows it, with its driver loaded. */
export function plugInCard(computer: FakeComputer): void {
  computer.file('/sys/bus/pci/devices/0000:03:00.0/vendor', '0x1002\n');
  computer.file('/sys/bus/pci/devices/0000:03:00.0/device', '0x744c\n');
  computer.file('/sys/bus/pci/devices/0000:03:00.0/class', '0x030000\n');
  computer.file('/dev/kfd');
  computer.file('/dev/dri/card0');
  computer.file('/dev/dri/renderD128');
  computer.file('/sys/class/drm/renderD128/device/vendor', '0x1002\n');
  computer.file('/etc/group', 'root:x:0:\nvideo:x:44:ada\nrender:x:105:\n');
  computer.file('/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n');
}
