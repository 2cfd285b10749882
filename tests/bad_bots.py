"""Third-party bots: they crash, cheat, hang, or repeat their input."""

import os
import re
import time
from pathlib import Path
from typing import Any

from cantstop.rules import Move, Position

FOLDER = "BAD_BOTS_FOLDER"
"""The environment variable that names a folder where bots and tests leave each other notes."""


def notes(name: str) -> Path:
    return Path(os.environ[FOLDER]) / name


class Crashing:
    def choose(self, *_: Any) -> Move:
        raise RuntimeError("no idea what to do")

    def stop(self, *_: Any) -> bool:
        raise RuntimeError("no idea when to stop")


class Cheating(Crashing):
    def choose(self, *_: Any) -> Move:
        return Move(99)

    def stop(self, *_: Any) -> bool:
        return True


class Leaving(Crashing):
    def choose(self, *_: Any) -> Move:
        os._exit(1)  # the whole process: what a bot raises, even SystemExit, is caught


class Hanging(Crashing):
    """Hangs, and lets no other thread of its process run meanwhile."""

    def choose(self, *_: Any) -> Move:
        re.match("(a*)*b", "a" * 60)
        raise AssertionError


class Stuck(Hanging):
    """Hangs too, under a name of its own: a bot that hung is not asked again for a while."""


class Curious:
    """Writes down everything that it is given."""

    def choose(self, *told: Any, **more: Any) -> Any:
        self._note(told, more)
        return told[0].legal_moves[0]

    def stop(self, *told: Any, **more: Any) -> bool:
        self._note(told, more)
        return True

    def _note(self, told: Any, more: Any) -> None:
        with notes("told").open("a") as file:
            file.write(" ".join([type(one).__name__ for one in told] + sorted(more)) + "\n")


class Slow(Curious):
    """Thinks until it is let go on."""

    def choose(self, position: Position, _moves: int) -> Move:
        notes("thinking").touch()
        while not notes("enough").exists():
            time.sleep(0.01)
        return position.legal_moves[-1]
