"""A browser runs the engine's module as Python does: the same bits at every position."""

from base64 import b64encode
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser

from cantstop.engine import module as modules
from cantstop.engine import value_model
from cantstop.engine.evaluators.value import Family
from cantstop.engine.module import AT_BEST, GameInstance
from cantstop.kernel.fields import (
    POSITION_FIELDS,
    RULES_FIELDS,
    Packer,
    position_values,
    rules_values,
)
from cantstop.rules import Position, Rules
from engine.random_positions import random_positions

RULES, POSITION = Packer(RULES_FIELDS), Packer(POSITION_FIELDS)

ANSWER_BYTES = 8 * 15 + 7
"""Doubles, then bytes: as docs/engine-module.md tells."""

ASK = """async ({ module, rules, network, units, positions, size }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes(module));
  const engine = instance.exports;
  const put = (data, address) => new Uint8Array(engine.memory.buffer).set(data, address);
  const hex = (address, count) =>
    [...new Uint8Array(engine.memory.buffer, address, count)]
      .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  put(bytes(rules), engine.rules_record());
  engine.begin_game_of();
  const data = bytes(network);
  const address = engine.reserve_input(data.length);
  put(data, address);
  engine.use_value_network(address, units);
  return positions.map((position) => {
    put(bytes(position), engine.position_record());
    const states = engine.solve(0);
    engine.look();
    engine.look_ahead(0);
    const rolls = engine.look_at_rolls();
    return [
      states,
      hex(engine.answer_record(), size),
      hex(engine.roll_worths(), 8 * rolls),
      hex(engine.roll_moves(), 3 * rolls),
    ];
  });
}"""


def by_python(instance: GameInstance, position: Position) -> list[Any]:
    instance.solve(position, whole=False)
    instance.call("look")
    instance.call("look_ahead", AT_BEST)
    rolls = instance.call("look_at_rolls")
    return [
        instance.states,
        instance.read(instance.call("answer_record"), ANSWER_BYTES).hex(),
        instance.read(instance.call("roll_worths"), 8 * rolls).hex(),
        instance.read(instance.call("roll_moves"), 3 * rolls).hex(),
    ]


@pytest.mark.parametrize("rules", ["players=2", "players=3,early", "players=4,sharing=leapfrog"])
def test_a_browser_finds_the_same_bits(browser: Browser, rules: str) -> None:
    game = Rules.parse(rules)
    positions = [p for p in random_positions(game, 24, seed=9) if p.legal_moves or p.may_roll]
    network = value_model().networks[Family(game.players, game.sharing)]
    content = (files("cantstop.engine") / modules.NAME).read_bytes()
    page = browser.new_page()
    found = page.evaluate(
        ASK,
        {
            "module": b64encode(content).decode(),
            "rules": b64encode(RULES.pack(rules_values(game))).decode(),
            "network": b64encode(network.data).decode(),
            "units": network.units,
            "positions": [
                b64encode(POSITION.pack(position_values(position, 0))).decode()
                for position in positions
            ],
            "size": ANSWER_BYTES,
        },
    )
    page.close()
    instance = GameInstance(game)
    value_model().set_up(game, instance)
    assert found == [by_python(instance, position) for position in positions]
