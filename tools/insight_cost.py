"""Measures what analyses cost, against what the server estimates before it begins them.

Usage: python tools/insight_cost.py [--positions N] [--seed N] [--fit]

Random positions on random boards, of all numbers of players, editions and phases, each analysed
twice as a process of the server's pool does it, with nothing kept by the engine; the quicker time
counts, since other programs only make it longer. Prints how many estimates are within a factor of
two of the CPU time that was used, and the worst of them. ``--fit`` also prints the seconds of
``cantstop/server/work/cost.py`` that fit these measurements best, and how many estimates would be
within a factor of two by them; it needs SciPy. Nothing above the server's bound of memory is
measured: it is refused before. When the engine has become faster, copy the figures of

    python tools/insight_cost.py --positions 1000 --seed 2 --fit

into ``SECONDS`` there, and look at the result with another seed.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from cantstop.engine import TooLarge, check_turn_size
from cantstop.engine.module import forget_instances
from cantstop.game import Game
from cantstop.rules import OFFICIAL, Board, Phase, Position, Rules, Sharing, Start
from cantstop.server.work.cost import Work, analysis_work
from cantstop.server.work.insight import MOST_TURN_BYTES, analyse

OFFICIAL_SHARE = 0.2
LONGEST = (3, 6, 13, 30, 99)
EVENTS = (0, 0, 3, 10, 30, 80, 200)
MOST_SECONDS = 4.0
"""Positions that are estimated to take longer are not measured: there would be few others."""


def random_board(random: Random) -> Board:
    """Any board that a server would accept."""
    while True:
        if random.random() < OFFICIAL_SHARE:
            return OFFICIAL
        sides, runners = random.randint(2, 20), random.choice([1, 2, 3, 3, 3, 4, 5])
        if runners > 2 * sides - 1:
            continue
        if random.random() < 0.5:
            longest = random.choice(LONGEST)
            lengths = tuple(random.randint(1, longest) for _ in range(2 * sides - 1))
            board = Board(lengths, runners)
        else:
            board = Board.stepped(sides, random.randint(1, 5), runners)
        try:
            check_turn_size(board, most=MOST_TURN_BYTES)
        except TooLarge:
            continue
        return board


def random_rules(random: Random) -> Rules:
    """Any rules on such a board."""
    board = random_board(random)
    return Rules(
        players=random.randint(1, 4),
        columns_to_win=random.randint(1, min(6, len(board.columns))),
        early=random.random() < 0.3,
        sharing=random.choice(list(Sharing)),
        start=random.choice([Start.FIRST_SEAT, Start.ROLL_OFF]),
        board=board,
    )


def random_position(random: Random) -> Position:
    """A position of a random game by random rules, after some events."""
    game, events = Game(random_rules(random)), random.choice(EVENTS)
    while game.outcome is None and len(game.events) < events:
        match game.phase:
            case Phase.MOVE:
                game.move(random.choice(list(game.legal_moves)))
            case Phase.CHOICE if game.position.may_stop and random.random() < 0.4:
                game.stop()
            case phase:
                count = 2 if phase is Phase.START else 4
                game.roll(tuple(random.randint(1, game.rules.board.sides) for _ in range(count)))
    return game.position


def warm_up() -> None:
    """Load the module and the networks, which a process of the pool has at its start."""
    for players in range(1, 5):
        for settings in ("", ",early", ",lengths=3.5.7.5.3", ",lengths=3.5.7.5.3,runners=2"):
            tokens = "/".join("-" * players)
            analyse(Position.parse(f"v1,players={players}{settings} {tokens} 1 - -"))


def measured(positions: int, seed: int) -> Iterator[tuple[Position, Work, float]]:
    """Positions with what is estimated, and the CPU seconds that they took."""
    random = Random(seed)
    warm_up()
    count = 0
    while count < positions:
        position = random_position(random)
        work = analysis_work(position)
        if position.phase is Phase.OVER or work.seconds > MOST_SECONDS:
            continue
        yield position, work, min(_seconds(position) for _ in range(2))
        count += 1


def _seconds(position: Position) -> float:
    """The CPU time of an analysis by a new instance of the engine."""
    forget_instances()
    begin = time.process_time()
    analyse(position)
    return time.process_time() - begin


def fit(works: NDArray[np.float64], seconds: NDArray[np.float64]) -> Work:
    """The seconds of each part that have the smallest relative errors, none of them negative."""
    from scipy.optimize import nnls  # type: ignore[import-untyped]

    weights = np.ones(len(seconds))
    for _ in range(30):
        scaled = works / seconds[:, None] * weights[:, None]
        found, _ = nnls(scaled, weights, maxiter=10_000)
        short = np.minimum(works @ found / seconds, 1.0)
        weights = 1 / np.maximum(short, 0.05)  # half as much is as wrong as twice as much
    return Work(*found.tolist())


def main() -> int:
    """Measure, compare, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    found = []
    for position, work, seconds in measured(given.positions, given.seed):
        found.append((position, work, seconds))
        if sys.stderr.isatty():
            print(f"\r{len(found)} of {given.positions}", end="", file=sys.stderr)
    ratios = sorted((work.seconds / seconds, str(position)) for position, work, seconds in found)
    within = sum(0.5 <= ratio <= 2 for ratio, _ in ratios)
    print(f"{within} of {len(ratios)} estimates are within a factor of two")
    print(f"estimated / used: median {ratios[len(ratios) // 2][0]:.2f}")
    for ratio, text in (*ratios[:5], *ratios[-5:]):
        print(f"{ratio:8.2f}  {text[:150]}")
    if given.fit:
        works = np.array([work for _, work, _ in found])
        used = np.array([seconds for *_, seconds in found])
        fitted = fit(works, used)
        again = works @ np.array(fitted) / used
        print(f"{((again >= 0.5) & (again <= 2)).sum()} would be, by these seconds:")
        for name, each in fitted._asdict().items():
            print(f"    {name}={each:.2g},")
    return 0


if __name__ == "__main__":
    sys.exit(main())
