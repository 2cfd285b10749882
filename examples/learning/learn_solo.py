"""A player that learns Can't Stop from nothing, by playing alone.

It learns one number for every situation in which dice are about to be thrown: how many turns the
game will still take. Nobody tells it which columns are good, or when to stop. After each throw it
takes the move, and then the better of stopping and rolling, that it believes to be best; what it
believes then is what it should have believed before the throw (temporal-difference learning of
afterstates). A small neural network holds the beliefs; NumPy is all it takes.

    python examples/learning/learn_solo.py --minutes 11 --curve curve.csv --save agent.npz
    python examples/learning/learn_solo.py --load agent.npz
"""

import argparse
import csv
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

import numpy as np
from numpy.typing import NDArray

from cantstop.rl import CantStopVectorEnv

Spaces = NDArray[np.int64]
"""One row for each game: a space for every column, 0 where there is nothing."""

TOPS = np.array([3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3])
COLUMNS = len(TOPS)
WIN = 3
PAIRS = [(low, high) for low in range(COLUMNS) for high in range(low, COLUMNS)]
# what an action adds to the runners; the last two actions are to stop and to roll
STEPS = np.zeros((COLUMNS + len(PAIRS), COLUMNS), np.int64)
STEPS[range(COLUMNS), range(COLUMNS)] = 1
for number, (low, high) in enumerate(PAIRS, COLUMNS):
    STEPS[number, low] += 1
    STEPS[number, high] += 1
STOP, ROLL = len(STEPS), len(STEPS) + 1

PLACES = np.concatenate([[0], np.cumsum(TOPS + 1)])
INPUTS = 2 * int(PLACES[-1])
TURNS = 10.0
"""The network thinks in tens of turns."""


class Network:
    """Two layers of rectified units, trained with Adam."""

    def __init__(self, hidden: tuple[int, int] = (128, 32), seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        sizes = (INPUTS, *hidden, 1)
        self.weights: list[Any] = []
        for wide, narrow in pairwise(sizes):
            active = 14 if wide == INPUTS else wide  # inputs that are 1 at a time
            spread = np.sqrt(2 / active)
            self.weights.append(random.normal(0, spread, (wide, narrow)).astype(np.float32))
            self.weights.append(np.zeros(narrow, np.float32))
        self.weights[-2] *= 0.1
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._updates = 0

    def turns(self, tokens: Spaces, runners: Spaces) -> Any:
        """The turns that the game will still take, the one in progress included."""
        return TURNS * self._forward(_inputs(tokens, runners))[-1][:, 0]

    def _forward(self, inputs: Any) -> list[Any]:
        one, one_bias, two, two_bias, out, out_bias = self.weights
        first = np.maximum(inputs @ one + one_bias, 0)
        second = np.maximum(first @ two + two_bias, 0)
        return [inputs, first, second, second @ out + out_bias]

    def learn(self, tokens: Spaces, runners: Spaces, turns: Any, rate: float) -> None:
        """Move the beliefs about some situations towards these numbers of turns."""
        inputs, first, second, believed = self._forward(_inputs(tokens, runners))
        error = (believed - (turns / TURNS)[:, None]).astype(np.float32) / len(turns)
        back_second = (error @ self.weights[4].T) * (second > 0)
        back_first = (back_second @ self.weights[2].T) * (first > 0)
        slopes = [
            *(inputs.T @ back_first, back_first.sum(0)),
            *(first.T @ back_second, back_second.sum(0)),
            *(second.T @ error, error.sum(0)),
        ]
        self._updates += 1
        warm_mean, warm_square = 1 - 0.9**self._updates, 1 - 0.999**self._updates
        for weight, mean, square, slope in zip(
            self.weights, self._means, self._squares, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= rate * (mean / warm_mean) / (np.sqrt(square / warm_square) + 1e-8)


def _inputs(tokens: Spaces, runners: Spaces) -> Any:
    """A 1 for the space of every token and of every runner."""
    inputs = np.zeros((len(tokens), INPUTS), np.float32)
    rows = np.arange(len(tokens))[:, None]
    inputs[rows, PLACES[:-1] + tokens] = 1
    inputs[rows, PLACES[-1] + PLACES[:-1] + runners] = runners > 0
    return inputs


class Seen(NamedTuple):
    """What the observations of many games say, for the player who decides."""

    tokens: Spaces
    runners: Spaces
    won: Any
    has_dice: Any

    @classmethod
    def of(cls, observations: Any, players: int) -> "Seen":
        """Split observations into their parts; what others won is closed like what is one's own."""
        seen = observations.astype(np.int64)
        tokens = seen[:, :COLUMNS].copy()
        won = (tokens == TOPS).sum(1)
        for place in range(1, players):
            theirs = seen[:, place * COLUMNS : (place + 1) * COLUMNS]
            tokens = np.where(theirs == TOPS, TOPS, tokens)
        runners = seen[:, players * COLUMNS : (players + 1) * COLUMNS]
        return cls(tokens, runners, won, seen[:, -5] > 0)


class Agent:
    """Decides by what a network believes, in many games at once."""

    def __init__(self, network: Network, games: int) -> None:
        self.network = network
        self.worth = np.zeros(games)
        """Turns to go after the best decision, where dice are on the table."""
        self._stops = np.zeros(games, bool)

    def act(self, seen: Seen, mask: Any) -> Any:
        """An action for every game."""
        actions = np.where(self._stops & (mask[:, STOP] > 0), STOP, ROLL)
        rows, moves = np.nonzero(mask[:, :STOP])
        if not len(rows):
            return actions
        tokens, runners = seen.tokens[rows], seen.runners[rows]
        steps = STEPS[moves]
        after = np.where(steps > 0, np.where(runners > 0, runners, tokens) + steps, runners)
        stopped = np.where(after > 0, after, tokens)
        won = seen.won[rows] + (after == TOPS).sum(1)
        none = np.zeros_like(after)
        believed = self.network.turns(
            np.concatenate([tokens, stopped]), np.concatenate([after, none])
        )
        rolling = believed[: len(rows)]
        stopping = 1 + np.where(won >= WIN, 0.0, np.maximum(believed[len(rows) :], 1.0))
        worth = np.minimum(rolling, stopping)
        # the first of a game's moves with the smallest worth: rows are in order
        best = np.lexsort((worth, rows))
        best = best[np.unique(rows[best], return_index=True)[1]]
        games = rows[best]
        actions[games] = moves[best]
        self.worth[games] = worth[best]
        self._stops[games] = stopping[best] <= rolling[best]
        return actions


def learn(args: argparse.Namespace) -> Network:
    """Play thousands of games at once, and learn from every throw."""
    network, env = Network(seed=args.seed), CantStopVectorEnv(args.games, "players=1")
    agent, random = Agent(network, args.games), np.random.default_rng(args.seed)
    observations, infos = env.reset(seed=args.seed)
    begin = shown = time.monotonic()
    limit, finished, recent = args.minutes * 60, 0, []
    rows: list[tuple[float, int, float]] = []
    while (passed := time.monotonic() - begin) < limit:
        seen = Seen.of(observations, 1)
        actions = agent.act(seen, infos["action_mask"])
        # what was believed before the throw should have been what is believed after it
        asked = seen.has_dice
        tokens, runners = [seen.tokens[asked]], [seen.runners[asked]]
        turns = [agent.worth[asked].copy()]
        explore = (random.random(args.games) < args.explore) & ~asked & (seen.runners.any(1))
        may_stop = infos["action_mask"][:, STOP] > 0
        actions[explore & may_stop] = np.where(actions[explore & may_stop] == STOP, ROLL, STOP)
        observations, rewards, over, _, infos = env.step(actions)
        busted = (actions == ROLL) & (rewards < 0)
        if busted.any():  # back to where the turn began, and a turn is gone
            before = np.zeros_like(seen.runners[busted])
            tokens.append(seen.tokens[busted])
            runners.append(seen.runners[busted])
            turns.append(-rewards[busted] + network.turns(seen.tokens[busted], before))
        rate = args.rate * (1 - 0.95 * passed / limit)
        network.learn(np.concatenate(tokens), np.concatenate(runners), np.concatenate(turns), rate)
        finished += int(over.sum())
        recent += infos["turns"][over].tolist()
        if time.monotonic() - shown > args.every and len(recent) >= 100:
            shown = time.monotonic()
            rows.append((round(passed, 1), finished, float(np.mean(recent))))
            print(f"{passed:5.0f} s  {finished:9,} games  {rows[-1][2]:6.2f} turns a game")
            recent = []
    if args.curve:
        with args.curve.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("seconds", "games", "turns"), *rows])
    return network


def play(network: Network, games: int, seed: int, opponents: str | None) -> Any:
    """Turns alone, or results against a bot, of so many games; nothing is learned."""
    players = 1 if opponents is None else 2
    env = CantStopVectorEnv(min(games, 4096), f"players={players}", opponents, seat=None)
    agent = Agent(network, env.num_envs)
    observations, infos = env.reset(seed=seed)
    # the first games of every place: short games would be too many among those that end first
    due = np.full(env.num_envs, games // env.num_envs)
    found: list[Any] = []
    while due.any():
        actions = agent.act(Seen.of(observations, players), infos["action_mask"])
        observations, rewards, over, _, infos = env.step(actions)
        counted = over & (due > 0)
        due -= counted
        found.append((infos["turns"] if opponents is None else rewards)[counted])
    return np.concatenate(found)


def main() -> None:
    """Learn, or load what was learned, and say how good it is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--games", type=int, default=512, help="games at once")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate at the start")
    parser.add_argument("--explore", type=float, default=0.02)
    parser.add_argument("--every", type=float, default=5, help="seconds between two lines")
    parser.add_argument("--test", type=int, default=40_960, help="games to measure by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="write seconds, games and turns to this file")
    parser.add_argument("--save", type=Path, help="write the network to this file")
    parser.add_argument("--load", type=Path, help="measure the network of this file")
    args = parser.parse_args()
    if args.load:
        network = Network()
        with np.load(args.load) as stored:
            network.weights = [stored[name] for name in stored.files]
    else:
        network = learn(args)
    if args.save:
        np.savez_compressed(args.save, *network.weights)
    turns = play(network, args.test, args.seed + 1, None)
    error = turns.std() / np.sqrt(len(turns))
    print(f"alone: {turns.mean():.3f} turns a game, standard error {error:.3f}")
    results = play(network, args.test, args.seed + 1, "careful")
    print(f"against careful: wins {(results > 0).mean():.1%} of {len(results):,} games")


if __name__ == "__main__":
    main()
