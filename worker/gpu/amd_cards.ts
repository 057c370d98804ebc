import { type Finding, missing, ok } from './finding.ts';
import type { Machine } from './machine.ts';
import type { Surroundings } from './surroundings.ts';

export interface AmdCard {
  /** `0000:03:00.0` */
  readonly pciAddress: string;
  /** PCI device id, `0x744c`. */
  readonly deviceId: string;
}

const AMD = '0x1002';
/** PCI base classes: display controller and processing accelerator (Instinct). */
const gpuClass = /^0x(03|12)/;

/** AMD's GPUs on the PCI bus, whether or not a driver holds them. */
export function amdCards(machine: Machine): AmdCard[] {
  const folder = '/sys/bus/pci/devices';
  const field = (address: string, name: string): string => machine.readText(`${folder}/${address}/${name}`)?.trim() ?? '';
  return machine
    .list(folder)
    .filter((address) => field(address, 'vendor') === AMD && gpuClass.test(field(address, 'class')))
    .map((pciAddress) => ({ pciAddress, deviceId: field(pciAddress, 'device') }));
}

export function checkCards(machine: Machine, surroundings: Surroundings): Finding {
  const cards = amdCards(machine);
  if (cards.length > 0) return ok('card', 'AMD GPU', cards.map((card) => `${card.pciAddress} (device ${card.deviceId})`).join(', '));
  // WSL shows Windows' GPU through /dev/dxg, not on its own PCI bus.
  if (surroundings === 'wsl') return missing('card', 'AMD GPU', 'WSL hides the PCI bus', 'see the line of rocminfo');
  return missing('card', 'AMD GPU', 'none on the PCI bus', 'nothing to mend: training runs on the CPU');
}
