"""``cantstop site``: the game as static files in a folder of a plain web host."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Request, expect

from browser_player import Player
from cantstop.cli import main
from web.axe import severe_problems
from web.test_offline import AT_ONCE

FOLDER = "games/cantstop/"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host as ``python -m http.server`` is one, with the site in a folder of it."""
    root = tmp_path_factory.mktemp("host")
    with pytest.raises(SystemExit) as ended:
        main(["site", str(root / FOLDER)])
    assert not ended.value.code

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{FOLDER}"
        server.shutdown()
        thread.join()


@pytest.fixture
def guest(browser: Browser, host: str) -> Iterator[Player]:
    """A player at the site; every address that the page asks for is in its folder."""
    player = Player.at(browser, host)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    player.page.context.on("request", note)
    player.go("#/rules").page.evaluate(AT_ONCE)
    yield player
    player.close()
    assert [url for url in asked if not url.startswith((host, "blob:", "data:"))] == []


def test_a_game_from_the_start_page_to_its_end_and_back_again(guest: Player) -> None:
    guest.go("").find("[data-way=bot]").click()
    guest.sees(stage="playing", dice="device")
    assert guest.play() == "over"
    guest.page.reload()
    guest.sees(stage="over")
    guest.go("#/games")
    expect(guest.find(".game-list li")).to_have_count(1)


def test_after_one_visit_it_needs_no_connection(guest: Player) -> None:
    guest.wait_for("() => caches.match(new URL('.', location.href).href)")
    guest.page.context.set_offline(True)
    guest.go("#/analysis")
    expect(guest.find(".roll-map, .rolls-map").first).to_be_visible()
    guest.go("#/new?way=hotseat").find(".start-game").click()
    guest.sees(stage="playing")
    assert guest.play(turns=2) == "turns"


def test_it_is_accessible_and_installable(guest: Player) -> None:
    guest.go("")
    assert severe_problems(guest) == []
    session = guest.page.context.new_cdp_session(guest.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    guest.wait_for("() => navigator.serviceWorker.ready")
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # a profile of the tests is a private window, in which nothing can be installed
    assert [one["errorId"] for one in problems] in ([], ["in-incognito"])


def test_texts_are_there_compressed(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["site", str(tmp_path)])
    assert (tmp_path / "index.html.gz").exists()
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "Content-Security-Policy" in page
    assert "unsafe" not in page.replace("'wasm-unsafe-eval'", "")
