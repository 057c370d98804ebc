"""Times Stable-Baselines3 with the published Pupper settings: prints its environment steps per second as JSON."""

import json
import sys
import time

import stable_baselines3
import torch
from pupper_env import PupperEnv
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv

ITERATIONS = int(sys.argv[1])
BATCH = 8 * 2048


class Stamps(BaseCallback):
    """When each rollout begins; the time between two holds a rollout and its update."""

    def __init__(self):
        super().__init__()
        self.times = []

    def _on_rollout_start(self):
        self.times.append(time.perf_counter())

    def _on_step(self):
        return True


if __name__ == "__main__":
    environments = SubprocVecEnv([PupperEnv] * 8)
    model = PPO(
        "MlpPolicy",
        environments,
        n_steps=2048,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-4,
        gamma=0.97,
        gae_lambda=0.95,
        clip_range=0.2,
        ent_coef=1e-3,
        target_kl=0.02,
        policy_kwargs={"net_arch": {"pi": [256, 256], "vf": [256, 256]}, "log_std_init": -0.5},
        device="cpu",
        seed=1,
    )
    stamps = Stamps()
    model.learn((ITERATIONS + 1) * BATCH, callback=stamps)
    environments.close()
    seconds = [after - before for before, after in zip(stamps.times, stamps.times[1:])]
    versions = {"stable_baselines3": stable_baselines3.__version__, "torch": torch.__version__}
    print(json.dumps({"steps_per_second": BATCH / sorted(seconds)[len(seconds) // 2], "iterations": len(seconds), **versions}))
