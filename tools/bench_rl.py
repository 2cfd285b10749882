"""How fast the environments are: steps a second on one core, the plain environment beside them."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cantstop.rl import CantStopVectorEnv, SoloEnv, VersusEnv

GAMES = 1024
STEPS = 200
PLAIN_STEPS = 4000
ROUNDS = 7


def seconds(work: Callable[[], object]) -> float:
    """How much of a core's time a piece of work takes; what else the machine does is not in it."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def inside(env: CantStopVectorEnv) -> None:
    """Actions chosen in the kernel."""
    for _ in range(STEPS):
        env.step_at_random()


def from_numpy(env: CantStopVectorEnv, random: np.random.Generator) -> None:
    """Random legal actions chosen by NumPy from the masks, and handed over."""
    _, infos = env.reset()
    for _ in range(STEPS):
        mask = infos["action_mask"]
        actions = (random.random(mask.shape, np.float32) * mask).argmax(1)
        *_, infos = env.step(actions)


def plain(env: Any) -> None:  # noqa: ANN401
    """One game at a time, by the rules."""
    _, info = env.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(PLAIN_STEPS):
        legal = np.flatnonzero(info["action_mask"])
        *_, over, cut, info = env.step(legal[random.integers(len(legal))])
        if over or cut:
            _, info = env.reset()


def main() -> None:
    """Measure by turns, and print the best and the median of several rounds."""
    random = np.random.default_rng(1)
    for label, rules, opponents, one in (
        ("alone", "players=1", None, SoloEnv()),
        ("against careful", "players=2", "careful", VersusEnv("careful")),
    ):
        vector = CantStopVectorEnv(GAMES, rules, opponents)
        vector.reset(seed=1)
        works = (
            (partial(inside, vector), GAMES * STEPS),
            (partial(from_numpy, vector, random), GAMES * STEPS),
            (partial(plain, one), PLAIN_STEPS),
        )
        for work, _ in works:
            work()
        rounds = [[steps / seconds(work) for work, steps in works] for _ in range(ROUNDS)]
        speeds = [sorted(column, reverse=True) for column in zip(*rounds, strict=True)]
        for word, place in (("best", 0), ("median", ROUNDS // 2)):
            kernel, handed, slow = (column[place] for column in speeds)
            print(
                f"environments, {label}, {word:<6}: {kernel / 1e6:5.2f} million steps/s in the "
                f"kernel  {handed / 1e6:5.2f} million with actions from NumPy  "
                f"{slow:7,.0f} in the plain environment ({kernel / slow:,.0f} x)"
            )


if __name__ == "__main__":
    main()
