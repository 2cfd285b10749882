"""Measures how long the installed app takes from the home screen to its start page.

    python tools/bench_start.py [RUNS]

The app was visited once; then its server is there, is gone, or takes connections and never answers,
as on a train in a tunnel. The page is as it is, or slowed down four times. Times are from the start
of the navigation until the start page can be used; the main thread's own time in it leaves out what
other programs took.
"""

import os
import signal
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, KEEPS_THE_APP, KEPT, Player, ServerProcess
from main_thread import traced
from screenshots import KEEP
from visit_pictures import history

SLOWER = 4
RUNS = 5
MICROSECONDS = 1000  # in a millisecond

# Until the start page is drawn: two frames after it can be used.
READY = """() => new Promise((done) => {
  const look = () => {
    if (!document.querySelector(".ready .home, .ready [data-way=bot]")) return requestAnimationFrame(look);
    requestAnimationFrame(() => done(performance.now()));
  };
  look();
})"""  # noqa: E501


def start_time(browser: Browser, player: Player, slower: int) -> tuple[float, float]:
    """The milliseconds of one start in a new page, and the main thread's own."""
    page = player.page.context.new_page()
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    with traced(browser, page) as work:
        page.goto(player.url, wait_until="commit")
        passed: float = page.evaluate(READY)
    page.close()
    own = sum(task.get("tdur", 0) for task in work.tasks) / MICROSECONDS
    return passed, own


def main() -> None:
    """Print a table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            print(
                f"{'ms, median (least, most)':32}{'plain':>22}{f'{SLOWER} x slower':>22}   own time"
            )
            for who in ("newcomer", "returning player"):
                player = Player.at(browser, server.url, **KEEPS_THE_APP)
                player.go("/rules")
                if who != "newcomer":
                    player.page.evaluate(KEEP, ["history", history()])
                player.wait_for(KEPT)
                for network in ("there", "gone", "silent"):
                    player.page.context.set_offline(network == "gone")
                    if network == "silent":
                        os.kill(server.pid, signal.SIGSTOP)
                    found = {
                        slower: [start_time(browser, player, slower) for _ in range(runs)]
                        for slower in (1, SLOWER)
                    }
                    if network == "silent":
                        os.kill(server.pid, signal.SIGCONT)
                    cells = "".join(
                        f"{_cell([time for time, _ in times]):>22}" for times in found.values()
                    )
                    own = median(own for _, own in found[1])
                    print(f"{f'{who}, server {network}':32}{cells}{own:8.0f}", flush=True)
                player.page.context.close()
        finally:
            browser.close()
            server.kill()


def _cell(times: list[float]) -> str:
    return f"{median(times):.0f} ({min(times):.0f}, {max(times):.0f})"


if __name__ == "__main__":
    main()
