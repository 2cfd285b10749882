"""Whole games in the browser: pass and play in every edition, against a bot, alone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop import client, read_record, verify
from quick_games import play_quickly

EDITIONS = {
    "classic": [],
    "trademark": [],
    "ravensburger": ["early", "sharing-no-rest"],
    "asmodee": ["sharing-leapfrog"],
    "custom": ["early", "sharing-leapfrog"],
}


@pytest.mark.parametrize(("edition", "variants"), EDITIONS.items(), ids=EDITIONS)
def test_a_pass_and_play_game_from_the_form_to_the_checked_record(
    player: Player, edition: str, variants: Any
) -> None:
    """The browser plays all of one edition, and the first two rounds of the others."""
    player.go("/new?way=hotseat")
    for field in (f"edition-{edition}", *variants):
        player.find(f"[data-field={field}]").check()
    player.find(".start-game").click()
    player.sees(stage="playing")
    if edition == "classic":
        assert player.play() == "over"
    else:
        assert player.play(turns=4) == "turns"
        finish_elsewhere(player)
    expect(player.find(".result")).to_contain_text("wins the game!")
    expect(player.find(".player.winner")).to_have_count(1)
    record = read_record(player.page.request.get(f"/api/tables/{player.table_id}/record").text())
    assert record.edition == edition
    assert verify(record).dice_checked


def finish_elsewhere(player: Player) -> None:
    """Play this browser's seats to the end with the Python client, and come back."""
    address = f"/t/{player.table_id}"
    secret = player.page.evaluate(
        "() => JSON.parse(localStorage.getItem('cantstop.games'))[0].secret"
    )
    player.go("/rules")
    with client.Player(f"{player.url}{address}#seat={secret}") as me:
        play_quickly(me)
    player.go(address).sees(stage="over")


def test_one_click_starts_a_game_against_a_bot(player: Player) -> None:
    player.go("/").find("[data-way=bot]").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".player")).to_have_count(2)
    expect(player.find(".player .tag.bot")).to_have_count(1)
    assert player.play() == "over"
    expect(player.find(".result")).to_be_visible()


def test_three_friends_and_a_bot_around_one_screen(player: Player) -> None:
    player.go("/new?way=hotseat").find("[data-field=count-4]").check()
    player.find("[data-field=name-1]").fill("Ben")
    player.find("[data-field=name-2]").fill("Cleo")
    player.find("[data-field=seat-3]").select_option("bot")
    player.find("[data-field=bot-3]").click()
    player.find("dialog summary").click()
    player.find("[data-bot=bold]").click()
    player.find(".start-game").click()
    player.sees(stage="playing")
    expect(player.find(".player .name")).to_have_text(["Player 1", "Ben", "Cleo", "Bold"])
    for _ in range(4):  # a bot between the third friend and the first
        player.take_turn()
    expect(player.find(".player.turn .name")).to_have_text("Ben")
    expect(player.find(".turn-number")).to_have_text("Round 2")


def test_a_solo_game_is_compared_with_best_play_and_enters_the_best_of_list(
    player: Player,
) -> None:
    player.go("/new?way=solo").find(".start-game").click()
    player.sees(stage="playing")
    expect(player.find(".player .par")).to_have_text("Best play: 6.7 turns")
    player.take_turn()
    finish_elsewhere(player)
    turns = player.page.request.get(f"/api/tables/{player.table_id}").json()["view"]["turn"]
    compared = f"{turns - 7}.3 more" if turns > 6 else f"{6 - turns}.7 fewer"  # from 6.7
    expect(player.find(".afterwards .par")).to_have_text(
        f"Best play needs 6.7 turns on average: this game took {compared}."
    )
    expect(player.find(".afterwards")).to_contain_text("Place 1 on this device’s best-of list.")
    player.find(".afterwards a", has_text="See the list").click()
    expect(player.find(".best-list li")).to_have_count(1)


RANKED = """
async () => {
  const { enterSolo } = await import("/static/core/saved-games.js");
  const solo = (id, turns, rules) => ({ id, turns, rules, name: "Anne", at: "2026-11-16T10:00:00Z" });
  const standard = Array.from({ length: 11 }, (_, at) => enterSolo(solo(`s${at}`, 5 + at, "v1,players=1")));
  return [...standard, enterSolo(solo("long", 30, "v1,players=1,win=5"))];
}
"""  # noqa: E501


def test_solo_games_are_ranked_by_their_rules(player: Player) -> None:
    """Ten places for each set of rules; what was stored before had its rules with it."""
    assert player.go("/").page.evaluate(RANKED) == [*range(1, 11), None, 1]
    expect(player.go("/games").find(".best-lists h3")).to_have_text(
        ["Columns to win: 3", "Columns to win: 5"]
    )
    expect(player.find(".best-list").first.locator("li")).to_have_count(10)
    expect(player.find(".best-list").last.locator("li")).to_have_count(1)


def test_a_longer_solo_game_has_nothing_to_compare_with(player: Player) -> None:
    player.go("/new?way=solo").find("[data-field=edition-custom]").check()
    player.find("[data-field=win-5]").check()
    player.find(".start-game").click()
    player.sees(stage="playing")
    expect(player.find(".player")).to_have_count(1)
    expect(player.find(".par")).to_have_count(0)


def test_a_rematch_keeps_the_people_and_rotates_the_start(player: Player) -> None:
    player.go("/new?way=hotseat").find("[data-field=name-1]").fill("Ben")
    player.find(".start-game").click()
    player.sees(stage="playing").take_turn()
    finish_elsewhere(player)
    first = player.table_id
    player.find(".rematch").click()
    player.sees(stage="playing")
    assert player.table_id != first
    expect(player.find(".player .name")).to_have_text(["Ben", "Player 1"])


def test_name_colour_and_rules_are_remembered(player: Player) -> None:
    player.go("/").find(".name-field").fill("Zoë")
    player.find("[name=colour][value='2']").check()
    player.go("/new?way=bot").find("[data-field=edition-ravensburger]").check()
    player.find("[data-field=sharing-no-rest]").check()
    player.find(".start-game").click()
    player.sees(stage="playing")
    player.go("/").find(".ladder-path button").first.click()
    player.sees(stage="playing")
    expect(player.find(".player .name").first).to_have_text("Zoë")
    expect(player.find(".player .seat-mark.colour-2")).to_have_count(1)
    player.find("[aria-label=Menu]").click()
    expect(player.find(".in-force")).to_contain_text("Ravensburger (2007)")
    expect(player.find(".in-force")).to_contain_text("No rest")


def test_the_wrong_combination_of_variants_cannot_be_chosen(player: Player) -> None:
    player.go("/new?way=online").find("[data-field=edition-asmodee]").check()
    player.find("[data-field=sharing-no-rest]").check()
    player.find("[data-field=sharing-leapfrog]").check()
    expect(player.find("[name=sharing]:checked")).to_have_count(1)
    player.find("[data-field=edition-ravensburger]").check()
    expect(player.find("[data-field=sharing-leapfrog]")).to_have_count(0)
    expect(player.find("[data-field=sharing-free]")).to_be_checked()
