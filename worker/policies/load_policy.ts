import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseVersionedText } from '../formats/versioned_json.ts';
import { observationSize, POLICY_FORMAT, type PolicySpec, policySpecSchema } from '../protocol/policy.ts';
import { CHECKPOINT_FILES, RUN_FILES } from '../protocol/run_layout.ts';
import { UserError } from '../user_error.ts';
import { latestPolicy } from './latest_policy.ts';
import { loadNetwork, type Network } from './onnx_network.ts';
import type { Policy } from './policy.ts';
import { SPEC_METADATA_KEY } from './policy_files.ts';

export interface LoadOptions {
  /** Threads of one run; 1 if left out. */
  readonly threads?: number;
  /** What the numbers mean, for a file that does not say so itself. */
  readonly spec?: PolicySpec;
}

/**
 * Loads a policy from a run directory (its newest policy), a checkpoint or any folder with policy.json, a policy.json, or
 * an .onnx file with a policy.json beside it or the spec in its metadata.
 * @throws UserError in one sentence when there is none, it cannot be run, or network and spec do not fit.
 */
export async function loadPolicy(path: string, options: LoadOptions = {}): Promise<Policy> {
  if (!isRun(path)) return loadFrom(path, options);
  for (;;) {
    const newest = latestPolicy(path);
    if (newest === null) throw new UserError(`The run ${path} has no policy yet; wait for its first checkpoint.`);
    try {
      return await loadFrom(newest, options);
    } catch (error) {
      // The trainer may have dropped that policy for newer ones while it was read.
      if (latestPolicy(path) === newest) throw error;
    }
  }
}

/** A run directory that holds no policy of its own beside its config, as a policy kept with its training record does. */
function isRun(path: string): boolean {
  return (
    existsSync(join(path, RUN_FILES.config)) &&
    !existsSync(join(path, CHECKPOINT_FILES.spec)) &&
    !existsSync(join(path, CHECKPOINT_FILES.policy))
  );
}

async function loadFrom(path: string, options: LoadOptions): Promise<Policy> {
  const place = findPolicy(path);
  const written = place.specFile === null ? null : readSpec(place.specFile);
  const file = written === null ? place.network! : join(dirname(place.specFile!), written.network.file);
  const known = options.spec ?? written;
  const network = await loadNetwork(file, {
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    ...(known === null
      ? {}
      : {
          observationSize: observationSize(known),
          actionSize: known.action.size,
          input: known.network.input,
          output: known.network.output,
        }),
  });
  try {
    refuseOther(place.specFile, written, network);
    return asPolicy(known ?? specInside(network), network);
  } catch (error) {
    await network.dispose();
    throw error;
  }
}

interface Place {
  /** policy.json; null where there is none. */
  readonly specFile: string | null;
  /** Known without the spec where an .onnx file was given. */
  readonly network: string | null;
}

function findPolicy(path: string): Place {
  if (!existsSync(path)) throw new UserError(`There is no policy at ${path}: no such file or folder; check the path.`);
  const real = realpathSync(path);
  if (!statSync(real).isDirectory()) return findBeside(real);
  if (existsSync(join(real, CHECKPOINT_FILES.spec))) return { specFile: join(real, CHECKPOINT_FILES.spec), network: null };
  if (existsSync(join(real, CHECKPOINT_FILES.policy))) return { specFile: null, network: join(real, CHECKPOINT_FILES.policy) };
  throw new UserError(
    `There is no policy in ${path}: it has neither ${CHECKPOINT_FILES.spec} nor ${CHECKPOINT_FILES.policy}; give a run directory, a checkpoint, a policy folder or an .onnx file.`,
  );
}

function findBeside(file: string): Place {
  if (file.endsWith('.json')) return { specFile: file, network: null };
  const beside = join(dirname(file), CHECKPOINT_FILES.spec);
  // A policy.json that speaks of another network says nothing of this one.
  const isOurs = existsSync(beside) && readSpec(beside).network.file === basename(file);
  return { specFile: isOurs ? beside : null, network: file };
}

function readSpec(path: string): PolicySpec {
  return parseVersionedText(policySpecSchema, readFileSync(path, 'utf8'), path, POLICY_FORMAT);
}

function specInside(network: Network): PolicySpec {
  const text = network.metadata[SPEC_METADATA_KEY];
  if (text === undefined) {
    throw new UserError(
      `${network.path} does not say what its ${network.observationSize} observations and ${network.actionSize} actions mean; put a ${CHECKPOINT_FILES.spec} beside it.`,
    );
  }
  const spec = parseVersionedText(policySpecSchema, text, `${network.path} (metadata ${SPEC_METADATA_KEY})`, POLICY_FORMAT);
  if (observationSize(spec) === network.observationSize && spec.action.size === network.actionSize) return spec;
  throw new UserError(
    `${network.path} has ${network.observationSize} observations and ${network.actionSize} actions, but its metadata describes ${observationSize(spec)} and ${spec.action.size}; export it again.`,
  );
}

function refuseOther(specFile: string | null, spec: PolicySpec | null, network: Network): void {
  const wanted = spec?.network.sha256 ?? null;
  if (wanted === null || wanted === network.sha256) return;
  throw new UserError(
    `${network.path} is not the file that ${specFile} was written for (their checksums differ); copy both from the same place.`,
  );
}

function asPolicy(spec: PolicySpec, network: Network): Policy {
  return {
    spec,
    path: network.path,
    sha256: network.sha256,
    run: (observations, n) => network.run(observations, n),
    runOne: (observation) => network.run(observation, 1),
    dispose: () => network.dispose(),
  };
}
