"""Takes the pictures of the app: every kind of page, on a phone and a desk, by day and by night."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any, Literal
from unittest.mock import patch

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from cantstop.dice import SeededDice
from cantstop.rules import Dice
from cantstop.server import create_app
from cantstop.server.tables import Table
from cantstop.server.throws import throw

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "screenshots"
CHROMIUM = which("chromium") or "/usr/bin/chromium"
SIZES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SEED = 28
"""Makes a game with something to see."""
STEP = 100
MOST_STEPS = 300


def seeded(table: Table, secret: bytes | None) -> Dice:
    """The same game in every run; lessons keep their own dice."""
    if table.opened.lesson is not None:
        return throw(table, secret)
    return SeededDice(SEED).roll(table.rolls + 1, table.position.dice_to_roll)


@contextmanager
def serving() -> Iterator[str]:
    """A server for as long as it takes; returns its address."""
    with tempfile.TemporaryDirectory() as folder, patch("cantstop.server.decisions.throw", seeded):
        app = create_app(f"sqlite:///{folder}/tables.db", pace=0.05)
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
        thread = Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


def pass_time(page: Page, until: str) -> None:
    """Let time pass on a page until it shows something."""
    for _ in range(MOST_STEPS):
        if page.locator(until).count():
            return
        page.clock.run_for(STEP)
        page.wait_for_timeout(STEP / 10)  # the server's clock goes on by itself
    raise AssertionError(f"{until} does not appear")


class Camera:
    """The same page on every size and in every scheme; their clocks only run when told."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.pages: dict[str, Page] = {}
        for size, profile in SIZES.items():
            for scheme in SCHEMES:
                context = browser.new_context(
                    base_url=url, color_scheme=scheme, locale="en", **profile
                )
                page = context.new_page()
                page.clock.install()
                self.pages[f"{size}-{scheme}"] = page

    @property
    def first(self) -> Page:
        """The one that acts; the others watch."""
        return next(iter(self.pages.values()))

    def go(self, path: str) -> None:
        """Open an address everywhere."""
        for page in self.pages.values():
            page.goto(path)
            page.locator("h1").first.wait_for(state="attached")
        self.wait(1000)

    def wait(self, milliseconds: int) -> None:
        """Let time pass on every page."""
        for page in self.pages.values():
            page.clock.run_for(milliseconds)

    def shoot(self, name: str) -> None:
        """Take one picture of every page."""
        for kind, page in self.pages.items():
            page.screenshot(path=FOLDER / f"{name}-{kind}.png")
            print(f"{name}-{kind}.png")

    def until(self, selector: str) -> None:
        """Let time pass until every page shows something."""
        for page in self.pages.values():
            pass_time(page, selector)

    def press(self, selector: str, then: str) -> None:
        """Click on the first page, and wait for what follows on all."""
        self.first.locator(selector).first.click()
        self.until(then)


LIVE = ".table[data-live=true]"
OVER = ".table[data-stage=over]"
LATE = 12
"""After so many turns there is something on the board."""
ENOUGH = 3
"""After so many moves everybody stops."""


def sit_everywhere(camera: Camera) -> None:
    """All pages hold the seats of the table that the first one has opened."""
    secret = camera.first.evaluate(
        "() => JSON.parse(localStorage.getItem('cantstop.games'))[0].secret"
    )
    camera.go(f"{camera.first.url.partition('?')[0]}#seat={secret}")
    camera.until(LIVE)


def open_game(camera: Camera) -> None:
    """A game of three on one screen, followed by every page."""
    page = camera.first
    page.goto("/new?way=hotseat")
    page.locator(".new-game .name-field").fill("Anne")
    page.locator("[data-field=count-3]").check()
    page.locator("[data-field=name-1]").fill("Ben")
    page.locator("[data-field=name-2]").fill("Cleo")
    page.locator(".start-game").click()
    pass_time(page, LIVE)
    sit_everywhere(camera)


def game_pictures(camera: Camera) -> None:
    """Play to the end; on the way a table, a preview and a bust are seen."""
    open_game(camera)
    page, wanted, moves = camera.first, {"table", "preview", "bust"}, 0
    while True:
        camera.until(f"{LIVE}, {OVER}")
        if page.locator(OVER).count():
            break
        phase = page.locator(".table").get_attribute("data-phase")
        late = int(page.locator(".turn-number").inner_text().split()[1]) > LATE
        if phase == "move":
            if late and moves == 1 and "preview" in wanted:
                wanted.remove("preview")
                preview(camera)
            moves += 1
            camera.press(".move", ".table[data-phase=choice]")
        elif phase == "choice" and late and moves == 2 and "table" in wanted:
            wanted.remove("table")
            camera.shoot("table")
        elif phase == "choice" and moves >= ENOUGH:
            camera.press(".stop", ".table[data-phase=roll], .table[data-phase=over]")
        else:
            moves = 0 if phase == "roll" else moves
            camera.press(".roll", ".table[data-phase=move], .stamp.bust")
            if page.locator(".stamp.bust").count():
                if late and "bust" in wanted:
                    wanted.remove("bust")
                    camera.shoot("bust")
                camera.wait(1500)
    camera.until(".afterwards")
    camera.wait(400)
    camera.shoot("win")


def preview(camera: Camera) -> None:
    """The last move, pointed at on every page."""
    for page in camera.pages.values():
        page.locator(".move").last.focus()
    camera.shoot("preview")


def replay(camera: Camera) -> None:
    """The same game, half way through."""
    table = camera.first.url
    camera.go(f"{table}?n=120")
    camera.shoot("replay")


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        camera = Camera(browser, url)
        for name, path in {
            "start": "/",
            "new-game": "/new?way=online",
            "rules": "/rules",
            "learn": "/learn",
        }.items():
            camera.go(path)
            camera.shoot(name)
        camera.first.locator("[data-lesson=basics]").click()
        pass_time(camera.first, LIVE)
        sit_everywhere(camera)
        camera.press(".roll", ".table[data-phase=move]")
        camera.shoot("tutorial")
        game_pictures(camera)
        replay(camera)
        browser.close()


if __name__ == "__main__":
    main()
