"""What a browser works out itself is what the server would say, number for number."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser_player import Player, ServerProcess
from cantstop.engine import analyse, hint
from cantstop.rules import Phase, Position, Rules
from cantstop.server.static.pages import WEB, ClientFiles
from cantstop.wire.codec import encode
from cantstop.wire.insight import analysis_view, hint_view
from engine.random_positions import random_positions

ASK = """async ([address, asked]) => {
  const worker = new Worker(address, { type: "module" });
  const found = [];
  for (const [id, [task, ...args]] of asked.entries()) {
    worker.postMessage({ id, task, args });
    found.push(await new Promise((told) => {
      worker.onmessage = ({ data }) => told(data.failed ? data.failed.code : data.found);
      worker.onerror = ({ message }) => told(`error: ${message}`);
    }));
  }
  worker.terminate();
  return found;
}"""


@pytest.fixture
def page(browser: Browser, server: ServerProcess) -> Any:
    page = browser.new_page()
    page.goto(f"{server.url}/rules")
    yield page
    page.close()


def ask(page: Page, tasks: list[list[Any]]) -> list[Any]:
    """What the worker answers to some tasks, one after the other."""
    address = ClientFiles(WEB)._client.address("engine-worker.js")
    found: list[Any] = page.evaluate(ASK, [address, tasks])
    return found


GAMES = [
    "players=1",
    "players=1,win=2",
    "players=2",
    "players=2,win=5,early",
    "players=2,sharing=no-rest,start=roll-off",
    "players=2,lengths=2.4.6.4.2",
    "players=3,sharing=leapfrog",
    "players=4,early",
]


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_and_a_hint_have_the_same_numbers_as_the_server_s(
    page: Page, game: str
) -> None:
    rules = Rules.parse(game)
    positions = [
        Position.initial(rules),
        *(position for position in random_positions(rules, 30, seed=29)),
    ]
    turns = [one for one in positions if one.phase not in (Phase.START, Phase.OVER)]
    found = ask(
        page,
        [["analyse", str(one)] for one in positions] + [["hint", str(one)] for one in turns],
    )
    expected = [json.loads(encode(analysis_view(analyse(one)))) for one in positions]
    expected += [json.loads(encode(hint_view(hint(one)))) for one in turns]
    for told, known in zip(found, expected, strict=True):
        assert told == known


def test_a_roll_off_a_bust_and_an_end_are_looked_at_too(page: Page) -> None:
    texts = [
        "v1,players=3,start=roll-off -/-/- start:1=7,2,3 - -",
        "v1,players=4,start=roll-off -/-/-/- start:1,3 - -",
        "v1,players=2 -/- 1 2:1,3:1,4:1 6666",
        "v1,players=3 -/-/- 2 2:1,3:1,4:1 6666",
        "v1,players=2 2:3,3:5,12:3/- 1 - -",
    ]
    expected = [json.loads(encode(analysis_view(analyse(Position.parse(one))))) for one in texts]
    assert ask(page, [["analyse", one] for one in texts]) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nothing at all", "impossible"),
        ("v1,players=2 2:9/- 1 - -", "impossible"),
        ("v1,players=2 -/- 1 2:1,3:1,4:1,5:1 -", "impossible"),
        ("v1,players=2,start=roll-off 7:1/- start:1,2 - -", "impossible"),
        ("v1,players=2,lengths=9.9.9.9.9.9.9.9.9.9.9.9.9,runners=6 -/- 1 - -", "too-large"),
    ],
)
def test_what_no_game_can_come_to_is_refused_before_it_is_solved(
    page: Page, text: str, code: str
) -> None:
    assert ask(page, [["analyse", text]]) == [code]


def test_the_server_is_spared_hints_and_analyses(player: Player) -> None:
    asked: list[tuple[str, str]] = []
    player.page.on("request", lambda request: asked.append((request.method, request.url)))
    player.go("/").find("[data-way=bot]").click()
    player.sees(live=True).find(".roll").click()
    player.sees(phase="move", live=True).find(".bulb").click()
    expect(player.find(".move .worth").first).to_be_visible()
    player.go("/analysis?position=v1,players=2+7:4/6:9,8:3+1+6:2,7:6,8:3+-")
    expect(player.find(".option-bars, .options").first).to_be_visible()
    paths = [(method, url.removeprefix(player.url).partition("?")[0]) for method, url in asked]
    heavy = [one for one in paths if one[1].endswith(("/hint", "/analysis"))]
    assert [method for method, path in heavy if path.startswith("/api/")] == ["POST"]
