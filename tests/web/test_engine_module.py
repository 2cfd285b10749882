"""A browser runs the engine's module as Python does: the same bits, games and decisions."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from cantstop.bots import LADDER, Level, bot_named, play_game
from cantstop.bots.compiled import record_of as bot_record
from cantstop.engine import best_evaluator, race_model
from cantstop.engine.module import AT_BEST, ROLLING, STOPPING, GameInstance
from cantstop.rules import Moved, Position, Rolled, Rules, Stopped, ways
from engine.random_positions import random_positions
from wasm.page import game_for, load_engine, record_of

ASK = """({ given, positions }) => {
  const game = newGame(given);
  return positions.map((position) => {
    game.write("position", position);
    const states = game.solve();
    const look = game.look();
    const ahead = [0, 1, 2].map((how) =>
      how && position.move_count ? null : game.lookAhead(how));
    return { states, look, ahead, rolls: game.lookAtRolls() };
  });
}"""

PLAY = """({ given, judgement, bot, dice, first }) => {
  const game = newGame(given), told = [];
  const decide = () => {
    if (bot) return game.decide(bot);
    game.solve();
    return game.judge(judgement);
  };
  let rollOff = game.rollOff();
  for (const two of dice.filter((one) => one.length === 2))
    rollOff = game.throwForStart(rollOff, two[0] + two[1]);
  game.begin(game.starter(rollOff) ?? first);
  for (const four of dice.filter((one) => one.length === 4)) {
    const moves = game.roll(four);
    if (!moves.length) {
      game.bust();
      continue;
    }
    const move = moves.length > 1 ? decide() : 0;
    told.push(moves[move].join("+"));
    game.move(move);
    if (game.mayStop && decide()) {
      told.push("stop");
      if (game.stop()) told.push("over");
    }
  }
  return told;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page with the module."""
    page = browser.new_page()
    load_engine(page)
    yield page
    page.close()


def by_python(instance: GameInstance, position: Position) -> dict[str, Any]:
    instance.solve(position, whole=False)
    look = instance.look(position)
    hows = [AT_BEST] if position.legal_moves else [AT_BEST, STOPPING, ROLLING]
    times = list(ways(position.rules.board.sides, 4).values())
    return {
        "states": instance.states,
        "options": list(look.moves) or [look.stop, look.again],
        "then": list(map(bool, look.then)) or [look.stops],
        "worth": [look.bust, look.value],
        "ahead": [
            (list(found.worths), found.bust)
            for found in (instance.look_ahead(position, how) for how in hows)
        ],
        "rolls": [
            (ways, list(columns), stops, worth)
            for ways, (worth, columns, stops) in zip(
                times, instance.look_at_rolls(position), strict=False
            )
        ],
    }


def as_told(position: Position, found: dict[str, Any]) -> dict[str, Any]:
    look, count = found["look"], len(position.legal_moves)
    return {
        "states": found["states"],
        "options": look["moves"][:count] or [look["stop"], look["again"]],
        "then": list(map(bool, look["stops"][:count])) or [bool(look["stops_here"])],
        "worth": [look["bust"], look["value"]],
        "ahead": [(one["worths"], one["bust"]) for one in found["ahead"] if one],
        "rolls": [
            (one["ways"], one["columns"], one["stops"], one["worth"]) for one in found["rolls"]
        ],
    }


@pytest.mark.parametrize(
    "rules",
    [
        "players=2",
        "players=3,early",
        "players=4,sharing=leapfrog",
        "players=1",
        "players=2,lengths=1.3.2.9.4,runners=2",
        "players=3,lengths=2.4.6.8.6.4.2,sharing=no-rest",
        "players=4,lengths=1.1.1.2.2.2.2.2.2.2.2.2.1.1.1,runners=4,early",
    ],
)
def test_a_browser_finds_the_same_bits(page: Page, rules: str) -> None:
    game = Rules.parse(rules)
    evaluator: Any = best_evaluator(game)
    positions = [p for p in random_positions(game, 24, seed=9) if p.legal_moves or p.may_roll]
    asked = {
        "given": game_for(game, evaluator),
        "positions": [record_of(position) for position in positions],
    }
    instance = GameInstance(game)
    instance.use(evaluator.numbers(game))
    for position, found in zip(positions, page.evaluate(ASK, asked), strict=True):
        assert as_told(position, found) == by_python(instance, position), position


def played_by(page: Page, name: str, rules: str, **decides: Any) -> None:
    """Compare a whole game of a bot with itself, decision by decision."""
    game = play_game([name] * Rules.parse(rules).players, rules, dice=7).game()
    evaluator: Any = best_evaluator(game.rules)
    due = [
        str(event.move) if isinstance(event, Moved) else "stop"
        for event in game.events
        if isinstance(event, Moved | Stopped)
    ]
    given = {
        "given": game_for(game.rules, evaluator),
        "dice": [list(event.dice) for event in game.events if isinstance(event, Rolled)],
        "first": game.positions[0].seat,
        "judgement": None,
        "bot": None,
        **decides,
    }
    assert page.evaluate(PLAY, given) == [*due, "over"]


@pytest.mark.parametrize("level", LADDER, ids=lambda level: level.name)
def test_every_level_plays_the_same_game_in_a_browser(page: Page, level: Level) -> None:
    played_by(page, level.name, "players=2", judgement=asdict(level.judgement))


@pytest.mark.parametrize("rules", ["players=1", "players=4,early,sharing=leapfrog,start=roll-off"])
def test_so_does_the_champion_alone_and_among_four(page: Page, rules: str) -> None:
    played_by(page, "champion", rules, judgement=asdict(LADDER[-1].judgement))


@pytest.mark.parametrize(
    "bot", ["careful", "bold:3", "rule-of-28", "glenn-linear", "max-expected-progress"]
)
def test_the_simple_bots_play_the_same_game_in_a_browser(page: Page, bot: str) -> None:
    record = bot_record(bot_named(bot))
    assert record is not None
    fields = {name: record[0][name].reshape(-1).tolist() for name in record.dtype.names or ()}
    played_by(page, bot, "players=3,sharing=no-rest", bot=fields)


def test_a_board_that_is_too_large_is_refused(page: Page) -> None:
    rules = Rules.parse(f"players=2,lengths={'.'.join(['60'] * 39)},runners=9")
    told = page.evaluate(
        """async ([wrapper, given]) => {
          const { TooLarge } = await import(wrapper);
          try {
            newGame(given);
          } catch (error) {
            return error instanceof TooLarge;
          }
        }""",
        [page.evaluate("wrapperAddress"), game_for(rules, race_model())],
    )
    assert told is True


def test_a_module_of_another_version_is_refused(page: Page) -> None:
    told = page.evaluate(
        """async (wrapper) => {
          const { compileModule, BadModule } = await import(wrapper);
          const refused = [];
          for (const bytes of [[], [0, 97, 115, 109], [0, 97, 115, 109, 1, 0, 0, 0]])
            await compileModule(new Uint8Array(bytes)).catch((error) =>
              refused.push(error instanceof BadModule));
          return refused;
        }""",
        page.evaluate("wrapperAddress"),
    )
    assert told == [True, True, True]
