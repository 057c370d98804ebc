import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../../worker/cli/failure.ts';
import { UsageError, UserError } from '../../worker/user_error.ts';

it('prints a mistake that a person can mend as one sentence', () => {
  expect(failureOf(new UserError('runs/walk is in use by process 12; stop it first.'))).toEqual({
    exitCode: 1,
    text: 'leash: runs/walk is in use by process 12; stop it first.\n',
  });
});

it('tells wrong use by its exit code', () => {
  expect(failureOf(new UsageError('--resume and --preset exclude each other.')).exitCode).toBe(2);
});

it('puts the system’s refusals into words, with the file', () => {
  expect(failureOf(caught(() => readFileSync('/nowhere/at/all'))).text).toBe(
    'leash: /nowhere/at/all: there is no such file or folder; check the path.\n',
  );
  expect(failureOf(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })).text).toBe(
    'leash: the disk is full; free some space and run it again.\n',
  );
});

it('shows where an unexpected error came from and asks for a report', () => {
  const { exitCode, text } = failureOf(new TypeError('x is not a function'));
  expect(exitCode).toBe(1);
  expect(text).toContain('TypeError: x is not a function');
  expect(text).toContain('failure.test.ts');
  expect(text).toContain('report');
});

it('takes whatever was thrown', () => {
  expect(failureOf('just text').text).toContain('just text');
});

function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
