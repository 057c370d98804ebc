import type { LearnerAddon } from '../../worker/training/learner.ts';
import { loadLearnerAddon } from '../../worker/training/learner_addon.ts';

/** Every learner addon that this computer can run; the learner's claims hold for each. */
export const learnerAddons: readonly LearnerAddon[] = [loadLearnerAddon()];
