import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leashProgram } from '../../worker/cli/program.ts';
import { root } from '../../worker/paths.ts';
import { leash } from './leash_process.ts';

describe('leash', () => {
  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(leash(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('ends with 2 and its help when called without a command', () => {
    const { code, stderr } = leash([]);
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: leash');
  });

  it('suggests the command that was meant', () => {
    const { code, stdout, stderr } = leash(['docter']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^leash: unknown command 'docter'\n\(Did you mean doctor\?\)/);
  });

  it('ends with 2 at an option that does not exist', () => {
    const { code, stderr } = leash(['doctor', '--jsn']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^leash: unknown option '--jsn'\n\(Did you mean --json\?\)/);
  });

  it('ends with 2 at an argument too many', () => {
    expect(leash(['doctor', 'now']).code).toBe(2);
  });

  it.each(leashProgram().commands.map((command) => command.name()))('shows examples in the help of %s', (name) => {
    const { code, stdout } = leash([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\n +npx leash ${name}`));
  });
});
