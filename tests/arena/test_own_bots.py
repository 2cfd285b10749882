"""Bots that are objects and classes of the program that lets them compete."""

import re
from pathlib import Path

import pytest

from cantstop import InvalidText, Move, Position, compete
from cantstop.arena import Plan
from cantstop.arena.pools import LocalPool
from cantstop.arena.report import report
from cantstop.bots import BotFailure, bot_named
from cantstop.bots.simple import CountingBot
from cantstop.language import Translator


def two_moves() -> CountingBot:
    """A bot whose class nobody can import: it is made in here, as one in a notebook is."""

    class Mine(CountingBot):
        def stop(self, position: Position, moves: int) -> bool:
            return super().stop(position, moves)

        def choose(self, position: Position, moves: int) -> Move:
            return super().choose(position, moves)

    return Mine("mine", 2)


def test_an_object_plays_as_the_bot_that_it_decides_like() -> None:
    own = compete([two_moves(), "bold"], games=60, seed=5)
    named = compete(["careful", "bold"], games=60, seed=5)
    assert own.wins == named.wins
    assert own.per_game("rolls") == named.per_game("rolls")
    assert own.plan.bots == ("mine", "bold")


def test_a_subclass_of_ours_decides_for_itself() -> None:
    class Never(CountingBot):
        def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
            return moves >= 6

    results = compete([Never("patient", 2), "careful"], games=40, seed=3)
    careful = compete(["careful", "careful"], games=40, seed=3)
    assert results.per_game("rolls") != careful.per_game("rolls")


def test_objects_of_our_own_classes_play_compiled_games() -> None:
    own = compete([bot_named("careful:3"), "bold"], games=60, seed=5)
    assert own.wins == compete(["careful:3", "bold"], games=60, seed=5).wins


def test_two_objects_of_one_class_are_two_bots() -> None:
    plan = Plan.of([two_moves(), two_moves(), "careful"], games=6)
    assert plan.bots == ("mine", "mine 2", "careful")
    assert Plan.of(["mine 2", two_moves(), two_moves()], games=6).bots == (
        "mine 2",
        "mine",
        "mine 3",
    )


def test_a_bot_that_raises_ends_the_match_and_says_why() -> None:
    class Broken(CountingBot):
        def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
            raise RuntimeError("no idea")

    with pytest.raises(BotFailure, match=r"“broken” failed .*RuntimeError: no idea") as failure:
        compete([Broken("broken", 1), "careful"], games=4, seed=1)
    assert isinstance(failure.value.__cause__, RuntimeError)


def test_objects_cannot_be_resumed_and_plans_have_their_own_games(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="cannot be resumed from a file"):
        compete([two_moves(), "careful"], games=4, file=tmp_path / "kept.json")
    with pytest.raises(InvalidText, match="has its own games"):
        compete(Plan.of(["careful", "bold"], games=4), games=5)


def test_a_pool_of_many_threads_keeps_objects_in_this_process() -> None:
    results = compete([two_moves(), "bold"], pool=LocalPool(3), games=60, seed=5)
    assert results.wins == compete(["careful", "bold"], games=60, seed=5).wins


def test_results_are_short_in_a_shell_and_a_report_in_print() -> None:
    match = compete(["careful", "bold"], games=100, seed=7)
    careful, bold = match.wins
    assert repr(match) == (
        f"<Results v1,players=2, 100 games: careful {careful:.0f} won, bold {bold:.0f} won>"
    )
    assert str(match) == "\n".join(report(Translator(), match))
    alone = repr(compete(["careful"], games=100, seed=7))
    assert re.fullmatch(r"<Results v1,players=1, 100 games: careful \d+\.\d\d turns>", alone)
