"""Bots of two functions: at the kernel's speed, and by the rules."""

from collections.abc import Iterator
from typing import Any

import pytest

from cantstop.arena import Plan, compete
from cantstop.arena.plan import seatings_of
from cantstop.arena.pools import LocalPool
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import BotFailure, any_bot, bot_named
from cantstop.bots.compiled import CompiledBot, compiled_bots, record_of
from cantstop.bots.external import ExternalBot
from cantstop.rules import IllegalAction, Position, Rules, Sharing

MODULE = '''
from numba import njit
from cantstop.bots.compiled import CompiledBot

def longest(rules, position):
    """Like careful: the first of the moves whose columns are longest together."""
    best, most = 0, 0
    for index in range(position.move_count):
        length = rules.tops[position.moves[index, 0]] + rules.tops[position.moves[index, 1]]
        if length > most:
            best, most = index, length
    return best

@njit
def enough(rules, position):
    return position.moves_made >= 2 or position.topped > 0

careful = CompiledBot(longest, enough)
cheat = CompiledBot(lambda rules, position: 17, enough)
endless = CompiledBot(longest, lambda rules, position: False)
'''


@pytest.fixture(scope="module", autouse=True)
def module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "fast_bots.py").write_text(MODULE, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield


def results(bots: Any, rules: Rules | None = None, games: int = 40) -> Any:
    return compete(Plan.of(bots, games=games, rules=rules, seed=5), pool=LocalPool(1))


@pytest.mark.parametrize("rules", [Rules(), Rules(sharing=Sharing.LEAPFROG, early=True)])
def test_two_functions_play_what_the_built_in_bot_plays(rules: Rules) -> None:
    ours = results(["careful", "bold"], rules, 400).matches[0].totals
    assert results(["fast_bots:careful", "bold"], rules, 400).matches[0].totals == ours


def test_they_decide_alike_in_the_kernel_and_by_the_rules() -> None:
    names = ("fast_bots:careful", "bold")
    games = ReferenceGames(Rules(), [any_bot(name) for name in names], 5)
    assert compiled_bots(names) is not None
    due = results(names, games=20).matches[0].totals
    assert games.play(seatings_of(names), 0, 20) == due


def test_a_move_that_there_is_not_ends_the_match_with_a_reason() -> None:
    with pytest.raises(BotFailure, match=r"“fast_bots:cheat” failed: it named a move that does"):
        results(["fast_bots:cheat", "careful"])


def test_by_the_rules_a_move_that_there_is_not_is_an_error() -> None:
    with pytest.raises(
        IllegalAction, match="no legal move number 17: they are numbered from 0 to 2"
    ):
        any_bot("fast_bots:cheat").choose(Position.parse("v1,players=2 -/- 1 - 2345"), 0)


def test_a_game_that_would_not_end_is_given_up() -> None:
    match = results(["fast_bots:endless"], games=1).matches[0]
    assert (match.unfinished, match.wins) == (1, [0])
    assert match.turns_per_game.mean == 10_000


def test_bots_without_a_compiled_form_say_so() -> None:
    assert record_of(ExternalBot(("true",))) is None
    assert record_of(bot_named("careful")) is not None
    assert isinstance(getattr(any_bot("fast_bots:careful"), "player", None), CompiledBot)
