import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { asWriteError } from './disk_full.ts';
import { encodeRecord } from './tfrecord.ts';

/**
 * TensorBoard event files: TFRecords of `Event` messages.
 * @see https://github.com/tensorflow/tensorboard/blob/master/tensorboard/compat/proto/event.proto
 */

export interface TensorboardWriter {
  /**
   * Writes all values of one step in one record; entries that are null are left out.
   * @throws UserError when the disk is full.
   */
  scalars(step: number, values: Readonly<Record<string, number | null>>): void;
  sync(): void;
  close(): void;
}

const { LengthDelimited, Varint, Bit64, Bit32 } = WireType;
/** SessionLog.SessionStatus.START */
const START = 1;

/**
 * Starts a new event file in a folder (made where absent); each process writes its own.
 * @param resumedAt the step that the run goes on from: TensorBoard then forgets what an earlier file says of later steps.
 *   null for a new run.
 */
export function openTensorboard(folder: string, resumedAt: number | null): TensorboardWriter {
  mkdirSync(folder, { recursive: true });
  const { path, file } = newEventFile(folder);
  let length = 0;
  const write = (event: BinaryWriter): void => {
    const bytes = encodeRecord(event.finish());
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } catch (error) {
      ftruncateSync(file, length);
      throw asWriteError(error, path, bytes.length);
    }
    length += bytes.length;
  };

  write(newEvent().tag(3, LengthDelimited).string('brain.Event:2'));
  if (resumedAt !== null) {
    // TensorBoard drops what has the same or a greater step than this record: the step after the last one that stays.
    write(
      newEvent()
        .tag(2, Varint)
        .int64(resumedAt + 1)
        .tag(7, LengthDelimited)
        .fork()
        .tag(1, Varint)
        .int32(START)
        .join(),
    );
  }
  return {
    scalars(step, values) {
      const event = newEvent().tag(2, Varint).int64(step).tag(5, LengthDelimited).fork();
      for (const [tag, value] of Object.entries(values)) {
        // fround: what is too large for a float32 becomes infinite, as other writers store it.
        if (value !== null)
          event.tag(1, LengthDelimited).fork().tag(1, LengthDelimited).string(tag).tag(2, Bit32).float(Math.fround(value)).join();
      }
      write(event.join());
    },
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

/** Opens events.out.tfevents.<seconds>.<host>.<pid>.<n> with the first n that is free: no earlier file is touched. */
function newEventFile(folder: string): { path: string; file: number } {
  const stem = `events.out.tfevents.${Math.floor(Date.now() / 1000)}.${hostname()}.${process.pid}`;
  for (let n = 0; ; n++) {
    const path = join(folder, `${stem}.${n}`);
    try {
      return { path, file: openSync(path, 'wx') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** An Event with its wall time (s). */
const newEvent = (): BinaryWriter => new BinaryWriter().tag(1, Bit64).double(Date.now() / 1000);
