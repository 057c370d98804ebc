import { type Finding, missing, ok, wrong } from './finding.ts';
import type { Machine } from './machine.ts';
import { CONTAINER_MEND, type Surroundings } from './surroundings.ts';

interface Group {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

function groups(machine: Machine): Group[] {
  return (machine.readText('/etc/group') ?? '')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name, , gid, members]) => ({ name, gid: Number(gid), members: members.split(',') }));
}

/** Name of a group id, or null where /etc/group has none. */
export function groupName(machine: Machine, gid: number): string | null {
  return groups(machine).find((group) => group.gid === gid)?.name ?? null;
}

function userName(machine: Machine): string | null {
  const line = (machine.readText('/etc/passwd') ?? '').split('\n').find((text) => text.split(':')[2] === String(machine.uid));
  return line?.split(':')[0] ?? null;
}

/** Whether this process is in `render` or `video`, the groups that own the GPU's devices. What counts is the process, not /etc/group. */
export function checkGroup(machine: Machine, name: 'render' | 'video', surroundings: Surroundings): Finding {
  const id = `group-${name}`;
  const title = `group ${name}`;
  if (machine.uid === 0) return ok(id, title, 'not needed: you are root');
  const group = groups(machine).find((one) => one.name === name);
  if (group !== undefined && machine.groups.includes(group.gid)) return ok(id, title, 'you are a member');
  const devices = [
    '/dev/kfd',
    ...machine
      .list('/dev/dri')
      .filter((node) => node.startsWith('renderD'))
      .map((node) => `/dev/dri/${node}`),
  ];
  const present = devices.filter((path) => machine.exists(path));
  if (present.length > 0 && present.every((path) => machine.canOpen(path)))
    return ok(id, title, 'not a member, but the devices open without it');
  if (surroundings === 'container') return missing(id, title, 'not a member', `${CONTAINER_MEND} --group-add ${name}`);
  if (group === undefined)
    return missing(id, title, 'there is no such group', `sudo groupadd --system ${name} && sudo usermod -aG ${name} $USER, then restart`);
  const user = userName(machine);
  if (user !== null && group.members.includes(user))
    return wrong(id, title, 'you were added after this session began', 'log out and in again');
  return missing(id, title, 'you are not a member', `sudo usermod -aG ${name} $USER, then log out and in again`);
}
