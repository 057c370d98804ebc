import type { LearnerAddon, NetworkSpec, ParameterTensor } from './learner.ts';
import type { TrainingSettings } from './settings.ts';
import type { TrainingTask } from './training_tasks.ts';

/** The networks that a task and a run's settings ask for. */
export function networkOf(task: Pick<TrainingTask, 'observationSize' | 'actionSize'>, settings: TrainingSettings['network']): NetworkSpec {
  const { policyHidden, valueHidden, activation } = settings;
  return { observationSize: task.observationSize, actionSize: task.actionSize, policyHidden, valueHidden, activation };
}

/** Numbers in the flat parameter vector. */
export function parameterCount(layout: readonly ParameterTensor[]): number {
  const last = layout.at(-1)!;
  return last.offset + last.shape.reduce((product, size) => product * size, 1);
}

export function layoutOf(addon: LearnerAddon, network: NetworkSpec): { layout: ParameterTensor[]; count: number } {
  const layout = addon.parameterLayout(network);
  return { layout, count: parameterCount(layout) };
}
