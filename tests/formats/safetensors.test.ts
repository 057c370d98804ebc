import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSafetensors, encodeSafetensors, readSafetensors, tensor, tensorOf } from '../../worker/formats/safetensors.ts';
import { fixture } from '../reference.ts';

/** Bytes of a file with this header and body, written by hand. */
function file(header: unknown, body: number[]): Uint8Array {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.from(body)]);
}

describe('what is written', () => {
  it('is laid out as the format says: length, JSON header padded to 8 bytes, tensors', () => {
    const bytes = Buffer.from(encodeSafetensors({ a: tensor(Float32Array.of(1, -2), [2, 1]) }, { step: '7' }));
    const length = Number(bytes.readBigUInt64LE(0));
    expect(length % 8).toBe(0);
    expect(JSON.parse(bytes.toString('utf8', 8, 8 + length))).toEqual({
      __metadata__: { step: '7' },
      a: { dtype: 'F32', shape: [2, 1], data_offsets: [0, 8] },
    });
    expect([...bytes.subarray(8 + length)]).toEqual([0, 0, 128, 63, 0, 0, 0, 192]);
  });

  it('puts wider types first, so that each tensor starts at a multiple of its width', () => {
    const bytes = Buffer.from(
      encodeSafetensors({ small: tensor(Uint8Array.of(1, 2, 3)), wide: tensor(Float64Array.of(4)), middle: tensor(Int32Array.of(5)) }),
    );
    const header = JSON.parse(bytes.toString('utf8', 8, 8 + Number(bytes.readBigUInt64LE(0)))) as Record<
      string,
      { data_offsets: number[] }
    >;
    expect(header['wide']!.data_offsets).toEqual([0, 8]);
    expect(header['middle']!.data_offsets).toEqual([8, 12]);
    expect(header['small']!.data_offsets).toEqual([12, 15]);
  });

  it('comes back as it was, whatever the types, shapes and names', () => {
    const data = fc.oneof(
      fc.float32Array(),
      fc.float64Array(),
      fc.int32Array(),
      fc.uint8Array(),
      fc.uint16Array(),
      fc.uint32Array(),
      fc.bigUint64Array(),
      fc.bigInt64Array(),
    );
    const names = fc.string().filter((name) => name !== '__metadata__' && name !== '__proto__');
    const text = fc.dictionary(names, fc.string());
    fc.assert(
      fc.property(fc.dictionary(names, data), text, (arrays, metadata) => {
        const written = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, tensor(array)]));
        const read = decodeSafetensors(encodeSafetensors(written, metadata), 'file');
        expect({ ...read.metadata }).toEqual({ ...metadata });
        expect(Object.fromEntries(read.tensors)).toEqual(written);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a shape that the data does not fill', () => {
    expect(() => tensor(Float32Array.of(1, 2, 3), [2, 2])).toThrow('A tensor of shape [2, 2] has 4 numbers, not 3.');
  });
});

describe('a file that is not right is refused in one sentence', () => {
  const f32 = (from: number, to: number, shape = [(to - from) / 4]): object => ({ dtype: 'F32', shape, data_offsets: [from, to] });
  it.each([
    ['empty', new Uint8Array(0), /only 0 bytes long/],
    ['a header longer than the file', Uint8Array.of(255, 0, 0, 0, 0, 0, 0, 0, 123), /header should take 255 bytes, but 1 are there/],
    ['an absurd header length', new Uint8Array(16).fill(255), /header should take 1844674407370955\d+ bytes/],
    ['a header that is no JSON', file('{"a":', []), /its header is no JSON;/],
    ['a header that is a list', file('[]', []), /no JSON object/],
    ['an unknown type', file({ a: { dtype: 'F24', shape: [1], data_offsets: [0, 3] } }, [0, 0, 0]), /"a" has the unknown type F24/],
    ['a type named like a method', file({ a: { dtype: 'toString', shape: [], data_offsets: [0, 1] } }, [0]), /unknown type toString/],
    ['a negative size', file({ a: { dtype: 'F32', shape: [-1], data_offsets: [0, 4] } }, [0, 0, 0, 0]), /"a" has no valid shape/],
    [
      'offsets that do not fit the shape',
      file({ a: f32(0, 8, [3]) }, [0, 0, 0, 0, 0, 0, 0, 0]),
      /"a" \(F32 \[3\]\) needs 12 bytes, but its offsets span 8/,
    ],
    [
      'overlapping tensors',
      file({ a: f32(0, 8), b: f32(4, 12) }, Array<number>(12).fill(0)),
      /"b" starts at byte 4, but the one before ends at 8/,
    ],
    ['a gap', file({ a: f32(0, 4), b: f32(8, 12) }, Array<number>(12).fill(0)), /"b" starts at byte 8, but the one before ends at 4/],
    ['a cut-off body', file({ a: f32(0, 8) }, [0, 0, 0]), /need 8 bytes, but only 3 are there \(cut off/],
    ['bytes left over', file({ a: f32(0, 4) }, [0, 0, 0, 0, 9]), /end at byte 4, but 5 bytes are there/],
    ['metadata that is no text', file({ __metadata__: { step: 3 } }, []), /metadata is no table of strings/],
  ])('%s', (_, bytes, message) => {
    expect(() => decodeSafetensors(bytes, 'weights.safetensors')).toThrow(message);
    expect(() => decodeSafetensors(bytes, 'weights.safetensors')).toThrow(/^weights\.safetensors: [^\n]+\.$/);
  });

  it('cut anywhere, it never yields tensors', () => {
    const whole = encodeSafetensors({ a: tensor(Float32Array.of(1, 2, 3)), b: tensor(Uint8Array.of(1)) }, { k: 'v' });
    for (let length = 0; length < whole.length; length++) expect(() => decodeSafetensors(whole.subarray(0, length), 'x')).toThrow(/^x: /);
  });
});

it('names what is there when another tensor is wanted', () => {
  const read = decodeSafetensors(encodeSafetensors({ weight: tensor(Float32Array.of(1, 2), [2, 1]) }), 'x');
  expect(tensorOf(read, 'weight', 'F32', [2, 1])).toEqual(Float32Array.of(1, 2));
  expect(() => tensorOf(read, 'weight', 'F32', [3, 1])).toThrow('tensor "weight" is F32 [2, 1], but F32 [3, 1] is wanted');
  expect(() => tensorOf(read, 'bias', 'F64', [1])).toThrow('has no tensor "bias" (F64 [1])');
});

it("reads what LeRobot's own writer (the Rust library) wrote", (context) => {
  const folder = fixture(context, 'lerobot', 'act_state');
  const stats = readdirSync(folder).filter((name) => name.endsWith('.safetensors'));
  expect(stats.length).toBe(3);
  for (const name of stats) expect(readSafetensors(join(folder, name)).tensors.size).toBeGreaterThan(0);
});
