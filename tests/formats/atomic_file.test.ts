import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLeftover, pointLink, sweepLeftovers, writeFileAtomic, writeFolderAtomic } from '../../worker/formats/atomic_file.ts';
import { temporaryFolder } from '../temporary_folder.ts';

/** The number of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('a file', () => {
  it('is replaced whole, and nothing else is left in its folder', () => {
    const folder = temporaryFolder();
    writeFileAtomic(join(folder, 'a.json'), 'old');
    writeFileAtomic(join(folder, 'a.json'), new TextEncoder().encode('new'));
    expect(contents(folder)).toEqual({ 'a.json': 'new' });
  });

  it('is a new file each time: who has the old one open goes on reading the old one', () => {
    const path = join(temporaryFolder(), 'a');
    writeFileAtomic(path, 'old');
    const before = statSync(path).ino;
    writeFileAtomic(path, 'new', { durable: false });
    expect(statSync(path).ino).not.toBe(before);
  });

  it('that cannot take its place leaves no temporary file', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    expect(() => writeFileAtomic(join(folder, 'a'), 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['a']);
  });
});

describe('a folder', () => {
  it('appears with all its files', () => {
    const folder = temporaryFolder();
    writeFolderAtomic(
      join(folder, 'c'),
      new Map<string, string | Uint8Array>([
        ['x', '1'],
        ['y', Uint8Array.of(50)],
      ]),
    );
    expect(readdirSync(folder)).toEqual(['c']);
    expect(contents(join(folder, 'c'))).toEqual({ x: '1', y: '2' });
  });

  it('replaces the one that was there, files of the old one included', () => {
    const folder = temporaryFolder();
    writeFolderAtomic(
      join(folder, 'c'),
      new Map([
        ['x', '1'],
        ['gone', '1'],
      ]),
    );
    writeFolderAtomic(join(folder, 'c'), new Map([['x', '2']]));
    expect(readdirSync(folder)).toEqual(['c']);
    expect(contents(join(folder, 'c'))).toEqual({ x: '2' });
  });

  it('that fails half-way leaves what was there', () => {
    const folder = temporaryFolder();
    writeFolderAtomic(join(folder, 'c'), new Map([['x', '1']]));
    expect(() =>
      writeFolderAtomic(
        join(folder, 'c'),
        new Map([
          ['x', '2'],
          ['no/such/folder', '2'],
        ]),
      ),
    ).toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual(['c']);
    expect(contents(join(folder, 'c'))).toEqual({ x: '1' });
  });
});

describe('a link', () => {
  it('is swapped', () => {
    const folder = temporaryFolder();
    pointLink(join(folder, 'latest'), 'one');
    pointLink(join(folder, 'latest'), 'two');
    expect(readdirSync(folder)).toEqual(['latest']);
    expect(readlinkSync(join(folder, 'latest'))).toBe('two');
  });

  it('never replaces a real folder', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'latest'));
    expect(() => pointLink(join(folder, 'latest'), 'one')).toThrow(`${join(folder, 'latest')} is no symbolic link and was not replaced`);
  });

  it('is swapped also where it points nowhere', () => {
    const folder = temporaryFolder();
    symlinkSync('nowhere', join(folder, 'latest'));
    pointLink(join(folder, 'latest'), 'one');
    expect(readlinkSync(join(folder, 'latest'))).toBe('one');
  });
});

describe('sweeping', () => {
  it('removes what dead writers left, and nothing else', () => {
    const folder = temporaryFolder();
    const dead = deadPid();
    writeFileSync(join(folder, `.a.json.tmp-${dead}-abc1-0`), 'half');
    mkdirSync(join(folder, `.000000000001.tmp-${dead}-abc1-1`));
    writeFileSync(join(folder, `.000000000001.tmp-${dead}-abc1-1`, 'x'), 'half');
    // Process 1 runs for as long as the machine does.
    writeFileSync(join(folder, '.b.json.tmp-1-abc1-0'), 'at work');
    writeFileSync(join(folder, '.mine'), 'kept');
    const swept = sweepLeftovers(folder);
    expect(swept.toSorted()).toEqual([`.000000000001.tmp-${dead}-abc1-1`, `.a.json.tmp-${dead}-abc1-0`]);
    expect(readdirSync(folder).toSorted()).toEqual(['.b.json.tmp-1-abc1-0', '.mine']);
  });

  it('removes what an earlier process of our own number left', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `.a.json.tmp-${process.pid}-other-0`), 'half');
    expect(sweepLeftovers(folder).length).toBe(1);
  });

  it('puts a folder back whose successor never came, and drops it where that came', () => {
    const folder = temporaryFolder();
    writeFolderAtomic(join(folder, 'c'), new Map([['x', 'old']]));
    const aside = join(folder, `.c.old-${deadPid()}-abc1-3`);
    renameSync(join(folder, 'c'), aside);
    sweepLeftovers(folder);
    expect(contents(join(folder, 'c'))).toEqual({ x: 'old' });

    mkdirSync(aside);
    sweepLeftovers(folder);
    expect(existsSync(aside)).toBe(false);
    expect(contents(join(folder, 'c'))).toEqual({ x: 'old' });
  });

  it('tells temporary names from others', () => {
    expect(isLeftover('.policy.json.tmp-123-ab12-0')).toBe(true);
    expect(isLeftover('.policy.json')).toBe(false);
    expect(isLeftover('000000001000')).toBe(false);
  });
});
