"""A browser plays through a bad network: every board it shows is one that the table really had."""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Browser

from bad_network import Fault, bad_network
from browser_player import Player, ServerProcess
from cantstop import read_record, verify
from patience import PATIENCE

LIMITS = (100, 1400, 12_000, 7000, 2100, 15_000)
FAULTS = list(zip(cycle(Fault), LIMITS, strict=False))
GIVEN_UP = 10_000
"""Milliseconds of silence after which no side believes in a line any more."""

TABLE = {
    "mode": "hotseat",
    "edition": "custom",
    "win": 4,
    "seats": [{"kind": "human", "name": name} for name in ("Anne", "Ben")],
}

# Notes every board that is drawn: the owner's colour, the runner's space and the tokens' spaces of
# each column, read from the drawing alone.
WATCH = """
() => {
  const board = () => [...document.querySelectorAll(".board .column")].map((column) => {
    const spaces = [...column.querySelectorAll(".space")];
    const owned = /colour-(\\d)/.exec(column.getAttribute("class"));
    return {
      owner: owned ? Number(owned[1]) : null,
      runner: spaces.findIndex((space) => space.classList.contains("runs")) + 1,
      tokens: [0, 0],
    };
  });
  const middles = () => [...document.querySelectorAll(".board .column")].flatMap((column, index) =>
    [...column.querySelectorAll(".space")].map((space, at) => ({
      index, space: at + 1,
      x: space.x.baseVal.value + space.width.baseVal.value / 2,
      y: space.y.baseVal.value + space.height.baseVal.value / 2,
    })));
  const look = () => {
    const table = document.querySelector(".table");
    if (!table?.querySelector(".board")) return;
    const shown = board();
    const places = middles();
    for (const token of document.querySelectorAll(".board .token")) {
      const [x, y] = token.style.transform.match(/-?[\\d.]+(?=px)/g).map(Number);
      const away = (place) => Math.hypot(place.x - x, place.y - y);
      const nearest = places.reduce((best, place) => (away(place) < away(best) ? place : best));
      shown[nearest.index].tokens[Number(token.dataset.seat)] = nearest.space;
    }
    const now = JSON.stringify([Number(table.dataset.rolls), table.dataset.phase, shown]);
    if (window.boards.at(-1) !== now) window.boards.push(now);
  };
  window.boards = [];
  new MutationObserver(look).observe(document.querySelector("#app"),
    { subtree: true, attributes: true, childList: true });
  look();
}
"""


def board_of(view: Any, colours: Any) -> list[Any]:
    """A view as the drawing shows it; in a column that is won there are no tokens."""
    columns = [
        {
            "owner": None if owner is None else colours[owner],
            "runner": view["runners"][at],
            "tokens": [0, 0] if owner is not None else [seat[at] for seat in view["tokens"]],
        }
        for at, owner in enumerate(view["owners"])
    ]
    return [view["rolls"], view["phase"], columns]


@pytest.fixture
def network(server: ServerProcess) -> Iterator[Any]:
    with bad_network(server.port, FAULTS) as network:
        yield network


def test_no_board_is_ever_shown_that_the_table_did_not_have(
    browser: Browser, server: ServerProcess, network: Any
) -> None:
    anne = Player.at(browser, network.url)
    anne.page.clock.install()
    opened = anne.page.request.post(f"{server.url}/api/tables", data=TABLE).json()
    anne.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="playing")
    anne.page.evaluate(WATCH)
    anne.keep_playing()
    for _ in [fault for fault, _ in FAULTS if fault is not Fault.CUT]:
        assert network.quiet.acquire(timeout=PATIENCE)
        anne.page.clock.fast_forward(GIVEN_UP)
    anne.sees_the_end()
    assert network.met == [fault for fault, _ in FAULTS]

    shown = [json.loads(text) for text in anne.page.evaluate("window.boards")]
    state = anne.page.request.get(f"{server.url}/api/tables/{opened['id']}").json()
    told = anne.page.request.get(f"{server.url}/api/tables/{opened['id']}/events").json()["events"]
    colours = [seat["colour"] for seat in state["seats"]]
    really = iter([board_of(event["view"], colours) for event in told])
    for board in shown:
        assert board in really, "never shown by the server, or shown after a later one"
    assert len(shown) > len(told) / 2
    record = anne.page.request.get(f"{server.url}/api/tables/{opened['id']}/record").text()
    assert verify(read_record(record)).dice_checked
    anne.close()
