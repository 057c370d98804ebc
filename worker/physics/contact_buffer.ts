import type { Contacts } from './engine.ts';

/** Room for `capacity` contacts; see {@link Contacts} for shapes. */
export function allocateContacts(capacity: number): Contacts {
  return {
    count: 0,
    geoms: new Int32Array(2 * capacity),
    position: new Float64Array(3 * capacity),
    frame: new Float64Array(9 * capacity),
    distance: new Float64Array(capacity),
    force: new Float64Array(6 * capacity),
  };
}
