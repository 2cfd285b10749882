"""A player's progress with drills, and the file that stores it.

The file is an object in JSON that a person can read:

    {"format": "cantstop drill progress", "version": 1, "rating": 1612.3, "deviation": 70.1,
     "volatility": 0.06, "answered": 120, "right": 84, "streak": 3, "best_streak": 11,
     "seen": ["5c1e0a77b2", …]}

``seen`` has the drills that were answered, the one that was seen longest ago first.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, Self

from cantstop.drills.drill import ID_LENGTH, Drill
from cantstop.drills.glicko import Rating, rated
from cantstop.files import open_atomically
from cantstop.rules import InvalidText
from cantstop.untrusted import read_bounded

FORMAT: Final = "cantstop drill progress"
VERSION: Final = 1

MAX_BYTES = 4 << 20
MOST_SEEN = 100_000

DRILL_DEVIATION = 60.0
"""How sure a drill's difficulty is, as a deviation of ratings."""

HIGHEST_RATING = 5000.0
"""And the lowest is as far below zero."""
DEVIATIONS, VOLATILITIES = (1e-6, 1000.0), (1e-6, 1.0)
"""The least and the most: beyond them a file was not made by answering, and Glicko-2 fails."""
PLACES = 6
"""What is kept after the point: an exponential differs in its last bit from machine to machine."""
MOST_ANSWERED = 10**9

_ID = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")
_RATING = ("rating", "deviation", "volatility")
_COUNTS = ("answered", "right", "streak", "best_streak")


class BadProgress(InvalidText):
    """A file that does not hold progress of drills; the sentence says why."""


@dataclass(frozen=True, repr=False)
class Progress:
    """A rating, streaks, and what was seen."""

    rating: Rating = field(default_factory=Rating)
    answered: int = 0
    right: int = 0
    streak: int = 0
    """Right answers in a row, up to now."""
    best_streak: int = 0
    seen: tuple[str, ...] = ()
    """The drills that were answered, the one that was seen longest ago first."""

    def __repr__(self) -> str:
        return f"<Progress {self.rating.rating:.0f}: {self.right} of {self.answered} right>"

    def rows(self) -> list[dict[str, int | float]]:
        """The progress as one row; the drills that were seen are counted."""
        return [
            {
                **{name: getattr(self.rating, name) for name in _RATING},
                **{name: getattr(self, name) for name in _COUNTS},
                "seen": len(self.seen),
            }
        ]

    def after(self, drill: Drill, *, is_right: bool) -> Self:
        """The progress with one more answer.

        A drill that was seen before changes the rating no more: it may be remembered.
        """
        streak = self.streak + 1 if is_right else 0
        rating = self.rating
        if drill.id not in self.seen:
            opponent = Rating(drill.difficulty, DRILL_DEVIATION)
            rating = _kept(rated(rating, [(opponent, 1.0 if is_right else 0.0)]))
        return replace(
            self,
            rating=rating,
            answered=self.answered + 1,
            right=self.right + is_right,
            streak=streak,
            best_streak=max(streak, self.best_streak),
            seen=(*(one for one in self.seen if one != drill.id), drill.id)[-MOST_SEEN:],
        )


def _kept(rating: Rating) -> Rating:
    """A rating as it goes into a file: the same in a browser and here."""
    found = (rating.rating, rating.deviation, rating.volatility)
    return _bounded(Rating(*(round(number, PLACES) for number in found)))


def _bounded(rating: Rating) -> Rating:
    """A rating that can be read again, wherever it began."""
    return Rating(
        _within(rating.rating, (-HIGHEST_RATING, HIGHEST_RATING)),
        _within(rating.deviation, DEVIATIONS),
        _within(rating.volatility, VOLATILITIES),
    )


def _within(number: float, bounds: tuple[float, float]) -> float:
    return max(bounds[0], min(number, bounds[1]))


@dataclass(frozen=True, slots=True)
class DrillProgress:
    """A player's progress with drills, as the JSON object of its file."""

    format: Literal["cantstop drill progress"]
    version: Literal[1]
    rating: float
    deviation: float
    volatility: float
    answered: int
    right: int
    streak: int
    """Right answers in a row, up to now."""
    best_streak: int
    seen: tuple[str, ...]
    """The drills that were answered, the one that was seen longest ago first."""


def progress_data(progress: Progress) -> DrillProgress:
    """A progress as the object of its file."""
    rating = progress.rating
    return DrillProgress(
        FORMAT,
        VERSION,
        rating.rating,
        rating.deviation,
        rating.volatility,
        progress.answered,
        progress.right,
        progress.streak,
        progress.best_streak,
        progress.seen,
    )


def progress_json(progress: Progress) -> str:
    """A progress as the text of its file."""
    return json.dumps(asdict(progress_data(progress)))


def parse_progress(text: str | bytes, name: str) -> Progress:
    """Read the text of such a file; whatever is not one is refused in a sentence."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    return progress_from(data, name)


def progress_from(data: object, name: str) -> Progress:
    """The progress that an object tells, if it is one.

    Raises:
        BadProgress: If the data are not those of a progress.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadProgress("{name} is not a file of drill progress.", name=name)
    if data.get("version") != VERSION:
        raise BadProgress(
            "{name} has version {version} of its format; this program reads version {known}.",
            name=name,
            version=str(data.get("version")),
            known=VERSION,
        )
    progress = _read(data)
    if progress is None:
        raise BadProgress("{name} is a damaged file of drill progress.", name=name)
    return progress


def _read(data: Mapping[str, object]) -> Progress | None:
    """The progress, if everything in it is possible."""
    counts = [one for name in _COUNTS if type(one := data.get(name)) is int]
    rating = [one for name in _RATING if isinstance(one := data.get(name), int | float)]
    listed = data.get("seen")
    seen = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else None
    if not (
        len(counts) == len(_COUNTS)
        and all(0 <= count <= MOST_ANSWERED for count in counts)
        and len(rating) == len(_RATING)
        and not any(isinstance(number, bool) for number in rating)
        and _bounded(Rating(*rating)) == Rating(*rating)
        and seen is not None
        and len(seen) <= MOST_SEEN
        and seen == listed
        and all(map(_ID.fullmatch, seen))
        and len(set(seen)) == len(seen)
    ):
        return None
    answered, right, streak, best = counts
    if not (right <= answered and streak <= best <= right and len(seen) <= answered):
        return None
    return Progress(Rating(*map(float, rating)), answered, right, streak, best, tuple(seen))


def read_progress(path: Path) -> Progress:
    """The progress in a file.

    Raises:
        BadProgress: If the file is not one of a progress.
    """
    try:
        return parse_progress(read_bounded(path, MAX_BYTES), path.name)
    except OSError as error:
        raise BadProgress(
            "{name} cannot be read: {reason}.", name=path.name, reason=error.strerror
        ) from None


def load_progress(path: Path) -> Progress:
    """The same, and a new one where there is no file yet."""
    return read_progress(path) if path.exists() else Progress()


def save_progress(path: Path, progress: Progress) -> None:
    """Write a progress; whatever happens, the old file or the new one is there.

    Raises:
        BadProgress: If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_atomically(path) as file:
            file.write(progress_json(progress).encode() + b"\n")
    except OSError as error:
        raise BadProgress(
            "{name} cannot be written: {reason}.", name=path.name, reason=error.strerror
        ) from None
