import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isRunning, livenessOf, ownIdentity } from '../../worker/formats/process_identity.ts';

it('finds itself alive', () => {
  expect(ownIdentity().pid).toBe(process.pid);
  expect(livenessOf(ownIdentity())).toBe('alive');
});

it('finds an ended process dead', () => {
  expect(livenessOf({ ...ownIdentity(), pid: spawnSync(process.execPath, ['-e', '']).pid })).toBe('dead');
});

it('is not fooled by a number that was given to another process', () => {
  const own = ownIdentity();
  expect(livenessOf({ ...own, startTime: own.startTime! - 1 })).toBe('dead');
});

it('holds a process from before a restart of the machine for dead, whatever runs under its number now', () => {
  expect(livenessOf({ ...ownIdentity(), boot: '00000000-0000-0000-0000-000000000000' })).toBe('dead');
});

it('says nothing of a process on another machine', () => {
  expect(livenessOf({ ...ownIdentity(), boot: '00000000-0000-0000-0000-000000000000', host: 'elsewhere' })).toBe('elsewhere');
  expect(livenessOf({ ...ownIdentity(), boot: null, host: 'elsewhere' })).toBe('elsewhere');
});

it('finds a killed process dead', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  expect(isRunning(child.pid!)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isRunning(child.pid!)).toBe(false);
});
