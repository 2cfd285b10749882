"""The ladder, my page, the story, coach, tutor, workbench, drills and sharing: keys and speech."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from web.axe import severe_problems
from web.conftest import NOON, Finished
from web.test_analysis import settled
from web.test_drills import give, shown
from web.test_hints import act, choose_tutor, until_something_gives_away
from web.test_keyboard import press_until_focused
from web.test_me import on_my_page

GOLDEN = Path(__file__).parents[1] / "golden"


def with_keys(player: Player, selector: str, key: str = "Enter") -> None:
    """Go to something with Tab, and press a key there."""
    press_until_focused(player, selector, most=120)
    outline = player.find(f"{selector}:focus").first.evaluate(
        """(one) => [one, one.nextElementSibling, one.parentElement].filter(Boolean)
          .some((each) => getComputedStyle(each).outlineStyle !== "none"
            || getComputedStyle(each, "::before").content !== "none")"""
    )
    assert outline, f"{selector} does not show that it has the focus"
    player.page.keyboard.press(key)


def test_the_ladder_is_climbed_and_read_with_keys(player: Player) -> None:
    on_my_page(player).go("/ladder")
    steps = player.find(".journey .step")
    names = steps.evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names[0] == "Play Chick: 1 won, 1 lost"
    assert names[1] == "Play Magpie"
    assert names[7] == "Play Champion: 1 won, 0 lost"
    expect(player.find(".lead")).to_have_text("2 of 8 animals are beaten.")
    expect(player.find(".animal-card h2")).to_have_text("Magpie is waiting")
    with_keys(player, ".journey .step[data-bot=fox]")
    player.sees(stage="playing", live=True)
    expect(player.find(".player .name").last).to_have_text("Fox")
    player.go("/ladder")
    with_keys(player, ".animal-card .primary")
    player.sees(stage="playing", live=True)
    expect(player.find(".player .name").last).to_have_text("Magpie")


def test_my_page_is_used_and_read_with_keys(player: Player) -> None:
    player.page.clock.set_fixed_time(NOON)
    on_my_page(player)
    press_until_focused(player, ".name-field")
    player.page.keyboard.type("Anne")
    day = player.find(".calendar a").last
    expect(day).to_have_accessible_name("16 Nov 2026: not played")
    for curve in player.find(".curve svg").all():
        expect(curve).to_have_accessible_name(re.compile(r"\d"))
    with_keys(player, ".take-all button:has-text('Copy as a code')")
    expect(player.find(".backup-code")).not_to_have_value("")
    player.go("/me")
    expect(player.find(".name-field")).to_have_value("Anne")
    with_keys(player, ".calendar a")
    player.page.wait_for_url(re.compile(r"/daily\?day="))


def test_the_story_of_a_game_is_read_and_retried_with_keys(
    return_to: Callable[[Finished], Player], play_once: Callable[..., Finished]
) -> None:
    game = play_once("solo")
    player = return_to(game).go(f"{game.path}/review")
    moments = player.find(".told-moment")
    expect(moments).to_have_count(3)
    for moment, chapter in zip(
        moments.all(),
        ("What the dice gave", "The turning point", "The best moment"),
        strict=True,
    ):
        expect(moment).to_have_accessible_name(re.compile(rf"{chapter}\W*Round \d+: .+\."))
    with_keys(player, ".told-moment")
    expect(player.find(".more-figures[open] .moment")).to_be_visible()
    expect(player.find("#live")).to_contain_text("Player 1")
    assert severe_problems(player) == []
    player.go(f"{game.path}/review")
    with_keys(player, ".more-figures > summary")
    expect(player.find(".review")).to_be_visible()
    player.open_review(GOLDEN / "classic-two.cantstop")  # with mistakes to try again
    with_keys(player, ".retry-link")
    expect(player.find(".retry")).to_be_visible()


def test_the_first_game_for_real_is_begun_coached_and_left_alone_with_keys(
    player: Player,
) -> None:
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(stage="playing", live=True)
    guide = player.find(".coach p").first
    expect(player.find("#live")).to_contain_text(guide.inner_text())
    player.play()
    with_keys(player, "[data-first-game]")
    player.sees(stage="playing", live=True)
    expect(player.find(".coach.for-real")).to_have_attribute("aria-label", "Coach")
    keys = player.page.keyboard
    keys.press("r")
    player.sees(phase="move", live=True)
    keys.press("1")
    player.sees(phase="choice", live=True)
    expect(player.find(".coach strong")).to_be_visible()
    advice = player.find(".coach-words p").first.inner_text()
    expect(player.find("#live")).to_contain_text(advice)
    assert severe_problems(player) == []
    with_keys(player, ".coach-alone")
    expect(player.find(".coach")).to_have_count(0)


def test_the_tutors_two_moves_are_compared_and_answered_with_keys(player: Player) -> None:
    choose_tutor(player, "mistakes")
    hint, bad = until_something_gives_away(player, 0.055)
    act(player, bad)
    dialog = player.find("dialog.tutor")
    expect(dialog).to_have_accessible_name("Sure? There is something better.")
    expect(dialog.locator(".tutor-side h3")).to_have_text(["Your choice", "The tutor’s choice"])
    for board in dialog.locator(".tutor-board").all():  # what it shows is said in words beside it
        expect(board).to_have_attribute("aria-hidden", "true")
    expect(player.find(".take-better")).to_be_focused()
    press_until_focused(player, ".play-anyway", key="Shift+Tab")
    press_until_focused(player, ".take-better")
    player.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    player.wait_for(
        f"async () => (await (await fetch('/api/tables/{player.table_id}')).json()).n > {hint['n']}"
    )


def test_the_workbench_goes_back_on_and_plays_with_keys(player: Player) -> None:
    start = "v1,players=2 7:4/6:9 1 - 1256"
    player.go(f"/analysis?position={quote(start)}").find(".option button").first.wait_for()
    with_keys(player, ".option button")
    expect(player.find(".tried-step")).to_have_count(1)
    undo, redo = (
        ".analysis-steps button:has-text('Undo')",
        ".analysis-steps button:has-text('Redo')",
    )
    with_keys(player, undo)
    expect(player.find(".tried-step")).to_have_count(0)
    with_keys(player, redo)
    expect(player.find(".tried-step")).to_have_count(1)
    expect(player.find("#live")).to_contain_text("%")
    with_keys(player, "[data-field=play-on-champion]", "ArrowLeft")
    expect(player.find("[data-field=play-on-falcon]")).to_be_checked()
    expect(player.find("[data-field=play-on-falcon]")).to_have_accessible_name("Falcon")
    press_until_focused(player, ".play-on", key="Shift+Tab")
    player.page.keyboard.press("Enter")
    expect(player.find(".play-on")).to_have_attribute("aria-pressed", "true")
    expect(player.find(".play-on")).to_have_accessible_name("Stop playing against Falcon")
    with_keys(player, ".position-field", "ControlOrMeta+a")
    player.page.keyboard.type("v1,players=2 7:4/- 1 6:2 -")
    player.page.keyboard.press("Enter")
    expect(player.find(".tried-step")).to_have_count(0)
    assert severe_problems(settled(player)) == []


@pytest.mark.parametrize("kind", ["timed", "streak"])
def test_drills_are_played_as_a_game_with_keys(sit: Callable[..., Player], kind: str) -> None:
    player = sit(viewport=PHONE).go("/drill")
    shown(player)
    with_keys(player, f"[data-run={kind}]")
    expect(player.find(".drill-title:focus")).to_be_attached()
    expect(player.find(".run-score")).to_be_visible()
    if kind == "timed":
        expect(player.find("[role=timer]")).to_have_attribute("aria-live", "off")
    assert severe_problems(player) == [], "a run"
    give(player, shown(player), right=False)
    expect(player.find("#live")).not_to_be_empty()
    if kind == "timed":
        with_keys(player, ".run-end")
    expect(player.find(".run-summary, .run-ended, .drill h2").first).to_be_visible()
    assert severe_problems(player) == [], "the end of a run"


def test_a_game_is_shared_with_keys(
    return_to: Callable[[Finished], Player], play_once: Callable[..., Finished]
) -> None:
    player = return_to(play_once("hotseat"))
    with_keys(player, ".share-game-button")
    picture = player.find(".game-picture")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("alt", re.compile(r"^Player \d won"))
    expect(player.find("dialog.share-game")).to_have_accessible_name("Share")
    with player.page.expect_download():
        with_keys(player, ".save-picture")
    expect(player.find(".share-game .link-field")).to_have_accessible_name("Link to the replay")
    player.page.keyboard.press("Escape")
    expect(player.find(".share-game-button")).to_be_focused()


def test_no_new_page_has_a_serious_problem_by_day_or_night(sit: Callable[..., Player]) -> None:
    player = on_my_page(sit(viewport=PHONE)).go("/ladder")
    player.find(".animal-card .primary").click()
    player.sees(stage="playing", live=True)
    for path in ("/", "/ladder", "/me", "/drill"):
        player.go(path)
        expect(player.find("[aria-busy]")).to_have_count(0)
        assert severe_problems(player) == [], path
    player.go("/")
    expect(player.find(".home .waiting-card")).to_be_visible()
    player.find(".tools-card summary").click()
    assert severe_problems(player) == [], "tools"
