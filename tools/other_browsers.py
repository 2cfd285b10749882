"""Plays the game on the device in Firefox and WebKit, without a host, and says what works.

    python tools/other_browsers.py FOLDER

The files of ``cantstop site`` are visited once; then the host is gone. What follows comes from what
the browser has kept: games against the weakest and the strongest bot, a hint, reviews, drills, an
analysis, and a second page that finds the games again. Pictures of it are put into the folder. What
a browser cannot do is an error; Debian's packages are firefox-esr, webkit2gtk-driver and xvfb.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import AGAINST, AT_ONCE, KEPT, ROBOT, UNTIL
from cantstop.bots import LADDER
from cantstop.server.static.site import write_site
from wasm.firefox import FirefoxPage, firefox_page
from web.static_host import static_host
from webkit import WebKitPage, webkit_page

PATIENCE = 120_000
COLUMNS = 1
"""Columns to win, so that a game does not take long."""
PAGES = {
    "#/drill": ".drill[data-drill] .question",
    "#/analysis?position=v1,players=2+7:4/6:9,8:3+1+6:2,7:6,8:3+-": ".options .option-name",
    "#/odds": ".odds",
    "#/ladder": ".step",
    "#/me": ".page-me, .me",
}


class Visit:
    """One browser with one page."""

    def __init__(self, page: FirefoxPage | WebKitPage, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def sees(self, selector: str) -> None:
        """Wait for something."""
        condition = "(one) => document.querySelector(one)"
        self.page.evaluate(UNTIL.format(condition=condition, patience=PATIENCE), selector)

    def click(self, selector: str) -> None:
        """Wait for something, and click it."""
        self.sees(selector)
        self.page.evaluate("(one) => document.querySelector(one).click()", selector)

    def go(self, place: str, selector: str) -> None:
        """Open a page of the app."""
        self.page.evaluate("(place) => void (location.hash = place)", place)
        self.sees(selector)

    def shoot(self, name: str) -> None:
        """Take a picture."""
        (self.folder / f"{name}.png").write_bytes(self.page.picture())

    def keep(self, url: str) -> None:
        """Visit the app until the browser has kept it."""
        self.page.goto(f"{url}#/rules")
        self.sees("h1")
        self.page.evaluate(AT_ONCE)
        self.page.evaluate(UNTIL.format(condition=KEPT, patience=PATIENCE))

    def start_again(self, url: str) -> None:
        """Open the app in a new page."""
        self.page.goto("about:blank")
        self.page.goto(url)
        self.sees("h1")

    def play(self, bot: str) -> None:
        """A game to its end with a hint, and its review."""
        self.page.evaluate(AGAINST, [bot, COLUMNS])
        self.go("#/new?way=bot", ".start-game")
        self.click(".start-game")
        self.click(".table[data-live=true] .roll")
        self.sees(".table[data-phase=move][data-live=true]")
        self.click(".bulb")
        self.sees(".worth")
        ended = self.page.evaluate(ROBOT, {"enough": 2, "turns": -1})
        assert ended == "over", ended
        self.shoot(f"over-{bot}")
        self.click(".review-link")
        self.sees(".told-review")
        self.shoot(f"review-{bot}")


def visit(page: FirefoxPage | WebKitPage, folder: Path) -> None:
    """All of it; an error says what does not work."""
    folder.mkdir(parents=True, exist_ok=True)
    one = Visit(page, folder)
    with tempfile.TemporaryDirectory() as root:
        write_site(Path(root) / "games" / "cantstop")
        with static_host(Path(root)) as host:
            url = f"{host}games/cantstop/"
            one.keep(url)
    one.start_again(url)
    one.shoot("start")
    bots = [LADDER[0].name, LADDER[-1].name]
    for bot in bots:
        one.play(bot)
    for place, selector in PAGES.items():
        one.go(place, selector)
        one.shoot(place[2:].partition("?")[0])
    one.start_again(url)
    one.go("#/games", f".game-list li:nth-child({len(bots)})")
    one.shoot("games")


def main() -> None:
    """Visit with each browser that is there."""
    folder = Path(sys.argv[1])
    with firefox_page() as firefox, webkit_page() as webkit:
        for name, page in {"Firefox": firefox, "WebKit": webkit}.items():
            if page is None:
                print(f"{name}: not on this machine")
                continue
            visit(page, folder / name)
            print(f"{name} {page.version}: everything works without a host", flush=True)


if __name__ == "__main__":
    main()
