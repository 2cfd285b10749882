"""Hints at the table: what they show and to whom, by keyboard; and the tutor against bots."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.engine import EstimateError
from cantstop.review.grades import SOLO_TURNS, WIN_CHANCE
from web.axe import severe_problems

PLACES = """
() => [...document.querySelectorAll(".dice, .move, .roll, .stop, .board, .status")]
  .map((each) => JSON.stringify(each.getBoundingClientRect()))
"""


def seat_secret(player: Player) -> str:
    games = "() => JSON.parse(localStorage.getItem('cantstop.games'))[0].secret"
    return str(player.page.evaluate(games))


def api_hint(player: Player) -> Any:
    """What the server says about the decision that this player is to take."""
    answer = player.page.request.get(
        f"/api/tables/{player.table_id}/hint",
        headers={"Authorization": f"Bearer {seat_secret(player)}"},
    )
    assert answer.ok
    return answer.json()


def shown(player: Player) -> dict[str, str]:
    found = player.find(".worth").all()
    return {str(each.get_attribute("data-worth")): each.inner_text().strip() for each in found}


def expected(hint: Any) -> dict[str, str]:
    return {option["move"]: f"{100 * option['win']:.1f}%" for option in hint["options"]}


@pytest.fixture
def against_a_bot(player: Player) -> Player:
    player.go("/").find("[data-way=bot]").click()
    return player.sees(live=True)


def test_h_shows_what_every_option_is_worth_then_why_then_nothing(against_a_bot: Player) -> None:
    player = against_a_bot
    keys = player.page.keyboard
    keys.press("r")
    player.sees(phase="move", live=True)
    before = player.page.evaluate(PLACES)
    keys.press("h")
    expect(player.find(".move .worth").first).to_be_visible()
    hint = api_hint(player)
    assert shown(player) == expected(hint)
    described = player.find(".move").first.get_attribute("aria-describedby")
    expect(player.find(f"[id='{described}']")).to_contain_text("%")
    expect(player.find(".worth.best")).to_have_attribute("data-worth", hint["options"][0]["move"])
    assert player.page.evaluate(PLACES) == before
    expect(player.find("#live")).to_contain_text("%")
    keys.press("h")
    expect(player.find(".hint-note")).to_contain_text("±")
    assert player.page.evaluate(PLACES) == before
    keys.press("h")
    expect(player.find(".hint-note")).to_have_count(0)
    expect(player.find(".worth")).to_have_count(0)


def test_a_hint_goes_with_its_position_and_says_what_is_at_stake(against_a_bot: Player) -> None:
    player = against_a_bot
    keys = player.page.keyboard
    for _ in range(2):
        keys.press("r")
        player.sees(phase="move", live=True)
        keys.press("h")
        expect(player.find(".worth").first).to_be_visible()
        keys.press("1")
        player.sees(phase="choice", live=True)
        expect(player.find(".worth")).to_have_count(0)
        keys.press("h")
        expect(player.find(".controls .worth")).to_have_count(2)
        hint = api_hint(player)
        assert shown(player) == expected(hint)
        keys.press("h")
        note = player.find(".hint-note")
        if hint["next_bust"]:
            expect(note).to_contain_text("at stake")
            expect(note).to_contain_text(f"{sum(hint['at_stake'].values())} steps")
            break
        expect(note).to_contain_text("The next roll cannot be a bust.")


def open_online(host: Player, guest: Player, *, hints: bool) -> None:
    host.go("/new?way=online").find("[data-field=hints]").set_checked(hints)
    host.find(".start-game").click()
    link = host.sees(stage="open").find(".link-field").input_value()
    guest.go(link).find(".join button", has_text="Sit down").click()
    for somebody in (host, guest):
        somebody.sees(stage="playing")
    host.sees(live=True)


def test_an_online_table_has_no_hints_unless_it_was_opened_so(sit: Callable[..., Player]) -> None:
    host, guest = sit(), sit()
    host.go("/new?way=online")
    expect(host.find("[data-field=hints]")).not_to_be_checked()
    open_online(host, guest, hints=False)
    expect(host.find(".bulb")).to_be_hidden()
    host.page.keyboard.press("h")
    refused = host.page.request.get(
        f"/api/tables/{host.table_id}/hint",
        headers={"Authorization": f"Bearer {seat_secret(host)}"},
    )
    assert refused.json()["error"]["code"] == "not-now"
    expect(host.find(".worth, .tag.hinted")).to_have_count(0)
    host.find("[aria-label=Menu]").click()
    expect(host.find(".menu-links")).not_to_contain_text("Analyse")


def test_everybody_sees_who_uses_hints_and_nobody_what_they_say(sit: Callable[..., Player]) -> None:
    host, guest, watcher = sit(), sit(), sit()
    open_online(host, guest, hints=True)
    watcher.go(f"/t/{host.table_id}").sees(stage="playing")
    expect(guest.find(".bulb")).to_be_hidden()
    host.find(".bulb").click()
    expect(host.find(".worth")).to_have_count(1)
    for somebody in (host, guest, watcher):
        expect(somebody.find(".player").first.locator(".hinted")).to_have_count(1)
        expect(somebody.find(".player").last.locator(".hinted")).to_have_count(0)
    for somebody in (guest, watcher):
        expect(somebody.find(".worth")).to_have_count(0)
    guest.page.reload()
    guest.sees(stage="playing")
    expect(guest.find(".player").first.locator(".hinted")).to_have_count(1)


def test_on_a_small_phone_nothing_moves_and_all_of_it_fits(sit: Callable[..., Player]) -> None:
    player = sit(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    player.go("/").find("[data-way=bot]").tap()
    player.sees(live=True).find(".roll").tap()
    player.sees(phase="move", live=True)
    player.find(".move").first.tap()
    player.sees(phase="choice", live=True)
    before = player.page.evaluate(PLACES)
    scrolls = "() => document.querySelector('.content').scrollHeight"
    height = player.page.evaluate(scrolls)
    player.find(".bulb").tap()
    expect(player.find(".controls .worth")).to_have_count(2)
    player.find(".bulb").tap()
    expect(player.find(".hint-note")).to_be_visible()
    assert player.page.evaluate(PLACES) == before
    assert player.page.evaluate(scrolls) == height
    for selector in (".bulb", ".hint-note", "[data-worth=roll]", "[data-worth=stop]"):
        box = player.find(selector).bounding_box()
        assert box is not None
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= 320, selector


# The tutor


def choose_tutor(player: Player, tutor: str) -> None:
    player.go("/new?way=bot").find(f"[data-field=tutor-{tutor}]").check()
    player.find(".start-game").click()
    player.sees(live=True)


def act(player: Player, action: str) -> None:
    selector = f".{action}" if action in ("roll", "stop") else f".move[data-move='{action}']"
    player.find(selector).click()


def until_something_gives_away(player: Player, least: float, most: float = 1.0) -> tuple[Any, str]:
    """Play the best until an option gives away so much; returns the hint and that option."""
    for _ in range(400):
        settled = ".table[data-live=true], .table[data-stage=over]"
        expect(player.find(settled)).to_be_attached()
        if player.table.get_attribute("data-stage") == "over":
            player.find(".rematch").click()
            player.sees(live=True)  # at the next table: this one is over for good
            continue
        hint = api_hint(player)
        best = hint["options"][0]
        for option in hint["options"]:
            if least <= best["win"] - option["win"] < most:
                return hint, option["move"]
        at = player.page.request.get(f"/api/tables/{player.table_id}").json()["n"]
        act(player, best["move"])
        moved = f"() => fetch('/api/tables/{player.table_id}').then((r) => r.json())"
        player.wait_for(f"async () => (await ({moved})()).n > {at}")
    raise AssertionError("Nothing gives away so much.")


def test_the_tutor_offers_a_mistake_back_once_before_it_is_sent(player: Player) -> None:
    choose_tutor(player, "mistakes")
    hint, bad = until_something_gives_away(player, 0.055)
    at = player.page.request.get(f"/api/tables/{player.table_id}").json()["n"]
    act(player, bad)
    dialog = player.find("dialog.tutor")
    lost = hint["options"][0]["win"] - next(
        option["win"] for option in hint["options"] if option["move"] == bad
    )
    points = f"{100 * lost:.1f}".removesuffix(".0")
    warning = f"Your choice gives away {points} points of win chance."
    expect(dialog.locator(".tutor-lost")).to_have_text(warning)
    # both stand on the board, side by side
    expect(dialog.locator(".tutor-side .board")).to_have_count(2)
    expect(dialog.locator(".tutor-why")).to_contain_text("Why:")
    expect(player.find(".take-better")).to_be_focused()
    assert severe_problems(player) == []
    player.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    state = player.page.request.get(f"/api/tables/{player.table_id}").json()
    assert (state["n"], state["view"]["position"]) == (at, hint["position"])
    player.sees(live=True)
    act(player, bad)
    player.wait_for(
        f"async () => (await (await fetch('/api/tables/{player.table_id}')).json()).n > {at}"
    )
    expect(dialog).to_have_count(0)


def test_what_the_tutor_objects_to_can_be_played_anyway(player: Player) -> None:
    choose_tutor(player, "mistakes")
    hint, bad = until_something_gives_away(player, 0.055)
    act(player, bad)
    player.find(".play-anyway").click()
    expect(player.find("dialog")).to_have_count(0)
    player.wait_for(
        f"""async () => (await (await fetch('/api/tables/{player.table_id}')).json())
        .view.position !== {hint["position"]!r}"""
    )


def test_what_the_tutor_proposes_is_played_at_a_tap(player: Player) -> None:
    choose_tutor(player, "mistakes")
    hint, bad = until_something_gives_away(player, 0.055)
    act(player, bad)
    player.find(".take-better").click()
    expect(player.find("dialog")).to_have_count(0)
    best = hint["options"][0]["move"]
    kind = {"stop": "stopped", "roll": "rolled"}.get(best, "moved")
    player.wait_for(
        f"""async () => (await (await fetch('/api/tables/{player.table_id}')).json())
        .log.some(({{ n, kind }}) => n > {hint["n"]} && kind === {kind!r})"""
    )


def test_a_tutor_for_blunders_lets_a_mistake_pass(player: Player) -> None:
    choose_tutor(player, "blunders")
    hint, mistake = until_something_gives_away(player, 0.055, 0.095)
    act(player, mistake)
    player.wait_for(
        f"""async () => (await (await fetch('/api/tables/{player.table_id}')).json())
        .view.position !== {hint["position"]!r}"""
    )
    expect(player.find("dialog")).to_have_count(0)


def test_without_a_tutor_nothing_is_asked_for_in_the_background(against_a_bot: Player) -> None:
    player = against_a_bot
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.play(turns=1)
    assert not [url for url in asked if "/hint" in url or "insight" in url]
    player.sees(phase="roll", live=True)
    expect(player.find(".tag.hinted")).to_have_count(0)


def test_the_menu_switches_the_tutor_on_in_the_middle_of_a_game(against_a_bot: Player) -> None:
    player = against_a_bot
    player.find("[aria-label=Menu]").click()
    player.find("dialog [data-field=tutor-mistakes]").check()
    player.page.keyboard.press("Escape")
    with player.page.expect_response(lambda answer: answer.url.endswith("/hint")):
        player.find(".roll").click()
    player.page.reload()
    player.sees(live=True).find("[aria-label=Menu]").click()
    expect(player.find("dialog [data-field=tutor-mistakes]")).to_be_checked()


def test_the_browser_grades_as_the_review_does(player: Player) -> None:
    errors = [step / 200 for step in range(80)]
    estimates = [None, 0.001, 0.02, 0.06]
    for solo, thresholds in ((False, WIN_CHANCE), (True, SOLO_TURNS)):
        for rms in estimates:
            estimate = None if rms is None else EstimateError(rms, 3 * rms)
            graded = player.go("/").page.evaluate(
                """async ([errors, solo, estimate]) => {
                  const { gradeOf } = await import("/static/core/grades.js");
                  return errors.map((error) => gradeOf(error, solo, estimate));
                }""",
                [errors, solo, None if rms is None else {"rms": rms}],
            )
            assert graded == [thresholds.grade(error, estimate).value for error in errors]


def test_hints_fit_a_phone_in_every_phase(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE, has_touch=True, is_mobile=True)
    player.go("/new?way=bot").find("[data-field=count-4]").check()
    player.find(".start-game").tap()
    player.sees(live=True).find(".bulb").tap()
    expect(player.find("[data-worth=roll]")).to_be_visible()
    player.find(".roll").tap()
    player.sees(phase="move", live=True).find(".bulb").tap()
    expect(player.find(".move .worth").first).to_be_visible()
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert player.page.evaluate(overflow) <= 0
