"""Bots as opponents: the ladder with faces and ratings, whom one plays, and who comes next."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from browser_player import Player, ServerProcess
from cantstop.bots import BOTS, LADDER
from web.axe import severe_problems


def test_the_start_page_names_the_opponent_and_lets_one_change_it(player: Player) -> None:
    player.go("/")
    expect(player.find(".opponent")).to_have_text("Against ChickChange")
    expect(player.find(".opponent .bot-face")).to_be_visible()
    player.find(".opponent").click()
    cards = player.find("dialog .bot-list").first.locator(".bot-card")
    expect(cards.locator("strong")).to_have_text(
        [f"{level.name.capitalize()} Rating {level.rating}" for level in LADDER]
    )
    expect(cards.locator(".hint")).to_have_text([level.about for level in LADDER])
    drawings = cards.locator("svg").evaluate_all("(all) => all.map((each) => each.innerHTML)")
    assert len(set(drawings)) == len(LADDER)
    expect(player.find("dialog [data-bot=chick]")).to_have_attribute("aria-pressed", "true")
    classic = [name for name, bot in BOTS.items() if bot.level is None]
    expect(player.find("dialog details:not([open]) .bot-card")).to_have_count(len(classic))
    player.find("dialog [data-bot=fox]").click()
    expect(player.find(".opponent")).to_have_text("Against FoxChange")
    expect(player.find(".opponent")).to_be_focused()
    player.go("/").find("[data-way=bot]").click()
    player.sees(stage="playing")
    expect(player.find(".player .name")).to_have_text(["Player 1", "Fox"])


def test_who_beats_a_bot_is_offered_the_next(player: Player) -> None:
    finish(player, "tortoise", human_wins=True)
    offer = player.find(".next-opponent .bot-card")
    expect(offer).to_contain_text("Next on the ladder: Ibex")
    expect(offer).to_contain_text("Rating 1656")
    offer.click()
    player.sees(stage="playing")
    expect(player.find(".player .name")).to_have_text(["Player 1", "Ibex"])
    expect(player.go("/new?way=bot").find(".opponent")).to_contain_text("Ibex")


def test_who_loses_or_beats_the_champion_is_offered_nobody(player: Player) -> None:
    finish(player, "champion", human_wins=True)
    expect(player.find(".next-opponent")).to_have_text(
        "Nobody on the ladder is stronger than this."
    )
    finish(player, "tortoise", human_wins=False)
    expect(player.find(".afterwards .rematch")).to_be_visible()
    expect(player.find(".next-opponent")).to_have_count(0)


def finish(player: Player, bot: str, *, human_wins: bool) -> None:
    """A game that is over, as the server describes it: who wins a real one is chance."""
    player.go("/new?way=bot").find("[data-field=bot-1]").click()
    player.find(f"dialog [data-bot={bot}]").click()
    expect(player.find("[data-field=bot-1]")).to_contain_text(bot.capitalize())
    player.find(".start-game").click()
    player.sees(stage="playing", live=True)
    path = f"/api/tables/{player.table_id}"

    def told(state: dict[str, Any]) -> dict[str, Any]:
        winner = [
            seat for seat, kind in enumerate(state["seats"]) if (kind["bot"] is None) == human_wins
        ]
        view = {
            **state["view"],
            "phase": "over",
            "outcome": {"winners": winner, "ending": "columns"},
        }
        return {**state, "stage": "over", "view": view}

    def answer(route: Any) -> None:
        route.fulfill(json=told(route.fetch().json()))

    player.page.route(f"**{path}", answer)
    player.page.route_web_socket(re.compile(f"{path}/socket"), lambda _: None)  # says nothing
    player.page.reload()
    player.sees(stage="over")
    # The page may ask once more: an answer that is on its way is waited for, not torn off.
    player.page.unroute_all(behavior="wait")


def test_a_bots_turn_can_be_skipped(browser: Browser, tmp_path: Path) -> None:
    """By key, by the button and by a tap on the board; or always, which is remembered."""
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}", pace=3600).start()
    try:
        player = Player.at(browser, server.url)
        player.go("/new?way=bot").find("[data-field=bot-1]").click()
        player.find("dialog summary").click()
        player.find("dialog [data-bot=careful]").click()
        player.find(".start-game").click()
        skip = player.find(".skip")
        board = player.find(".board-area .board")
        asks: list[Callable[[], None]] = [
            lambda: player.page.keyboard.press("f"),
            lambda: skip.click(),
            lambda: board.click(),
        ]
        for ask in asks:
            player.take_turn()
            expect(skip).to_have_accessible_name("Skip")
            expect(skip).to_be_visible()
            if ask is asks[0]:
                assert severe_problems(player) == []
            ask()
            player.sees(phase="roll", live=True)
            expect(skip).to_be_hidden()
        player.find("[aria-label=Menu]").click()
        player.find("dialog [data-field=pace-at-once]").check()
        player.page.keyboard.press("Escape")
        player.take_turn()
        player.sees(phase="roll", live=True)
        player.page.reload()
        player.take_turn()
        player.sees(phase="roll", live=True)
        player.close()
    finally:
        server.kill()


def test_a_free_seat_is_filled_with_a_bot(player: Player) -> None:
    player.go("/new?way=online").find("[data-field=count-3]").check()
    player.find(".start-game").click()
    for bot, names in (
        ("fox", ["Player 1", "Fox", "Free seat"]),
        ("ibex", ["Player 1", "Fox", "Ibex"]),
    ):
        player.find(".fill-seat").click()
        player.find(f"dialog [data-bot={bot}]").click()
        expect(player.find(".player .name")).to_have_text(names)
    player.sees(stage="playing")


def test_a_new_game_offers_what_differs_and_names_the_youngest(player: Player) -> None:
    editions = player.go("/new?way=solo").find(".editions strong")
    expect(editions).to_have_text(
        ["Classic (1981)", "Ravensburger (2007)", "Asmodee", "Your own rules"]
    )
    expect(player.find(".editions .hint").first).to_have_text(
        "The game as it first came out. Nothing to choose."
    )
    player.go("/new?way=hotseat")
    expect(editions.nth(1)).to_have_text("™ edition")
    player.find("[data-field=edition-ravensburger]").check()
    player.find(".name-field").fill("Anne")
    player.find("[data-field=name-1]").fill("Ben")
    youngest = player.find("[data-field=youngest]")
    expect(youngest.locator("option")).to_have_text(["Anne", "Ben"])
    youngest.select_option("Ben")
    mark = player.find("[data-field=colour-of-1]")
    expect(mark).to_have_accessible_name("Seat 2: Orange square. Another colour")
    mark.click()
    expect(mark).to_have_accessible_name("Seat 2: Green triangle. Another colour")
    expect(mark).to_be_focused()
    player.find(".start-game").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".player.turn .name")).to_have_text("Ben")
    expect(player.find(".player.colour-2 .name")).to_have_text("Ben")
