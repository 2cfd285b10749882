"""Bots that a user brings along."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cantstop.bots import BOTS, BotFailure, any_bot, bot_named, register_bot
from cantstop.rules import InvalidRules, InvalidText, Position, Rules

CHOOSING = Position.parse("v1,players=2 -/- 1 - 2345")
STOPPING = Position.parse("v1,players=2 -/- 1 6:1,8:1 -")

MODULE = """
class Sprinter:
    def choose(self, position, moves):
        return max(position.legal_moves, key=sum)
    def stop(self, position, moves):
        return moves >= 4

class Picky(Sprinter):
    def check(self, rules):
        from cantstop.rules import InvalidRules
        if rules.players > 1:
            raise InvalidRules("solo only")

class Mute:
    def choose(self, position, moves):
        return position.legal_moves[0]

class Broken:
    def __init__(self):
        raise RuntimeError("two\\nlines")

ready_made = Sprinter()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module of one's own in the folder where one stands."""
    (tmp_path / "own_bots.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("own_bots", None)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test registers is forgotten afterwards."""
    monkeypatch.setattr("cantstop.bots.registry.BOTS", BOTS)
    before = dict(BOTS)
    yield
    BOTS.clear()
    BOTS.update(before)


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize("text", ["own_bots:Sprinter", "own_bots:ready_made"])
def test_a_class_or_an_object_of_a_module_plays(text: str) -> None:
    bot = any_bot(text)
    assert bot.name == text
    assert bot.choose(CHOOSING, 0) == (5, 9)
    assert [bot.stop(STOPPING, moves) for moves in (3, 4)] == [False, True]
    bot.check(Rules())


@pytest.mark.usefixtures("module")
def test_a_bot_of_ones_own_may_refuse_rules() -> None:
    any_bot("own_bots:Picky").check(Rules(players=1))
    with pytest.raises(InvalidRules, match="solo only"):
        any_bot("own_bots:Picky").check(Rules(players=2))


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no_such_module:Bot", "ModuleNotFoundError"),
        ("own_bots:Nobody", "AttributeError"),
        ("own_bots:Mute", "it has no method “stop”"),
        ("own_bots:", "There is no bot “own_bots:”"),
        ("own bots:Sprinter", "There is no bot"),
    ],
)
def test_what_cannot_be_loaded_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InvalidText, match=said) as error:
        any_bot(text)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("module")
def test_own_code_that_raises_while_it_is_loaded_is_a_failure_with_its_traceback() -> None:
    with pytest.raises(BotFailure, match="own_bots:Broken” failed: RuntimeError: two lines") as bad:
        any_bot("own_bots:Broken")
    assert isinstance(bad.value.__cause__, RuntimeError)
    first, place, *_, last = bad.value.details
    assert first == "Traceback (most recent call last):"
    assert "own_bots.py" in place  # none of our own lines, and none of the import's
    assert last == "lines"


@pytest.mark.usefixtures("module")
def test_the_folder_one_stands_in_is_searched_only_while_loading() -> None:
    before = list(sys.path)
    any_bot("own_bots:Sprinter")
    assert sys.path == before


@pytest.mark.parametrize("text", ["careful", "careful:3", "CAREFUL:3"])
def test_our_own_bots_come_first(text: str) -> None:
    assert any_bot(text).name == bot_named(text).name


@pytest.mark.parametrize("text", ["own_bots:Sprinter", "program:perl"])
def test_whoever_only_names_bots_cannot_run_code(text: str) -> None:
    with pytest.raises(InvalidText, match="There is no bot"):
        bot_named(text)


@pytest.mark.usefixtures("module", "registered")
def test_a_registered_bot_can_be_named_by_everybody() -> None:
    register_bot("sprinter=own_bots:Sprinter")
    assert bot_named("sprinter").choose(CHOOSING, 0) == (5, 9)
    assert bot_named("sprinter").name == "sprinter"
    with pytest.raises(InvalidText, match="“sprinter” takes no number"):
        bot_named("sprinter:3")


@pytest.mark.usefixtures("module", "registered")
@pytest.mark.parametrize(
    "text", ["sprinter", "=own_bots:Sprinter", "Big=own_bots:Sprinter", "careful=own_bots:Sprinter"]
)
def test_a_bot_is_registered_under_a_new_plain_name(text: str) -> None:
    with pytest.raises(InvalidText, match="does not name a bot"):
        register_bot(text)
