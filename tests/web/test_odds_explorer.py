"""The odds explorer counts in the browser; `cantstop.odds` says what is right."""

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop.odds import Situation, column_rolls, survival, triple_rolls, usable_rolls

COUNT = """
async (situations) => {
  const { survival, usableRolls } = await import("/static/insight/situation.js");
  return situations.map((each) => [usableRolls(each), survival(each, 10)]);
}
"""


def counted(player: Player, situations: list[Situation]) -> Any:
    asked = [
        {"runners": sorted(each.runners), "topped": sorted(each.topped), "won": sorted(each.closed)}
        for each in situations
    ]
    return player.go("/odds").page.evaluate(COUNT, asked)


def test_every_situation_is_counted_as_the_library_does(player: Player) -> None:
    columns = range(2, 13)
    situations = [
        Situation.on(*runners)
        for count in range(4)
        for runners in list(combinations(columns, count))[:: (1, 1, 5, 9)[count]]
    ]
    situations += [
        Situation.on(6, 7, 8, topped=[7]),
        Situation.on(6, 7, closed=[2, 12]),
        Situation.on(2, 12, topped=[2, 12], closed=[6, 7, 8]),
        Situation.on(closed=[5, 6, 7, 8, 9]),
        Situation.on(3, topped=[3]),
    ]
    for situation, (usable, through) in zip(situations, counted(player, situations), strict=True):
        assert usable == usable_rolls(situation), situation
        exact = [float(survival(situation, rolls)) for rolls in range(1, 11)]
        assert through == pytest.approx(exact, abs=1e-12), situation


def test_all_triples(player: Player) -> None:
    triples = triple_rolls()
    found = counted(player, [Situation.on(*triple) for triple in triples])
    assert [usable for usable, _ in found] == list(triples.values())


def test_tapped_columns_show_their_odds_and_are_in_the_address(player: Player) -> None:
    player.go("/odds")
    expect(player.find(".usable")).to_have_text("1,296 of 1,296 rolls")
    expect(player.find("main")).to_contain_text("no runner reaches a top.")  # there is none yet
    for column in (6, 7, 8):
        player.find(f".column-control[data-column='{column}']").click()
    expect(player.find(".usable")).to_have_text("1,192 of 1,296 rolls")
    expect(player.find(".usable-share")).to_have_text("92%")
    expect(player.find("main")).to_contain_text("As long as no further runner reaches a top.")
    expect(player.page).to_have_url(f"{player.url}/odds?runners=6,7,8")
    shown = player.find(".column-bars li").evaluate_all("(all) => all.map((e) => e.dataset.rolls)")
    assert [int(rolls) for rolls in shown] == list(column_rolls().values())
    expect(player.find(".column-bars .useful")).to_have_count(3)
    chances = player.find(".survival li").evaluate_all("(all) => all.map((e) => e.dataset.chance)")
    exact = [float(survival(Situation.on(6, 7, 8), rolls)) for rolls in range(1, 11)]
    assert [float(chance) for chance in chances] == pytest.approx(exact)
    player.stop_the_clock()
    player.find(".column-control[data-column='2']").click()
    expect(player.find(".toast")).to_have_text("A turn has three runners.")
    player.find(".column-control[data-column='7']").click()
    expect(player.find(".runners-named")).to_have_text("Runners on 6 and 8")


def test_tops_and_won_columns_are_set_with_keys_too(player: Player) -> None:
    player.go("/odds?runners=6,7&won=12")
    expect(player.find(".usable")).to_have_text(
        f"{usable_rolls(Situation.on(6, 7, closed=[12])):,} of 1,296 rolls"
    )
    player.find("[data-field=kind-topped]").check()
    player.find(".column-control").first.focus()
    keys = player.page.keyboard
    for _ in range(5):
        keys.press("ArrowRight")
    keys.press("Enter")
    expect(player.find(".column-control:focus")).to_have_attribute(
        "aria-label", "Column 7: On the top"
    )
    player.find("[data-field=kind-won]").check()
    player.find(".column-control[data-column='2']").click()
    situation = Situation.on(6, 7, topped=[7], closed=[2, 12])
    expect(player.find(".usable")).to_have_text(f"{usable_rolls(situation):,} of 1,296 rolls")
    expect(player.page).to_have_url(f"{player.url}/odds?runners=6,7&top=7&won=2,12")
    player.page.keyboard.press("Escape")
    expect(player.find(".usable")).to_have_text("1,296 of 1,296 rolls")
