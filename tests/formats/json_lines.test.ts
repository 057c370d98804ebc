import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cutAfterStep, cutTornLine, openJsonLines, readJsonLines } from '../../worker/formats/json_lines.ts';
import { temporaryFolder } from '../temporary_folder.ts';

const newFile = (text?: string): string => {
  const path = join(temporaryFolder(), 'metrics.jsonl');
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

it('appends one line a value and leaves what was there', () => {
  const path = newFile('{"step":1}\n');
  const lines = openJsonLines(path);
  lines.append({ step: 2, loss: Number.NaN });
  lines.append({ step: 3, text: 'two\nlines' });
  lines.close();
  expect(readFileSync(path, 'utf8')).toBe('{"step":1}\n{"step":2,"loss":null}\n{"step":3,"text":"two\\nlines"}\n');
});

it('has no lines where there is no file', () => {
  expect(readJsonLines(newFile())).toEqual([]);
});

it('skips a torn last line on reading, also one that happens to be whole JSON', () => {
  expect(readJsonLines(newFile('{"step":1}\n{"step":2,"lo'))).toEqual([{ step: 1 }]);
  // Cut from {"step":1}\n12…: without its newline nobody knows that 1 was all of it.
  expect(readJsonLines(newFile('{"step":1}\n1'))).toEqual([{ step: 1 }]);
});

it('cuts a torn line off before it goes on', () => {
  const path = newFile('{"step":1}\n{"step":2,"lo');
  const lines = openJsonLines(path);
  lines.append({ step: 2 });
  lines.close();
  expect(readJsonLines(path)).toEqual([{ step: 1 }, { step: 2 }]);
});

it('says how many bytes were torn', () => {
  expect(cutTornLine(newFile('{"step":1}\n{"st'))).toBe(4);
  expect(cutTornLine(newFile('{"step":1}\n'))).toBe(0);
  expect(cutTornLine(newFile('{"st'))).toBe(4);
});

it('names file and line of damage in the middle', () => {
  const path = newFile('{"step":1}\n{"step":\n{"step":3}\n');
  expect(() => readJsonLines(path)).toThrow(`${path}, line 2: not a line of JSON ({"step":…)`);
});

it('cuts all lines after a step, so that a curve continues there', () => {
  const path = newFile('{"step":100}\n{"step":200,"name":"ü"}\n{"step":300}\n{"step":400}\n{"st');
  expect(cutAfterStep(path, 200)).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe('{"step":100}\n{"step":200,"name":"ü"}\n');
  expect(cutAfterStep(path, 200)).toBe(0);
  expect(cutAfterStep(path, 0)).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('lets a reader follow while it is written', () => {
  const path = newFile();
  const lines = openJsonLines(path);
  for (let step = 0; step < 50; step++) {
    lines.append({ step });
    expect(readJsonLines(path).length).toBe(step + 1);
  }
  lines.close();
  appendFileSync(path, '{"step":50');
  expect(readJsonLines(path).length).toBe(50);
});
