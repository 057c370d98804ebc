import { physicsHash } from '../physics/physics_hash.ts';
import { type NumpyRandom, numpyRandom } from '../tasks/numpy_random.ts';
import { PupperEnvironment, pupperStateSize } from '../tasks/pupper/environment.ts';
import { pupperMirror } from '../tasks/pupper/mirror.ts';
import { loadPupper, pupperSource } from '../tasks/pupper/model.ts';
import { pupperPolicySpec } from '../tasks/pupper/policy_spec.ts';
import { taskReward } from '../tasks/pupper/reward.ts';
import { ACTION_SIZE, EPISODE_STEPS, OBSERVATION_SIZE, REWARD_TERMS, REWARD_WEIGHTS } from '../tasks/pupper/spec.ts';
import type { TrainingEnvironment, TrainingTask, TrainingWorld } from './training_tasks.ts';

/** PPO on `pupper-velocity-v1`. */
export const pupperTraining: TrainingTask = {
  name: 'pupper',
  observationSize: OBSERVATION_SIZE,
  actionSize: ACTION_SIZE,
  rewardWeights: REWARD_WEIGHTS,
  mirror: pupperMirror,
  policy: pupperPolicySpec,
  stateSize(engine) {
    const pupper = loadPupper(engine);
    const size = pupperStateSize(pupper);
    pupper.model.dispose();
    return size;
  },
  modelHash(engine) {
    const source = pupperSource();
    const { model } = loadPupper(engine, source);
    const hash = physicsHash(model, source);
    model.dispose();
    return hash;
  },
  open(engine, settings): TrainingWorld {
    const pupper = loadPupper(engine);
    const reward = taskReward();
    const made: PupperEnvironment[] = [];
    return {
      newEnvironment(observation, seed, index) {
        const environment = new PupperEnvironment(pupper, { observation, reward, commands: settings.commands });
        made.push(environment);
        return trainingEnvironment(environment, numpyRandom([seed, index]));
      },
      setReward(values) {
        reward.weights.set(values.subarray(0, REWARD_TERMS.length));
        reward.linearKernel = values[REWARD_TERMS.length]!;
        reward.yawKernel = values[REWARD_TERMS.length + 1]!;
      },
      dispose() {
        for (const environment of made) environment.dispose();
        pupper.model.dispose();
      },
    };
  },
};

function trainingEnvironment(environment: PupperEnvironment, random: NumpyRandom): TrainingEnvironment {
  return {
    observation: environment.observation,
    rewardTerms: environment.rewardTerms,
    get reward() {
      return environment.reward;
    },
    get terminated() {
      return environment.terminated;
    },
    get truncated() {
      return environment.truncated;
    },
    get unstable() {
      return environment.cause === 'unstable';
    },
    start() {
      environment.reset(random);
      environment.stepCount = Math.floor(EPISODE_STEPS * random.random());
    },
    reset: () => environment.reset(random),
    step: (actions, offset) => environment.step(actions, offset),
    save(state, saved) {
      environment.saveState(state);
      random.save(saved);
    },
    restore(state, saved) {
      random.restore(saved);
      environment.loadState(state, random);
    },
  };
}
