"""A release in between: pages of both go on, each with its own files, and no game is lost."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser, expect

from browser_player import AT_ONCE, KEEPS_THE_APP, KEPT, Player
from cantstop.engine import browser as engine_files
from cantstop.server.static.pages import WEB
from cantstop.server.static.site import write_site
from web.static_host import static_host

HASHED = re.compile(r"\.[0-9a-f]{8}\.\w+(\.gz)?$")
RELEASES = "async () => (await caches.keys()).filter((name) => !name.endsWith('shared'))"


class Host:
    """A web host with one release of the site, then with another one."""

    def __init__(self, folder: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.url = url
        self._monkeypatch = monkeypatch
        write_site(folder)

    def release(self, tmp_path: Path) -> None:
        """The next release: its menu has another interface, and its module other bytes."""
        web = Path(copytree(WEB, tmp_path / "web"))
        for name in ("table/panels/menu.js", "pages/table.js"):
            text = (web / name).read_text("utf-8")
            assert "showMenu" in text
            (web / name).write_text(text.replace("showMenu", "openMenu"), "utf-8")
        empty_section = b"\0\2\1x"
        module = engine_files.module_bytes() + empty_section
        self._monkeypatch.setattr(engine_files, "module_bytes", lambda: module)
        write_site(self.folder, web)

    def remove_old(self, kept: set[Path]) -> None:
        """Remove the files of the first release that the second has not."""
        listed = (self.folder / "static" / "kept.json").read_text("utf-8")
        for path in kept:
            name = path.relative_to(self.folder / "static").as_posix().removesuffix(".gz")
            if HASHED.search(path.name) and name not in listed:
                path.unlink()

    def files(self) -> set[Path]:
        return {path for path in (self.folder / "static").rglob("*") if path.is_file()}


@pytest.fixture
def host(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Host]:
    root = tmp_path_factory.mktemp("host")
    with static_host(root) as url:
        yield Host(root, url, monkeypatch)


@pytest.fixture
def visit(browser: Browser, host: Host) -> Iterator[Callable[..., Player]]:
    players: list[Player] = []

    def arrive(**profile: object) -> Player:
        players.append(Player.at(browser, host.url, **{**KEEPS_THE_APP, **profile}))
        players[-1].go("#/rules").page.evaluate(AT_ONCE)
        return players[-1]

    yield arrive
    for player in players:
        player.close()


def open_game(player: Player) -> Player:
    """A game on this device, after its first turn."""
    player.go("#/new?way=hotseat").find(".start-game").click()
    player.take_turn()
    return player.sees(phase="roll", live=True)


def use_menu(player: Player) -> None:
    player.find("[aria-label=Menu]").click()
    expect(player.find("dialog.sheet")).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(player.find("dialog.sheet")).to_have_count(0)


def test_a_game_that_is_open_goes_on_with_the_release_that_it_began_with(
    visit: Callable[..., Player], host: Host, tmp_path: Path
) -> None:
    old = visit()
    old.wait_for(KEPT)
    open_game(old)
    first = old.page.evaluate(RELEASES)
    before = host.files()
    host.release(tmp_path)
    host.remove_old(before)

    new = Player(old.page.context.new_page(), host.url)
    new.go("#/games")
    expect(new.find(".game-list li")).to_have_count(1)
    new.wait_for(f"async () => (await ({RELEASES})()).length === 2")
    new.wait_for(
        "async ([first]) => !(await (await caches.open(first)).match(new URL('.', location.href)))",
        first,
    )
    # the old page loads what it has not needed so far, and its engine: of its own release
    use_menu(old)
    old.find(".roll").click()
    old.sees(phase="move", live=True).find(".bulb").click()
    expect(old.find(".worth").first).to_be_visible()
    old.find(".move").first.click()
    old.sees(phase="choice", live=True).find(".stop").click()
    # the new one plays the same game on
    new.go(old.address).sees(phase="roll", live=True, rolls=2)
    use_menu(new)
    assert not new.troubles

    address, context = old.address, old.page.context
    old.page.close()
    old.page = new.page
    new.page.goto("about:blank")
    new.go(address).sees(phase="roll", live=True, rolls=2).take_turn()
    new.wait_for(
        "async ([first]) => { const all = await caches.keys();"
        " return all.length === 1 && all[0] !== first; }",
        first,
    )
    context.set_offline(True)
    new.page.reload()
    new.sees(phase="roll", live=True, rolls=3)


def test_a_release_that_is_there_only_in_part_is_not_shown_without_a_connection(
    visit: Callable[..., Player], host: Host, tmp_path: Path
) -> None:
    player = visit()
    player.wait_for(KEPT)
    address = open_game(player).address
    [first] = player.page.evaluate(RELEASES)
    before = host.files()
    host.release(tmp_path)
    modules = {path for path in host.files() - before if ".wasm" in path.name}
    for path in modules:
        path.unlink()
    player.go("#/games").page.reload()
    player.wait_for(f"async () => (await ({RELEASES})()).length === 2")
    player.page.context.set_offline(True)
    player.page.goto("about:blank")
    player.go(address).sees(phase="roll", live=True, rolls=1).find(".roll").click()
    player.sees(phase="move", live=True).find(".bulb").click()
    expect(player.find(".worth").first).to_be_visible()
    use_menu(player)
    assert player.page.evaluate(RELEASES)[0] == first
    assert modules


def test_the_files_before_stay_on_the_host_for_pages_that_have_kept_nothing(
    visit: Callable[..., Player], host: Host, tmp_path: Path
) -> None:
    old = open_game(visit(service_workers="block"))
    before = host.files()
    host.release(tmp_path)
    assert before <= host.files()
    use_menu(old)
    old.page.reload()
    old.sees(phase="roll", live=True, rolls=1)
    use_menu(old)


def test_a_file_that_is_gone_for_good_is_said_in_one_sentence_and_the_game_is_kept(
    visit: Callable[..., Player], host: Host, tmp_path: Path
) -> None:
    missing = "The server cannot be reached. Check the connection and try again."
    old = open_game(visit(service_workers="block"))
    for path in host.files():
        if HASHED.search(path.name):
            path.unlink()
    old.find(".roll").click()
    old.sees(phase="move", live=True).find(".bulb").click()
    expect(old.find("#toasts")).to_have_text(missing)
    host.release(tmp_path)
    old.page.reload()
    use_menu(old.sees(phase="move", live=True, rolls=2))
    old.find(".bulb").click()
    expect(old.find(".worth").first).to_be_visible()
