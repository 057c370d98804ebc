import { maskedCrc32c } from './crc32c.ts';

/**
 * TFRecord framing: length (8 bytes, little-endian), masked CRC-32C of the length, data, masked CRC-32C of the data.
 * @see https://www.tensorflow.org/tutorials/load_data/tfrecord
 */
const HEAD = 12;
const TAIL = 4;

export function encodeRecord(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD + data.length + TAIL);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc32c(bytes.subarray(0, 8)), true);
  bytes.set(data, HEAD);
  view.setUint32(HEAD + data.length, maskedCrc32c(data), true);
  return bytes;
}

export interface Records {
  readonly records: readonly Uint8Array[];
  /** Byte at which a record is cut off or its checksum is wrong; nothing after it can be read. null: the file is whole. */
  readonly brokenAt: number | null;
}

export function decodeRecords(bytes: Uint8Array): Records {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + HEAD > bytes.length) return { records, brokenAt: at };
    if (view.getUint32(at + 8, true) !== maskedCrc32c(bytes.subarray(at, at + 8))) return { records, brokenAt: at };
    const end = at + HEAD + Number(view.getBigUint64(at, true));
    if (end + TAIL > bytes.length) return { records, brokenAt: at };
    const data = bytes.subarray(at + HEAD, end);
    if (view.getUint32(end, true) !== maskedCrc32c(data)) return { records, brokenAt: at };
    records.push(data);
    at = end + TAIL;
  }
  return { records, brokenAt: null };
}
