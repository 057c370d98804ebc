import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { doctorTable } from '../../worker/cli/doctor_table.ts';
import { checkNode, checkPackages, isUsable } from '../../worker/cli/leash_checks.ts';
import { type FindingGroup, missing, ok, wrong } from '../../worker/gpu/finding.ts';
import { leash } from './leash_process.ts';

interface DoctorJson {
  usable: boolean;
  groups: FindingGroup[];
}

describe('leash doctor', () => {
  it('tells programs and people the same', () => {
    const json = leash(['doctor', '--json']);
    const table = leash(['doctor']);
    const { usable, groups } = JSON.parse(json.stdout) as DoctorJson;
    expect(groups.map((group) => group.title)).toEqual(['Leash', 'Computer', 'AMD GPU']);
    for (const finding of groups.flatMap((group) => group.findings)) {
      expect(table.stdout).toMatch(new RegExp(`^ {2}${finding.state} +${escaped(finding.title)} `, 'm'));
      expect(['ok', 'missing', 'wrong']).toContain(finding.state);
    }
    expect([json.code, table.code]).toEqual(usable ? [0, 0] : [1, 1]);
  });

  it('finds Leash’s own parts in place after setup', () => {
    const { groups } = JSON.parse(leash(['doctor', '--json']).stdout) as DoctorJson;
    const states = Object.fromEntries(groups[0]!.findings.map((finding) => [finding.id, finding.state]));
    expect(states).toMatchObject({ node: 'ok', packages: 'ok', 'mujoco-wasm': 'ok', learner: 'ok' });
  });

  it('does not hold a missing GPU against the computer', () => {
    // An empty PATH and no ROCm folder: no rocminfo, whatever this computer has.
    const { code, stdout } = leash(['doctor', '--json'], { PATH: '', ROCM_PATH: '/nowhere' });
    const { groups } = JSON.parse(stdout) as DoctorJson;
    expect(groups[2]!.findings.find((finding) => finding.id === 'rocminfo')?.state).toBe('missing');
    expect(code).toBe(0);
  });
});

describe('the table', () => {
  const groups: FindingGroup[] = [
    { title: 'Leash', findings: [ok('node', 'Node', '22.1.0'), wrong('learner', 'learner', 'does not load', 'npm run setup')] },
  ];

  it('puts the mend below the line that it mends', () => {
    expect(doctorTable(groups, { color: false })).toBe(
      'Leash\n  ok       Node     22.1.0\n  wrong    learner  does not load\n                    → npm run setup\n',
    );
  });

  it('colors nothing but the states', () => {
    const colored = doctorTable(groups, { color: true });
    expect(colored).toContain('\u001b[32mok     \u001b[0m');
    expect(stripVTControlCharacters(colored)).toBe(doctorTable(groups, { color: false }));
  });
});

describe('what Leash cannot do without', () => {
  it.each([
    ['node', false],
    ['packages', false],
    ['mujoco-wasm', false],
    ['learner', false],
    ['mujoco-native', true],
  ])('with %s missing is usable: %s', (id, usable) => {
    expect(isUsable({ title: 'Leash', findings: [ok('other', 'other', ''), missing(id, id, 'not there', null)] })).toBe(usable);
  });

  it('is Node 20 or newer', () => {
    expect(checkNode('18.19.0')).toMatchObject({ state: 'wrong', detail: '18.19.0, and Leash needs 20 or newer' });
    expect(checkNode('20.0.0').state).toBe('ok');
    expect(checkNode('24.1.0').state).toBe('ok');
  });

  it('is every npm package in the very version', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leash-packages-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const install = (name: string, version: string): void => {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name, version }));
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { valibot: '1.5.0', commander: '14.0.3' } }));
    install('valibot', '1.5.0');
    expect(checkPackages(folder)).toMatchObject({ state: 'missing', detail: 'without commander', mend: 'npm run setup' });
    install('commander', '13.0.0');
    expect(checkPackages(folder)).toMatchObject({ state: 'wrong', detail: 'commander 13.0.0 instead of 14.0.3' });
    install('commander', '14.0.3');
    expect(checkPackages(folder).state).toBe('ok');
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
