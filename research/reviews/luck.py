"""Many games of bots reviewed: the luck of each seat, and every bot's error per decision.

Game number n is always the same game, whoever plays it: so several processes share the work, each
with a file of its own to which it adds a line a game, and a run that was interrupted goes on.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from time import monotonic

from cantstop.bots import LADDER
from cantstop.review import review
from cantstop.rules import Rules

from .games import play, seated

RULES = Rules()
BOTS = (
    *(level.name for level in LADDER),
    "expert",
    "glenn-linear",
    "rule-of-28",
    "bold",
)
PAIRS = tuple(combinations(BOTS, 2))
REPORT_EVERY = 30.0


@dataclass(frozen=True)
class SeatOfGame:
    """What the review of a game says of one seat."""

    bot: str
    start: float
    result: float
    luck: float
    skill: float
    drift: float
    error: float
    decisions: int


@dataclass(frozen=True)
class ReviewedGame:
    """One game, and its two seats."""

    n: int
    turns: int
    seats: tuple[SeatOfGame, SeatOfGame]

    @classmethod
    def parse(cls, line: str) -> "ReviewedGame":
        """Read a line of a file."""
        read = json.loads(line)
        one, other = (SeatOfGame(**seat) for seat in read["seats"])
        return cls(read["n"], read["turns"], (one, other))


def reviewed(n: int, seed: int) -> ReviewedGame:
    """Game number n: every pair in turn, each of the two beginning half of the games."""
    pair, again = PAIRS[n % len(PAIRS)], n // len(PAIRS)
    names = pair if again % 2 == 0 else pair[::-1]
    game = play(RULES, seated(names), f"luck {seed} {n}", longest=10**6)
    one, other = (
        SeatOfGame(
            names[seat.seat],
            seat.start,
            seat.result,
            seat.luck,
            seat.skill,
            seat.drift,
            seat.error,
            len(seat.decisions),
        )
        for seat in review(game).seats
    )
    return ReviewedGame(n, game.turn, (one, other))


def run(folder: Path, games: int, seed: int, part: int, parts: int) -> None:
    """Play and review this process's part of the games, but for those that are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{seed}-{part}-of-{parts}.jsonl"
    done = {game.n for game in read(folder)}
    numbers = [n for n in range(part, games, parts) if n not in done]
    began = told = monotonic()
    with file.open("a", encoding="utf-8") as lines:
        for count, n in enumerate(numbers, start=1):
            lines.write(json.dumps(asdict(reviewed(n, seed))) + "\n")
            if monotonic() - told > REPORT_EVERY or count == len(numbers):
                told = monotonic()
                lines.flush()
                pace = (told - began) / count
                left = pace * (len(numbers) - count) / 60
                print(
                    f"part {part}: {count} of {len(numbers)} games, {pace:.3f} s each, "
                    f"{left:.0f} min to go",
                    flush=True,
                )


def read(folder: Path) -> Iterator[ReviewedGame]:
    """All games that the files of a folder have; a line that was cut off does not count."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            try:
                yield ReviewedGame.parse(line)
            except (json.JSONDecodeError, KeyError):
                continue
