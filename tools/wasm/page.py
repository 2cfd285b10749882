"""The engine's module in a page, by the client's own wrapper: what tests and measurements share."""

from base64 import b64encode
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

from cantstop.engine.evaluators import RaceModel, SoloModel, ValueModel
from cantstop.engine.module import NAME
from cantstop.kernel.fields import position_values, rules_values
from cantstop.rules import Position, Rules
from wasm.firefox import FirefoxPage

_LOAD = """async ({ wrapper, module }) => {
  globalThis.bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  globalThis.wrapperAddress = `data:text/javascript;base64,${wrapper}`;
  const { compileModule, GameEngine } = await import(wrapperAddress);
  const compiled = await compileModule(bytesOf(module));
  globalThis.newGame = ({ rules, numbers: { name, data, sizes } }) => {
    const game = new GameEngine(compiled, rules);
    game.use(name, bytesOf(data), sizes);
    return game;
  };
}"""


def load_engine(page: Page | FirefoxPage) -> None:
    """Let a page have the module: ``newGame`` makes an instance of what ``game_for`` tells."""
    wrapper = (files("cantstop.web") / "engine" / "module.js").read_bytes()
    module = (files("cantstop.engine") / NAME).read_bytes()
    page.evaluate(_LOAD, {"wrapper": _text(wrapper), "module": _text(module)})


def game_for(rules: Rules, evaluator: ValueModel | RaceModel | SoloModel) -> dict[str, Any]:
    """A game with what estimates it, for a page."""
    name, data, sizes = evaluator.numbers(rules)
    return {
        "rules": _plain(rules_values(rules)),
        "numbers": {"name": name, "data": _text(data), "sizes": list(sizes)},
    }


def record_of(position: Position, moves_made: int = 0) -> dict[str, Any]:
    """A position for a page."""
    return _plain(position_values(position, moves_made))


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: one if isinstance(one, int) else list(one) for name, one in values.items()}


def _text(data: bytes) -> str:
    return b64encode(data).decode()
