"""Takes pictures of two visits: a newcomer's first ten minutes, a returning player's first minute.

Each screen gets a folder of pictures, numbered in the order in which a player sees them, and one
sheet with all of them side by side.

Example: python tools/visit_pictures.py /tmp/pictures
Example: python tools/visit_pictures.py /tmp/pictures 844x390 320x568-de
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from screenshots import CHROMIUM, CHROMIUM_ARGS, KEEP, LIVE, serving

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import ROBOT
from cantstop.language import LANGUAGES

SIZES = {
    "375x553": (375, 553),
    "390x844": (390, 844),
    "844x390": (844, 390),
    "1366x768": (1366, 768),
    "3840x2160": (3840, 2160),
}
SCREENS: dict[str, dict[str, Any]] = {
    **{name: {} for name in SIZES},
    "390x844-dark": {"color_scheme": "dark"},
    "390x844-forced": {"forced_colors": "active"},
    **{f"320x568-{language}": {"locale": language} for language in LANGUAGES},
}
SHEET_WIDTH = 1600
NARROW = 0.7
"""Upright screens are narrower than this share of their height: more of them stand side by side."""

DAYS = {"2026-11-16": 6, "2026-11-17": 5}
GAMES = [
    ("chick", True, -0.1, 64),
    ("magpie", False, -0.3, 70),
    ("magpie", True, 0.2, 75),
    ("tortoise", False, -0.45, 82),
    ("tortoise", True, 0.1, 80),
    ("ibex", False, -0.2, 84),
]


def history() -> list[dict[str, Any]]:
    """The games of a player who has come as far as the Ibex."""
    return [
        {
            "id": f"game {number}",
            "at": f"2026-11-{number + 9:02d}T19:30:00Z",
            "against": [{"bot": bot}],
            "won": won,
            "rounds": 9,
            "feats": ["first-win"] if number == 0 else [],
            "luck": luck,
            "accuracy": accuracy,
            "low": 0.21 if number == 2 else 0.4,
        }
        for number, (bot, won, luck, accuracy) in enumerate(GAMES)
    ]


@dataclass
class Visit:
    """A player at one screen, and the pictures of what they have seen."""

    page: Page
    folder: Path
    name: str
    taken: list[Path] = field(default_factory=list)

    def shoot(self, what: str) -> None:
        """Take a picture of what is on the screen."""
        path = self.folder / f"{self.name}-{len(self.taken) + 1:02d}-{what}.png"
        self.page.screenshot(path=path, animations="disabled")
        self.taken.append(path)

    def go(self, path: str, until: str = "h1") -> None:
        """Open an address."""
        self.page.goto(path)
        self.page.locator(until).first.wait_for(state="attached")

    def see(self, **facts: object) -> None:
        """Wait until the table is in that state."""
        wanted = "".join(f'[data-{name}="{value}"]' for name, value in facts.items())
        self.page.locator(f"{LIVE}{wanted}").wait_for()

    def click(self, selector: str) -> None:
        """Click the first of its kind."""
        self.page.locator(selector).first.click()

    def play(self, *, turns: int = -1) -> None:
        """Play some turns, or to the end of the game."""
        self.page.evaluate(ROBOT, {"enough": 3, "turns": turns})


def newcomer(visit: Visit) -> None:
    """The first ten minutes: the start page, the lesson, a game with the coach, its story."""
    visit.go("/")
    visit.shoot("start")
    visit.click(".learn-link, a[href='/learn']")
    visit.page.locator("[data-lesson=basics]").wait_for()
    visit.shoot("learn")
    visit.click("[data-lesson=basics]")
    visit.see(phase="roll")
    visit.page.locator(".coach").wait_for()
    visit.shoot("lesson")
    visit.click(".roll")
    visit.see(phase="move")
    visit.shoot("lesson-move")
    visit.click(".move")
    visit.see(phase="choice")
    visit.shoot("lesson-choice")
    visit.play()
    visit.page.locator("[data-first-game]").wait_for()
    visit.page.locator(".stamp").wait_for(state="detached")
    visit.shoot("lesson-over")
    visit.click("[data-first-game]")
    visit.see(phase="roll")
    visit.shoot("for-real")
    visit.click(".roll")
    visit.see(phase="move")
    visit.page.locator(".coach.for-real").wait_for()
    visit.shoot("coach-move")
    visit.click(".move")
    visit.see(phase="choice")
    visit.page.locator(".coach strong").wait_for()
    visit.shoot("coach-choice")
    visit.play()
    visit.page.locator(".afterwards .review-line span").first.wait_for()
    visit.page.locator(".stamp").wait_for(state="detached")
    visit.shoot("over")
    table = visit.page.url
    visit.click(".share-game-button")
    visit.page.locator(".game-picture").wait_for()
    visit.shoot("share")
    visit.go(f"{table}/review", ".told-review")
    visit.shoot("story")
    visit.go("/", ".home")
    visit.shoot("home")


def returning(visit: Visit) -> None:
    """The first minute of a player who has been here before: home, the ladder, a game, my page."""
    visit.go("/rules")
    for key, value in {
        "history": history(),
        "drill-curve": [1500, 1540, 1520, 1575],
        "daily": {"device": "", "days": list(DAYS), "turns": DAYS},
    }.items():
        visit.page.evaluate(KEEP, [key, value])
    visit.go("/")
    visit.click("[data-way=bot], .ladder-card button, .animal-card button")
    visit.see(phase="roll")
    visit.play(turns=2)
    visit.go("/", ".waiting-card")
    visit.shoot("home")
    visit.click(".waiting-card")
    visit.see(phase="roll")
    visit.shoot("table")
    visit.go("/ladder", ".stop-next")
    visit.shoot("ladder")
    visit.go("/me", ".calendar")
    visit.shoot("me")
    visit.page.locator(".calendar").evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    visit.shoot("me-calendar")
    visit.go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+6:2,7:6+-", ".option")
    visit.page.locator(".play-on").evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    visit.shoot("analysis")
    visit.go("/drill", ".drill[data-drill] .question")
    visit.shoot("drill")


VISITS: dict[str, Callable[[Visit], None]] = {"newcomer": newcomer, "returning": returning}


def visit_screen(browser: Browser, url: str, screen: str, folder: Path) -> None:
    """Both visits at one screen, and the sheet of their pictures."""
    width, height = map(int, screen.partition("-")[0].split("x"))
    settings = {"locale": "en", "reduced_motion": "reduce", **SCREENS[screen]}
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    for name, walk in VISITS.items():
        context = browser.new_context(
            base_url=url, viewport={"width": width, "height": height}, **settings
        )
        visit = Visit(context.new_page(), folder, name)
        walk(visit)
        taken += visit.taken
        context.close()
    write_sheet(browser, folder, taken, columns=6 if width < NARROW * height else 3)
    print(f"{screen}: {len(taken)} pictures")


def write_sheet(browser: Browser, folder: Path, taken: list[Path], columns: int) -> None:
    """All pictures of a screen side by side, as a page and as one picture."""
    figures = "".join(f"<figure><img src='{path.name}'>{path.stem}</figure>" for path in taken)
    sheet = folder / "sheet.html"
    sheet.write_text(
        f"<style>body{{display:grid;grid-template-columns:repeat({columns},1fr);gap:10px}}"
        f"figure{{margin:0;font:14px sans-serif}}img{{width:100%;border:1px solid #888}}</style>"
        f"{figures}",
        "utf-8",
    )
    page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 900})
    page.goto(sheet.as_uri())
    page.screenshot(path=folder / "sheet.png", full_page=True)
    page.close()


def main() -> None:
    """Take the pictures of all screens, or of those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("screens", nargs="*", metavar="SCREEN", help=", ".join(SCREENS))
    given = parser.parse_args()
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        for screen in given.screens or SCREENS:
            visit_screen(browser, url, screen, given.folder.absolute() / screen)
        browser.close()


if __name__ == "__main__":
    main()
