"""Work for the pool's processes that takes as long as a test wants."""

import asyncio
import time
from pathlib import Path


def append(path: str, text: str, until: str | None = None) -> str:
    """Write a line to a file, then wait until another one exists."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    while until is not None and not Path(until).exists():
        time.sleep(0.01)
    return text


async def lines(path: Path, count: int) -> list[str]:
    """The lines of a file, once there are enough."""
    while not path.exists() or len(path.read_text(encoding="utf-8").splitlines()) < count:
        await asyncio.sleep(0.01)
    return path.read_text(encoding="utf-8").splitlines()
