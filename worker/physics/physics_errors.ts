import { posix } from 'node:path';
import { ModelError, type ModelSource } from './engine.ts';

/**
 * MuJoCo's refusal of a model, on one line, with the model's name before it.
 * @param main the main file's path in MuJoCo's virtual files: paths in MuJoCo's text become relative to its folder
 */
export function doesNotCompile(source: ModelSource, main: string, error: unknown): ModelError {
  const text = mujocoText(error).replaceAll(`${posix.dirname(main)}/`, '');
  return new ModelError(`${source.name} does not compile: ${text}.`);
}

/** MuJoCo gave up in the middle of a call. */
export const mujocoStopped = (error: unknown): Error => new Error(`MuJoCo stopped: ${mujocoText(error)}; the simulation is reset.`);

/** @throws RangeError */
export function noField(name: string): never {
  throw new RangeError(`mjModel has no numeric array "${name}".`);
}

/** @throws RangeError when a field is to be overwritten with another number of values. */
export function checkLength(name: string, length: number, given: number): void {
  if (given !== length) throw new RangeError(`mjModel.${name} holds ${length} numbers; ${given} were given.`);
}

/** @throws RangeError when an array cannot hold or be a full state of this model. */
export function checkStateLength(length: number, given: number): void {
  if (given !== length) throw new RangeError(`A full state of this model has ${length} numbers; the array has ${given}.`);
}

/** MuJoCo's words on one line, without the introductions that only one of the engines puts before them. */
function mujocoText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const introductions = /^(MuJoCo Error: |MuJoCo stopped: |Loading error: |Error: |XML Error: |engine error: )+/;
  return text
    .replace(introductions, '')
    .trim()
    .replace(/\s*\n\s*/g, ', ')
    .replace(/\.$/, '');
}
