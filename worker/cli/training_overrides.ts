import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { trainingSettingsSchema } from '../protocol/training_settings.ts';
import type { TrainingSettings } from '../training/settings.ts';
import { UsageError } from '../user_error.ts';

/** One `--set key=value`: a path into the settings and a JSON value. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** @throws InvalidArgumentError when it is not `key=value` with a number, true, false, null, a list or a word. */
export function parseSetting(text: string): Setting {
  const match = /^([A-Za-z_][\w.]*)=(.+)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Write key=value, such as ppo.gamma=0.99.');
  const [, key, raw] = match;
  try {
    return { path: key!.split('.'), value: JSON.parse(raw!) };
  } catch {
    return { path: key!.split('.'), value: raw };
  }
}

/**
 * The settings with changes applied.
 * @throws UsageError when a key does not exist or a value does not fit it.
 */
export function applySettings(settings: TrainingSettings, changes: readonly Setting[]): TrainingSettings {
  const changed = structuredClone(settings) as unknown as Record<string, unknown>;
  for (const { path, value } of changes) {
    let place: Record<string, unknown> = changed;
    for (const key of path.slice(0, -1)) {
      const next = place[key];
      if (typeof next !== 'object' || next === null) throw unknown(path, place);
      place = next as Record<string, unknown>;
    }
    const last = path.at(-1)!;
    // Any reward term may be given a weight; everything else must exist already.
    if (!(last in place) && path.slice(0, -1).join('.') !== 'reward.weights') throw unknown(path, place);
    place[last] = value;
  }
  const result = v.safeParse(trainingSettingsSchema, changed);
  if (result.success) {
    refuseSizes(result.output);
    return result.output;
  }
  const issue = result.issues[0];
  throw new UsageError(`--set ${v.getDotPath(issue) ?? ''}: ${issue.message}.`);
}

const MOST_SAMPLES = 4_000_000;
const WIDEST = 4096;

/** @throws UsageError where a batch or a network would not fit in any computer that this is meant for. */
function refuseSizes({ rollout, network }: TrainingSettings): void {
  const samples = rollout.environments * rollout.steps;
  if (samples > MOST_SAMPLES) {
    throw new UsageError(
      `--set rollout: ${rollout.environments} environments of ${rollout.steps} steps make ${samples} samples an iteration; at most ${MOST_SAMPLES} are possible.`,
    );
  }
  const widest = Math.max(0, ...network.policyHidden, ...network.valueHidden);
  if (widest > WIDEST) throw new UsageError(`--set network: a hidden layer of ${widest} is too wide; at most ${WIDEST} are possible.`);
}

function unknown(path: readonly string[], place: Readonly<Record<string, unknown>>): UsageError {
  return new UsageError(`There is no setting "${path.join('.')}"; there is ${Object.keys(place).join(', ')}.`);
}
