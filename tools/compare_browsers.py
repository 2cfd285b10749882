"""Compares the engine's module in Chromium, in Firefox if there is one, and in Python, bit by bit.

    python tools/compare_browsers.py --positions 200

For positions of random games by each of some rules: all that a hint and an analysis are made of.
"""

import argparse
import json
import struct
import sys
from pathlib import Path
from shutil import which
from typing import Any

from playwright.sync_api import sync_playwright

from cantstop.engine import best_evaluator
from cantstop.engine.module import ANSWER_FIELDS, AT_BEST, GameInstance
from cantstop.kernel.fields import Packer
from cantstop.rules import Position, Rules
from wasm.firefox import firefox_page
from wasm.page import game_for, load_engine, record_of

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from engine.random_positions import random_positions

RULES = (
    *(f"players={players}{more}" for players in (2, 3, 4) for more in ("", ",sharing=leapfrog")),
    "players=2,early,sharing=no-rest",
    "players=1",
    "players=2,lengths=1.3.2.9.4,runners=2",
    "players=3,lengths=2.4.6.8.6.4.2,sharing=no-rest",
    "players=4,lengths=1.1.1.2.2.2.2.2.2.2.2.2.1.1.1,runners=4,early",
)
ANSWER = Packer(ANSWER_FIELDS)
NAMES = [name for name, kind, *_ in ANSWER_FIELDS if kind == "f8"]

# bits, since JSON has no infinity
ASK = """({ given, positions, names }) => {
  const game = newGame(given), bits = new DataView(new ArrayBuffer(8));
  const bitsOf = (number) => {
    bits.setFloat64(0, number);
    return bits.getBigUint64(0).toString(16);
  };
  return positions.map((position) => {
    game.write("position", position);
    const states = game.solve();
    game.look();
    game.lookAhead(0);
    const answer = Object.values(game.read("answer", names)).flat().map(bitsOf);
    const rolls = game.lookAtRolls();
    return [states, answer, rolls.map(({ worth, columns, stops }) => [worth, columns, stops])];
  });
}"""


def by_python(instance: GameInstance, position: Position) -> list[Any]:
    """What a page finds."""
    instance.solve(position, whole=False)
    instance.call("look")
    instance.call("look_ahead", AT_BEST)
    found = ANSWER.unpack(instance.read(instance.call("answer_record"), ANSWER.size))
    numbers = [found[name] for name in NAMES]
    flat = [one for each in numbers for one in (each if isinstance(each, tuple) else (each,))]
    return [
        instance.states,
        [format(struct.unpack(">Q", struct.pack(">d", one))[0], "x") for one in flat],
        [
            [worth, list(columns), stops]
            for worth, columns, stops in instance.look_at_rolls(position)
        ],
    ]


def compare(pages: dict[str, Any], rules: Rules, count: int) -> None:
    """Print a line about some rules."""
    evaluator: Any = best_evaluator(rules)
    positions = [
        one for one in random_positions(rules, count, seed=5) if one.legal_moves or one.may_roll
    ]
    asked = {
        "given": game_for(rules, evaluator),
        "positions": [record_of(position) for position in positions],
        "names": NAMES,
    }
    instance = GameInstance(rules)
    instance.use(evaluator.numbers(rules))
    due = [by_python(instance, position) for position in positions]
    due = json.loads(json.dumps(due))
    for name, page in pages.items():
        found = page.evaluate(ASK, asked)
        same = sum(one == other for one, other in zip(found, due, strict=True))
        print(f"{rules}: {name} and Python agree at {same} of {len(due)} positions", flush=True)


def main() -> None:
    """Compare by all rules."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=100)
    given = parser.parse_args()
    with firefox_page() as firefox, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=which("chromium") or "/usr/bin/chromium", args=["--no-sandbox"]
        )
        pages: dict[str, Any] = {"Chromium": chromium.new_page()}
        if firefox is not None:
            pages["Firefox"] = firefox
        for page in pages.values():
            load_engine(page)
        for text in RULES:
            compare(pages, Rules.parse(text), given.positions)
        chromium.close()


if __name__ == "__main__":
    main()
