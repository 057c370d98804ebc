/** Half edges of the box in the models below, m. */
export const HALF_EDGES = [0.1, 0.15, 0.05] as const;
export const MASS = 2;
export const GRAVITY = 9.81;

const box = (attributes = '') => `<geom name="box" type="box" size="${HALF_EDGES.join(' ')}" mass="${MASS}" ${attributes}/>`;

/** A free box in empty space, without gravity. */
export const FLOATING_BOX = `<mujoco>
  <option gravity="0 0 0" timestep="0.001"/>
  <worldbody><body name="box"><freejoint/>${box()}</body></worldbody>
</mujoco>`;

/** A free box without gravity whose centre of mass lies beside its body's origin. */
export const LOPSIDED_BOX = FLOATING_BOX.replace('<geom', '<geom pos="0.3 0 0"');

/** A box on a plane that slopes by 0.2 rad about y, with friction enough to hold it. */
export const BOX_ON_A_SLOPE = `<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.002" cone="elliptic" impratio="10"/>
  <worldbody>
    <geom name="slope" type="plane" size="5 5 1" euler="0 0.2 0" friction="1"/>
    <body name="box" pos="0 0 0.06" euler="0 0.2 0"><freejoint/>${box('friction="1"')}</body>
  </worldbody>
</mujoco>`;

/** One hinge that a motor turns, with sensors, a mocap body and a site. */
export const MOTOR = `<mujoco>
  <worldbody>
    <body name="target" mocap="true" pos="1 0 0"><geom size="0.01" contype="0" conaffinity="0"/></body>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/><site name="tip" pos="0.5 0 0"/></body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/><jointvel joint="hinge"/></sensor>
</mujoco>`;

/** Something of every kind that a model can hold. */
export const OF_EVERY_KIND = `<mujoco>
  <asset>
    <texture name="one" type="2d" builtin="checker" width="4" height="4" rgb1="1 0 0" rgb2="0 0 1"/>
    <texture name="two" type="2d" builtin="flat" width="8" height="2" rgb1="0 1 0"/>
    <material name="tiled" texture="two" texuniform="true" rgba="0.1 0.2 0.3 0.4"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/>
  </asset>
  <worldbody>
    <light name="sun" castshadow="false"/>
    <camera name="eye" pos="0 -2 1" fovy="50"/>
    <geom name="ground" type="hfield" hfield="hills" material="tiled"/>
    <body name="arm" pos="0 0 2"><joint name="shoulder" axis="0 1 0" range="-90 90" damping="0.3"/><geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3"/>
      <body name="hand" pos="1 0 0"><joint name="wrist" type="slide" axis="1 0 0" limited="false"/><geom name="palm" size="0.1" quat="0.8 0 0.6 0"/><site name="tip"/></body></body>
  </worldbody>
  <equality><joint name="coupled" joint1="shoulder" joint2="wrist" active="false"/></equality>
  <tendon><fixed name="cord" range="0 1"><joint joint="shoulder" coef="0.5"/><joint joint="wrist" coef="-2"/></fixed></tendon>
  <actuator><position name="turn" joint="shoulder" kp="7" ctrlrange="-1 1"/><motor name="pull" tendon="cord" gear="3"/></actuator>
  <sensor><touch name="touch" site="tip"/><framequat name="pose" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="start" qpos="0.1 0.2" ctrl="0.3 0.4"/></keyframe>
</mujoco>`;

/** Many balls on a plane with so little memory that MuJoCo gives up in the first step. */
export const OUT_OF_MEMORY = `<mujoco>
  <option jacobian="sparse"/>
  <size memory="270K"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    ${balls(60)}
  </worldbody>
</mujoco>`;

/** Balls that touch the plane and their neighbours. */
export const MANY_CONTACTS = `<mujoco><worldbody><geom type="plane" size="5 5 1"/>${balls(60)}</worldbody></mujoco>`;

function balls(count: number): string {
  const ball = (x: number, y: number) => `<body pos="${0.15 * x} ${0.15 * y} 0.05"><freejoint/><geom size="0.1" mass="1"/></body>`;
  return Array.from({ length: count }, (_, i) => ball(i % 8, Math.floor(i / 8))).join('');
}
