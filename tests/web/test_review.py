"""After the game: a review that is true, leads to every moment, and lets one retry mistakes."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, StorageState, expect

from browser_player import NO_WORKERS, PHONE, Player, ServerProcess
from cantstop import client, read_record, review
from cantstop.language import LANGUAGES, Translator
from cantstop.review.story import Telling
from cantstop.rules import Phase
from quick_games import quick_action, take
from wire_json import as_json

GOLDEN = Path(__file__).parents[1] / "golden"
SMALL_PHONE = {"width": 320, "height": 640}
GAP = 0.1
"""What a blunder gives away at least."""


@dataclass(frozen=True)
class Blundered:
    """A game against a bot, with a blunder that was made on purpose."""

    path: str
    memory: StorageState
    review: Any
    n: int
    action: str

    @property
    def decision(self) -> Any:
        return next(each for each in self.review["decisions"] if each["n"] == self.n)


def play_with_a_blunder(server: str) -> tuple[client.TableLink, str, str]:
    """A whole game against a bot, with a blunder; returns where it was made, and what it was.

    The best option of each decision is played until the worst one is a blunder. No browser has to
    watch that.
    """
    for _ in range(20):
        seats = (client.human("Player 1", colour=0), client.bot("chick", colour=1))
        link = client.open_table(server, seats, mode="hotseat", edition="classic", help=True)
        made: tuple[str, str] | None = None
        with client.Player(link) as me:
            for position in me.decisions():
                action = quick_action(me, position)
                if made is None and position.phase is not Phase.ROLL:
                    options = client.analysis(server, position).options
                    best, worst = options[0], options[-1]
                    action = best.move
                    if best.win - worst.win >= GAP:
                        action = worst.move
                        made = (str(position), action)
                take(me, action)
        if made is not None:
            return link, *made
    raise AssertionError("Nobody had an occasion to blunder.")


@pytest.fixture(scope="module")
def blundered(browser: Browser, server: ServerProcess) -> Blundered:
    link, position, action = play_with_a_blunder(server.url)
    found = client.review(link)
    (n,) = (
        each.n
        for each in found.decisions
        if (each.position, each.chosen, each.seat) == (position, action, 0)
    )
    player = Player.at(browser, server.url)
    player.go(f"/t/{link.table}#seat={link.secret}").sees(stage="over")
    game = Blundered(
        f"/t/{link.table}", player.page.context.storage_state(), as_json(found), n, action
    )
    player.close()
    return game


@pytest.fixture
def blunderer(sit: Callable[..., Player], blundered: Blundered) -> Player:
    """The same player, who may go anywhere."""
    return sit(storage_state=blundered.memory)


@pytest.fixture
def at_the_end(blunderer: Player, blundered: Blundered) -> Player:
    """The same player, back at the table."""
    return blunderer.go(blundered.path).sees(stage="over")


def opened(player: Player, golden: str) -> Player:
    """The review of a golden game."""
    player.open_review(GOLDEN / f"{golden}.cantstop")
    return player


def drop(player: Player, text: str, name: str = "game.cantstop") -> Player:
    """Drop a file on the page."""
    dropped = player.page.evaluate_handle(
        """([text, name]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          return data;
        }""",
        [text, name],
    )
    player.page.dispatch_event(".page-review", "drop", {"dataTransfer": dropped})
    return player


# The end card


def test_the_end_card_tells_ones_own_game_in_one_line_and_opens_the_review(
    at_the_end: Player, blundered: Blundered
) -> None:
    seat = blundered.review["seats"][0]
    mistakes = seat["grades"]["mistake"] + seat["grades"]["blunder"]
    line = at_the_end.find(".review-line")
    expect(line).to_contain_text(f"Accuracy {seat['accuracy']:.0f}%")
    expect(line).to_contain_text("1 mistake" if mistakes == 1 else f"{mistakes} mistakes")
    expect(line).to_contain_text("luck")
    at_the_end.find(".review-link").click()
    expect(at_the_end.find("h1")).to_contain_text("wins. Was it luck?")
    expect(at_the_end.find(".review-head h1")).to_be_focused()
    expect(at_the_end.more_figures().find(".seat-review")).to_have_count(2)


def test_the_end_card_asks_again_while_the_server_is_busy(
    sit: Callable[..., Player], blundered: Blundered
) -> None:
    player = sit(storage_state=blundered.memory)
    player.page.add_init_script(NO_WORKERS)
    busy = {"error": {"code": "too-many", "message": "Try again in 2 s."}}
    player.page.route(
        "**/api/tables/*/review", lambda route: route.fulfill(status=429, json=busy), times=1
    )
    player.go(blundered.path).sees(stage="over")
    expect(player.find(".review-line")).to_contain_text("Accuracy")


def test_without_a_review_the_end_card_is_as_it_was(
    sit: Callable[..., Player], blundered: Blundered
) -> None:
    player = sit(storage_state=blundered.memory)
    player.page.add_init_script(NO_WORKERS)
    player.page.route("**/api/tables/*/review", lambda route: route.abort())
    with player.page.expect_event("requestfailed", lambda one: one.url.endswith("/review")):
        player.go(blundered.path).sees(stage="over")
    expect(player.find(".review-link")).to_be_visible()
    player.find(".tile", has_text="Statistics").click()
    expect(player.find(".bars").first).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(player.find(".toast")).to_have_count(0)
    expect(player.find(".review-line")).to_be_empty()
    player.find(".review-link").click()
    expect(player.find(".problem")).to_contain_text("cannot be reached")
    player.page.unroute("**/api/tables/*/review")
    player.find("main button", has_text="Try again").click()
    player.more_figures()


def test_a_game_that_is_not_over_and_an_unknown_one_have_no_review(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    player.go(f"/t/{player.table_id}/review")
    expect(player.find(".problem")).to_contain_text("once the game is over")
    player.go("/t/unknown/review")
    expect(player.find("h1")).to_have_text("There is no such table")


def test_an_address_with_nonsense_for_a_moment_leads_to_the_review(
    blunderer: Player, blundered: Blundered
) -> None:
    for moment in ("-3", "1e9", ""):  # numbers, with the nearest moment that there is
        blunderer.go(f"{blundered.path}/review?n={moment}")
        expect(blunderer.find(".review")).to_be_visible()
    blunderer.go(f"{blundered.path}/review?n=nonsense")  # no moment at all: the story is first
    expect(blunderer.find(".told-review")).to_be_visible()
    expect(blunderer.find(".review")).to_be_hidden()
    blunderer.more_figures()


# The review


def test_a_blunder_is_named_found_on_the_chart_and_put_right(
    blunderer: Player, blundered: Blundered
) -> None:
    n, decision = blundered.n, blundered.decision
    assert decision["grade"] == "blunder"
    blunderer.go(f"{blundered.path}/review").more_figures().find(".look").first.wait_for()
    if blunderer.find(".show-all").count():
        blunderer.find(".show-all").click()
    expect(blunderer.find(f".look[data-n='{n}'][data-kind=blunder]")).to_be_visible()

    # from the chart
    dot = blunderer.find(f".dot[data-n='{n}'].blunder circle")
    x, y = dot.evaluate(
        """(circle) => {
          circle.scrollIntoView({ block: "center" });
          const box = circle.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    blunderer.page.mouse.click(x, y)
    expect(blunderer.page).to_have_url(f"{blunderer.url}{blundered.path}/review?n={n}")
    moment = blunderer.find(".moment")
    expect(moment.locator(".grade-line")).to_contain_text("Blunder")
    expect(moment.locator(".why")).to_have_text(decision["why"])
    expect(moment.locator(".option.chosen")).to_have_attribute("data-action", blundered.action)
    expect(moment.locator(".option.best")).to_have_attribute("data-action", decision["best"])
    for option in decision["options"]:
        row = moment.locator(f".option[data-action='{option['move']}']")
        expect(row).to_contain_text(f"{100 * option['win']:.1f}".removesuffix(".0"))
    blunderer.page.reload()
    expect(moment.locator(".why")).to_have_text(decision["why"])

    # retried
    blunderer.find(".retry-link").first.click()
    grades = {"mistake", "blunder"}
    due = [
        each
        for each in blundered.review["decisions"]
        if each["seat"] == 0 and each["grade"] in grades
    ]
    for each in due:
        expect(blunderer.find(".retry-place")).to_contain_text(f"round {(each['turn'] + 1) // 2}")
        expect(blunderer.find(".retry .option")).to_have_count(0)  # no figures before the answer
        answer(blunderer, each["chosen"] if each["n"] != n else each["best"])
        grade = each["grade"] if each["n"] != n else "best"
        expect(blunderer.find(f".grade-line[data-grade={grade}]")).to_be_visible()
        expect(blunderer.find(".retry .option")).to_have_count(len(each["options"]))
        blunderer.find(".retry-next").click()
    expect(blunderer.find(".retry-title")).to_have_text(f"1 of {len(due)} put right")
    blunderer.find(".retry-list a").first.click()
    expect(blunderer.find(".moment")).to_be_visible()


def test_every_moment_says_the_event_that_led_to_it(
    blunderer: Player, blundered: Blundered
) -> None:
    """The words are those of the record's own events; no moment asks for the table again."""
    asked: list[str] = []
    state = f"{blunderer.url}/api{blundered.path.replace('/t/', '/tables/')}"
    blunderer.page.on("request", lambda request: asked.append(request.url))
    blunderer.go(f"{blundered.path}/review?n=0")
    happened = blunderer.find(".moment .happened")
    expect(happened).to_have_text("The game begins.")
    said = {"rolled": "rolls", "moved": "moves", "stopped": "stops", "busted": "busts"}
    for moment in blundered.review["moments"][1:12]:
        blunderer.page.keyboard.press("ArrowRight")
        play = moment["play"]
        shown = " ".join(map(str, play["dice"] or ())) or said[play["kind"]]
        expect(blunderer.page).to_have_url(re.compile(rf"[?]n={moment['n']}$"))
        name = blundered.review["names"][play["seat"]]
        expect(happened).to_contain_text(
            name if play["kind"] == "moved" else shown, ignore_case=True
        )
    assert asked.count(state) == 2  # for the page, and for the review that the device works out


def answer(player: Player, action: str) -> None:
    names = {"roll": ".roll", "stop": ".stop"}
    player.find(f".retry {names.get(action) or f'.move[data-move={json.dumps(action)}]'}").click()


@pytest.mark.parametrize("golden", ["classic-two", "trademark-three", "classic-four"])
def test_luck_and_skill_are_the_librarys_and_add_up_to_the_result(
    player: Player, golden: str
) -> None:
    truth = review(read_record((GOLDEN / f"{golden}.cantstop").read_text("utf-8")))
    opened(player, golden)
    for seat in truth.seats:
        card = player.find(f".seat-review[data-seat='{seat.seat}']")
        assert seat.accuracy is not None
        expect(card.locator(".accuracy strong")).to_have_text(f"{seat.accuracy:.0f}%")
        off = f"{100 * seat.uncertainty:.1f}"
        expect(card.locator(".share-figure")).to_have_text(
            [f"{signed(change)} ± {off}" for change in (seat.luck, seat.skill)]
        )
        # where luck ends skill begins, and drift is all that is left to the result
        bars = card.locator(".share-track").evaluate_all(
            """(tracks) => tracks.map((track) => {
              const [share, tick] = [...track.children].map((each) => each.style);
              return [share.left, share.width, tick.left].map(parseFloat);
            })"""
        )
        (left, width, start), (skill_left, skill_width, result) = bars
        middle = left + width if seat.luck > 0 else left
        assert start == pytest.approx(left if seat.luck > 0 else left + width, abs=0.01)
        assert middle == pytest.approx(
            skill_left if seat.skill > 0 else skill_left + skill_width, abs=0.01
        )
        end = skill_left + skill_width if seat.skill > 0 else skill_left
        assert abs(result - end) <= 100 * abs(seat.drift) + 0.01
    player.find("details summary", has_text="The chart as a table").click()
    rows = player.find(".figures-table tbody tr")
    expect(rows).to_have_count(len(truth.moments))
    cells = rows.nth(len(truth.moments) // 2).locator("td")
    worths = truth.moments[len(truth.moments) // 2].worths
    turn = truth.moments[len(truth.moments) // 2].turn
    number = (turn + len(truth.seats) - 1) // len(truth.seats)
    expect(cells).to_contain_text([str(number), "", *map(percentage, worths)])


def percentage(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def signed(change: float) -> str:
    """In points, without the unit, which is said once."""
    size = f"{abs(100 * change):.1f}"
    return size if size == "0.0" else ("−" if change < 0 else "+") + size


def test_alone_worths_are_turns(player: Player) -> None:
    opened(player, "solo")
    truth = review(read_record((GOLDEN / "solo.cantstop").read_text("utf-8")))
    expect(player.find("h1")).to_have_text(f"{-truth.seats[0].result:.0f} turns. Was it luck?")
    (seat,) = truth.seats
    luck, skill = (
        f"{'+−'[one < 0]}{abs(one):.2f} ± {seat.uncertainty:.2f}" for one in (seat.luck, seat.skill)
    )
    expect(player.find(".share-figure")).to_have_text([luck, skill])  # plus is good, alone too
    expect(player.find(".unit")).to_contain_text("in turns")
    expect(player.find("body")).not_to_contain_text("NaN")


def test_other_boards_and_rules_are_reviewed_too(player: Player) -> None:
    for golden in ("wide-board", "small-board", "ravensburger-no-rest"):
        opened(player, golden)
        last = int(player.find(".slider").get_attribute("max") or "")
        for _ in range(min(last, 40) + 1):
            player.page.keyboard.press("ArrowLeft")
        expect(player.find(".moment .happened")).not_to_be_empty()


def test_a_record_that_was_cut_off_is_reviewed_up_to_there(player: Player) -> None:
    text = (GOLDEN / "classic-two.cantstop").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "won"))]
    turns = [at for at, line in enumerate(lines) if line[:1].isdigit()]
    cut = "\n".join(lines[: turns[4]])
    drop(player.go("/review"), cut)
    expect(player.find("h1")).to_have_text("An unfinished game")
    expect(player.more_figures().find(".seat-review")).to_have_count(2)


def test_the_replay_and_the_list_of_games_lead_to_the_review(
    blunderer: Player, blundered: Blundered
) -> None:
    blunderer.go("/games").find(f".game-row a[href='{blundered.path}/review']").click()
    blunderer.more_figures()
    moment = blundered.review["moments"][blundered.n]
    blunderer.go(f"{blundered.path}?n={moment['event']}")
    blunderer.find(".tools a", has_text="Review").click()
    expect(blunderer.find(".moment .why")).to_have_text(blundered.decision["why"])
    blunderer.find(".moment-links a", has_text="Replay").click()
    expect(blunderer.page).to_have_url(f"{blunderer.url}{blundered.path}?n={moment['event']}")


def test_a_link_shows_somebody_else_the_same_moment(
    blunderer: Player, blundered: Blundered, sit: Callable[..., Player]
) -> None:
    blunderer.go(f"{blundered.path}/review?n={blundered.n}")
    blunderer.find(".moment-links button", has_text="Share").click()
    link = blunderer.find(".link-field").input_value()
    friend = sit(viewport=PHONE)
    friend.go(link.removeprefix(blunderer.url))
    expect(friend.find(".moment .why")).to_have_text(blundered.decision["why"])
    expect(friend.find(".retry-link")).to_contain_text("Try Player 1’s")


def test_a_moment_leads_to_the_analysis_of_its_position(
    blunderer: Player, blundered: Blundered
) -> None:
    blunderer.go(f"{blundered.path}/review?n={blundered.n}")
    blunderer.find(".moment-links a", has_text="Analyse").click()
    expect(blunderer.page).to_have_url(re.compile(r"/analysis\?"))
    position = blunderer.page.evaluate("new URLSearchParams(location.search).get('position')")
    assert position == blundered.decision["position"]


def test_keys_alone(at_the_end: Player, blundered: Blundered) -> None:
    blunderer = at_the_end
    keys = blunderer.page.keyboard
    focus(blunderer, ".review-link")
    keys.press("Enter")
    focus(blunderer, ".more-figures > summary")
    keys.press("Enter")
    expect(blunderer.find(".review")).to_be_visible()
    marked = sorted(
        {
            each["n"]
            for each in blundered.review["decisions"]
            if each["grade"] not in ("best", "fine")
        }
    )
    focus(blunderer, ".chart .slider")
    keys.press("Home")
    expect(blunderer.page).to_have_url(f"{blunderer.url}{blundered.path}/review?n=0")
    keys.press("ArrowRight")
    expect(blunderer.page).to_have_url(f"{blunderer.url}{blundered.path}/review?n=1")
    expect(blunderer.find(".slider")).to_have_attribute(
        "aria-valuetext", re.compile(r"^Round 1: .* rolls ")
    )
    focus(blunderer, ".look[data-kind=blunder]")
    keys.press("Enter")
    expect(blunderer.find("#moment-title")).to_be_focused()
    expect(blunderer.find(".moment .grade-line")).to_contain_text("Blunder")
    assert int(blunderer.address.partition("n=")[2]) in marked
    keys.press("n")
    keys.press("p")
    expect(blunderer.find(".moment .grade-line, .moment .roll-line").first).to_be_visible()
    focus(blunderer, ".retry-link")
    keys.press("Enter")
    expect(blunderer.find(".retry-title")).to_be_focused()
    moves = blunderer.find(".retry .move").count()
    keys.press("1" if moves else "s")
    expect(blunderer.find(".retry-next")).to_be_focused()
    keys.press("Enter")
    expect(blunderer.find(".retry-title")).to_be_focused()


def focus(player: Player, selector: str) -> None:
    """Press Tab until it has the focus."""
    player.find(selector).first.wait_for()
    for _ in range(150):
        player.page.keyboard.press("Tab")
        if player.find(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} cannot be reached")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_is_the_librarys_three_sentences_each_with_its_board(
    sit: Callable[..., Player], language: str
) -> None:
    player = sit(viewport=SMALL_PHONE, has_touch=True, is_mobile=True, locale=language)
    for golden in ("classic-four", "solo"):
        truth = review(read_record((GOLDEN / f"{golden}.cantstop").read_text("utf-8")))
        telling = Telling(truth, Translator(language))
        assert truth.winners is not None
        player.go("/review").find("input[type=file], .another:not([hidden])").first.wait_for()
        if player.find(".another:visible").count():
            player.find(".another").click()
        player.find("input[type=file]").set_input_files(GOLDEN / f"{golden}.cantstop")
        expect(player.find("h1")).to_have_text(telling.headline())
        expect(player.find(".review-head .lead")).to_have_text(telling.verdict())
        moments = telling.moments(truth.winners[0])
        expect(player.find(".told-words span")).to_have_text([one.text for one in moments])
        expect(player.find(".told-board .board")).to_have_count(3)
        for moment in player.find(".told-moment").all():  # the board is a part of its card
            card, board = (
                each.bounding_box() for each in (moment, moment.locator(".told-board .board"))
            )
            assert card is not None
            assert board is not None
            assert 60 <= board["width"] <= 150
            assert card["y"] <= board["y"] <= card["y"] + card["height"] - board["height"]
        expect(player.find(".review")).to_be_hidden()  # figures are for those who want more
        expect(player.find(".review > *")).to_have_count(0)  # and drawn for them only
        player.find(".told-moment").nth(1).tap()
        expect(player.find("#moment-title")).to_be_focused()
        assert f"n={moments[1].n}" in player.address


# Any record


def test_a_foreign_record_is_reviewed_and_survives_a_reload(player: Player) -> None:
    opened(player, "classic-two")
    expect(player.find("h1")).to_have_text("Ada wins. Was it luck?")
    player.find(".look").nth(1).click()
    address = player.address
    told = player.find(".moment .happened").inner_text()
    player.page.reload()
    expect(player.find(".moment .happened")).to_have_text(told)
    assert player.address == address
    player.find(".another").click()
    expect(player.find(".drop-zone")).to_be_visible()
    player.page.reload()
    expect(player.find(".drop-zone")).to_be_visible()


def test_a_link_to_a_moment_of_a_record_asks_for_the_file(player: Player) -> None:
    player.go("/review?n=12")
    expect(player.find("main")).to_contain_text("needs the record’s file again")


HOSTILE = {
    "empty": "",
    "script": "<script>alert(1)</script>",
    "impossible rules": '[Cantstop "1"]\n[Rules "v1,players=99"]\n\n*\n',
    "impossible move": '[Cantstop "1"]\n[Rules "v1,players=2"]\n\n1. (1) 6666=2+2 stop\nwon 1\n',
    "binary": "\x00\ufffd" * 500,
    "huge": "x" * 70_000,
}


def test_a_hostile_file_gets_one_sentence(player: Player) -> None:
    for kind, text in HOSTILE.items():
        drop(player.go("/review"), text)
        problem = player.find(".problem:not(:empty)")
        expect(problem).to_be_visible()
        said = problem.inner_text()
        assert 10 < len(said) < 300, kind
        assert "\n" not in said, kind
        assert "Traceback" not in said, kind
    drop(player, (GOLDEN / "classic-two.cantstop").read_text("utf-8"))
    player.more_figures()


def test_a_script_in_a_name_is_only_a_name(player: Player) -> None:
    script = "<img src=x onerror=boo>"
    text = (GOLDEN / "classic-two.cantstop").read_text("utf-8").replace('"Ada"', f'"{script}"')
    assert script in text
    drop(player.go("/review"), text).more_figures()
    expect(player.find(".seat-review .name").first).to_have_text(script)
    assert player.find("img").count() == 0


# Everybody


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_a_small_phone(sit: Callable[..., Player], language: str) -> None:
    player = sit(viewport=SMALL_PHONE, has_touch=True, is_mobile=True, locale=language)
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    player.go("/review")
    assert player.page.evaluate(overflow) <= 0
    for golden in ("classic-four", "solo"):
        opened(player, golden)
        player.find(".look").first.tap()
        expect(player.find(".moment")).to_be_visible()
        assert player.page.evaluate(overflow) <= 0, golden
        for box in (each.bounding_box() for each in player.find(".look, .moment button").all()):
            assert box is not None
            assert box["height"] >= 44
        player.find(".retry-link").first.tap()
        player.find(".retry").wait_for()
        assert player.page.evaluate(overflow) <= 0, golden


def test_a_tap_on_the_chart_goes_there(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE, has_touch=True, is_mobile=True)
    opened(player, "classic-two")
    expect(player.find(".moment")).to_be_hidden()
    drawing = player.find(".chart-drawing")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box is not None
    player.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(player.find(".moment")).to_be_visible()
    last = int(player.find(".slider").get_attribute("max") or "")
    n = int(player.address.partition("n=")[2])
    assert abs(n - last / 2) <= last / 8


MISTAKES = """async (grades) => {
  const { mistakesOf } = await import("/static/insight/review/story.js");
  const decisions = grades.map((grade) => ({ seat: 0, grade }));
  return mistakesOf({ answer: { decisions } }, 0).map(({ grade }) => grade);
}"""


def test_who_made_no_mistakes_is_not_asked_to_try_them_again(player: Player) -> None:
    player.go("/rules")
    found = player.page.evaluate(MISTAKES, ["fine", "inaccuracy", "mistake", "best", "blunder"])
    assert found == ["mistake", "blunder"]
    assert player.page.evaluate(MISTAKES, ["inaccuracy", "inaccuracy"]) == []
