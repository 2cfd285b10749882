"""The analysis board: set up by taps and keys, its numbers those of the command, its roll map."""

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlparse

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.bots import LADDER, bot_named, decide
from cantstop.cli import main
from cantstop.language import LANGUAGES
from cantstop.record import read_record
from cantstop.rules import Position

RECORD = Path(__file__).parents[1] / "golden" / "classic-two.cantstop"


def command(*arguments: str) -> Any:
    """What the command line says."""
    said = io.StringIO()
    with redirect_stdout(said), pytest.raises(SystemExit) as ended:
        main([*arguments, "--json"])
    assert not ended.value.code
    return json.loads(said.getvalue())


def text_of(player: Player) -> str:
    return parse_qs(urlparse(player.address).query)["position"][0]


def tap_space(player: Player, column: int, space: int) -> None:
    """Tap on a space of the board, where it is drawn."""
    cell = player.find(f".column-board [data-column='{column}'] .space").nth(space - 1)
    box = cell.bounding_box()
    assert box is not None
    player.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def settled(player: Player) -> Player:
    expect(player.find(".results:not([aria-busy])")).to_be_attached()
    return player


def shown_options(player: Player) -> dict[str, str]:
    return {
        str(option.get_attribute("data-action")): option.locator(".option-worth").inner_text()
        for option in settled(player).find(".option").all()
    }


def expected_options(text: str) -> dict[str, str]:
    found = command("hint", text)["options"]
    return {option["move"]: f"{100 * option['win']:.1f}%" for option in found}


def test_a_position_set_by_taps_has_the_numbers_of_the_command(player: Player) -> None:
    player.go("/analysis")
    settled(player)
    tap_space(player, 7, 4)
    player.find("[data-field=piece-1]").check()
    tap_space(player, 6, 9)
    tap_space(player, 8, 3)
    player.find("[data-field=piece-runner]").check()
    tap_space(player, 7, 6)
    tap_space(player, 9, 2)
    wanted = "v1,players=2 7:4/6:9,8:3 1 7:6,9:2 -"
    player.page.wait_for_url(lambda url: "9:2" in url)
    assert text_of(player) == wanted
    expect(player.find(".option")).to_have_count(2)
    assert shown_options(player) == expected_options(wanted)
    chance = command("hint", wanted)["win"][0]
    expect(player.find(".chances [data-seat='0']")).to_have_text(f"{100 * chance:.1f}%")
    for face in (1, 3, 4, 6):
        player.find(f"[data-field=face-{face}]").click()
    expect(player.find(".option .option-then").first).to_be_visible()
    with_dice = "v1,players=2 7:4/6:9,8:3 1 7:6,9:2 1346"
    assert text_of(player) == with_dice
    assert shown_options(player) == expected_options(with_dice)
    player.page.reload()
    assert shown_options(player) == expected_options(with_dice)


def test_a_second_tap_takes_a_piece_away(player: Player) -> None:
    player.go("/analysis?position=v1,players=2+7:4/-+1+-+-")
    tap_space(settled(player), 7, 4)
    expect(player.find(".column-board .token")).to_have_count(0)
    assert text_of(player) == "v1,players=2 -/- 1 - -"


def test_all_of_it_works_by_keyboard(player: Player) -> None:
    player.go("/analysis")
    settled(player)
    keys = player.page.keyboard
    player.find(".column-control").first.focus()
    keys.press("ArrowRight")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("b")
    keys.press("End")
    keys.press("ArrowRight")
    keys.press("r")
    keys.press("ArrowUp")
    expect(player.find(".column-control:focus")).to_have_attribute("aria-valuetext", "space 1")
    for digit in "2233":
        keys.press(digit)
    expect(player.find(".option").first).to_be_visible()
    assert text_of(player) == "v1,players=2 -/3:5 1 4:1 2233"
    keys.press("Backspace")
    keys.press("ArrowDown")
    expect(player.find(".roll-map")).to_be_visible()
    assert text_of(player) == "v1,players=2 -/3:5 1 - -"


def test_players_rules_and_whose_turn_are_in_the_address(player: Player) -> None:
    player.go("/analysis")
    settled(player).find(".rules-card summary").click()
    player.find("[data-field=players-4]").check()
    player.find("[data-field=edition]").select_option("asmodee")
    player.find("[data-field=sharing]").select_option("leapfrog")
    player.find("[data-field=turn-2]").check()
    expect(player.find(".chances li")).to_have_count(4)
    text = text_of(settled(player))
    assert text == "v1,players=4,sharing=leapfrog -/-/-/- 3 - -"
    assert str(Position.parse(text)) == text
    player.find("[data-field=edition]").select_option("classic")
    expect(player.find("[data-field=sharing]")).to_have_count(0)
    player.find("[data-field=players-1]").check()
    expect(player.find(".solo-worth")).to_contain_text("5.72 turns")


def test_an_option_can_be_played_on(player: Player) -> None:
    start = Position.parse("v1,players=2,sharing=leapfrog 7:2/7:4 1 7:3 1334")
    player.go(f"/analysis?position={start}")
    settled(player).find(".option[data-action='4+7'] button").click()
    moved = start.move(start.legal_moves[[str(move) for move in start.legal_moves].index("4+7")])
    expect(player.find(".roll-map")).to_be_visible()
    assert text_of(player) == str(moved)
    player.find(".option[data-action=stop] button").click()
    expect(player.find(".runner")).to_have_count(0)
    assert text_of(player) == str(moved.stop())


def test_an_impossible_position_is_one_sentence_and_loses_nothing(player: Player) -> None:
    player.go("/analysis?position=v1,players=2+7:4/-+1+7:3+-")
    problem = player.find(".analysis .problem")
    expect(problem).to_contain_text("The runner of column 7 cannot be on space 3")
    expect(player.find(".option, .roll-map")).to_have_count(0)
    expect(player.find(".column-board .runner")).to_have_count(1)
    player.find("[data-field=piece-runner]").check()
    tap_space(player, 7, 5)
    expect(problem).to_have_text("")
    expect(player.find(".option")).to_have_count(2)


def test_a_text_that_is_no_position_stays_with_the_reason(player: Player) -> None:
    player.go("/analysis?position=nonsense")
    expect(player.find(".analysis .problem")).to_contain_text("A position has 5 fields")
    field = player.find(".position-field")
    expect(field).to_have_value("nonsense")
    field.fill("v1,players=2 7:4/- 2 - -")
    field.press("Enter")
    expect(player.find(".analysis .problem")).to_have_text("")
    expect(player.find(".column-board .token")).to_have_count(1)
    assert text_of(settled(player)) == "v1,players=2 7:4/- 2 - -"


def test_the_roll_map_holds_all_rolls_and_their_mean_is_the_rolls_worth(player: Player) -> None:
    for text in (
        "v1,players=2 7:4/6:9,8:3 1 2:1,3:2,12:1 -",
        "v1,players=3,early 7:4/6:9/8:3 2 6:10,7:1 -",
        "v1,players=1 7:4 1 6:2 -",
        "v1,players=2 -/- 1 - -",
    ):
        check_roll_map(player, text)


def check_roll_map(player: Player, text: str) -> None:
    player.go(f"/analysis?position={text}")
    rows = settled(player).find(".roll-rows tbody tr")
    expect(rows).to_have_count(126)
    found = rows.evaluate_all("(rows) => rows.map((row) => [row.dataset.ways, row.dataset.win])")
    assert sum(int(ways) for ways, _ in found) == 1296
    mean = sum(int(ways) * float(win) for ways, win in found) / 1296
    option = next(each for each in command("hint", text)["options"] if each["move"] == "roll")
    assert mean == pytest.approx(option["win"], abs=1e-9)
    marks = [str(mark.get_attribute("aria-label")) for mark in player.find(".roll-mark").all()]
    ways = [int(count) for label in marks for count in re.findall(r": (\d+) rolls?\b", label)]
    assert sum(ways) == 1296
    busts = [count for label, count in zip(marks, ways, strict=True) if label.startswith("Bust")]
    usable = command("odds", *re.findall(r"(\d+):", text.split()[3]))["usable"]
    assert busts == ([1296 - usable] if usable < 1296 else [])


def test_a_mark_of_the_roll_map_tells_its_dice(player: Player) -> None:
    player.go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+2:1,3:2,12:1+-")
    settled(player).find(".roll-mark[data-best=bust]").click()
    chosen = player.find(".roll-chosen")
    expect(chosen).to_contain_text("728 of 1,296 rolls, 56.2%")
    player.page.keyboard.press("Home")
    expect(player.find(".roll-mark:focus")).to_have_count(1)
    best = player.find(".roll-mark:focus").get_attribute("data-best") or ""
    expect(chosen).to_contain_text(best.replace("+", " + "))
    expect(chosen.locator("li .mini-die").first).to_be_visible()


def test_a_step_is_undone_and_redone_and_back_is_one_step(player: Player) -> None:
    player.go("/").go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+6:1+1356")
    first = text_of(settled(player))
    undo, redo = (player.find(".analysis-steps button", has_text=name) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    player.find(".option").first.click()
    player.wait_for("(before) => !location.search.includes(before)", "1356")
    second = text_of(settled(player))
    assert second != first
    undo.click()
    player.wait_for("() => location.search.includes('1356')")
    assert text_of(settled(player)) == first
    expect(undo).to_be_disabled()
    player.page.reload()  # what can be redone is not forgotten
    settled(player)
    redo.click()
    player.wait_for("() => !location.search.includes('1356')")
    assert text_of(settled(player)) == second
    expect(redo).to_be_disabled()
    player.page.go_back()
    player.wait_for("() => location.search.includes('1356')")
    assert text_of(settled(player)) == first
    player.find(".analysis-steps button", has_text="Clear").click()
    player.wait_for("() => !location.search.includes('7:4')")
    assert text_of(settled(player)).endswith("-/- 1 - -")


def test_the_analysis_is_saved_as_a_picture(player: Player) -> None:
    player.go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+2:1,3:2,12:1+-")
    settled(player)

    def saved(kind: str) -> bytes:
        with player.page.expect_download() as download:
            player.find(".picture-buttons button", has_text=kind).click()
        return download.value.path().read_bytes()

    png, svg = saved("PNG"), saved("SVG")
    assert png.startswith(b"\x89PNG")
    assert len(png) > 20_000
    assert b"2:1,3:2,12:1" in svg
    assert b"#hatching" in svg
    assert b"class=" not in svg


# How far each line of a picture reaches beyond its paper.
BEYOND = """
(svg) => {
  const place = document.createElement("div");
  place.innerHTML = svg;
  document.body.append(place);
  const { width } = place.firstElementChild.viewBox.baseVal;
  const lines = [...place.querySelectorAll(":scope > svg > text")].map((line) => {
    const box = line.getBBox();
    return [line.textContent, box.x + box.width - width];
  });
  place.remove();
  return lines;
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_the_picture_is_cut(sit: Callable[..., Player], language: str) -> None:
    player = sit(locale=language)
    tokens = "2:1,3:2,4:3,5:4,6:5/7:6,8:5,9:4,10:3,11:2/2:2,4:4,6:6,8:8,10:6/3:3,5:5,7:7,9:7,12:1"
    player.go(f"/analysis?position=v1,players=4+{tokens}+1+2:2,7:1,12:1+-")
    settled(player)
    with player.page.expect_download() as download:
        player.find(".picture-buttons button", has_text="SVG").click()
    svg = download.value.path().read_text("utf-8")
    lines = player.page.evaluate(BEYOND, svg)
    assert max(beyond for _, beyond in lines) < 0
    said = " ".join(text for text, _ in lines)
    assert player.find(".risks").inner_text() in said
    assert tokens in said


def test_a_finished_game_leads_to_the_analysis_of_each_moment(
    play_once: Any, return_to: Any
) -> None:
    player = return_to(play_once("solo"))
    player.find(".tile", has_text="Replay").click()
    player.find(".slider").wait_for()
    player.page.keyboard.press("Home")
    for _ in range(5):
        player.page.keyboard.press("ArrowRight")
    n = int(player.address.rpartition("=")[2])
    player.page.set_viewport_size({"width": 320, "height": 640})
    places = [each.bounding_box() for each in player.find(".replay-buttons > *").all()]
    assert all(place["x"] >= 0 and place["x"] + place["width"] <= 320 for place in places)
    events = player.page.request.get(f"/api/tables/{player.table_id}/events?after={n - 1}").json()
    player.find("[aria-label='Analyse the position']").click()
    expect(player.find(".solo-worth")).to_be_visible()
    assert text_of(player) == events["events"][0]["view"]["position"]


def test_what_is_set_up_on_a_small_phone(sit: Callable[..., Player]) -> None:
    player = sit(viewport={**PHONE, "width": 320}, has_touch=True, is_mobile=True)
    player.go("/analysis?position=v1,players=4+7:4/6:9,8:3/12:3/-+1+2:1,3:2+-")
    settled(player)
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert player.page.evaluate(overflow) <= 0
    player.find(".column-control").nth(5).tap(position={"x": 8, "y": 60})
    expect(player.find(".column-board .token.colour-0")).to_have_count(1)
    assert "7:4" not in text_of(player)
    player.go("/analysis?position=v1,players=2+7:4/-+1+7:3+-")
    problem = player.find(".analysis .problem")
    expect(problem).to_contain_text("The runner of column 7 cannot be on space 3")
    expect(problem).to_be_in_viewport(ratio=1)


def test_a_record_can_be_pasted_and_its_last_position_is_there(player: Player) -> None:
    text = RECORD.read_text("utf-8")
    player.go("/analysis")
    settled(player)
    field = player.find(".position-field")
    expect(player.page.get_by_label("Position or record, as text")).to_have_count(1)
    field.fill(text)
    field.press("Enter")
    expect(player.find(".analysis .problem")).to_have_text("")
    tokens = str(read_record(text).game().position).split()[1]
    player.wait_for(
        "(tokens) => new URL(location.href).searchParams.get('position').split(' ')[1] === tokens",
        tokens,
    )


def test_the_line_that_was_tried_leads_back_to_every_step(player: Player) -> None:
    start = "v1,players=2 7:4/6:9 1 - 1256"
    player.go(f"/analysis?position={quote(start)}")
    settled(player).find(".option button").first.click()
    settled(player)
    expect(player.find(".tried-step")).to_have_count(1)
    player.find(".option[data-action=stop] button").click()
    settled(player)
    expect(player.find(".tried-step")).to_have_count(2)
    player.page.go_back()
    settled(player)
    expect(player.find(".tried-step")).to_have_count(1)
    player.find(".tried-step").first.click()
    settled(player)
    expect(player.find(".tried-step")).to_have_count(0)
    assert text_of(player) == start


def test_a_position_is_played_on_against_the_champion(player: Player) -> None:
    start = "v1,players=2 7:4/6:9 1 6:2,7:5,8:1 -"
    player.go(f"/analysis?position={quote(start)}")
    settled(player).find(".play-on").click()
    expect(player.find(".play-on")).to_have_attribute("aria-pressed", "true")
    player.find(".option[data-action=stop] button").click()
    # the other one rolls, moves and stops or busts by itself, until it is our turn again
    player.wait_for(
        "() => new URL(location.href).searchParams.get('position').split(' ')[2] === '2'"
    )
    player.wait_for(
        "() => new URL(location.href).searchParams.get('position').split(' ')[2] === '1'"
    )
    expect(player.find(".tried-step", has_text="Roll").first).to_be_visible()
    settled(player).find(".option[data-action=roll] button").click()
    expect(player.find(".thrown-die")).to_have_count(4)  # the dice are thrown, not set


@pytest.mark.parametrize("bot", ["chick", "magpie", "fox", "champion"])
def test_any_animal_plays_on_and_decides_as_it_does_at_a_table(player: Player, bot: str) -> None:
    mine, theirs = "v1,players=2 -/- 1 6:1,7:2 -", "v1,players=2 -/- 2 6:2,7:2 -"
    decision = decide(bot_named(bot), Position.parse(theirs), 2)
    player.go(f"/analysis?position={quote(mine)}")
    group = settled(player).find("[role=radiogroup][aria-label=Opponent]")
    names = group.locator("input").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names == [level.name.capitalize() for level in LADDER]
    group.locator(f"[data-field=play-on-{bot}]").check(force=True)
    expect(player.find(".play-on")).to_have_text(f"Play on from here against {bot.capitalize()}")
    player.find(".play-on").click()
    player.find(".position-field").fill(theirs)
    player.find(".position-field").press("Enter")
    said = {"stop": "Stop", "roll": "Roll again"}[str(decision)]
    expect(player.find(".tried-step").first).to_have_text(said)
    player.page.reload()  # the choice is remembered
    expect(player.find(f"[data-field=play-on-{bot}]")).to_be_checked()
