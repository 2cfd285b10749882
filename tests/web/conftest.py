"""One real server and one real Chromium for all browser tests; every test has its own profiles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, Request, StorageState, sync_playwright

from browser_player import (
    AT_ONCE,
    CHROMIUM,
    CHROMIUM_ARGS,
    KEEPS_THE_APP,
    KEPT,
    Player,
    ServerProcess,
)
from cantstop import client
from cantstop.cli import main
from quick_games import play_quickly
from swarm import wait_for_engine
from web.static_host import static_host

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
"""When the common server starts by its own clock: no test is in its way at midnight."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server that tests have in common, ready to judge games; their tables do not meet."""
    database = f"sqlite:///{tmp_path_factory.mktemp('web') / 'tables.db'}"
    server = ServerProcess(database, starts=NOON).start()
    wait_for_engine(server.url)
    yield server
    server.kill()


@pytest.fixture
def mortal_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of this test's own, to be killed."""
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}").start()
    yield server
    server.kill()


# Not for the whole session: Playwright's event loop would be in the way of other tests' own ones.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without a window."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
    yield browser
    browser.close()


@dataclass(frozen=True)
class Finished:
    """A game that was played to its end, and what the browser remembers of it."""

    path: str
    memory: StorageState


@pytest.fixture(scope="package")
def play_once(browser: Browser, server: ServerProcess) -> Callable[..., Finished]:
    """Plays a game of each kind once; all tests may look at what is left of it."""

    @cache
    def play(way: str, edition: str = "classic") -> Finished:
        seats = [client.human(f"Player {number}") for number in ((1,) if way == "solo" else (1, 2))]
        link = client.open_table(server.url, seats, mode=way, edition=edition)
        with client.Player(link) as me:
            play_quickly(me)
        player = Player.at(browser, server.url)
        player.go(f"/t/{link.table}#seat={link.secret}").sees(stage="over")
        finished = Finished(f"/t/{link.table}", player.page.context.storage_state())
        player.close()
        return finished

    return play


@pytest.fixture
def return_to(sit: Callable[..., Player]) -> Callable[[Finished], Player]:
    """The player of a finished game, back at its table."""
    return lambda game: sit(storage_state=game.memory).go(game.path).sees(stage="over")


@pytest.fixture
def sit(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., Player]]:
    """Gives a test as many players as it wants, each with a browser profile of their own."""
    players: list[Player] = []

    def sit_down(**profile: object) -> Player:
        players.append(Player.at(browser, server.url, **profile))
        return players[-1]

    yield sit_down
    for player in players:
        player.close()


@pytest.fixture
def player(sit: Callable[..., Player]) -> Player:
    """One player at a desk."""
    return sit()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the game as static files, in a folder of a plain web host."""
    root, folder = tmp_path_factory.mktemp("host"), "games/cantstop/"
    with pytest.raises(SystemExit) as ended:
        main(["site", str(root / folder)])
    assert not ended.value.code
    with static_host(root) as address:
        yield f"{address}{folder}"


@dataclass(frozen=True)
class Origin:
    """Where the app comes from, and what stands before the path of a page there."""

    url: str
    pages: str


@pytest.fixture
def origin(request: pytest.FixtureRequest) -> Origin:
    """The common server, or the site for a test that asks for it as its parameter."""
    if getattr(request, "param", "server") == "site":
        return Origin(request.getfixturevalue("site"), "#")
    return Origin(request.getfixturevalue("server").url, "")


@pytest.fixture
def visitor(browser: Browser, origin: Origin) -> Iterator[Callable[..., Player]]:
    """Players who were here once, and have no connection now; none asks for anything elsewhere."""
    players: list[Player] = []
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    def visit(**profile: object) -> Player:
        player = Player.at(browser, origin.url, **KEEPS_THE_APP, **profile)
        player.pages = origin.pages
        players.append(player)
        player.page.context.on("request", note)
        player.go("/rules").page.evaluate(AT_ONCE)
        player.wait_for(KEPT)
        player.page.context.set_offline(True)
        return player

    yield visit
    for player in players:
        player.close()
    assert [url for url in asked if not url.startswith((origin.url, "blob:", "data:"))] == []
