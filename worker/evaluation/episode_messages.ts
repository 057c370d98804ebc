import type { EngineKind } from '../physics/engine.ts';
import type { EpisodeJob, EpisodeResult } from './episode.ts';

/** Who acts: a policy's folder or file, or nobody (action 0 throughout). */
export type ControllerChoice = { readonly kind: 'policy'; readonly path: string } | { readonly kind: 'zero' };

export interface EpisodeThreadData {
  readonly engine: EngineKind;
  readonly controller: ControllerChoice;
}

export type ToThread = { readonly type: 'run'; readonly index: number; readonly job: EpisodeJob } | { readonly type: 'stop' };
export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly index: number; readonly result: EpisodeResult }
  | { readonly type: 'failed'; readonly message: string; readonly forPeople: boolean };
