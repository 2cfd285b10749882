"""``cantstop verify``: the rules and the dice of a finished game."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated

from cantstop.cli.options import (
    GameNumber,
    Json,
    Lang,
    chosen,
    echo,
    print_json,
    read_text,
    translator,
)
from cantstop.cli.parser import Argument, Option
from cantstop.daily import day_text
from cantstop.dice import DailyDice, DaySeal
from cantstop.language import Translator, name_text, turns_text
from cantstop.record import (
    Record,
    RecordError,
    Verification,
    VerificationError,
    each_record,
    read_records,
)
from cantstop.record import verify as verify_record
from cantstop.rules import IllegalAction, InvalidText
from cantstop.wire.reports import VerificationReport


def verify(
    record: Annotated[str, Argument(metavar="RECORD", help="A record file, or - for stdin.")],
    key: Annotated[
        str | None,
        Option(
            metavar="KEY", help="The key of a daily game, which its server shows after the day."
        ),
    ] = None,
    game: GameNumber = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check a record: the moves against the rules, the rolls against their seal, seed or day's key.

    In a file with many records all are checked, or the one that --game selects.

    If anything does not hold, it says where, and ends with exit code 1. What cannot be read ends
    with exit code 2.

    Example: cantstop verify game.cantstop
    """
    words, cut = translator(lang), None
    lines: list[str] = []
    reports: list[VerificationReport] = []
    revealed = None if key is None else _read_key(key)
    for number, found in enumerate(_records(read_text(record), game), 1):
        one = found if revealed is None else _with_key(found, revealed)
        verification, cut = verify_record(one), one.cut
        if json:
            reports.append(_report(one, verification))
        else:
            block = [_heading(words, number, one), *_lines(words, one, verification)]
            lines += [*([""] if lines else []), *block]
    if lines and number == 1:
        del lines[0]  # of one game everybody knows which it is
    if json:
        print_json(reports)
    elif lines:
        echo("\n".join(lines))
    if cut is not None:
        raise cut


def _records(text: str, game: int | None) -> Iterator[Record]:
    """The records to check; what the rules forbid is not unreadable, but wrong."""
    try:
        yield from each_record(text) if game is None else [chosen(read_records(text), game)]
    except RecordError as error:
        if isinstance(error.problem, IllegalAction):
            raise VerificationError(error.template, **error.fields) from error
        raise


def _read_key(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-f]{64}", text.strip()):
        raise InvalidText("“{text}” is not a key: it takes 64 hexadecimal digits.", text=text)
    return bytes.fromhex(text.strip())


def _with_key(record: Record, key: bytes) -> Record:
    """A record that was written before its day's key was revealed, with the key."""
    match record.dice:
        case DaySeal() as seal:
            return replace(record, dice=DailyDice(seal, key))
        case DailyDice() as dice:
            return replace(record, dice=replace(dice, key=key))
        case _:
            raise InvalidText("A key is for the record of a daily game, and this is not one.")


def _names(words: Translator, record: Record, seats: Iterable[int]) -> list[str]:
    return [name_text(words, record.names[seat]) for seat in seats]


def _heading(words: Translator, number: int, record: Record) -> str:
    names = words.join(_names(words, record, range(record.rules.players)))
    return words.say("Game {number}: {names}", number=number, names=names)


def _lines(words: Translator, record: Record, verification: Verification) -> list[str]:
    lines = [
        words.say(
            "Rules: {turns} and {rolls} replayed, everything legal.",
            turns=turns_text(words, verification.turns),
            rolls=words.say_count("{count} roll", "{count} rolls", verification.rolls),
        )
    ]
    if verification.day is not None:
        lines.append(_day_line(words, verification))
    elif verification.dice_checked:
        lines.append(words.say("Dice: every roll is the one that was fixed before the game."))
        lines.extend(_salt_lines(words, record, verification))
    elif verification.dice_entered:
        lines.append(
            words.say("Dice: thrown and entered by the players, so they cannot be verified.")
        )
    else:
        lines.append(words.say("Dice: nothing to check them against."))
    if record.resigned:
        resigned = _names(words, record, record.resigned)
        lines.append(words.say("Resigned: {names}.", names=words.join(resigned)))
    lines.append(_result(words, record, verification))
    return lines


def _day_line(words: Translator, verification: Verification) -> str:
    assert verification.day is not None
    day = day_text(words, verification.day)
    if verification.dice_checked:
        return words.say(
            "Dice: every roll is the one that was fixed for everybody before {day}.", day=day
        )
    return words.say(
        "Dice: those of {day} cannot be checked yet. Download the record again once the key of "
        "that day is revealed, or give the key with --key.",
        day=day,
    )


def _result(words: Translator, record: Record, verification: Verification) -> str:
    winners = record.winners(verification.outcome)
    if winners is not None:
        names = _names(words, record, winners)
        return words.say("Result: won by {names}.", names=words.join(names))
    if record.resigned and record.ended is not None:
        return words.say("Result: the game was given up, and nobody has won.")
    return words.say("Result: the game is not over.")


def _salt_lines(words: Translator, record: Record, verification: Verification) -> Iterator[str]:
    """What the way in which the salts came about proves."""
    if verification.scheme == 1:
        yield words.say(
            "Salts: given in the open. Whoever knew the secret and gave the last one could have "
            "chosen the dice."
        )
    elif verification.scheme == 3:
        yield from _gradual_lines(words, record, verification)
    elif verification.scheme is not None:
        names = _names(words, record, verification.protected)
        yield words.say(
            "Salts: committed to by {names} before any was revealed. Nobody could steer the dice "
            "against them.",
            names=words.join(names),
        )
    if verification.redraws:
        yield words.say_count(
            "All salts were redrawn once, because a seat did not reveal its own.",
            "All salts were redrawn {count} times, because a seat did not reveal its own.",
            verification.redraws,
        )


def _gradual_lines(words: Translator, record: Record, verification: Verification) -> Iterator[str]:
    """From when on each seat of a game over days is protected, and whose salt was missing."""
    names = _names(words, record, range(record.rules.players))
    protected = [
        words.say("{name} (from roll {number} on)", name=names[seat], number=number)
        for seat, number in zip(verification.protected, verification.protected_from, strict=True)
    ]
    if protected:
        yield words.say(
            "Salts: each kept secret until its seat revealed it. Nobody could steer the dice "
            "against {seats}.",
            seats=words.join(protected),
        )
    else:
        yield words.say(
            "Salts: no player has added a secret one. The server could have chosen the dice."
        )
    for name, turns in zip(names, verification.unsalted_turns, strict=True):
        if turns:
            yield words.say(
                "{name} did not reveal their salt in time: {turns} without it.",
                name=name,
                turns=turns_text(words, turns),
            )
    if verification.lost:
        lost = [names[seat] for seat in verification.lost]
        yield words.say("Lost salts, played without: {names}.", names=words.join(lost))


def _report(record: Record, verification: Verification) -> VerificationReport:
    return VerificationReport(
        rules=str(record.rules),
        turns=verification.turns,
        rolls=verification.rolls,
        dice_checked=verification.dice_checked,
        dice_entered=verification.dice_entered,
        scheme=verification.scheme,
        protected=tuple(verification.protected),
        protected_from=tuple(verification.protected_from),
        unsalted_turns=tuple(verification.unsalted_turns),
        lost=tuple(verification.lost),
        redraws=verification.redraws,
        day=None if verification.day is None else verification.day.isoformat(),
        cut_off=record.cut is not None,
        winners=record.winners(verification.outcome),
        resigned=record.resigned,
    )
