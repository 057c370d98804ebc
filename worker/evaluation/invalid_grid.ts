import { UsageError } from '../user_error.ts';

/** A `--grid` that cannot be read; the message says how one is written. */
export class InvalidGrid extends UsageError {
  override name = 'InvalidGrid';
}
