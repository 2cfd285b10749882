"""Records as text that a person can read and edit. docs/notation.md has the grammar."""

from collections.abc import Iterable, Iterator

from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
)
from cantstop.game import Game
from cantstop.record.notes import Comment
from cantstop.record.record import FORMAT_VERSION, Record, RecordedDice, check_is_record
from cantstop.rules import (
    Busted,
    Event,
    Moved,
    Outcome,
    Position,
    Rolled,
    Stopped,
    dice_text,
)


def record_text(record: Record) -> str:
    """A record as text, which is its ``str``; ``read_record`` gives the same record back.

    >>> print(record_text(Record.of(Game(), ["Anne", "Bob"])).splitlines()[1])
    [Rules "v1,players=2"]
    """
    check_is_record(record)
    game = record.game()
    headers = [f"[{key} {_quoted(value)}]" for key, value in _headers(record)]
    return "\n".join([*headers, "", *_turns(record, game), result_text(game.outcome), ""])


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    yield "Cantstop", str(FORMAT_VERSION)
    yield "Rules", str(record.rules)
    if record.start != Position.initial(record.rules):
        yield "Position", str(record.start)
    if record.edition is not None:
        yield "Edition", record.edition
    if record.date is not None:
        yield "Date", record.date
    for seat, name in enumerate(record.names, 1):
        yield f"Seat{seat}", name
    if record.ended is not None:
        yield "Ended", record.ended
    if record.hints:
        yield "Hints", ",".join(str(seat + 1) for seat in record.hints)
    if record.resigned:
        yield "Resigned", ",".join(str(seat + 1) for seat in record.resigned)
    yield from _dice_headers(record.dice)


def _dice_headers(dice: RecordedDice | None) -> Iterator[tuple[str, str]]:
    match dice:
        case SecureDice():
            yield "Dice", "secure"
        case EnteredDice():
            yield "Dice", "entered"
        case SeededDice(seed):
            yield "Dice", "seeded"
            yield "Seed", str(seed)
        case SealedDice(seal, secret):
            yield from _seal_headers(seal)
            yield "Secret", secret.hex()
        case DailyDice(seal, key):
            yield from _dice_headers(seal)
            yield "Secret", key.hex()
        case DaySeal(day, commitment):
            yield "Dice", "daily"
            yield "Day", day.isoformat()
            yield "Commitment", commitment
        case Seal():
            yield from _seal_headers(dice)
        case GradualDice(seal, secret):
            yield from _dice_headers(seal)
            yield "Secret", secret.hex()
        case GradualSeal():
            yield from _gradual_headers(dice)


def _seal_headers(seal: Seal) -> Iterator[tuple[str, str]]:
    yield "Dice", "sealed"
    if seal.scheme != 1:
        yield "Scheme", str(seal.scheme)
    if seal.redraws:
        yield "Redraws", str(seal.redraws)
    yield "Table", seal.table
    yield "Commitment", seal.commitment
    for seat, text in enumerate(seal.salt_commitments, 1):
        if text is not None:
            yield f"Commitment{seat}", text
    for seat, salt in enumerate(seal.salts, 1):
        yield f"Salt{seat}", salt


def _gradual_headers(seal: GradualSeal) -> Iterator[tuple[str, str]]:
    yield "Dice", "sealed"
    yield "Scheme", "3"
    yield "Table", seal.table
    yield "Commitment", seal.commitment
    numbered = tuple(enumerate(seal.seats, 1))
    for number, seat in numbered:
        if seat.promised is not None:
            yield f"Commitment{number}", seat.promised
    for number, seat in numbered:
        if seat.salt is not None:
            yield f"Salt{number}", seat.salt
        if seat.promised is not None and seat.since is not None:
            yield f"Since{number}", str(seat.since)
    if lost := [str(number) for number, seat in numbered if seat.lost]:
        yield "Lost", ",".join(lost)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _turns(record: Record, game: Game) -> Iterator[str]:
    """A line for the throws of each round of the roll-off, one for each turn.

    A comment ends its line; the turn goes on in the next one.
    """
    sides = game.rules.board.sides
    comments = _by_event(record.comments)
    signs = {annotation.n: annotation.sign for annotation in record.annotations}
    yield from _comment_lines(comments.get(0, []))
    turn, line, begins = 0, "", True
    for n, (before, event) in enumerate(zip(game.positions, game.events, strict=False), 1):
        roll_off = before.roll_off
        if begins and roll_off is None:
            turn += 1
            line = f"{turn}. ({before.seat + 1})"
        elif begins:
            line = "start"
        line += _word(before, event, sides) + signs.get(n, "")
        begins = (
            isinstance(event, Stopped | Busted)
            if roll_off is None
            else len(roll_off.sums) + 1 == len(roll_off.contenders)
        )
        if n in comments:
            first, *others = _comment_lines(comments[n])
            yield f"{line} {first}"
            yield from others
            line = _CONTINUED
        elif begins:
            yield line
            line = ""
    if line.strip():
        yield line


_CONTINUED = "  "


def _by_event(comments: Iterable[Comment]) -> dict[int, list[Comment]]:
    found: dict[int, list[Comment]] = {}
    for comment in comments:
        found.setdefault(comment.n, []).append(comment)
    return found


def _comment_lines(comments: Iterable[Comment]) -> list[str]:
    return [f"# {comment.text}".rstrip() for comment in comments]


def _word(before: Position, event: Event, sides: int) -> str:
    """An event, with what sets it apart from the word before."""
    match event:
        case Rolled(dice) if before.roll_off is not None:
            return f" {before.seat + 1}:{dice_text(dice, sides)}"
        case Rolled(dice):
            return " " + dice_text(dice, sides)
        case Moved(move):
            return f"={move}"
        case Busted():
            return "=bust"
        case _:  # Stopped
            return " stop"


def result_text(outcome: Outcome | None) -> str:
    """The line that closes a record: ``*`` where the game goes on."""
    if outcome is None:
        return "*"
    word = "won" if outcome.winner is not None else "shared"
    return " ".join([word, *(str(seat + 1) for seat in outcome.winners)])
