"""Verifying a record: its rules by replay, its dice by its seed or seal."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cantstop import (
    Busted,
    Game,
    IllegalAction,
    Moved,
    Phase,
    Record,
    Rolled,
    Rules,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
    Stopped,
    Verification,
    VerificationError,
    read_record,
    record_text,
    verify,
)
from cantstop.dice import commitment

SECRET = bytes(range(32))
SEALED = SealedDice(Seal("kitchen", commitment(SECRET), ("anne", "bob")), SECRET)
SEEDED = SeededDice(2026)


def played_with(dice: SeededDice | SealedDice, turns: int = 4) -> Record:
    """A game from these dice, whose players stop after their first move."""
    game = Game(Rules.parse("start=roll-off"))
    while game.turn <= turns:
        match game.phase:
            case Phase.BUST:
                game.push(Busted())
            case Phase.MOVE:
                game.push(Moved(game.legal_moves[0]))
            case Phase.CHOICE:
                game.push(Stopped())
            case _:
                game.push(Rolled(dice.roll(game.rolls + 1, game.position.dice_to_roll)))
    return Record(game.start, ("Anne", "Bob"), game.events, dice=dice)


@pytest.mark.parametrize("dice", [SEEDED, SEALED], ids=["seeded", "sealed"])
def test_the_right_seed_or_secret_verifies(dice: Any) -> None:
    record = read_record(record_text(played_with(dice)))
    rolls = record.game().rolls
    scheme = 1 if dice is SEALED else None
    assert verify(record) == Verification(
        turns=5, rolls=rolls, dice_checked=True, outcome=None, scheme=scheme
    )


@pytest.mark.parametrize(("dice", "kind"), [(SEEDED, "seed"), (SEALED, "seal")])
def test_a_changed_roll_is_named(dice: Any, kind: str) -> None:
    record = played_with(dice)
    number = [isinstance(event, Rolled) for event in record.events].index(True, 2)
    rolled = record.events[number]
    assert isinstance(rolled, Rolled)
    turned = Rolled(rolled.dice[::-1])  # the same dice, but they fell in another order
    assert turned != rolled
    events = (*record.events[:number], turned, *record.events[number + 1 :])
    count = sum(isinstance(event, Rolled) for event in events[: number + 1])
    with pytest.raises(VerificationError) as caught:
        verify(replace(record, events=events))
    shown, due = ("".join(map(str, each.dice)) for each in (turned, rolled))
    assert str(caught.value) == (
        f"Roll {count} is {shown} in the record, but its {kind} gives {due}."
    )


def test_another_seed_is_found_out_at_the_first_roll() -> None:
    with pytest.raises(VerificationError, match=r"^Roll 1 is \d\d in the record, but its seed"):
        verify(replace(played_with(SEEDED), dice=SeededDice(2027)))


def test_another_salt_is_found_out() -> None:
    seal = replace(SEALED.seal, salts=("anne", "bert"))
    with pytest.raises(VerificationError, match="but its seal gives"):
        verify(replace(played_with(SEALED), dice=SealedDice(seal, SECRET)))


def test_a_secret_that_was_not_committed_to_is_found_out_before_any_roll() -> None:
    other = SealedDice(SEALED.seal, SECRET[::-1])
    with pytest.raises(VerificationError, match="not the one that its commitment 630dcd2966c4… st"):
        verify(played_with(other))


@pytest.mark.parametrize("dice", [SEALED.seal, SecureDice(), None], ids=["seal", "secure", "none"])
def test_where_there_is_nothing_to_check_against_only_the_rules_are_checked(dice: Any) -> None:
    record = replace(played_with(SEALED), dice=dice)
    verification = verify(record)
    assert not verification.dice_checked
    assert verification.turns == 5
    (row,) = verification.rows()
    assert (row["turns"], row["dice_checked"]) == (5, False)


def test_the_rules_are_checked_by_replay() -> None:
    record = played_with(SEEDED)
    with pytest.raises(IllegalAction, match="A turn cannot be stopped before its first move"):
        verify(replace(record, events=(Stopped(), *record.events)))


@pytest.mark.parametrize("bot", ["bot:rule-of-28-program", "bot:rule-of-28-simple:24"])
def test_a_record_with_a_bot_that_is_gone_still_reads_and_verifies(bot: str) -> None:
    text = (Path(__file__).parents[1] / "golden" / "classic-two.cantstop").read_text("utf-8")
    record = read_record(text.replace('[Seat2 "Zoë"]', f'[Seat2 "{bot}"]'))
    assert record.names == ("Ada", bot)
    assert verify(record).dice_checked
