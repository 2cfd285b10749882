"""My turn in the browser: the list, the next game, what others have played, on every device."""

import json
from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from browser_player import Player, ServerProcess
from cantstop.language import LANGUAGES
from slow_games import Friend
from web.axe import severe_problems

SCREENS = [(320, 568), (375, 553), (390, 844), (1366, 768)]
KEEP = "([key, value]) => localStorage.setItem(`cantstop.${key}`, JSON.stringify(value))"
BADGE = """() => {
  window.badge = null;
  navigator.setAppBadge = async (count) => void (window.badge = count);
  navigator.clearAppBadge = async () => void (window.badge = 0);
}"""
"""Headless browsers have no icon to look at: what it would show."""


@pytest.fixture
def anne(server: ServerProcess) -> Friend:
    """A player of this test's own; the name that others see begins with it."""
    return Friend.begin(server.url, f"Anne {token_hex(4)}")


@pytest.fixture
def bob(server: ServerProcess) -> Friend:
    return Friend.begin(server.url, f"Bob {token_hex(4)}")


def sits_at(player: Player, friend: Friend) -> Player:
    """The browser becomes a device of this player."""
    player.page.add_init_script(f"({BADGE})()")
    player.go("/rules")
    known = {"key": friend.key, "id": "known", "name": friend.name, "mark": 0}
    player.page.evaluate(KEEP, ["player", known])
    player.page.evaluate(KEEP, ["prefs", {"name": friend.name}])
    return player


def ids(player: Player, section: str) -> list[str]:
    found: list[str] = player.find(f".{section} [data-game]").evaluate_all(
        "(all) => all.map((one) => one.dataset.game)"
    )
    return found


class TestTheList:
    def test_games_that_wait_come_first_with_the_time_that_is_left(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        theirs, first, second = anne.opens(bob), anne.opens(bob, days=1), anne.opens(bob)
        anne.plays(theirs)
        free = anne.opens(days=7)
        sits_at(player, anne).go("/turns")
        assert ids(player, "turns-mine") == [first, second]
        assert ids(player, "turns-theirs") == [theirs]
        assert ids(player, "turns-open") == [free]
        expect(player.find(".lead")).to_have_text("2 games wait for you.")
        mine = player.find(f"[data-game='{first}']")
        expect(mine).to_contain_text(f"Against {bob.name}")
        expect(mine).to_contain_text("23 h left")  # a moment of the day is gone
        expect(player.find(f"[data-game='{second}']")).to_contain_text("2 days 23 h left")
        expect(player.find(f"[data-game='{theirs}']")).to_contain_text(f"{bob.name} is to play")
        expect(player.find(f"[data-game='{free}']")).to_contain_text("7 days for a turn")
        assert player.page.evaluate("window.badge") == 2
        assert severe_problems(player) == []
        mine.focus()
        player.page.keyboard.press("Enter")
        player.sees(stage="playing", live=True)
        assert player.table_id == first

    def test_the_list_is_new_whenever_one_comes_back_to_it(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        table = bob.opens(anne)
        sits_at(player, anne).go("/turns")
        expect(player.find(".lead")).to_have_text("No game waits for you now.")
        assert player.page.evaluate("window.badge") == 0
        bob.plays(table)
        player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(player.find(".lead")).to_have_text("1 game waits for you.")
        assert ids(player, "turns-mine") == [table]
        assert player.page.evaluate("window.badge") == 1

    def test_without_games_there_is_a_way_to_one(self, player: Player, anne: Friend) -> None:
        sits_at(player, anne).go("/turns")
        expect(player.find(".empty")).to_contain_text("No game with others goes on")
        assert severe_problems(player) == []
        player.find(".empty .primary").click()
        expect(player.find("[data-field=clock]")).to_have_value("days 2")

    def test_a_guest_without_a_profile_has_the_games_of_the_device(
        self, sit: Callable[..., Player]
    ) -> None:
        host, guest = sit(), sit()
        host.go("/new?way=online").find("[data-field=clock]").select_option("days 3")
        host.find(".start-game").click()
        host.sees(stage="open")
        guest.go(f"/t/{host.table_id}").find(".join button").last.click()
        table = host.table_id
        host.sees(stage="playing")
        guest.sees(stage="playing")
        host.go("/turns")
        assert ids(host, "turns-mine") == [table]
        guest.go("/turns")
        assert ids(guest, "turns-theirs") == [table]
        host.go(f"/t/{table}").take_turn()
        expect(host.find(".next-game")).to_be_visible()  # the server has the turn
        guest.page.reload()
        expect(guest.find(f".turns-mine [data-game='{table}']")).to_be_visible()

    def test_the_first_page_begins_with_what_waits_and_says_how_many(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        waits, theirs = anne.opens(bob), anne.opens(bob)
        anne.plays(theirs)
        sits_at(player, anne)
        player.go(f"/t/{waits}").sees(stage="playing")
        player.go(f"/t/{theirs}").sees(stage="playing")  # it was looked at last
        player.go("/")
        expect(player.find(".turns-count")).to_have_text("1 game waits for you.")
        expect(player.find(".waiting-card").first).to_have_attribute("data-game", waits)
        player.find(".turns-link").click()
        expect(player.find("h1")).to_have_text("My turn")
        player.go("/me").find("nav a[href='/turns']").click()
        expect(player.find("h1")).to_have_text("My turn")


class TestAtTheTable:
    def test_after_a_turn_comes_the_next_game(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        tables = [anne.opens(bob) for _ in range(3)]
        sits_at(player, anne).go("/turns").find(f"[data-game='{tables[0]}']").click()
        player.sees(live=True).take_turn()
        following = player.find(".next-game")
        expect(following).to_have_text("Next game2 games still wait for you.")
        assert severe_problems(player) == []
        following.click()
        player.sees(live=True).take_turn()
        assert player.table_id == tables[1]
        expect(following).to_have_text("Next game1 game still waits for you.")
        following.click()
        player.sees(live=True).take_turn()
        assert player.table_id == tables[2]
        expect(following).to_have_text("My gamesNo other game waits for you.")
        following.click()
        expect(player.find("h1")).to_have_text("My turn")
        assert ids(player, "turns-mine") == []

    def test_what_the_others_have_played_is_shown_first_and_once(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        table = anne.opens(bob)
        anne.plays(table)
        before = anne.turn(table)["n"]
        bob.plays(table)
        sits_at(player, anne)
        player.stop_the_clock().go(f"/t/{table}")
        # time stands still: the first of what was missed is on screen for good
        expect(player.find(".notice.told")).to_have_text("What happened since your last turn")
        expect(player.table).to_have_attribute("data-n", str(before + 1))
        expect(player.table).to_have_attribute("data-live", "false")
        player.find(".skip").click()
        player.page.clock.resume()
        player.sees(live=True, n=anne.turn(table)["n"])
        expect(player.find(".notice.told")).to_have_count(0)
        expect(player.find(".skip")).to_be_hidden()
        player.go("/turns").go(f"/t/{table}").sees(live=True)
        expect(player.find(".story")).to_contain_text("stops")
        expect(player.find(".notice.told")).to_have_count(0)
        player.take_turn()

    def test_it_is_shown_to_its_end_by_itself(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        table = anne.opens(bob)
        anne.plays(table)
        bob.plays(table)
        sits_at(player, anne).go(f"/t/{table}").sees(live=False)
        player.sees(live=True, n=anne.turn(table)["n"]).take_turn()

    def test_a_turn_that_has_begun_is_gone_on_with_at_once(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        table = anne.opens(bob)
        anne.plays(table)
        bob.plays(table)
        sits_at(player, anne).go(f"/t/{table}").sees(live=True).find(".roll").click()
        player.sees(phase="move", live=True)
        player.page.evaluate("localStorage.removeItem('cantstop.games')")
        player.stop_the_clock().go(f"/t/{table}").sees(phase="move", live=True)

    def test_every_device_of_a_player_plays_and_none_shows_its_key(
        self, player: Player, anne: Friend, bob: Friend
    ) -> None:
        table = anne.opens(bob)
        sits_at(player, anne).go(f"/t/{table}").sees(live=True)
        player.find("[aria-label=Menu]").click()
        expect(player.find("dialog .in-force")).to_contain_text("3 days for a turn")
        expect(player.find("dialog .device-link")).to_have_count(0)
        assert anne.key not in player.page.content()
        player.page.keyboard.press("Escape")
        player.take_turn()
        expect(player.find(".next-game")).to_be_visible()  # the server has the turn
        assert bob.turn(table)["mine"]


class TestANewGame:
    @pytest.mark.parametrize("days", [1, 2, 3, 7])
    def test_a_slow_table_is_opened_by_the_form(self, player: Player, days: int) -> None:
        player.go("/new?way=online").find("[data-field=clock]").select_option(f"days {days}")
        player.find(".start-game").click()
        player.sees(stage="open")
        noun = "day" if days == 1 else "days"
        expect(player.find(".slow-note")).to_contain_text(f"{days} {noun} for a turn")
        state = json.loads(player.page.request.get(f"/api/tables/{player.table_id}").text())
        assert state["days"] == days
        player.go("/new?way=online")  # it is what the next one begins with
        expect(player.find("[data-field=clock]")).to_have_value(f"days {days}")

    def test_a_day_for_a_decision_has_become_one_for_a_turn(self, player: Player) -> None:
        player.go("/rules")
        player.page.evaluate(KEEP, ["prefs", {"settings": {"online": {"clock": 86400}}}])
        player.go("/new?way=online")
        expect(player.find("[data-field=clock]")).to_have_value("days 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_fits_every_screen_in_every_language(
    sit: Callable[..., Player], server: ServerProcess, language: str
) -> None:
    anne = Friend.begin(server.url, f"Maximiliane {token_hex(4)}")
    bob = Friend.begin(server.url, f"Bartholomäus {token_hex(4)}")
    mine, theirs = anne.opens(bob), anne.opens(bob, days=7)
    anne.plays(theirs)
    anne.opens(days=7)
    player = sits_at(sit(locale=language), anne)
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        for path in ("/turns", f"/t/{theirs}", "/"):
            player.go(path)
            assert player.page.evaluate("document.documentElement.scrollWidth") <= width, path
        small = (
            player.go("/turns")
            .find(".turn-card > .button")
            .evaluate_all(
                "(all) => all.filter((one) => one.getBoundingClientRect().height < 40).length"
            )
        )
        assert small == 0
        assert mine in ids(player, "turns-mine")
