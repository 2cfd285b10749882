"""Work for the pool's processes that takes as long as a test wants."""

import asyncio
import time
from pathlib import Path

from cantstop.server.work.process import report_preparation


def append(path: str, text: str, until: str | None = None) -> str:
    """Write a line to a file, then wait until another one exists."""
    with Path(path).open("a") as file:
        file.write(text + "\n")
    while until is not None and not Path(until).exists():
        time.sleep(0.01)
    return text


def report_and_wait(path: str) -> None:
    """Say that a preparation is under way, and end it when the file beside ``path`` exists."""
    report_preparation(0.4)
    append(path, "prepared", f"{path}.go")


async def lines(path: Path, count: int) -> list[str]:
    """The lines of a file, once there are so many."""
    while not path.exists() or len(path.read_text().splitlines()) < count:
        await asyncio.sleep(0.01)
    return path.read_text().splitlines()
