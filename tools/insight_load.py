"""Measures what hints and reviews of browsers cost a server: its processor time, and its own count.

    python tools/insight_load.py [TURNS]

The same turns are played twice at a table of the server, without hints and with one for every
decision; then the game is reviewed. A browser that can work things out itself does it all; one
without workers shows what the server has been spared.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright
from prometheus_client.parser import text_string_to_metric_families

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, NO_WORKERS, Player, ServerProcess
from server_memory import family
from swarm import wait_for_engine

TURNS = 8
"""So few that no game is over by then."""
TICKS = os.sysconf("SC_CLK_TCK")
SYSTEM_FIELDS = slice(11, 13)
"""The user's and the system's time of a process, after its name in ``/proc``."""


def processor_time(server: ServerProcess) -> float:
    """Seconds that a server and its processes for heavy work have had."""
    ticks = 0
    for process in family(server.pid):
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += sum(map(int, fields[SYSTEM_FIELDS]))
    return ticks / TICKS


def worked_out(url: str) -> int:
    """How many hints, analyses and reviews the server has been asked for."""
    with urlopen(f"{url}/metrics") as answer:
        text = answer.read().decode()
    return int(
        sum(
            sample.value
            for metric in text_string_to_metric_families(text)
            if metric.name == "cantstop_insight"
            for sample in metric.samples
            if sample.name.endswith("_total")
        )
    )


@contextmanager
def told(server: ServerProcess, what: str) -> Iterator[None]:
    """Print what something has cost."""
    time, asked = processor_time(server), worked_out(server.url)
    yield
    spent, counted = processor_time(server) - time, worked_out(server.url) - asked
    print(f"  {what:28} {spent:6.2f} s of processor time, {counted:3} worked out by the server")


def visit(browser: Browser, server: ServerProcess, turns: int, *, alone: bool) -> None:
    """A game with and without hints, and its review."""
    player = Player.at(browser, server.url)
    if alone:
        player.page.add_init_script(NO_WORKERS)
    player.go("/new?way=hotseat").find(".start-game").click()
    with told(server, f"{turns} turns without hints"):
        for _ in range(turns):
            player.take_turn()
    with told(server, f"{turns} turns with a hint each"):
        for _ in range(turns):
            player.sees(phase="roll", live=True).find(".roll").click()
            player.sees(phase="move", live=True).find(".bulb").click()
            player.find(".move .worth").first.wait_for()
            player.find(".move").first.click()
            player.sees(phase="choice", live=True).find(".stop").click()
    player.play()
    with told(server, "review of the game"):
        player.find(".review-link").click()
        player.find(".told-review").wait_for()
    player.close()


def main() -> None:
    """Print what each kind of browser costs."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db", more=("--metrics",)).start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            wait_for_engine(server.url)
            for name, alone in {"browser": False, "browser without workers": True}.items():
                print(name)
                visit(browser, server, turns, alone=alone)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
