import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLeftover } from '../../worker/formats/atomic_file.ts';
import { readJsonLines } from '../../worker/formats/json_lines.ts';
import { latestPolicy } from '../../worker/policies/latest_policy.ts';
import { listCheckpoints } from '../../worker/training/run_files.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { exampleConfig } from './example_config.ts';
import { nodeArguments } from './processes.ts';

describe('a disk that fills up', () => {
  it('refuses the checkpoint in one sentence and keeps all that was there', (context) => {
    const disk = temporaryFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    context.skip(mounted.status !== 0, 'mounting a small disk needs root');
    onTestFinished(() => void spawnSync('umount', [disk]));
    const path = join(disk, 'walk');
    const child = spawnSync(process.execPath, nodeArguments('full_disk_writer.mjs', path, JSON.stringify(exampleConfig)), {
      encoding: 'utf8',
    });
    expect(child.stderr).toBe('');
    const [checkpoint, line] = child.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { step: number; name: string; message: string });

    // Each takes 300 kB: three fit into 1 MiB with what else there is.
    expect(checkpoint).toMatchObject({ step: 4000, name: 'UserError' });
    expect(checkpoint!.message).toMatch(
      /checkpoints\/000000004000\/\S+ was not written: the disk is full \((100|200)\.0 kB wanted, [\d.]+ (bytes|kB) free\); free some space or choose another folder, then run it again\.$/,
    );
    expect(line).toMatchObject({ name: 'UserError' });
    expect(line!.message).toMatch(/metrics\.jsonl was not written: the disk is full/);
    expect(listCheckpoints(path).map(({ step }) => step)).toEqual([1000, 2000, 3000]);
    for (const { path: folder, step } of listCheckpoints(path)) {
      expect(readFileSync(join(folder, 'learner.safetensors')).equals(Buffer.alloc(200_000, step / 1000))).toBe(true);
    }
    expect(latestPolicy(path)).toBe(join(path, 'checkpoints', '000000003000'));
    expect(readFileSync(join(path, 'metrics.jsonl'), 'utf8')).toMatch(/\}\n$/);
    expect(readJsonLines(join(path, 'metrics.jsonl')).slice(0, 4)).toEqual([1000, 2000, 3000, 4000].map((step) => ({ step })));
    expect(readdirSync(join(path, 'checkpoints')).filter(isLeftover)).toEqual([]);
  });
});
