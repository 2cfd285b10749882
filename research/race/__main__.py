"""Recomputes the race model's weights: solo positions solved backwards, a network fitted to them.

``nice python -m research.race work.npz`` samples views and sweeps through them once. The file
keeps what is known of them: the same command goes on from there, until a sweep changes little.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.race.network import COLUMNS, Network
from cantstop.odds import column_rolls, rolls_of
from cantstop.rules import OFFICIAL

from .samples import sample
from .solo import backed_up, play, scatter_of
from .training import Trainer

WEIGHTS = Path(__file__).parents[2] / "src/cantstop/engine/evaluators/race/weights.npz"
ROLLS_PER_TURN = 16
BANDS = 12
UNKNOWN = 0.05
"""How much a view counts that has not been solved yet, against one that has."""

Views = NDArray[np.int8]
Turns = NDArray[np.float32]


def rough_guess(views: Views) -> Turns:
    """The rolls that the nearest columns take one after the other, as a start."""
    shown = column_rolls(OFFICIAL)
    rolls = views[:, :COLUMNS] * (rolls_of(OFFICIAL) / np.array(list(shown.values())))
    nearest = np.cumsum(np.sort(np.where(rolls > 0, rolls, np.inf), axis=1), axis=1)
    total = nearest[np.arange(len(views)), views[:, COLUMNS] - 1]
    return (1 + total / ROLLS_PER_TURN).astype(np.float32)


def sweep(views: Views, turns: Turns, trainer: Trainer, least: float, steps: int) -> None:
    """Solve the views again, the nearest to the end first, and fit the network after each band."""
    order = np.argsort(turns)
    trust = np.where(turns < least, 1.0, UNKNOWN) / turns
    begin = time.monotonic()
    for band in np.array_split(order[turns[order] >= least], BANDS):
        before, network = turns[band].copy(), trainer.network
        for index in band:
            turns[index] = backed_up(views[index], network)
        trust[band] = 1 / turns[band]
        trainer.fit(views, turns, trust.astype(np.float32), steps)
        print(
            f"{time.monotonic() - begin:6.0f} s  {turns[band].mean():5.2f} turns on average, "
            f"changed by {np.abs(turns[band] - before).mean():.3f}",
            flush=True,
        )


def scatter(views: Views, network: Network, games: int) -> NDArray[np.float64]:
    """How turns scatter about the distance: from games with the network."""
    chance = np.random.default_rng(2)
    start = np.array([*OFFICIAL.lengths, 3], np.int8)
    distances: list[float] = []
    turns: list[int] = []
    alone: list[int] = []
    for game in range(games):
        of_start = game % 4 == 0
        passed = play(start if of_start else views[game % len(views)], network, chance)
        distances += passed
        turns += range(len(passed), 0, -1)
        if of_start:
            alone.append(len(passed))
    print(f"alone from the start: {np.mean(alone):.2f} ± {np.std(alone) / len(alone) ** 0.5:.2f}")
    return scatter_of(np.array(distances), np.array(turns))


def main() -> None:
    """Sample, sweep, fit, play, write."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("work", type=Path, help="where the views and their turns are kept")
    reader.add_argument("--weights", type=Path, default=WEIGHTS, help="where the result goes")
    reader.add_argument("--samples", type=int, default=16_000)
    reader.add_argument("--least", type=float, default=0.0, help="sweep views from so many turns")
    reader.add_argument("--steps", type=int, default=3000, help="of fitting after each band")
    reader.add_argument("--games", type=int, default=3000, help="for the scatter")
    given = reader.parse_args()
    trainer = Trainer.fresh()
    if given.work.exists():
        with np.load(given.work) as stored:
            views, turns = stored["views"], stored["turns"]
    else:
        views = sample(given.samples, 1)
        turns = rough_guess(views)
    trainer.fit(views, turns, 1 / turns, 4 * given.steps)
    sweep(views, turns, trainer, given.least, given.steps)
    np.savez_compressed(given.work, views=views, turns=turns)
    trainer.fit(views, turns, 1 / turns, 8 * given.steps)
    layers = trainer.network._asdict()
    later = scatter(views, trainer.network, given.games).astype(np.float32)
    np.savez_compressed(given.weights, scatter=later, **layers)


if __name__ == "__main__":
    main()
