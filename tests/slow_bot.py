"""A bot that takes a server as long to get ready as a test wants, as a new engine does."""

import multiprocessing
import os
import sys

from cantstop.rules import Move, Position
from slow_work import report_and_wait

FILE = "SLOW_BOT_FILE"
"""The environment variable that names a file; when there is a file beside it, the bot is ready."""


class Slow:
    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        return position.legal_moves[0]

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        return True


if multiprocessing.parent_process() is not None:  # the server itself is ready at once
    report_and_wait(os.environ[FILE])
    sys.modules["numba"] = None  # type: ignore[assignment]  # nor is there an engine to load
