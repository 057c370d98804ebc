import type { EngineKind } from '../physics/engine.ts';
import type { FinishedEpisode } from './episode_statistics.ts';
import type { NetworkSpec } from './learner.ts';
import type { SharedRollout } from './rollout_buffers.ts';
import type { TrainingSettings } from './settings.ts';

/** What a rollout thread is started with. */
export interface RolloutThreadData {
  readonly engine: EngineKind;
  readonly task: string;
  readonly settings: TrainingSettings;
  readonly network: NetworkSpec;
  readonly seed: number;
  /** Its environments: columns `[from, to)` of the shared rollout. */
  readonly from: number;
  readonly to: number;
  readonly shared: SharedRollout;
  /** Restore each environment from `shared.states` and `shared.randoms` instead of resetting it. */
  readonly restore: boolean;
}

export type ToThread = { readonly type: 'collect' } | { readonly type: 'stop' };

export type FromThread =
  | { readonly type: 'ready' }
  /** A whole rollout lies in the shared buffers. */
  | { readonly type: 'collected'; readonly finished: FinishedEpisode[] }
  | { readonly type: 'failed'; readonly message: string };
