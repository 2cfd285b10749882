"""The lobby: two phones that did not know each other play a rated game after one tap each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from browser_player import PHONE, Player, ServerProcess
from web.axe import severe_problems


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a lobby."""
    database = f"sqlite:///{tmp_path_factory.mktemp('club') / 'tables.db'}"
    server = ServerProcess(database, more=("--lobby", "on")).start()
    yield server
    server.kill()


def test_two_strangers_reach_a_rated_game_by_a_name_and_one_tap(
    browser: Browser, club: ServerProcess
) -> None:
    phones = [
        Player.at(browser, club.url, viewport=PHONE, has_touch=True, is_mobile=True)
        for _ in range(2)
    ]
    for phone, name in zip(phones, ("Rosa", "Sven"), strict=True):
        phone.go("/").find("[name=lobby-name]").fill(name)
        expect(phone.find(".lobby-now .hint")).to_contain_text("can read your name")
        assert severe_problems(phone) == []
        phone.find(".lobby-now .seek").tap()
        if name == "Rosa":
            expect(phone.find(".seeking")).to_contain_text("Looking for somebody")
            assert severe_problems(phone) == []
    for phone in phones:
        phone.sees(stage="playing")
    tables = {phone.table_id for phone in phones}
    assert len(tables) == 1
    state = phones[0].page.request.get(f"/api/tables/{tables.pop()}").json()
    assert state["rated"] is True
    assert {seat["name"] for seat in state["seats"]} == {"Rosa", "Sven"}
    for phone in phones:
        phone.close()


def test_a_search_can_be_stopped_and_a_household_has_no_lobby(
    browser: Browser, club: ServerProcess, player: Player
) -> None:
    phone = Player.at(browser, club.url, viewport={"width": 320, "height": 568}, locale="de")
    phone.go("/").find("[name=lobby-name]").fill("Tilda")
    phone.find(".lobby-now .seek").click()
    phone.find(".stop-seeking").click()
    expect(phone.find(".lobby-now .seek")).to_be_focused()
    expect(phone.find("[name=lobby-name]")).to_have_count(0)  # she has a profile now
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
    phone.close()
    expect(player.go("/").find(".lobby-now")).to_have_count(0)


def test_who_stops_looking_while_the_server_is_asked_does_not_go_on(
    browser: Browser, club: ServerProcess
) -> None:
    """A word that goes on and one that ends, sent together, could arrive in either order."""
    phone = Player.at(browser, club.url, viewport=PHONE)
    phone.go("/").find("[name=lobby-name]").fill("Ulla")
    held: list[Route] = []
    sent: list[str] = []

    def hold(route: Route) -> None:
        sent.append(route.request.method)
        if route.request.method == "PUT":
            held.append(route)
        else:
            route.continue_()

    phone.page.route("**/api/lobby/seek", hold)
    with phone.page.expect_request("**/api/lobby/seek"):
        phone.find(".lobby-now .seek").click()
    phone.find(".stop-seeking").click()
    phone.page.evaluate("fetch('/api/editions').then(() => {})")  # what was sent before is here now
    assert sent == ["PUT"]
    with phone.page.expect_response(lambda answer: answer.request.method == "DELETE"):
        held[0].continue_()
    assert sent == ["PUT", "DELETE"]
    phone.close()
