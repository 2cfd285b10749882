"""Whole games by key presses: whatever the keys do is what the record says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app_player import controller_of, use_app
from cantstop.dice import SeededDice
from cantstop.game import Game
from cantstop.record import read_record
from cantstop.rules import Phase
from cantstop.terminal.local_game import LocalGame, LocalSeat
from people import RiggedDice, golden, local_game, typed

ONE_OF_EACH = (
    "classic-two",
    "trademark-three",
    "ravensburger-all-variants",
    "asmodee-leapfrog",
    "solo-small",
)


FEW = 14
"""Events at either end of a game: throwing for the start and several turns, or the last ones."""


def people_with_dice_of(record: Any, done: int) -> Any:
    """The table of a record after ``done`` events, with people on all seats and the same dice."""
    rolls = [event.dice for event in record.events if hasattr(event, "dice")]
    names = [f"P{number}" for number in range(1, record.rules.players + 1)]
    dice = RiggedDice(tuple("".join(map(str, r)) for r in rolls), record.rules.board.sides)
    table = local_game(record.start, *names, dice=dice)
    return replace(table, game=Game.replay(record.start, record.events[:done]))


KEYS = {"roll": "r", "stop": "s"}


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_game_of_every_edition_begins_and_ends_by_keys(tmp_path: Path, name: str) -> None:
    record = golden(name)

    async def play(somebody: Any, to: int) -> None:
        done = len(somebody.game.events)
        for answer in typed(somebody.game.position, record.events[done:to]):
            await somebody.wait_until(lambda: somebody.game.phase is not Phase.BUST)
            await somebody.press_fast(KEYS.get(answer, answer))

    async def begin(somebody: Any) -> None:
        await play(somebody, FEW)

    async def end(somebody: Any) -> None:
        await play(somebody, len(record.events))
        await somebody.wait_until(lambda: somebody.game.outcome is not None)
        await somebody.pilot.pause()
        assert "win" in somebody.text("#status") or "finished" in somebody.text("#status")

    app = use_app(begin, tmp_path, people_with_dice_of(record, 0))
    begun = controller_of(app).local.game.events
    assert begun == record.events[: len(begun)]
    assert len(begun) >= FEW
    app = use_app(end, tmp_path, people_with_dice_of(record, len(record.events) - FEW))
    assert controller_of(app).local.game.events == record.events


def test_a_solo_game_is_compared_with_best_play_when_it_is_over(tmp_path: Path) -> None:
    record = golden("solo")  # nine turns
    last = Game.replay(record.start, record.events[:-1])
    assert isinstance(record.dice, SeededDice)

    async def stop(somebody: Any) -> None:
        await somebody.press("s")
        assert "this game took 2.3 more" in somebody.sentence("#status")

    use_app(stop, tmp_path, LocalGame(last, (LocalSeat.parse("Ada"),), record.dice))


def test_bots_play_a_game_by_themselves(tmp_path: Path) -> None:
    async def watch(somebody: Any) -> None:
        await somebody.wait_until(lambda: somebody.game.outcome is not None)

    start = golden("small-board").start
    app = use_app(watch, tmp_path, local_game(start, "bot:careful", "bot:bold"))
    assert controller_of(app).local.game.outcome is not None


def test_what_happened_is_in_the_file_all_along(tmp_path: Path) -> None:
    local = local_game("v1,players=2 -/- 1 - -", "Anne", "Bob", dice="2345 1122")

    async def play(somebody: Any) -> None:
        for key in ("r", "1", "r"):
            await somebody.press(key)
            (file,) = tmp_path.iterdir()
            assert read_record(file.read_text("utf-8")).events == local.game.events

    use_app(play, tmp_path, local)


def test_a_saved_game_is_resumed_where_it_was_and_goes_on_in_its_file(tmp_path: Path) -> None:
    local = local_game("v1,players=2 -/- 1 - -", "Anne", "Bob", dice="2345")

    async def begin(somebody: Any) -> None:
        await somebody.press("r", "1", "s", "q")

    use_app(begin, tmp_path, local)
    (file,) = tmp_path.iterdir()
    saved = read_record(file.read_text("utf-8"))

    async def go_on(somebody: Any) -> None:
        assert somebody.game.position == local.game.position
        assert "Bob" in somebody.text("#status")
        await somebody.press("r", "1", "q")

    use_app(go_on, tmp_path, LocalGame.from_record(saved), file=file)
    later = read_record(file.read_text("utf-8"))
    assert later.events[: len(saved.events)] == saved.events
    assert len(later.events) == len(saved.events) + 2
