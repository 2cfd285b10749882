"""Measures a game on the device in Chromium: hints, the champion, a review, and the page meanwhile.

    python tools/bench_local.py [RUNS]

The files of ``cantstop site`` are served from this machine, to a page as it is and to one that
Chromium slows down four times. Times are from a click to what is shown then; every run has a new
profile, so that its first hint loads the engine. The last lines have the longest task on the page's
main thread meanwhile, by the clock and in the thread's own time, which leaves out what other
programs took; an idle page beside them shows what is noise. Chromium slows a page down by the
clock, so the slower page's own time is that of the other one, four times as long. Each trace goes
on for a while after what is shown, for what is drawn then.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import AGAINST, AT_ONCE, CHROMIUM, CHROMIUM_ARGS, KEEPS_THE_APP, Player
from cantstop.server.static.site import write_site
from main_thread import traced
from web.static_host import static_host

SLOWER = 4
LATER_HINTS = 5
CHAMPION = "champion's first move"
REVIEW = "review of a game"
LONGEST = "longest task"
OWN = "its own time"

AFTERWARDS = 300
"""Milliseconds that a trace goes on."""

# Clicks, and returns the milliseconds until something is shown.
UNTIL_SHOWN = """([button, shown]) => new Promise((done) => {
  const begin = performance.now();
  const look = () => document.querySelector(shown) && (watch.disconnect(), done(performance.now() - begin));
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true });
  document.querySelector(button).click();
  look();
})"""  # noqa: E501

# Stops, and returns the milliseconds until the bot's first move is shown.
UNTIL_BOT_MOVES = """() => new Promise((done) => {
  const begin = performance.now();
  const table = document.querySelector(".table");
  const wanted = Number(table.dataset.n) + 3;
  new MutationObserver((_, watch) => {
    if (Number(table.dataset.n) < wanted) return;
    watch.disconnect();
    done(performance.now() - begin);
  }).observe(table, { attributes: true });
  document.querySelector(".stop").click();
})"""


Times = dict[str, list[float]]


@dataclass
class Visit:
    """One profile: how long things take there, and the longest tasks meanwhile."""

    browser: Browser
    player: Player
    times: Times = field(default_factory=dict)

    @contextmanager
    def during(self, what: str) -> Iterator[None]:
        """Find the longest task while something happens."""
        with traced(self.browser, self.player.page) as work:
            yield
            self.player.page.wait_for_timeout(AFTERWARDS)
        self.note(f"{LONGEST}, {what}", work.longest)
        self.note(f"{OWN}, {what}", work.longest_own)

    def note(self, what: str, time: float) -> None:
        self.times.setdefault(what, []).append(time)

    def play(self) -> None:
        """Measure it all."""
        player = self.player
        player.go("#/new?way=hotseat").find(".start-game").click()
        player.sees(phase="roll", live=True)
        with self.during("idle"):
            player.page.wait_for_timeout(AFTERWARDS)
        for what in ["first hint"] + ["later hints"] * LATER_HINTS:
            player.sees(phase="roll", live=True).find(".roll").click()
            player.sees(phase="move", live=True)
            with self.during(what):
                self.note(what, player.page.evaluate(UNTIL_SHOWN, [".bulb", ".worth"]))
            player.find(".move").first.click()
            player.sees(phase="choice", live=True).find(".stop").click()
        player.page.evaluate(AGAINST, ["champion", 3])
        player.go("#/new?way=bot").find(".start-game").click()
        player.sees(phase="roll", live=True).find(".roll").click()
        player.sees(phase="move", live=True).find(".move").first.click()
        player.sees(phase="choice", live=True)
        with self.during(CHAMPION):
            self.note(CHAMPION, player.page.evaluate(UNTIL_BOT_MOVES))
        player.play()
        player.find("a[href$='/review']").first.wait_for()
        with self.during(REVIEW):
            reviewed = review_time(player)
        if reviewed is not None:
            self.note(REVIEW, reviewed)


def measured(browser: Browser, url: str, slower: int) -> Times:
    """The milliseconds of everything, in a new profile."""
    player = Player.at(browser, url, **KEEPS_THE_APP)
    player.go("#/rules").page.evaluate(AT_ONCE)
    session = player.page.context.new_cdp_session(player.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    visit = Visit(browser, player)
    visit.play()
    player.page.context.close()
    return visit.times


def review_time(player: Player) -> float | None:
    """The milliseconds of a review, from the end of the game; None where a server would do it."""
    link = "a[href$='/review']"
    player.find(link).first.wait_for()
    found: float = player.page.evaluate(
        UNTIL_SHOWN, [link, ".told-review, main .problem, main .status-problem"]
    )
    return found if player.find(".told-review").count() else None


def main() -> None:
    """Print a table: the median of all runs, and the most."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    found: dict[int, Times] = {1: {}, SLOWER: {}}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        with static_host(Path(folder)) as url:
            for _ in range(runs):
                for slower, times in found.items():
                    for name, new in measured(browser, url, slower).items():
                        times.setdefault(name, []).extend(new)
        browser.close()
    for name, own in found[1].items():
        if name.startswith(OWN):
            found[SLOWER][name] = [SLOWER * time for time in own]
    print(f"{'ms, median (most)':38}{'plain':>18}{f'{SLOWER} x slower':>18}")
    for name in sorted(found[1], key=lambda name: (LONGEST in name, OWN in name)):
        cells = (_cell(found[slower].get(name, [])) for slower in found)
        print(f"{name:38}{''.join(cells)}")


def _cell(times: list[float]) -> str:
    if not times:
        return f"{'by a server':>18}"
    return f"{f'{median(times):.0f} ({max(times):.0f})':>18}"


if __name__ == "__main__":
    main()
