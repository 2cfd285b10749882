"""Records of daily games: read, written, and checked before and after their key is revealed."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from cantstop import (
    CantStopError,
    Game,
    Record,
    RecordError,
    VerificationError,
    read_record,
    record_text,
    verify,
)
from cantstop.daily import daily_result
from cantstop.dice import DailyDice, day_key
from cantstop.rules import Phase, Rolled

SECRET = bytes(range(32))
DAY = date(2026, 11, 15)
Run = Callable[..., tuple[int, str, str]]


def whole_game(dice: DailyDice, moves: int = 2) -> Record:
    """A game with a fixed number of moves in each turn."""
    game = Game(players=1)
    while game.outcome is None:
        if game.phase is Phase.MOVE:
            game.move(game.legal_moves[0])
        elif game.moves_in_turn >= moves:
            game.stop()
        else:
            game.roll(dice.roll_in_turn(game.turn, game.moves_in_turn + 1))
    return Record(game.start, ("Anne",), game.events, dice=dice)


@pytest.fixture(scope="module")
def record() -> Record:
    return whole_game(DailyDice.of(SECRET, DAY))


@pytest.fixture(scope="module")
def sealed(record: Record) -> Record:
    """The same before its key is revealed."""
    assert isinstance(record.dice, DailyDice)
    return replace(record, dice=record.dice.seal)


def test_both_read_back_as_they_were_written(record: Record, sealed: Record) -> None:
    for one in (record, sealed):
        assert read_record(record_text(one)) == one
        assert '[Day "2026-11-15"]' in record_text(one)
    assert "Secret" not in record_text(sealed)


def test_no_other_game_has_the_dice_of_a_day(record: Record, sealed: Record) -> None:
    two = Game(players=2)
    for dice in (record.dice, sealed.dice):
        with pytest.raises(CantStopError, match="for the official solo game, from its start"):
            Record(two.start, ("Anne", "Bob"), dice=dice)


def test_every_roll_is_checked_once_the_key_is_there(record: Record, sealed: Record) -> None:
    before, after = verify(sealed), verify(record)
    assert (before.day, before.dice_checked) == (DAY, False)
    assert (after.day, after.dice_checked) == (DAY, True)
    assert after.turns == before.turns
    result = daily_result(record.events)
    assert result is not None
    assert result.turns == after.turns == len(result.letters)


def test_any_roll_of_another_days_dice_is_found(record: Record) -> None:
    other = DailyDice.of(SECRET, date(2026, 11, 16))
    with pytest.raises(VerificationError, match=r"Roll 1 is .* gives"):
        verify(replace(record, dice=other))
    assert isinstance(record.dice, DailyDice)
    with pytest.raises(VerificationError, match="is not the one that the commitment"):
        verify(replace(record, dice=replace(record.dice, key=other.key)))


def test_a_game_with_better_dice_does_not_pass(record: Record) -> None:
    """Whoever forges a record has to change a roll."""
    assert isinstance(record.dice, DailyDice)
    better = Game(players=1)
    for _ in range(3):
        better.roll("6611")
        better.move("2+12")
    better.stop()
    forged = replace(record, events=better.events)
    with pytest.raises(VerificationError):
        verify(forged)


def test_dice_of_a_day_are_for_the_official_game_of_one(record: Record) -> None:
    text = record_text(record)
    for wrong in (
        text.replace("v1,players=1", "v1,players=1,win=4"),
        re.sub(r'\[Day "[^"]+"\]', '[Day "15 Nov"]', text),
        re.sub(r'\[Day "[^"]+"\]\n', "", text),
        re.sub(r'\[Commitment "[^"]+"\]', '[Commitment "0"]', text),
        re.sub(r'\[Secret "[^"]+"\]', '[Secret "0"]', text),
    ):
        with pytest.raises(CantStopError) as refused:
            read_record(wrong)
        assert isinstance(refused.value, RecordError)
        assert str(refused.value).count("\n") == 0


def test_the_command_checks_them_with_the_key_in_the_record_or_given(
    run: Run, fails: Callable[..., str], tmp_path: Path, record: Record, sealed: Record
) -> None:
    file, early = tmp_path / "game.cantstop", tmp_path / "early.cantstop"
    file.write_text(record_text(record), "utf-8")
    early.write_text(record_text(sealed), "utf-8")
    key = day_key(SECRET, DAY).hex()
    fixed = "Dice: every roll is the one that was fixed for everybody before 15 Nov 2026."
    assert fixed in run("verify", str(file))[1]
    code, out, _ = run("verify", str(early))
    assert code == 0
    assert "Dice: those of 15 Nov 2026 cannot be checked yet." in out
    assert fixed in run("verify", str(early), "--key", key)[1]
    (told,) = json.loads(run("verify", str(early), "--key", key, "--json")[1])
    assert (told["day"], told["dice_checked"]) == ("2026-11-15", True)
    wrong = day_key(SECRET, date(2026, 11, 16)).hex()
    assert "is not the one that the commitment" in fails(
        "verify", str(early), "--key", wrong, code=1
    )
    assert "is not a key" in fails("verify", str(early), "--key", "secret")
    golden = next((Path(__file__).parents[1] / "golden").glob("*.cantstop"))
    assert "this is not one" in fails("verify", str(golden), "--key", key)


def test_a_roll_in_the_record_is_where_its_turn_says(record: Record) -> None:
    """Rolls are numbered from 1 in every turn: one that is left out moves no other turn's dice."""
    first_of_turn_two = next(
        event.dice
        for before, event in zip(record.game().positions, record.events, strict=False)
        if isinstance(event, Rolled) and any(before.tokens.spaces[0])
    )
    dice = DailyDice.of(SECRET, DAY)
    assert first_of_turn_two in {dice.roll_in_turn(turn, 1) for turn in range(2, 12)}
