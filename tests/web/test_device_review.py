"""A review that a browser works out is Python's, number for number and word for word."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_player import NO_WORKERS, Player
from cantstop import Record, read_record
from compare_reviews import compare_review, reviewing
from played_games import played
from web.conftest import Finished

GOLDEN = Path(__file__).parents[1] / "golden"
LARGE = GOLDEN / "four-runners.cantstop"
"""A turn on this board takes more memory than a page should."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page with the client's modules."""
    page = browser.new_page()
    with reviewing(page):
        yield page
    page.close()


@pytest.mark.parametrize("number", range(10))
def test_games_of_all_kinds_and_endings_in_every_language(page: Page, number: int) -> None:
    assert compare_review(page, played(number)) > 0


@pytest.mark.parametrize(
    "path", sorted({*GOLDEN.glob("*.cantstop")} - {LARGE}), ids=lambda path: path.stem
)
def test_every_variant_and_board(page: Page, path: Path) -> None:
    assert compare_review(page, read_record(path.read_text("utf-8")), ["en"]) > 0


def test_a_record_that_ends_anywhere_is_reviewed_up_to_there(page: Page) -> None:
    lines = str(played(0)).splitlines(keepends=True)
    text = "".join(lines[:9])
    for end in range(len("".join(lines[:7])), len(text)):
        whole = read_record(text[:end])
        found = page.evaluate("(asked) => reviewed(asked)", [text[:end], [], ["en"]])["en"]
        assert len(found["moments"]) == len(whole.events) + 1, text[:end]


def refusal_of(page: Page, text: str) -> object:
    return page.evaluate(
        "async (asked) => reviewed(asked).then(() => '', (error) => error.constructor.name)",
        [text, [], ["en"]],
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:0],
        lambda text: text * 2,
        lambda text: text.replace("players=2", "players=9"),
        lambda text: text.replace("1. (1)", "1. (2)"),
        lambda text: text.replace("stop", "halt", 1),
        lambda text: text + "*\n",
        lambda text: text.replace('"Anne"', '"An\x07ne"'),
    ],
)
def test_what_is_no_record_is_left_to_the_server(page: Page, change: Callable[[str], str]) -> None:
    assert refusal_of(page, change(str(played(0)))) == "BadRecord"


def test_a_board_that_is_too_large_for_a_page_is_left_to_the_server(page: Page) -> None:
    assert refusal_of(page, LARGE.read_text("utf-8")) == "TooLarge"


def test_the_server_is_spared_reviews(
    sit: Callable[..., Player], play_once: Callable[..., Finished]
) -> None:
    game = play_once("hotseat")
    player = sit(storage_state=game.memory)
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url.removeprefix(player.url)))
    player.go(game.path).sees(stage="over")
    expect(player.find(".review-line")).not_to_be_empty()
    player.go(f"{game.path}/review").more_figures()
    player.open_review(GOLDEN / "classic-two.cantstop")
    assert [path for path in asked if "review" in path and path.startswith("/api/")] == []


def test_a_device_without_the_engine_asks_the_server(player: Player) -> None:
    player.page.add_init_script(NO_WORKERS)
    with player.page.expect_response("**/api/review") as answer:
        player.open_review(GOLDEN / "classic-two.cantstop")
    assert answer.value.ok
    expect(player.find("h1")).to_have_text("Ada wins. Was it luck?")


def test_a_review_can_be_left_while_it_is_worked_out(player: Player) -> None:
    record: Record = read_record((GOLDEN / "classic-four.cantstop").read_text("utf-8"))
    player.go("/review").find("input[type=file]").set_input_files(
        {"name": "game.cantstop", "mimeType": "text/plain", "buffer": str(record).encode()}
    )
    expect(player.find("progress")).to_be_visible()
    player.find(".another").click()
    expect(player.find(".drop-zone")).to_be_visible()
    player.open_review(GOLDEN / "solo.cantstop")
    expect(player.find("h1")).to_contain_text("Was it luck?")
