"""How quick the terminal app is: from a key to the screen, from the command to the first one."""

import asyncio
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from textual.pilot import Pilot

from cantstop.terminal.app.app import CantStopApp
from snapshots import FOUR, LARGE, SMALL, TURN, Scene

KEYS = 40
STARTS = 5
AIM_KEY = 50
AIM_START = 1


async def answer_times(size: tuple[int, int]) -> list[float]:
    """Milliseconds of this process's time from each key to the screen that answers it."""
    with tempfile.TemporaryDirectory() as folder:
        app = Scene((), TURN, FOUR).app(Path(folder), light=False)
        async with app.run_test(size=size) as pilot:
            await pilot.press("r")
            return [await _answer(app, pilot, "down" if n % 4 else "t") for n in range(KEYS)]


async def _answer(app: CantStopApp, pilot: Pilot[int], key: str) -> float:
    await pilot.pause()
    shown = asyncio.Event()
    begin = time.process_time()
    app.simulate_key(key)
    app.screen.call_later(app.screen.call_after_refresh, shown.set)
    await shown.wait()
    return (time.process_time() - begin) * 1e3


def start_times() -> tuple[float, float]:
    """Seconds from the command to its first screen: on the clock, and of a core's time."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_DATA_HOME": folder, "TERM": "xterm-256color"}
        ours, theirs = pty.openpty()
        begin, used = time.perf_counter(), os.times()
        program = subprocess.Popen(
            [sys.executable, "-m", "cantstop", "play", "--seat", "Anne", "--seat", "Bob"],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"Anne: roll" not in shown:
            select.select([ours], [], [])
            shown += os.read(ours, 65536)
        wall = time.perf_counter() - begin
        program.kill()
        program.wait()
        os.close(ours)
        now = os.times()
        busy = now.children_user + now.children_system - used.children_user - used.children_system
        return wall, busy


def main() -> None:
    """Measure and print; the best of several is what the machine's other work disturbs least."""
    for size in (SMALL, LARGE):
        times = sorted(asyncio.run(answer_times(size)))
        print(
            f"terminal app, {size[0]}×{size[1]}, key to screen: best {times[0]:5.1f} ms  "
            f"median {times[len(times) // 2]:5.1f} ms  slowest {times[-1]:5.1f} ms  "
            f"(aim: {AIM_KEY} ms)"
        )
    walls, busy = zip(*(start_times() for _ in range(STARTS)), strict=True)
    print(
        f"terminal app, command to first screen: best {min(walls):.2f} s on the clock, "
        f"{min(busy):.2f} s of a core's time  (aim: {AIM_START} s)"
    )


if __name__ == "__main__":
    main()
