import { ModelError, type ModelSource } from './engine.ts';

/** MuJoCo's refusal of a model, on one line, with the model's name before it. */
export function doesNotCompile(source: ModelSource, error: unknown): ModelError {
  const text = error instanceof Error ? error.message : String(error);
  const plain = text.replace(/^(MuJoCo Error: )?(Loading error: )?/, '').trim().replace(/\s*\n\s*/g, ', ');
  return new ModelError(`${source.name} does not compile: ${plain}.`);
}

/** @throws RangeError */
export function noField(name: string): never {
  throw new RangeError(`mjModel has no numeric array "${name}".`);
}

/** @throws RangeError when a field is to be overwritten with another number of values. */
export function checkLength(name: string, length: number, given: number): void {
  if (given !== length) throw new RangeError(`mjModel.${name} holds ${length} numbers; ${given} were given.`);
}
