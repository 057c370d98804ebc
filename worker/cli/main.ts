/** Entry of the `leash` command. */
import { EXIT } from './exit_code.ts';
import { failureOf } from './failure.ts';
import { leashProgram } from './program.ts';

// `leash … | head` closes the pipe early; that ends the output, not in an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

// A command that ends by its own rules on Ctrl-C adds its own listener, and this one steps back.
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(EXIT.interrupted);
});

try {
  await leashProgram().parseAsync(process.argv);
} catch (error) {
  const failure = failureOf(error);
  // Not process.exitCode alone: threads that the failed command left running would keep the process alive.
  process.stderr.write(failure.text, () => process.exit(failure.exitCode));
}
