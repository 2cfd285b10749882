"""axe finds no serious problem on any page, by day and by night."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browser_player import PHONE, Player
from web.axe import severe_problems
from web.test_moments import BUST, hot_seat

PAGES = [
    "/",
    "/new?way=bot",
    "/new?way=online",
    "/new?way=companion",
    "/rules",
    "/learn",
    "/games",
    "/verify",
    "/daily",
    "/review",
    "/analysis?position=v1,players=2+7:4/6:9,8:3+1+2:1,3:2,12:1+-",
    "/odds?runners=6,7,8",
    "/guide",
    "/nowhere",
]
GOLDEN = Path(__file__).parents[1] / "golden"


def test_no_page_has_a_serious_problem(player: Player) -> None:
    for path in PAGES:
        player.go(path)
        expect(player.find("[aria-busy]")).to_have_count(0)
        assert severe_problems(player) == [], path


def test_no_moment_of_a_game_has_a_serious_problem(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(live=True).find(".coach").wait_for()
    assert severe_problems(player) == [], "a lesson"
    player.find(".roll").click()
    player.sees(phase="move", live=True)
    assert severe_problems(player) == [], "moves"
    player.find(".move").first.click()
    player.sees(phase="choice", live=True)
    assert severe_problems(player) == [], "stop or roll again"
    player.play()
    player.find(".afterwards").wait_for()
    assert severe_problems(player) == [], "the end"
    player.find(".tile", has_text="Statistics").click()
    player.find(".bars").first.wait_for()
    assert severe_problems(player) == [], "statistics"
    player.page.keyboard.press("Escape")
    player.find(".tile", has_text="Replay").click()
    player.find(".slider").wait_for()
    assert severe_problems(player) == [], "replay"
    player.find("[aria-label='Share this moment']").click()
    player.find(".shared-picture").wait_for()
    assert severe_problems(player) == [], "a picture to share"


UNFOLD = """() => {
  for (const details of document.querySelectorAll("dialog details")) details.open = true;
}"""


def test_no_window_has_a_serious_problem(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.go("/").find(".opponent").click()
    player.find("dialog summary").click()
    player.find("dialog [data-bot=careful]").wait_for()
    assert severe_problems(player) == [], "the bots to choose from"
    player.page.keyboard.press("Escape")
    player.find("[aria-label=Board]").click()
    player.find(".board-choice").wait_for()
    assert severe_problems(player) == [], "the boards to choose from"
    player.page.keyboard.press("Escape")
    player.find("[data-way=bot]").click()
    player.sees(live=True).find("[aria-label=Menu]").click()
    player.find("dialog details > summary").first.wait_for()
    player.page.evaluate(UNFOLD)
    player.find("dialog .log-lines").wait_for()
    assert severe_problems(player) == [], "the menu, and all that unfolds in it"
    player.find("dialog button", has_text="Keys").click()
    player.find("dialog .keys").wait_for()
    assert severe_problems(player) == [], "the keys"
    player.page.keyboard.press("Escape")
    player.find("[aria-label=Menu]").click()
    player.find("dialog button", has_text="Resign").click()
    player.find("dialog .resign").wait_for()
    assert severe_problems(player) == [], "the question before resigning"
    player.page.keyboard.press("Escape")
    player.find("[aria-label=React]").click()
    player.find(".reaction-popup .reaction").first.wait_for()
    assert severe_problems(player) == [], "the reactions"


def test_the_start_a_bust_and_a_seat_given_up_have_no_serious_problem(
    sit: Callable[..., Player],
) -> None:
    player = sit(viewport=PHONE)
    hot_seat(player, edition="trademark").find(".roll").click()
    expect(player.find(".move.thrown")).to_have_count(2)
    assert severe_problems(player) == [], "who threw what"
    hot_seat(player).page.evaluate(BUST)
    player.sees(phase="roll", live=True)
    assert severe_problems(player) == [], "a bust"
    player.go("/games").find(".game-row .icon-button").first.click()
    player.find("dialog .give-up").wait_for()
    assert severe_problems(player) == [], "the question"
    player.find("dialog .give-up").click()
    expect(player.find(".undo")).to_be_focused()
    assert severe_problems(player) == [], "undo"


def test_the_lobby_and_the_form_of_a_guest_have_no_serious_problem(
    sit: Callable[..., Player],
) -> None:
    host, guest = sit(), sit()
    host.go("/").find("[data-way=online]").click()
    host.find(".lobby .qr summary").click()
    host.find(".qr-code").wait_for()
    assert severe_problems(host) == [], "the lobby with its QR code"
    guest.go(f"/t/{host.table_id}").find(".join").wait_for()
    assert severe_problems(guest) == []


def test_no_part_of_a_review_has_a_serious_problem(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.open_review(GOLDEN / "classic-two.cantstop")
    assert severe_problems(player) == [], "review"
    player.find(".look").first.click()
    player.find("details summary", has_text="The chart as a table").click()
    player.find(".figures-table").wait_for()
    assert severe_problems(player) == [], "moment"
    player.find(".retry-link").first.click()
    player.find(".retry").wait_for()
    assert severe_problems(player) == [], "retry"
    player.find(".retry .move:visible, .retry .stop:visible").first.click()
    player.find(".retry-next").wait_for()
    assert severe_problems(player) == [], "answer"
    player.page.set_viewport_size({"width": 1440, "height": 900})
    player.open_review(GOLDEN / "classic-four.cantstop")
    assert severe_problems(player) == [], "four players on a desk"


def test_a_hint_and_the_tutor_have_no_serious_problem(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True).find(".roll").click()
    player.sees(phase="move", live=True).find(".bulb").click()
    player.find(".worth").first.wait_for()
    player.find(".bulb").click()
    player.find(".hint-note").wait_for()
    assert severe_problems(player) == [], "a hint"
    player.find("[aria-label=Menu]").click()
    player.find(".tutor-choice").wait_for()
    assert severe_problems(player) == [], "the tutor's setting"
