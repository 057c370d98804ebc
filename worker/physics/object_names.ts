import type { ObjectType } from './engine.ts';

/** Id of the object called `name`. @throws RangeError that lists the names there are. */
export function idOf(names: readonly string[], type: ObjectType, name: string): number {
  const id = names.indexOf(name);
  if (id >= 0) return id;
  const known = names.filter((other) => other !== '');
  throw new RangeError(`The model has no ${type} "${name}"; it has ${known.length > 0 ? known.join(', ') : 'none with a name'}.`);
}
