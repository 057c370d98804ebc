import { join } from 'node:path';
import { root } from '../../paths.ts';
import { type Engine, type Model, ModelError, type ModelSource, type ObjectType } from '../../physics/engine.ts';
import { readModelSource } from '../../physics/model_source.ts';
import { FOOT_SITES, JOINT_NAMES } from './spec.ts';

export const PUPPER_MODEL = join(root, 'assets', 'models', 'pupper', 'pupper.xml');

/** Where the things that the task reads lie in a compiled Pupper. */
export interface PupperModel {
  readonly model: Model;
  readonly base: number;
  readonly feet: readonly number[];
}

/** Our own Pupper as text. */
export const pupperSource = (): ModelSource => readModelSource(PUPPER_MODEL);

/**
 * Compiles a Pupper for the task: sparse Jacobian (same trajectory, a third less time), 4 ms steps, and the servo gains
 * of the task whatever the file says.
 * @throws ModelError when it does not compile or lacks a joint, foot site or actuator of the Pupper.
 */
export function loadPupper(engine: Engine, source: ModelSource = pupperSource()): PupperModel {
  const model = engine.compile(source);
  try {
    return prepare(model, source.name);
  } catch (error) {
    model.dispose();
    throw error;
  }
}

function prepare(model: Model, file: string): PupperModel {
  const find = (type: ObjectType, name: string): number => {
    const id = model.names(type).indexOf(name);
    if (id < 0) throw new ModelError(`${file} has no ${type} "${name}", which the Pupper task needs; give it that name.`);
    return id;
  };
  JOINT_NAMES.forEach((name, i) => {
    if (find('joint', name) !== i + 1 || find('actuator', name) !== i)
      throw new ModelError(
        `${file} must have joint and actuator "${name}" as number ${i + 1} of the legs; put them in the order ${JOINT_NAMES.join(', ')}.`,
      );
  });
  const places = { base: find('body', 'base_link'), feet: FOOT_SITES.map((site) => find('site', site)) };
  model.setOptions({ jacobian: 'sparse', timestep: 0.004 });
  const gain = model.field('actuator_gainprm');
  const bias = model.field('actuator_biasprm');
  const width = gain.length / model.sizes.nu;
  for (let i = 0; i < model.sizes.nu; i++) {
    gain[i * width] = 5;
    bias[i * width + 1] = -5;
    bias[i * width + 2] = -0.25;
  }
  model.setField('actuator_gainprm', gain);
  model.setField('actuator_biasprm', bias);
  return { model, ...places };
}
