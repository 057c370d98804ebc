import type { Model, ObjectType } from './engine.ts';

/** The fields of mjModel that say where the names of each kind of object start. */
const ADDRESSES: Readonly<Record<ObjectType, string>> = {
  body: 'name_bodyadr',
  joint: 'name_jntadr',
  geom: 'name_geomadr',
  site: 'name_siteadr',
  actuator: 'name_actuatoradr',
  sensor: 'name_sensoradr',
  camera: 'name_camadr',
  light: 'name_lightadr',
  tendon: 'name_tendonadr',
  mesh: 'name_meshadr',
  keyframe: 'name_keyadr',
};

/** Finds objects by name; the names of a model never change, so each kind is read once. */
export class ObjectNames {
  readonly #field: Model['field'];
  readonly #known = new Map<ObjectType, readonly string[]>();

  constructor(field: Model['field']) {
    this.#field = field;
  }

  /** Names in order of id; '' for an object without one. */
  all(type: ObjectType): string[] {
    const names = this.#known.get(type) ?? this.#read(type);
    this.#known.set(type, names);
    return [...names];
  }

  /** Id of the object called `name`. @throws RangeError that lists the names there are. */
  id(type: ObjectType, name: string): number {
    const names = this.all(type);
    const id = name === '' ? -1 : names.indexOf(name);
    if (id >= 0) return id;
    const known = names.filter((other) => other !== '');
    throw new RangeError(`The model has no ${type} "${name}"; it has ${known.length > 0 ? known.join(', ') : 'none with a name'}.`);
  }

  #read(type: ObjectType): string[] {
    const bytes = Uint8Array.from(this.#field('names'));
    const decoder = new TextDecoder();
    return [...this.#field(ADDRESSES[type])].map((start) => decoder.decode(bytes.subarray(start, bytes.indexOf(0, start))));
  }
}
