"""Measures a game on the device in Chromium: hints, the champion, a review, and the page meanwhile.

    python tools/bench_local.py [RUNS]

The files of ``cantstop site`` are served from this machine, to a page as it is and to one that
Chromium slows down four times. Times are from a click to what is shown then; every run has a new
profile, so that its first hint loads the engine. The last lines have the longest task on the page's
main thread meanwhile: browsers report those from 50 ms on.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, Player
from cantstop.server.static.site import write_site
from web.static_host import static_host
from web.test_offline import AGAINST, AT_ONCE

SLOWER = 4
LATER_HINTS = 5
REVIEW = "review of a game"
LONGEST = "longest task"

WATCH_TASKS = """
globalThis.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });
"""

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


def measured(browser: Browser, url: str, slower: int) -> dict[str, list[float]]:
    """The milliseconds of everything, in a new profile."""
    player = Player.at(browser, url)
    player.page.add_init_script(WATCH_TASKS)
    player.go("#/rules").page.evaluate(AT_ONCE)
    session = player.page.context.new_cdp_session(player.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    player.go("#/new?way=hotseat").find(".start-game").click()
    player.sees(phase="roll", live=True)
    opening = longest_task(player)
    hints = []
    for _ in range(1 + LATER_HINTS):
        player.sees(phase="roll", live=True).find(".roll").click()
        player.sees(phase="move", live=True)
        hints.append(player.page.evaluate(UNTIL_SHOWN, [".bulb", ".worth"]))
        player.find(".move").first.click()
        player.sees(phase="choice", live=True).find(".stop").click()
    hinting = longest_task(player)
    player.page.evaluate(AGAINST, "champion")
    player.go("#/new?way=bot").find(".start-game").click()
    player.sees(phase="roll", live=True).find(".roll").click()
    player.sees(phase="move", live=True).find(".move").first.click()
    player.sees(phase="choice", live=True)
    champion = player.page.evaluate(UNTIL_BOT_MOVES)
    answering = longest_task(player)
    player.play()
    playing = longest_task(player)
    reviewed = review_time(player)
    reviewing = longest_task(player)
    player.page.context.close()
    return {
        "first hint": hints[:1],
        "later hints": hints[1:],
        "champion's first move": [champion],
        REVIEW: [] if reviewed is None else [reviewed],
        f"{LONGEST} while a game opens": [opening],
        f"{LONGEST} during hints": [hinting],
        f"{LONGEST} while it moves": [answering],
        f"{LONGEST} up to the game's end": [playing],
        f"{LONGEST} during the review": [reviewing],
    }


def longest_task(player: Player) -> float:
    """The longest task since this was last asked, in milliseconds; 0 if none had 50."""
    found: list[float] = player.page.evaluate("tasks.splice(0)")
    return max(found, default=0)


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
    found: dict[int, dict[str, list[float]]] = {1: {}, SLOWER: {}}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        with static_host(Path(folder)) as url:
            for _ in range(runs):
                for slower, times in found.items():
                    for name, new in measured(browser, url, slower).items():
                        times.setdefault(name, []).extend(new)
        browser.close()
    print(f"{'ms, median (most)':38}{'plain':>18}{f'{SLOWER} x slower':>18}")
    for name in found[1]:
        cells = (_cell(name, found[slower][name]) for slower in found)
        print(f"{name:38}{''.join(cells)}")


def _cell(name: str, times: list[float]) -> str:
    if not times:
        return f"{'by a server':>18}"
    if name.startswith(LONGEST) and not max(times):
        return f"{'none over 50':>18}"
    return f"{f'{median(times):.0f} ({max(times):.0f})':>18}"


if __name__ == "__main__":
    main()
