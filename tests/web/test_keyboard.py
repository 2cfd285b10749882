"""A game with the keyboard alone."""

from typing import Any

from playwright.sync_api import expect

from browser_player import Player
from web.test_whole_games import finish_elsewhere


def press_until_focused(player: Any, selector: Any, key: str = "Tab", most: int = 30) -> None:
    expect(player.find(selector).first).to_be_visible()  # before that, keys are pressed in vain
    for _ in range(most):
        player.page.keyboard.press(key)
        if player.find(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} cannot be reached")


def test_tab_enter_r_numbers_and_s_play_a_game(player: Player) -> None:
    keys = player.go("/").page.keyboard
    press_until_focused(player, "[data-way=bot]")
    keys.press("Enter")
    player.sees(stage="playing", live=True)
    keys.press("r")
    player.sees(phase="move", live=True)
    keys.press("1")
    player.sees(phase="choice", live=True)
    keys.press("s")
    expect(player.find(".token").first).to_be_attached()
    player.sees(phase="roll", live=True)


def test_a_game_alone_with_nothing_but_keys(player: Player) -> None:
    keys = player.go("/").page.keyboard
    press_until_focused(player, ".more-link[href='/new?way=solo']")
    keys.press("Enter")
    expect(player.find(".start-game")).to_be_visible()
    press_until_focused(player, ".start-game", most=60)
    keys.press("Enter")
    player.sees(stage="playing", live=True)
    for turn in (1, 2):
        keys.press("r")
        player.sees(phase="move", live=True)
        keys.press("1")
        player.sees(phase="choice", live=True)
        keys.press("s")
        player.sees(phase="roll", live=True)
        expect(player.find(".turn-number")).to_contain_text(str(turn + 1))
    finish_elsewhere(player)
    expect(player.find(".result")).to_contain_text("Finished in")
    press_until_focused(player, ".afterwards .rematch")


def test_the_focus_goes_where_the_next_decision_is(player: Player) -> None:
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(live=True)
    press_until_focused(player, ".roll")
    player.page.keyboard.press("Enter")
    expect(player.find(".move").first).to_be_focused()
    expect(player.find(".ghost")).to_have_count(2)
    player.page.keyboard.press("Enter")
    player.sees(phase="choice", live=True)
    expect(player.find(".roll")).to_be_focused()


def test_the_question_mark_lists_the_keys(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    player.page.keyboard.press("?")
    expect(player.find(".keys")).to_contain_text("Play the move with that number")
    player.page.keyboard.press("r")
    player.sees(phase="roll")
    player.page.keyboard.press("Escape")
    expect(player.find(".keys")).to_have_count(0)


def test_what_has_the_focus_can_be_seen(player: Player) -> None:
    player.go("/")
    for selector in ("[data-way=bot]", ".name-field", ".more-link"):
        press_until_focused(player, selector)
        focused = player.find(f"{selector}:focus")
        assert focused.evaluate("(element) => getComputedStyle(element).outlineStyle") != "none"


def test_an_opponent_is_chosen_with_keys(player: Player) -> None:
    keys = player.go("/").page.keyboard
    press_until_focused(player, ".way-bot .opponent")
    keys.press("Enter")
    player.find("dialog.opponents").wait_for()
    press_until_focused(player, "dialog [data-bot=fox]")
    keys.press("Enter")
    expect(player.find("dialog")).to_have_count(0)
    row = player.find(".way-bot .opponent")
    expect(row).to_contain_text("Fox")
    expect(row).to_be_focused()
    press_until_focused(player, "[aria-label=Board]", key="Shift+Tab")
    keys.press("Enter")
    player.find(".board-choice input:checked").wait_for(state="attached")
    press_until_focused(player, ".board-choice input")
    keys.press("ArrowRight")
    expect(player.find("html")).to_have_attribute("data-board", "walnut")
    keys.press("Escape")
    expect(player.find("[aria-label=Board]")).to_be_focused()


def test_menu_reactions_and_resigning_with_keys(player: Player) -> None:
    keys = player.go("/").page.keyboard
    press_until_focused(player, "[data-way=bot]")
    keys.press("Enter")
    player.sees(live=True)
    press_until_focused(player, "[aria-label=React]")
    keys.press("Enter")
    expect(player.find(".reaction-popup .reaction").first).to_be_focused()
    keys.press("Escape")
    expect(player.find("[aria-label=React]")).to_be_focused()
    press_until_focused(player, "[aria-label=Menu]")
    keys.press("Enter")
    player.find("dialog .menu-tools").wait_for()
    press_until_focused(player, "dialog [data-field=pace-normal]", most=60)
    keys.press("ArrowRight")
    expect(player.find("dialog [data-field=pace-fast]")).to_be_checked()
    press_until_focused(player, "dialog .menu-item:has-text('Resign')", most=60)
    keys.press("Enter")
    press_until_focused(player, "dialog .primary")
    keys.press("Enter")
    expect(player.find("dialog")).to_have_count(0)
    player.sees(stage="playing", live=True)


def test_the_qr_code_unfolds_with_keys(player: Player) -> None:
    keys = player.go("/").page.keyboard
    press_until_focused(player, "[data-way=online]")
    keys.press("Enter")
    player.find(".lobby .qr").wait_for()
    press_until_focused(player, ".qr summary", most=60)
    keys.press("Enter")
    expect(player.find(".qr-code")).to_be_visible()
