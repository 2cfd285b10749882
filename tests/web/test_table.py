"""What a player sees and does at the table: previews, the board, reasons, replays, statistics."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player


@pytest.fixture
def lesson(player: Player) -> Callable[..., Any]:
    """A tutorial table: its dice are prepared, so a test knows what comes."""

    def start(name: str) -> Any:
        player.go("/learn").find(f"[data-lesson={name}]").click()
        return player.sees(stage="playing", live=True)

    return start


def roll(player: Any) -> Any:
    player.find(".roll").click()
    return player.sees(phase="move", live=True)


def test_moves_show_both_sums_and_preview_on_the_board_which_can_be_clicked(
    lesson: Callable[..., Any],
) -> None:
    player = roll(lesson("basics"))
    moves = player.find(".move")
    expect(moves).to_have_count(3)
    assert [re.findall(r"\d+", text) for text in moves.all_inner_texts()] == [
        ["1", "5", "9"],
        ["2", "6", "8"],
        ["3", "7", "7"],
    ]
    expect(player.find(".ghost")).to_have_count(0)
    moves.nth(0).hover()
    expect(player.find(".ghost")).to_have_count(2)
    moves.nth(2).focus()
    expect(player.find(".ghost")).to_have_count(1)
    moves.nth(2).click()
    player.sees(phase="choice")
    expect(player.find(".runner")).to_have_count(1)
    expect(player.find("[data-column='7'] .space.stake")).to_have_count(1)

    # a click on a column plays the move there
    roll(lesson("basics")).find(".hit").nth(6 - 2).click()
    player.sees(phase="choice")
    expect(player.find("[data-column='6'] .space.runs")).to_have_count(1)
    expect(player.find("[data-column='8'] .space.runs")).to_have_count(1)


def test_a_column_of_several_moves_points_them_out(player: Player) -> None:
    """One runner left for two new columns: the split's columns are in a move each."""
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(live=True)
    for _ in range(2):
        roll(player).find(".move").last.click()
        player.sees(phase="choice", live=True)
    player.find(".stop").click()
    player.sees(phase="roll", live=True)
    roll(player).find(".move").click()
    player.sees(phase="choice", live=True)
    roll(player)
    expect(player.find(".move")).to_have_count(2)
    expect(player.find(".move .pair.unused")).to_have_count(2)
    player.find(".hit").nth(11 - 2).hover()
    expect(player.find(".move.pointed")).to_have_count(1)


def test_stop_says_why_it_is_forbidden(lesson: Callable[..., Any]) -> None:
    player = lesson("no-rest")
    stop = player.find(".stop")
    expect(stop).to_have_attribute("aria-disabled", "true")
    expect(stop).to_contain_text("Only after your first move")
    roll(player)
    expect(stop).to_contain_text("Use the dice first")
    player.find(".move").click()
    player.sees(phase="choice", live=True)
    stop.click()
    player.sees(phase="roll", live=True)
    roll(player).find(".move").click()
    player.sees(phase="choice", live=True)
    expect(stop).to_contain_text("No rest on a shared space: 6 and 7")
    player.stop_the_clock()
    stop.click(force=True)
    expect(player.find(".toast")).to_contain_text("No rest on a shared space")
    player.sees(phase="choice")


def test_the_risk_is_shown_only_where_the_table_helps(player: Player) -> None:
    for helped in (True, False):
        player.go("/new?way=solo").find("[data-field=help]").set_checked(helped)
        player.find(".start-game").click()
        player.sees(live=True)
        roll(player).find(".move").first.click()
        player.sees(phase="choice", live=True)
        risk = player.find(".roll .note")
        expect(risk).to_have_text(re.compile("bust") if helped else "")


def test_the_commitment_is_shown_before_the_first_roll(player: Player) -> None:
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True)
    state = player.page.request.get(f"/api/tables/{player.table_id}").json()
    expect(player.find(".seal-line")).to_be_visible()
    expect(player.find(".seal-line")).to_contain_text("nobody can steer them")
    player.find("[aria-label=Menu]").click()
    fingerprint = player.find("dialog .hash")
    expect(fingerprint).to_be_hidden()
    player.find("dialog .seal-note > summary").click()
    player.find("dialog .seal-how > summary").click()
    expect(fingerprint).to_have_text(state["commitment"])
    expect(fingerprint).to_be_visible()
    player.page.keyboard.press("Escape")
    roll(player)
    expect(player.find(".seal-line")).to_be_hidden()


@pytest.fixture(scope="module")
def solo_game(play_once: Any) -> Any:
    return play_once("solo")


@pytest.fixture
def finished(solo_game: Any, return_to: Any) -> Any:
    """A player whose game is over, with everything that their browser remembers of it."""
    return return_to(solo_game)


def test_a_replay_goes_step_by_step_and_every_step_has_its_address(
    finished: Any, sit: Callable[..., Player]
) -> None:
    finished.find(".tile", has_text="Replay").click()
    slider = finished.find(".slider")
    last = int(slider.get_attribute("max"))
    expect(slider).to_have_value(str(last))
    finished.page.keyboard.press("Home")
    expect(finished.find(".place")).to_have_text(f"1 / {last}")
    for _ in range(4):
        finished.page.keyboard.press("ArrowRight")
    expect(finished.find(".place")).to_have_text(f"5 / {last}")
    expect(finished.page).to_have_url(re.compile(r"\?n=5$"))
    expect(finished.find(".status")).to_contain_text("rolls")
    finished.find("[aria-label='Share this moment']").click()
    link = finished.find(".link-field").input_value()
    stranger = sit().go(link)
    expect(stranger.find(".place")).to_have_text(f"5 / {last}")
    stranger.page.keyboard.press("ArrowRight")
    expect(stranger.find(".runner").first).to_be_attached()


def test_a_finished_game_has_statistics_a_record_to_download_and_a_place_in_the_list(
    finished: Any,
) -> None:
    finished.find(".tile", has_text="Statistics").click()
    expect(finished.find(".bars").first.locator("li")).to_have_count(11)
    expect(finished.find(".bars").first).to_contain_text("expected 64%")
    expect(finished.find(".bars").last).to_contain_text("expected 17%")
    finished.page.keyboard.press("Escape")
    with finished.page.expect_download() as download:
        finished.find(".tile", has_text="Record").click()
    assert download.value.suggested_filename.endswith(".cantstop")
    table = finished.table_id
    finished.go("/games")
    expect(finished.find(f".game-link[href='/t/{table}']")).to_contain_text("Finished")


def test_rolls_moves_busts_and_turns_are_announced(lesson: Callable[..., Any]) -> None:
    player = lesson("basics")
    live = player.find("#live")
    expect(live).to_have_attribute("aria-live", "polite")
    player.play(turns=1, enough=2)
    player.sees(phase="roll", live=True)
    expect(live).to_contain_text("It is your turn.")
    for _ in range(2):
        roll(player).find(".move").first.click()
        player.sees(phase="choice", live=True)
    player.find(".roll").click()
    player.sees(phase="roll", live=True)
    expect(player.find(".story")).to_contain_text("Player 1 busts and loses 3 steps.")
