"""Takes the pictures of the app: every kind of page, on a phone and a desk, by day and by night."""

import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any, Literal
from unittest.mock import patch

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from cantstop.client import daily, play, play_daily
from cantstop.dice import SeededDice
from cantstop.rules import Dice, Phase, Position
from cantstop.server import ServerOptions, create_app
from cantstop.server.tables.dice import throw
from cantstop.table.table import Table

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "screenshots"
CHROMIUM = which("chromium") or "/usr/bin/chromium"
CHROMIUM_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
SIZES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
RECORD = ROOT / "tests" / "golden" / "classic-two.cantstop"
SEED = 28
"""Makes a game with something to see."""
FORMAT = {"format": "webp", "quality": 82}
STEP = 100
MOST_STEPS = 60
NOON = datetime(2000, 1, 1, 12, tzinfo=UTC)
LATE = 12
"""The number of turns after which there is something on the board."""
ENOUGH = 3
"""The number of moves after which everybody stops."""
STUDIED = "v1,players=2 2:2,6:4,7:6/6:9,8:7,12:1 1 4:2,6:6,7:8 -"
"""A position with something to decide."""
LIVE = ".table[data-live=true]"
CONTESTANTS = {"Anne": "champion", "Ben": "rule-of-28", "Cleo": "careful", "Dora": "bold"}
"""Who has played the daily game, each with a bot's hand; the pictures are Anne's."""
DAILY_SECRET = bytes(range(32))
KEEP = "([key, value]) => localStorage.setItem(`cantstop.${key}`, JSON.stringify(value))"


def seeded(table: Table, secret: bytes | None) -> Dice:
    """The same game in every run; lessons and daily games keep their own dice."""
    if table.opened.lesson is not None or table.opened.daily is not None:
        return throw(table, secret)
    return SeededDice(SEED).roll(table.rolls + 1, table.position.dice_to_roll)


@contextmanager
def serving() -> Iterator[str]:
    """A server for as long as it takes; returns its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("cantstop.server.tables.decisions.throw", seeded),
    ):
        options = ServerOptions(
            f"sqlite:///{folder}/tables.db", pace=0.05, daily_secret=DAILY_SECRET
        )
        app = create_app(options)
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


def whole(page: Page) -> dict[str, Any]:
    """All that the page's screen shows, in its own pixels."""
    size: dict[str, Any] = page.evaluate(
        "() => ({ y: scrollY, width: innerWidth, height: innerHeight, scale: devicePixelRatio })"
    )
    return {"x": 0, **size}


class Camera:
    """The same page on every size and in every scheme; their clocks only run on request."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.pages: dict[str, Page] = {}
        for size, profile in SIZES.items():
            for scheme in SCHEMES:
                context = browser.new_context(
                    base_url=url, color_scheme=scheme, locale="en", **profile
                )
                page = context.new_page()
                page.clock.install(time=NOON)
                page.clock.pause_at(NOON + timedelta(seconds=1))
                self.pages[f"{size}-{scheme}"] = page

    def go(self, path: str, until: str = "h1") -> None:
        """Open an address everywhere."""
        for page in self.pages.values():
            page.goto("about:blank")  # else a secret behind # would not load the page again
            page.goto(path)
            page.locator(until).first.wait_for(state="attached")
            page.clock.run_for(STEP)

    def shoot(self, name: str, prepare: Callable[[Page], None] = lambda _page: None) -> None:
        """Take one picture of every page."""
        for kind, page in self.pages.items():
            prepare(page)
            tools = page.context.new_cdp_session(page)
            taken = tools.send("Page.captureScreenshot", {**FORMAT, "clip": whole(page)})
            tools.detach()
            (FOLDER / f"{name}-{kind}.webp").write_bytes(b64decode(taken["data"]))
            print(f"{name}-{kind}.webp")


def pass_time(page: Page, until: str) -> None:
    """Let time pass on a page until it shows something."""
    for _ in range(MOST_STEPS):
        if page.locator(until).count():
            return
        page.clock.run_for(STEP)
        page.wait_for_timeout(STEP)  # the server's clock goes on by itself
    raise AssertionError(f"{until} does not appear")


def bust(page: Page) -> None:
    """The stamp is on the board, which stands still again."""
    pass_time(page, ".stamp.bust")
    page.locator(".shaking").wait_for(state="detached")


def celebration(page: Page) -> None:
    """Confetti in the air, and what the game has come to."""
    pass_time(page, ".confetti")
    page.locator(".afterwards .review-line span").first.wait_for()
    page.clock.run_for(500)


class Player:
    """Plays a game of three on one screen, quickly; knows what comes, since the dice are seeded."""

    def __init__(self, browser: Browser, url: str) -> None:
        context = browser.new_context(base_url=url, reduced_motion="reduce", locale="en")
        self.page = context.new_page()
        self.moves = 0

    way = "hotseat"

    def open_game(self) -> None:
        """Anne, Ben and Cleo sit down."""
        self.page.goto(f"/new?way={self.way}")
        self.page.locator(".new-game .name-field").fill("Anne")
        self.page.locator("[data-field=count-3]").check()
        self.page.locator("[data-field=name-1]").fill("Ben")
        self.page.locator("[data-field=name-2]").fill("Cleo")
        self.page.locator(".start-game").click()
        self.page.locator(LIVE).wait_for()

    @property
    def seat_link(self) -> str:
        """The address of the table, with its seats."""
        games = "() => JSON.parse(localStorage.getItem('cantstop.games'))[0].secret"
        return f"{self.page.url}#seat={self.page.evaluate(games)}"

    def look(self) -> tuple[Position, int, int]:
        """The position, the turn, and how often the dice were thrown."""
        table = self.page.url.rpartition("/")[2]
        view = self.page.request.get(f"/api/tables/{table}").json()["view"]
        return Position.parse(view["position"]), view["turn"], view["rolls"]

    def next_is(self, phase: Phase) -> bool:
        """Whether what this player does next leads to such a phase."""
        position, _, rolls = self.look()
        if self.wants_to_stop(position):
            return position.stop().phase is phase
        dice = SeededDice(SEED).roll(rolls + 1, position.dice_to_roll)
        return position.phase is not Phase.MOVE and position.roll(dice).phase is phase

    def wants_to_stop(self, position: Position) -> bool:
        """Everybody stops after the same number of moves."""
        return position.phase is Phase.CHOICE and self.moves >= ENOUGH

    def act(self) -> None:
        """Do one thing, and wait until there is another to do."""
        position, _, rolls = self.look()
        if position.phase is Phase.MOVE:
            self.moves += 1
            self.page.locator(".move").first.click()
            self.page.locator(f"{LIVE}[data-phase=choice]").wait_for()
        elif self.wants_to_stop(position):
            self.moves = 0
            self.page.locator(".stop").click()
            self.page.locator(f"{LIVE}[data-phase=roll], [data-stage=over]").wait_for()
        else:
            self.moves = 0 if position.phase is Phase.ROLL else self.moves
            self.roll(rolls + 1, position.dice_to_roll)
            self.page.locator(f"{LIVE}[data-rolls='{rolls + 1}']").wait_for()

    def roll(self, _number: int, _count: int) -> None:
        """Have the dice thrown."""
        self.page.locator(".roll").click()

    def play_until(self, moment: Callable[[], bool]) -> None:
        """Go on until the moment has come."""
        while not moment():
            self.act()

    def is_late(self, phase: Phase, moves: int) -> bool:
        """Whether there is something to see: late in the game, some way into a turn."""
        position, turn, _ = self.look()
        return turn > LATE and position.phase is phase and self.moves == moves


class Companion(Player):
    """The same game with dice that are entered."""

    way = "companion"

    def roll(self, number: int, count: int) -> None:
        """Tap what the dice show."""
        for face in SeededDice(SEED).roll(number, count):
            self.page.locator(f".die-key:nth-child({face})").click()


def page_pictures(camera: Camera) -> None:
    """The pages around the table."""
    paths = {"start": "/", "new-game": "/new?way=online", "rules": "/rules", "learn": "/learn"}
    for name, path in paths.items():
        camera.go(path)
        camera.shoot(name)


def study_pictures(camera: Camera) -> None:
    """What one studies the game with: the analysis board with its roll map, and the odds."""
    camera.go(f"/analysis?position={STUDIED}", ".roll-map")
    camera.shoot("analysis")
    camera.shoot(
        "roll-map", lambda page: page.locator(".roll-map-card").scroll_into_view_if_needed()
    )
    camera.go("/odds?runners=6,7,8", ".survival")
    camera.shoot("odds")


def hint(page: Page) -> None:
    """What every option is worth, and why."""
    for part in (".worth", ".hint-note"):
        page.keyboard.press("h")
        pass_time(page, part)


def tutorial_pictures(camera: Camera, player: Player) -> None:
    """The first lesson, with the first dice on the table."""
    player.page.goto("/learn")
    player.page.locator("[data-lesson=basics]").click()
    player.page.locator(LIVE).wait_for()
    player.page.locator(".roll").click()
    player.page.locator(f"{LIVE}[data-phase=move]").wait_for()
    camera.go(player.seat_link, ".coach")
    camera.shoot("tutorial")


def game_pictures(camera: Camera, player: Player) -> None:
    """A game to its end; the camera comes in where there is something to see."""
    player.open_game()
    player.play_until(lambda: player.is_late(Phase.MOVE, 1))
    camera.go(player.seat_link, ".move")
    camera.shoot("preview", lambda page: page.locator(".move").last.focus())
    player.play_until(lambda: player.is_late(Phase.CHOICE, 2))
    camera.go(player.seat_link, LIVE)
    camera.shoot("table")
    camera.shoot("hint", hint)
    player.play_until(lambda: player.next_is(Phase.BUST))
    camera.go(player.seat_link, LIVE)
    player.act()
    camera.shoot("bust", bust)
    player.play_until(lambda: player.next_is(Phase.OVER))
    camera.go(player.seat_link, LIVE)
    player.act()
    camera.shoot("win", celebration)
    camera.go(f"{player.page.url}?n=120")
    camera.shoot("replay")


def review_pictures(browser: Browser, url: str) -> None:
    """The review of a record, its worst decision, and the same decision once more."""
    camera = Camera(browser, url)

    def choose(page: Page) -> None:
        page.goto("/review")
        page.locator("input[type=file]").set_input_files(RECORD)
        page.locator(".review").wait_for()

    def worst(page: Page) -> None:
        page.locator(".look[data-kind=mistake]").last.click()
        page.locator(".moment").evaluate("(moment) => moment.scrollIntoView()")

    def retry(page: Page) -> None:
        page.locator(".retry-link").last.click()
        page.locator(".retry .roll").click()
        page.locator(".retry-next").wait_for()

    def chart(page: Page) -> None:
        page.locator(".chart").evaluate("(chart) => chart.scrollIntoView()")

    camera.shoot("review", choose)
    camera.shoot("chart", chart)
    camera.shoot("moment", worst)
    camera.shoot("retry", retry)


def companion_pictures(camera: Camera, player: Companion) -> None:
    """A table for the real game: two of four dice are entered."""

    def enter_two(page: Page) -> None:
        for key in "25":
            page.keyboard.press(key)
        page.clock.run_for(STEP)

    player.open_game()
    player.play_until(lambda: player.is_late(Phase.CHOICE, 2))
    camera.go(player.seat_link, ".die-key")
    camera.shoot("companion", enter_two)


def daily_pictures(camera: Camera, url: str) -> None:
    """The daily game after four have played it."""
    own = ""
    for name, bot in CONTESTANTS.items():
        seat = play_daily(url, name)
        play(seat.link, bot)
        own = own or seat.device
    while any(row.luck is None for row in daily(url).results):
        for page in camera.pages.values():
            page.wait_for_timeout(STEP)
    camera.go("/")
    for page in camera.pages.values():
        page.evaluate(KEEP, ["daily", {"device": own, "days": []}])
    camera.go("/daily", ".daily-own")
    camera.shoot("daily")


def practice_pictures(camera: Camera) -> None:
    """The strategy guide, its card, and a drill: asked and answered."""

    def answer(page: Page) -> None:
        page.locator(".question .roll").click()
        page.locator(".drill-verdict").evaluate("(verdict) => verdict.scrollIntoView()")

    camera.go("/guide", ".rule-card")
    camera.shoot("guide")
    camera.go("/guide/card", ".rule-card")
    camera.shoot("card")
    for page in camera.pages.values():
        page.evaluate(KEEP, ["drill-choice", {"topic": "stop", "players": 2}])
    camera.go("/drill", ".drill[data-drill] .question .roll")
    camera.shoot("drill")
    camera.shoot("drill-answer", answer)


def main() -> None:
    """Take all pictures, or those of the groups that are named: play, study, review, practice."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    groups = sys.argv[1:] or ["play", "study", "review", "practice"]
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        if "play" in groups:
            camera, player = Camera(browser, url), Player(browser, url)
            page_pictures(camera)
            tutorial_pictures(camera, player)
            game_pictures(camera, player)
        if "study" in groups:
            study_pictures(Camera(browser, url))
        if "review" in groups:
            review_pictures(browser, url)
        if "practice" in groups:
            camera = Camera(browser, url)
            practice_pictures(camera)
            daily_pictures(camera, url)
            companion_pictures(camera, Companion(browser, url))
        browser.close()


if __name__ == "__main__":
    main()
