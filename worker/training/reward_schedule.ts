import { valueAt } from './schedule.ts';
import type { TrainingSettings } from './settings.ts';

/**
 * Writes the reward in force at an environment step into `into` [terms + 2]: the weights in the task's order, then the
 * widths of the linear and the yaw kernel.
 * @param taskWeights the task's own weights, by term, in order
 */
export function writeReward(
  settings: TrainingSettings['reward'],
  taskWeights: Readonly<Record<string, number>>,
  step: number,
  into: Float64Array,
): void {
  const terms = Object.keys(taskWeights);
  terms.forEach((term, i) => {
    into[i] = valueAt(settings.weights[term] ?? taskWeights[term]!, step);
  });
  into[terms.length] = valueAt(settings.linearKernel, step);
  into[terms.length + 1] = valueAt(settings.yawKernel, step);
}
