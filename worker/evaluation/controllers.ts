import { loadPolicy } from '../policies/load_policy.ts';
import type { PolicySpec } from '../protocol/policy.ts';
import type { AngularVelocity } from '../tasks/pupper/observation.ts';
import { pupperPolicySpec } from '../tasks/pupper/policy_spec.ts';
import { UserError } from '../user_error.ts';
import type { Controller } from './episode.ts';
import type { ControllerChoice } from './episode_messages.ts';

export interface OpenController {
  readonly controller: Controller;
  /** Which angular velocity the policy was trained on. */
  readonly angularVelocity: AngularVelocity;
}

/** @throws UserError when the policy cannot be loaded or is not for the Pupper task. */
export async function openController(choice: ControllerChoice): Promise<OpenController> {
  if (choice.kind === 'zero') return { controller: { act: (_observation, action) => void action.fill(0) }, angularVelocity: 'body' };
  const policy = await loadPolicy(choice.path);
  const angularVelocity = pupperVariant(policy.spec, choice.path);
  return {
    angularVelocity,
    controller: {
      async act(observation, action) {
        action.set(await policy.runOne(observation));
      },
    },
  };
}

/**
 * The variant of the Pupper's observation that a policy wants.
 * @throws UserError naming the first difference, when its observation or action is not the task's.
 */
export function pupperVariant(spec: PolicySpec, path: string): AngularVelocity {
  const shape = (terms: PolicySpec['observation']): string =>
    terms.map((term) => `${term.name} ${term.size}${term.history > 1 ? `×${term.history}` : ''}`).join(', ');
  const wanted = shape(pupperPolicySpec.observation);
  const given = shape(spec.observation);
  if (given !== wanted)
    throw new UserError(
      `${path} expects the observations ${given}, but the Pupper task makes ${wanted}; it is a policy for something else.`,
    );
  if (spec.observation.some((term) => term.scale !== 1))
    throw new UserError(`${path} wants scaled observations, which this Leash cannot make; export it with the scales inside the network.`);
  const joints = spec.action.jointNames.join(', ');
  const ours = pupperPolicySpec.action.jointNames.join(', ');
  if (joints !== ours)
    throw new UserError(`${path} moves the joints ${joints}, but the Pupper has ${ours}; it is a policy for another robot.`);
  if (spec.action.scale !== pupperPolicySpec.action.scale)
    throw new UserError(
      `${path} scales its actions by ${String(spec.action.scale)}, but the Pupper task by ${String(pupperPolicySpec.action.scale)}; it was trained on another task.`,
    );
  return spec.observation.find((term) => term.name === 'base_ang_vel')?.variant === 'rotated' ? 'rotated' : 'body';
}
