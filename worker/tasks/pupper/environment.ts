import type { Simulation } from '../../physics/engine.ts';
import type { NumpyRandom } from '../numpy_random.ts';
import { roundedCos, roundedSin } from '../rounded_trigonometry.ts';
import { type CommandSampling, drawCommand, taskCommands } from './command.ts';
import type { PupperModel } from './model.ts';
import { type AngularVelocity, writeObservation } from './observation.ts';
import { type RewardInputs, type RewardSettings, reward, taskReward } from './reward.ts';
import {
  ACTION_SCALE,
  ACTION_SIZE,
  CONTACT_HEIGHT,
  CONTROL_PERIOD,
  DEFAULT_JOINTS,
  EPISODE_STEPS,
  LOWER_JOINTS,
  OBSERVATION_SIZE,
  PHYSICS_STEPS,
  REWARD_TERMS,
  START_HEIGHT,
  START_JOINT_NOISE,
  UPPER_JOINTS,
} from './spec.ts';
import { brokeDown, fallCause } from './termination.ts';

/** Why an episode ended: the base too low, tilted too far, the time limit, or a state or action that is not finite. */
export type Cause = 'height' | 'tilt' | 'time' | 'unstable';

export interface PupperOptions {
  /** [48] where the environment writes what it sees; its own array if left out. */
  readonly observation?: Float32Array;
  readonly angularVelocity?: AngularVelocity;
  /** Shared and changeable; the task's own if left out. */
  readonly reward?: RewardSettings;
  readonly commands?: CommandSampling;
  /** Control steps; the task's 1000 if left out. */
  readonly episodeSteps?: number;
}

/** Numbers of the task's own in a saved state: action 12, air times 4, command 3, step count, steps to the next command. */
const TASK_STATE = 21;
/** Numbers in a saved state of one environment. */
export const pupperStateSize = (pupper: PupperModel): number => pupper.model.sizes.nstate + TASK_STATE;

/**
 * One Pupper under the task `pupper-velocity-v1`. After the physics steps nothing is recomputed: rotation, site positions
 * and actuator forces are those of the last physics step's start, 4 ms older than qpos and qvel, as the task says.
 */
export class PupperEnvironment {
  readonly simulation: Simulation;
  /** [48] */
  readonly observation: Float32Array;
  /** [12] weight·term of the last step, in the order of REWARD_TERMS. */
  readonly rewardTerms = new Float64Array(REWARD_TERMS.length);
  /** [3] vx, vy (m/s), wz (rad/s); float32 values. */
  readonly command = new Float64Array(3);
  /** [4] 1 where a foot touches the ground. */
  readonly contact = new Uint8Array(4);
  /** [4] 1 where a foot touched down in the last step. */
  readonly firstContact = new Uint8Array(4);
  /** [4] height of each foot's centre, m. */
  readonly footHeight = new Float64Array(4);
  /** [4] seconds off the ground, zero for a foot in contact. */
  readonly airTime = new Float64Array(4);
  /** [9] base rotation that the last step used, row-major, body to world. */
  readonly rotation = new Float64Array(9);
  readonly stateSize: number;
  reward = 0;
  terminated = false;
  truncated = false;
  cause: Cause | null = null;
  /** Control steps since reset. */
  stepCount = 0;

  readonly #pupper: PupperModel;
  readonly #variant: AngularVelocity;
  readonly #reward: RewardSettings;
  readonly #commands: CommandSampling;
  readonly #episodeSteps: number;
  readonly #inputs: RewardInputs;
  readonly #linearVelocity = new Float64Array(3);
  readonly #angularVelocity = new Float64Array(3);
  readonly #action = new Float64Array(ACTION_SIZE);
  readonly #previousAction = new Float64Array(ACTION_SIZE);
  #random: NumpyRandom | null = null;
  #stepsToCommand = Number.POSITIVE_INFINITY;

  constructor(pupper: PupperModel, options: PupperOptions = {}) {
    this.#pupper = pupper;
    this.simulation = pupper.model.newSimulation();
    this.observation = options.observation ?? new Float32Array(OBSERVATION_SIZE);
    this.#variant = options.angularVelocity ?? 'body';
    this.#reward = options.reward ?? taskReward();
    this.#commands = options.commands ?? taskCommands;
    this.#episodeSteps = options.episodeSteps ?? EPISODE_STEPS;
    this.stateSize = pupperStateSize(pupper);
    const { qpos, qvel, qfrc_actuator } = this.simulation;
    this.#inputs = {
      linearVelocity: this.#linearVelocity,
      angularVelocity: this.#angularVelocity,
      rotation: this.rotation,
      qpos,
      qvel,
      qfrc_actuator,
      action: this.#action,
      previousAction: this.#previousAction,
      airTime: this.airTime,
      firstContact: this.firstContact,
      command: this.command,
      fell: false,
    };
  }

  /** Draws a start and a command; the draws are NumPy's order: yaw, 12 joints, the zero test, vx, vy, wz. */
  reset(random: NumpyRandom): void {
    const { simulation } = this;
    this.#random = random;
    simulation.reset();
    const { qpos, qvel, ctrl } = simulation;
    const yaw = random.uniform(-Math.PI, Math.PI);
    qpos.fill(0);
    qvel.fill(0);
    qpos[2] = START_HEIGHT;
    qpos[3] = roundedCos(yaw / 2);
    qpos[6] = roundedSin(yaw / 2);
    for (let i = 0; i < ACTION_SIZE; i++) {
      qpos[7 + i] = DEFAULT_JOINTS[i]! + random.uniform(-START_JOINT_NOISE, START_JOINT_NOISE);
      ctrl[i] = DEFAULT_JOINTS[i]!;
    }
    simulation.forward();
    drawCommand(random, this.#commands, this.command);
    this.#planNextCommand();
    this.#action.fill(0);
    this.#previousAction.fill(0);
    this.airTime.fill(0);
    this.contact.fill(0);
    this.firstContact.fill(0);
    this.rewardTerms.fill(0);
    this.reward = 0;
    this.terminated = false;
    this.truncated = false;
    this.cause = null;
    this.stepCount = 0;
    this.#readBody();
    for (let foot = 0; foot < 4; foot++) this.footHeight[foot] = simulation.site_xpos[3 * this.#pupper.feet[foot]! + 2]!;
    this.#observe();
  }

  /** Takes effect at the next step; the present observation still holds the old command. */
  setCommand(vx: number, vy: number, wz: number): void {
    this.command[0] = Math.fround(vx);
    this.command[1] = Math.fround(vy);
    this.command[2] = Math.fround(wz);
  }

  /**
   * One control step.
   * @param actions 12 numbers from `offset` on, clipped to ±1 here; one that is NaN ends the episode as unstable
   */
  step(actions: ArrayLike<number>, offset = 0): void {
    const { simulation } = this;
    const { ctrl } = simulation;
    for (let i = 0; i < ACTION_SIZE; i++) {
      const action = Math.min(Math.max(actions[offset + i]!, -1), 1);
      this.#previousAction[i] = this.#action[i]!;
      this.#action[i] = action;
      ctrl[i] = Math.min(Math.max(DEFAULT_JOINTS[i]! + ACTION_SCALE * action, LOWER_JOINTS[i]!), UPPER_JOINTS[i]!);
    }
    simulation.step(PHYSICS_STEPS);
    this.stepCount++;
    this.truncated = this.stepCount >= this.#episodeSteps;
    if (brokeDown(simulation.warnings, simulation.qpos, simulation.qvel)) {
      this.#endUnstable();
      return;
    }
    this.#readBody();
    this.#readFeet();
    this.#readTermination();
    this.reward = reward(this.#inputs, this.#reward, this.rewardTerms);
    for (let foot = 0; foot < 4; foot++) if (this.contact[foot]) this.airTime[foot] = 0;
    if (--this.#stepsToCommand <= 0 && this.#random) {
      drawCommand(this.#random, this.#commands, this.command);
      this.#planNextCommand();
    }
    this.#observe();
  }

  /** Everything that decides how the episode goes on, but for the generator; [stateSize]. */
  saveState(into: Float64Array): void {
    const physics = this.#pupper.model.sizes.nstate;
    this.simulation.getState(into.subarray(0, physics));
    into.set(this.#action, physics);
    into.set(this.airTime, physics + 12);
    into.set(this.command, physics + 16);
    into[physics + 19] = this.stepCount;
    into[physics + 20] = this.#stepsToCommand;
  }

  /** Continues to the last bit from a saved state with the generator as it was then; the observation is kept by the caller. */
  loadState(state: Float64Array, random: NumpyRandom): void {
    const physics = this.#pupper.model.sizes.nstate;
    this.#random = random;
    // Warnings are no part of a state: those of an episode that broke down here must not end this one.
    this.simulation.reset();
    this.simulation.setState(state.subarray(0, physics));
    this.terminated = false;
    this.truncated = false;
    this.cause = null;
    this.#action.set(state.subarray(physics, physics + 12));
    this.airTime.set(state.subarray(physics + 12, physics + 16));
    this.command.set(state.subarray(physics + 16, physics + 19));
    this.stepCount = state[physics + 19]!;
    this.#stepsToCommand = state[physics + 20]!;
  }

  dispose(): void {
    this.simulation.dispose();
  }

  #planNextCommand(): void {
    const seconds = this.#commands.resampleSeconds;
    this.#stepsToCommand = seconds === null ? Number.POSITIVE_INFINITY : Math.round(seconds / CONTROL_PERIOD);
  }

  #endUnstable(): void {
    this.terminated = true;
    this.cause = 'unstable';
    this.reward = 0;
    this.rewardTerms.fill(0);
    this.observation.fill(0);
  }

  /** Rᵀ·v of the base velocities, with the rotation that the physics steps left. */
  #readBody(): void {
    const { xmat, qvel } = this.simulation;
    const R = this.rotation;
    const at = 9 * this.#pupper.base;
    for (let i = 0; i < 9; i++) R[i] = xmat[at + i]!;
    const rotated = this.#variant === 'rotated';
    for (let i = 0; i < 3; i++) {
      this.#linearVelocity[i] = R[i]! * qvel[0]! + R[3 + i]! * qvel[1]! + R[6 + i]! * qvel[2]!;
      this.#angularVelocity[i] = rotated ? R[i]! * qvel[3]! + R[3 + i]! * qvel[4]! + R[6 + i]! * qvel[5]! : qvel[3 + i]!;
    }
  }

  #readFeet(): void {
    const { site_xpos } = this.simulation;
    for (let foot = 0; foot < 4; foot++) {
      const height = site_xpos[3 * this.#pupper.feet[foot]! + 2]!;
      const touching = height < CONTACT_HEIGHT;
      this.footHeight[foot] = height;
      this.firstContact[foot] = touching && this.airTime[foot]! > 0 ? 1 : 0;
      this.contact[foot] = touching ? 1 : 0;
      this.airTime[foot]! += CONTROL_PERIOD;
    }
  }

  #readTermination(): void {
    const fall = fallCause(this.simulation.qpos[2]!, this.rotation[8]!);
    this.terminated = fall !== null;
    this.#inputs.fell = this.terminated;
    this.cause = fall ?? (this.truncated ? 'time' : null);
  }

  #observe(): void {
    const { qpos, qvel } = this.simulation;
    writeObservation(this.observation, this.#linearVelocity, this.#angularVelocity, this.rotation, this.command, qpos, qvel, this.#action);
  }
}
