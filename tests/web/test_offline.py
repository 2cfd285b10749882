"""Without a connection, after one visit: everything but online tables, and nothing is lost."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from browser_player import (
    AGAINST,
    CHROMIUM_ARGS,
    KEEPS_THE_APP,
    KEPT,
    MILLISECONDS,
    NOTE_TOASTS,
    Player,
    ServerProcess,
)
from cantstop import read_record, verify
from cantstop.bots import LADDER
from cantstop.language import Translator
from cantstop.review import review
from cantstop.review.story import Telling
from web import test_companion, test_drills, test_tutorial

HAS_STORAGE = """() => {
  try {
    return localStorage.length;
  } catch (error) {
    return error.name;
  }
}"""
RECORD = """async (id) => {
  const open = indexedDB.open("cantstop");
  await new Promise((done) => (open.onsuccess = done));
  const events = open.result.transaction("events").objectStore("events").getAll();
  await new Promise((done) => (events.onsuccess = done));
  open.result.close();
  return events.result.filter(({ table }) => table === id).map(({ event }) => event);
}"""


everywhere = pytest.mark.parametrize("origin", ["server", "site"], indirect=True)
"""What the app can do wherever it came from: a server, or the folder of a plain web host."""


@everywhere
def test_a_game_against_each_level_of_the_ladder(visitor: Callable[..., Player]) -> None:
    """The strongest plays to three columns, the others to one: their turns are no others."""
    player = visitor()
    for level in LADDER:
        player.page.evaluate(AGAINST, [level.name, 3 if level is LADDER[-1] else 1])
        player.go("/ladder").find(f".step[data-bot={level.name}]").click()
        player.sees(stage="playing", dice="device")
        assert "/t/0" in player.address
        assert player.play() == "over"
        expect(player.find(".result")).to_be_visible()
        expect(player.find(".own-dice")).to_contain_text("not that the dice were fair")
    player.go("/games")
    expect(player.find(".game-list li")).to_have_count(len(LADDER))


@everywhere
def test_pass_and_play_of_three_with_a_hint_and_a_record(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/new?way=hotseat").find("[data-field=count-3]").check()
    player.find(".start-game").click()
    player.sees(stage="playing", live=True).find(".roll").click()
    player.sees(phase="move", live=True)
    player.find(".bulb").click()
    expect(player.find(".worth").first).to_be_visible()
    assert player.play() == "over"
    events = player.page.evaluate(RECORD, player.address.rpartition("/")[2])
    assert [event["n"] for event in events] == [*range(1, len(events) + 1)]
    assert sum(event["kind"] == "hinted" for event in events) == 1


def test_a_record_made_without_a_server_is_sound(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/new?way=solo").find(".start-game").click()
    player.sees(stage="playing")
    assert player.play() == "over"
    with player.page.expect_download() as download:
        player.find("a[href$='/record']").first.click()
    record = read_record(download.value.path().read_text("utf-8"))
    assert verify(record).turns > 0
    assert record.game().outcome is not None


def facts(player: Player) -> dict[str, str]:
    """What the table on screen is at, when there is something to decide here."""
    found: dict[str, str] = player.sees(live=True).table.evaluate("(table) => ({...table.dataset})")
    return found


def reopened(player: Player) -> Player:
    """The same device, when the tab was killed and the game is opened in another one."""
    address, context = player.address, player.page.context
    player.page.close()
    player.page = context.new_page()
    return player.go(address)


def test_a_tab_killed_at_any_point_of_a_turn_loses_nothing(
    visitor: Callable[..., Player],
) -> None:
    player = visitor()
    player.go("/new?way=hotseat").find(".start-game").click()
    for _ in range(3):
        before = facts(player)
        assert facts(reopened(player)) == before
        player.find(".roll").click()
        before = facts(player.sees(phase="move"))
        assert facts(reopened(player)) == before
        player.find(".move").first.click()
        before = facts(player.sees(phase="choice"))
        assert facts(reopened(player)) == before
        player.find(".stop").click()
        player.sees(phase="roll")
    assert [event["n"] for event in stored(player)] == [*range(1, 4 + 9 + 1)]


def stored(player: Player) -> list[dict[str, Any]]:
    """The events of the table on screen, as the device keeps them."""
    found: list[dict[str, Any]] = player.page.evaluate(RECORD, player.address.rpartition("/")[2])
    return found


def test_two_tabs_at_one_game_see_the_same_and_double_nothing(
    visitor: Callable[..., Player],
) -> None:
    player = visitor()
    player.go("/new?way=hotseat").find(".start-game").click()
    player.sees(live=True)
    other = Player(player.page.context.new_page(), player.url)
    other.go(player.address).sees(live=True)
    for one in (player, other):  # both at once: neither waits for the other
        one.find(".roll").evaluate("(button) => void setTimeout(() => button.click())")
    for one in (player, other):
        one.sees(phase="move", live=True, rolls=1)
    player.find(".move").first.click()
    other.sees(phase="choice", live=True).find(".stop").click()
    player.sees(phase="roll", live=True)
    kinds = [event["kind"] for event in stored(player)]
    assert kinds[4:] == ["rolled", "moved", "stopped"]
    other.page.close()


def test_a_game_that_the_browser_has_cleared_away_says_so(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/t/0gone23456789")
    expect(player.find("h1")).to_have_text("This game cannot be shown")
    expect(player.find(".lead")).to_have_text("This game is not on this device any more.")


@everywhere
def test_the_lessons(visitor: Callable[..., Player]) -> None:
    player = visitor()
    for lesson in test_tutorial.LESSONS:
        test_tutorial.test_following_the_guide_leads_through_the_lesson(player, lesson)


@everywhere
def test_a_table_for_the_real_game_with_dice_of_one_s_own(visitor: Callable[..., Player]) -> None:
    player = visitor(**test_companion.TOUCH)
    test_companion.open_companion(player)
    hand = test_companion.Hand(player)
    for step in test_companion.GAME:
        hand.play(step)
    player.sees(stage="over")
    expect(player.find(".result")).to_be_visible()


@everywhere
def test_an_analysis(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+6:2,7:6,8:3+-")
    expect(player.find(".options .option-name").first).to_be_visible()


@everywhere
def test_the_review_of_a_game_is_that_of_its_record(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.page.evaluate(AGAINST, ["chick", 3])
    player.go("/new?way=bot").find(".start-game").click()
    player.sees(stage="playing")
    assert player.play() == "over"
    expect(player.find(".review-line")).to_contain_text("Accuracy")
    with player.page.expect_download() as download:
        player.find("a[href$='/record']").first.click()
    truth = review(read_record(download.value.path().read_text("utf-8")))
    telling = Telling(truth, Translator())
    player.find(".review-link").click()
    expect(player.find("h1")).to_have_text(telling.headline())
    expect(player.find(".review-head .lead")).to_have_text(telling.verdict())
    player.more_figures()
    player.go("/review").find("input[type=file]").set_input_files(download.value.path())
    expect(player.find("h1")).to_have_text(telling.headline())


def test_a_file_that_is_no_record_gets_a_sentence(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/review").find("input[type=file]").set_input_files(
        {"name": "list.txt", "mimeType": "text/plain", "buffer": b"milk, eggs"}
    )
    expect(player.find(".problem:not(:empty)")).to_have_text("This is not a Can’t Stop record.")


@everywhere
def test_drills_with_their_rating(visitor: Callable[..., Player]) -> None:
    test_drills.test_right_and_wrong_answers_are_explained_and_rated_as_the_library_does(visitor())


@everywhere
def test_online_again_games_of_the_device_are_there_once(visitor: Callable[..., Player]) -> None:
    player = visitor()
    player.go("/new?way=solo").find(".start-game").click()
    player.sees(stage="playing", live=True).find(".roll").click()
    player.sees(phase="move", live=True)
    address = player.address
    player.page.context.set_offline(False)
    player.go("/games")
    expect(player.find(".game-list li")).to_have_count(1)
    player.go(address).sees(stage="playing", phase="move", live=True, rolls=1)


def test_the_daily_game_needs_a_server_and_offers_a_game_that_does_not(
    visitor: Callable[..., Player],
) -> None:
    player = visitor()
    player.go("/daily").find(".problem", has_text="The server cannot be reached.").wait_for()
    player.find("main a", has_text="Play solo").click()
    player.find(".start-game").click()
    player.sees(stage="playing", dice="device")
    player.go("/daily").find("main button", has_text="Try again").wait_for()
    player.page.context.set_offline(False)
    player.find("main button", has_text="Try again").click()
    expect(player.find(".daily .calendar")).to_be_visible()


@pytest.mark.parametrize("begin", ["/", "/new?way=hotseat"])
def test_a_game_begins_on_the_device_where_the_server_says_nothing(
    browser: Browser, mortal_server: ServerProcess, begin: str
) -> None:
    """As in a tunnel: connections are there, and nothing comes."""
    player = Player.at(browser, mortal_server.url, **KEEPS_THE_APP)
    player.go("/rules").wait_for(f"() => navigator.serviceWorker.controller && ({KEPT})()")
    os.kill(mortal_server.pid, signal.SIGSTOP)
    player.go(begin).find("[data-way=hotseat], .start-game").click()
    player.sees(stage="playing", dice="device", live=True).take_turn()
    player.sees(phase="roll", rolls=1, live=True)
    player.close()


def test_a_game_of_four_with_dice_of_one_s_own_and_its_review(
    visitor: Callable[..., Player],
) -> None:
    player = visitor(**test_companion.TOUCH)
    test_companion.open_companion(player, seats=4)
    hand = test_companion.Hand(player)
    before, last = test_companion.GAME[:9], test_companion.GAME[9:]
    for step in (*before, "3456 =8+10", "stop", *last):
        hand.play(step)
    expect(player.find(".result")).to_contain_text("Anne wins the game!")
    player.find(".review-link").click()
    expect(player.find(".told-review h1")).to_have_text("Anne wins. Was it luck?")
    player.more_figures()
    expect(player.find(".review")).to_contain_text("Dora")


def test_a_browser_that_lets_nothing_be_kept_plays_all_the_same(
    playwright: Playwright, server: ServerProcess, tmp_path: Path
) -> None:
    """As where all cookies are blocked: there is no storage of any kind."""
    blocked = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(blocked), "utf-8")
    context = playwright.chromium.launch_persistent_context(
        tmp_path, executable_path=which("chromium"), args=CHROMIUM_ARGS, locale="en"
    )
    context.set_default_timeout(MILLISECONDS)
    context.route("**/api/**", lambda route: route.abort())
    player = Player(context.new_page(), server.url)
    player.page.goto(f"{server.url}/new?way=hotseat")
    assert player.page.evaluate(HAS_STORAGE) == "SecurityError"
    player.page.evaluate(NOTE_TOASTS)
    player.find(".start-game").click()
    player.take_turn()
    player.sees(phase="roll", rolls=1, live=True)
    player.wait_for("(text) => toasts.some((one) => one.includes(text))", "saves nothing here")
    player.take_turn()
    player.sees(phase="roll", rolls=2, live=True)
    player.page.reload()
    expect(player.find("h1")).to_have_text("This game cannot be shown")
    expect(player.find(".lead")).to_contain_text("does not let the page read the games")
    context.close()


def test_an_online_table_is_waited_for(browser: Browser, mortal_server: ServerProcess) -> None:
    player = Player.at(browser, mortal_server.url, **KEEPS_THE_APP)
    player.go("/rules").wait_for(f"() => navigator.serviceWorker.controller && ({KEPT})()")
    player.go("/").page.clock.install()
    os.kill(mortal_server.pid, signal.SIGSTOP)
    with player.page.expect_request("**/api/tables"):
        player.find("[data-way=online]").click()
    player.page.clock.fast_forward("01:00")
    os.kill(mortal_server.pid, signal.SIGCONT)
    player.sees(stage="open")
    player.close()
