import { createHash } from 'node:crypto';
import type { Model, ModelSource } from './engine.ts';

const namesIn = (text: string): string[] => text.trim().split(/\s+/);

/** Fields of mjModel, whole, that decide how it moves. */
const WHOLE = namesIn(`
  body_parentid body_pos body_quat body_ipos body_iquat body_mass body_inertia body_gravcomp
  jnt_type jnt_bodyid jnt_pos jnt_axis jnt_stiffness jnt_limited jnt_range jnt_actfrcrange
  jnt_margin jnt_solref jnt_solimp qpos0 qpos_spring
  dof_armature dof_damping dof_frictionloss dof_solref dof_solimp
  actuator_trntype actuator_trnid actuator_gear actuator_dyntype actuator_dynprm actuator_gaintype actuator_gainprm
  actuator_biastype actuator_biasprm actuator_ctrllimited actuator_ctrlrange actuator_forcelimited actuator_forcerange
  site_bodyid site_pos site_quat exclude_signature`);
/** Fields of mjModel that count for the geoms that collide; all others are there to be looked at. */
const COLLIDING = namesIn(`
  geom_type geom_bodyid geom_pos geom_quat geom_size geom_aabb geom_contype geom_conaffinity geom_condim
  geom_priority geom_solmix geom_solref geom_solimp geom_margin geom_gap geom_friction`);

/**
 * SHA-256, in hex, of what a model's physics depends on: bodies, joints, actuators, sites and colliding geoms as compiled,
 * and the file's `<option>`. Materials and geoms that only show do not count. The same from both engines: figures count to
 * nine digits, since compilers round differently. A collision mesh counts by its bounds alone.
 */
export function physicsHash(model: Model, source: ModelSource): string {
  const hash = createHash('sha256');
  for (const option of optionsOf(source.xml)) hash.update(`${option}\n`);
  for (const name of WHOLE) hash.update(`${name} ${figures(model.field(name))}\n`);
  const contype = model.field('geom_contype');
  const conaffinity = model.field('geom_conaffinity');
  for (const name of COLLIDING) {
    const values = model.field(name);
    const width = values.length / model.sizes.ngeom;
    const kept = Array.from(values).filter((_, i) => {
      const geom = Math.floor(i / width);
      return contype[geom] !== 0 || conaffinity[geom] !== 0;
    });
    hash.update(`${name} ${figures(kept)}\n`);
  }
  return hash.digest('hex');
}

/** A rounding error about zero counts as zero. */
const figures = (values: ArrayLike<number>): string =>
  Array.from(values, (value) => (Math.abs(value) < 1e-12 ? '0' : String(Number(value.toPrecision(9))))).join(' ');

/** `<option>` and its `<flag>` as written, one space between words; mjOption is no array that an engine hands out. */
function optionsOf(xml: string): string[] {
  const tags = xml.replaceAll(/<!--.*?-->/gs, '').match(/<(?:option|flag)\b[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/[\s/]+/g, ' ').replace(' >', '>'));
}
