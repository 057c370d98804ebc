/**
 * Something that the person at the keyboard can mend. The message is one sentence that names the file or value and
 * says what to do; the command line prints it as it is, without a stack.
 */
export class UserError extends Error {
  override name = 'UserError';
}

/** The command itself was wrong (an option's value, a combination of options): the command line exits with 2 instead of 1. */
export class UsageError extends UserError {
  override name = 'UsageError';
}
