import * as v from 'valibot';
import { UserError } from '../user_error.ts';

/** What every file of ours begins with: the version of its own layout. */
type Versioned = v.GenericSchema<unknown, { readonly format: number }>;

/**
 * Checks what was read from one of our JSON files.
 * @param name what to call it in the message, usually the path
 * @param newest the newest `format` that this Leash knows
 * @throws UserError in one sentence: written by a newer Leash, or which entry is wrong.
 */
export function parseVersioned<S extends Versioned>(schema: S, value: unknown, name: string, newest: number): v.InferOutput<S> {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (typeof format === 'number' && format > newest) {
    throw new UserError(
      `${name} was written by a newer Leash (its format is ${format}, this one knows up to ${newest}); update Leash to read it.`,
    );
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const at = v.getDotPath(issue);
  throw new UserError(
    `${name} is not valid${at === null ? '' : ` at "${at}"`}: ${issue.message}; mend that entry, or take the file from a backup.`,
  );
}

/** Like {@link parseVersioned}, from a file's text. @throws UserError also when the text is no JSON. */
export function parseVersionedText<S extends Versioned>(schema: S, text: string, name: string, newest: number): v.InferOutput<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${name} is no JSON (${text.length === 0 ? 'it is empty' : 'damaged or cut off'}); take it from a backup.`, {
      cause: error,
    });
  }
  return parseVersioned(schema, value, name, newest);
}
