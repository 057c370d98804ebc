"""The Pupper task (docs/pupper.md) as a Gymnasium environment, for timing other trainers on the same work."""

from pathlib import Path

import gymnasium
import mujoco
import numpy as np

MODEL = Path(__file__).resolve().parents[3] / "assets" / "models" / "pupper" / "pupper.xml"
DEFAULT = np.array([0.26, 0, -0.52, -0.26, 0, 0.52] * 2)
LOWER = np.array([-1.22, -0.42, -2.79, -2.51, -3.14, -0.71] * 2)
UPPER = np.array([2.51, 3.14, 0.71, 1.22, 0.42, 2.79] * 2)
FEET = [f"leg_{leg}_3_foot_site" for leg in ("front_r", "front_l", "back_r", "back_l")]


class PupperEnv(gymnasium.Env):
    """48 numbers in, 12 out, 50 actions a second, 20 s an episode."""

    def __init__(self):
        self.model = mujoco.MjModel.from_xml_path(str(MODEL))
        self.data = mujoco.MjData(self.model)
        self.base = self.model.body("base_link").id
        self.feet = [self.model.site(name).id for name in FEET]
        self.observation_space = gymnasium.spaces.Box(-100, 100, (48,), np.float32)
        self.action_space = gymnasium.spaces.Box(-1, 1, (12,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        draw = self.np_random.uniform
        mujoco.mj_resetData(self.model, self.data)
        yaw = draw(-np.pi, np.pi)
        self.data.qpos[:7] = [0, 0, 0.28, np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
        self.data.qpos[7:] = DEFAULT + draw(-0.05, 0.05, 12)
        self.data.ctrl[:] = DEFAULT
        mujoco.mj_forward(self.model, self.data)
        moves = self.np_random.random() >= 0.1
        self.command = np.array([draw(-0.75, 0.75), draw(-0.5, 0.5), draw(-2, 2)]) if moves else np.zeros(3)
        self.action = np.zeros(12)
        self.air = np.zeros(4)
        self.steps = 0
        return self._observe(), {}

    def step(self, action):
        previous, self.action = self.action, np.clip(action, -1, 1)
        self.data.ctrl[:] = np.clip(DEFAULT + 0.5 * self.action, LOWER, UPPER)
        mujoco.mj_step(self.model, self.data, nstep=5)
        self.steps += 1
        up = self.data.xmat[self.base][8]
        fell = self.data.qpos[2] < 0.1 or up < np.cos(0.52)
        return self._observe(), self._reward(previous, fell), bool(fell), self.steps >= 1000, {}

    def _body(self):
        rotation = self.data.xmat[self.base].reshape(3, 3)
        return rotation, rotation.T @ self.data.qvel[:3], self.data.qvel[3:6]

    def _observe(self):
        rotation, linear, angular = self._body()
        parts = (linear, angular, -rotation[2], self.command, self.data.qpos[7:] - DEFAULT, self.data.qvel[6:], self.action)
        return np.clip(np.concatenate(parts), -100, 100).astype(np.float32)

    def _reward(self, previous, fell):
        rotation, linear, angular = self._body()
        error = np.sum((linear[:2] - self.command[:2]) ** 2)
        contact = np.array([self.data.site_xpos[foot][2] for foot in self.feet]) - 0.02 < 1e-3
        first = (self.air > 0) & contact
        self.air += 0.02
        speed = np.linalg.norm(self.command)
        total = (
            2.5 * np.exp(-error / 0.1)
            + 0.8 * np.exp(-((angular[2] - self.command[2]) ** 2) / 0.25)
            - 0.5 * error
            - 2 * linear[2] ** 2
            - 0.05 * np.sum(angular[:2] ** 2)
            - 5 * np.sum(rotation[:2, 2] ** 2)
            - 2e-4 * np.sum(self.data.qfrc_actuator**2)
            - 0.01 * np.sum((self.action - previous) ** 2)
            + (0.2 * np.sum((self.air - 0.1) * first) if speed > 0.05 else 0)
            - (0.5 * np.sum(np.abs(self.data.qpos[7:] - DEFAULT)) if speed < 0.1 else 0)
            - (0.05 * np.sum(np.abs(self.data.qvel[6:])) if speed < 0.1 else 0)
            - 100 * fell
        )
        self.air[contact] = 0
        return float(np.clip(0.02 * total, 0, 10000))
