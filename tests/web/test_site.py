"""``cantstop site``: the game as static files in a folder of a plain web host."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Request, expect

from browser_player import AT_ONCE, KEEPS_THE_APP, KEPT, Player
from cantstop.cli import main
from web import test_drills
from web.axe import severe_problems
from web.static_host import static_host
from web.test_review import GOLDEN


@pytest.fixture
def guest(browser: Browser, site: str) -> Iterator[Player]:
    """A player at the site; every address that the page asks for is in its folder."""
    player = Player.at(browser, site, **KEEPS_THE_APP)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    player.page.context.on("request", note)
    player.go("#/rules").page.evaluate(AT_ONCE)
    yield player
    player.close()
    assert [url for url in asked if not url.startswith((site, "blob:", "data:"))] == []


def test_a_game_from_the_start_page_to_its_end_and_back_again(guest: Player) -> None:
    guest.go("").find("[data-way=bot]").click()
    guest.sees(stage="playing", dice="device")
    assert guest.play() == "over"
    guest.page.reload()
    guest.sees(stage="over")
    guest.go("#/games")
    expect(guest.find(".game-list li")).to_have_count(1)


def test_what_is_shared_of_a_game_on_the_device_leads_somewhere(guest: Player, site: str) -> None:
    guest.go("#/new?way=hotseat").find(".start-game").click()
    guest.sees(stage="playing")
    assert guest.play() == "over"
    guest.find(".share-game-button").click()
    expect(guest.find(".game-picture")).to_be_visible()
    drawing = unquote(guest.find(".game-picture").get_attribute("src") or "")
    assert f"Play it yourself: {site.removeprefix('http://').rstrip('/')}" in drawing
    assert guest.find(".link-field").input_value() == f"{site}#/"
    guest.page.keyboard.press("Escape")
    guest.find(".review-link").click()
    guest.more_figures()
    expect(guest.find("main button", has_text="Share")).to_have_count(0)
    guest.find(".moment a", has_text="Replay").click()
    guest.find("button[aria-label='Share this moment']").click()
    picture = guest.find(".shared-picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1200
    expect(guest.find(".link-field")).to_have_count(0)


def test_from_page_to_page_within_one_document_without_a_connection(guest: Player) -> None:
    guest.wait_for(KEPT)
    guest.page.context.set_offline(True)
    guest.go("#/drill")
    test_drills.give(guest, test_drills.shown(guest), right=True)
    expect(guest.find("[data-figure=right]")).to_contain_text("1 of 1")
    guest.go("#/review")
    expect(guest.find("h1")).to_have_text("Review a record")  # no longer the page of the drills
    guest.find("input[type=file]").set_input_files(GOLDEN / "classic-two.cantstop")
    expect(guest.find("h1")).to_have_text("Ada wins. Was it luck?")


def test_it_is_accessible_and_installable(guest: Player) -> None:
    guest.go("")
    assert severe_problems(guest) == []
    session = guest.page.context.new_cdp_session(guest.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    guest.wait_for("() => navigator.serviceWorker.ready")
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # a profile of the tests is a private window, in which nothing can be installed
    assert [one["errorId"] for one in problems] in ([], ["in-incognito"])


def test_no_page_offers_the_daily_game_of_a_server(guest: Player, site: str) -> None:
    guest.go("#/me")
    expect(guest.find(".feats")).to_be_visible()
    expect(guest.find(".calendar, [data-feat=week]")).to_have_count(0)
    guest.go("#/daily").find("h1", has_text="There is nothing here").wait_for()
    manifest = guest.page.request.get(f"{site}static/manifest.webmanifest").json()
    assert [one["name"] for one in manifest["shortcuts"]] == ["Play", "Drill", "Companion"]
    for shortcut in manifest["shortcuts"]:
        guest.page.goto("about:blank")
        guest.go(shortcut["url"].removeprefix("../"))
        expect(guest.find("main button, main input").first).to_be_visible()


def test_the_start_page_says_which_server_online_play_is_on(
    guest: Player, browser: Browser, tmp_path: Path
) -> None:
    guest.go("#/")
    expect(guest.find("main")).to_contain_text("No server belongs to this page")
    with pytest.raises(SystemExit) as ended:
        main(["site", str(tmp_path), "--server", "https://play.example.org/"])
    assert not ended.value.code
    with static_host(tmp_path) as address:
        player = Player.at(browser, address)
        link = player.go("").find("main a", has_text="play.example.org")
        expect(link).to_have_attribute("href", "https://play.example.org")
        player.close()


@pytest.mark.parametrize(
    "server", ["javascript:alert(1)", "https://", "http://[x", "https://example.org/room"]
)
def test_what_is_no_server_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], server: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["site", str(tmp_path / "out"), "--server", server])
    assert ended.value.code == 2
    assert "is not the address of a server" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_first_page_of_the_docs_has_the_game_in_it(browser: Browser, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "index.md").read_text("utf-8")
    (frame,) = re.findall(r"<iframe [^>]+></iframe>", page)
    (tmp_path / "index.html").write_text(f"<!doctype html><h1>Docs</h1>{frame}", "utf-8")
    (folder,) = re.findall(r'src="([^"]+)/"', frame)
    with pytest.raises(SystemExit):
        main(["site", str(tmp_path / folder)])
    with static_host(tmp_path) as address:
        player = Player.at(browser, address)
        asked: list[str] = []
        player.page.on("request", lambda request: asked.append(request.url))
        player.go("")
        inside = player.page.frame_locator("iframe")
        inside.locator("[data-way=bot]").click()
        inside.locator(".table[data-live=true] .roll").click()
        expect(inside.locator(".table[data-phase=move]")).to_be_attached()
        assert [url for url in asked if not url.startswith(address)] == []
        player.close()


def test_texts_are_there_compressed(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["site", str(tmp_path)])
    assert (tmp_path / "index.html.gz").exists()
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "Content-Security-Policy" in page
    assert "unsafe" not in page.replace("'wasm-unsafe-eval'", "")
