import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nativeFolder } from '../paths.ts';
import { UserError } from '../user_error.ts';
import type { LearnerAddon } from './learner.ts';

/**
 * The learner for the CPU.
 * @throws UserError in one sentence when it is not built or does not load.
 */
export function loadLearnerAddon(): LearnerAddon {
  const file = join(nativeFolder, 'leash_learner_cpu.node');
  if (!existsSync(file)) throw new UserError('The learner is not built; run `npm run setup` in the folder of Leash.');
  try {
    return createRequire(import.meta.url)(file) as LearnerAddon;
  } catch (error) {
    throw new UserError(
      `The learner does not load (${error instanceof Error ? error.message : String(error)}); run \`npm run setup\` again.`,
    );
  }
}
