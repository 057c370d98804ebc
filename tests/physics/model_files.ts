import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../temporary_folder.ts';

/** Writes files into a new folder; returns its path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Corners and outward faces of a right tetrahedron with legs of that length: volume edge³/6. */
const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

export function tetrahedronObj(edge: number): string {
  const vertices = CORNERS.map((corner) => `v ${corner.map((x) => edge * x).join(' ')}`);
  const faces = FACES.map((face) => `f ${face.map((i) => i + 1).join(' ')}`);
  return [...vertices, ...faces, ''].join('\n');
}

/** Binary STL: an 80-byte header, the count, and per triangle a normal, three corners and two unused bytes. */
export function tetrahedronStl(edge: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(84 + 50 * FACES.length));
  bytes.setUint32(80, FACES.length, true);
  FACES.forEach((face, f) => {
    const corners = face.flatMap((i) => CORNERS[i]!.map((x) => edge * x));
    corners.forEach((value, k) => {
      bytes.setFloat32(84 + 50 * f + 12 + 4 * k, value, true);
    });
  });
  return new Uint8Array(bytes.buffer);
}

/** MuJoCo's own height field file: rows, columns, then the heights. */
export function heightField(rows: number, columns: number, heights: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 + 4 * heights.length));
  bytes.setInt32(0, rows, true);
  bytes.setInt32(4, columns, true);
  heights.forEach((height, i) => {
    bytes.setFloat32(8 + 4 * i, height, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** A 2×2 PNG, each pixel of another colour: red, green, blue, white. */
export const FOUR_PIXELS = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC'),
  (c) => c.charCodeAt(0),
);
