"""Positions as one line of text. docs/notation.md has the grammar."""

from functools import lru_cache

from cantstop.rules.check import check
from cantstop.rules.errors import CantStopError, InvalidText, Phrase, check_is_text
from cantstop.rules.moves import Dice, dice_text, parse_dice
from cantstop.rules.position import Position
from cantstop.rules.settings import Rules
from cantstop.rules.start import RollOff
from cantstop.rules.tokens import Tokens


def position_text(position: Position) -> str:
    """A position as one line: rules, tokens, seat, runners, dice.

    >>> position_text(Position.initial(Rules()).roll((2, 3, 4, 5)))
    'v1,players=2 -/- 1 - 2345'
    """
    board = position.rules.board
    return " ".join(
        (
            str(position.rules),
            "/".join(map(_spaces_text, position.tokens.spaces)),
            _seat_text(position),
            _spaces_text(position.runners),
            "-" if position.dice is None else dice_text(position.dice, board.sides),
        )
    )


def parse_position(text: str) -> Position:
    """Read a position text; one that no game can reach is refused.

    >>> position = parse_position("v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236")
    >>> position.legal_moves
    <LegalMoves: 3+9, 4, 8, 5+7>

    Raises:
        InvalidText: If the text is not a position.
    """
    check_is_text(text, "v1,players=2 7:4/6:11 1 - 2345")
    fields = text.split()
    if len(fields) != 5:
        raise InvalidText(
            "A position has 5 fields (rules, tokens, seat, runners, dice), not {count}.",
            count=len(fields),
        )
    rules = Rules.parse(fields[0])
    with _naming(Phrase("tokens")):
        tokens = _parse_tokens(fields[1], rules)
    with _naming(Phrase("seat")):
        roll_off = _parse_roll_off(fields[2], rules) if "start" in fields[2] else None
        seat = roll_off.seat if roll_off else _seat(fields[2], rules)
    with _naming(Phrase("runners")):
        runners = _parse_spaces(fields[3], rules)
    with _naming(Phrase("dice")):
        dice = None if fields[4] == "-" else parse_dice(fields[4])
    position = Position(tokens, seat, runners, None, roll_off)
    check(position)
    return position if dice is None else _with_dice(position, dice)


def _with_dice(position: Position, dice: Dice) -> Position:
    with _naming(Phrase("dice")):
        if position.roll_off is not None:
            raise InvalidText("there are no dice on the table in a roll-off.")
        return position.roll(dice)


class _naming:
    """Adds the name of the field to what goes wrong in it."""

    def __init__(self, field: Phrase) -> None:
        self.field = field

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CantStopError):
            raise InvalidText(
                "In the {field} of the position: {problem}", field=self.field, problem=error
            ) from None


@lru_cache(maxsize=8192)  # a player's tokens stay as they are until their turn is over
def _spaces_text(spaces: tuple[int, ...]) -> str:
    return ",".join([f"{column}:{space}" for column, space in enumerate(spaces) if space]) or "-"


def _seat_text(position: Position) -> str:
    roll_off = position.roll_off
    if roll_off is None:
        return str(position.seat + 1)
    sums = [f"={thrown}" for thrown in roll_off.sums]
    sums += [""] * (len(roll_off.contenders) - len(sums))
    return "start:" + ",".join(
        f"{seat + 1}{thrown}" for seat, thrown in zip(roll_off.contenders, sums, strict=True)
    )


def _parse_tokens(text: str, rules: Rules) -> Tokens:
    seats = text.split("/")
    if len(seats) != rules.players:
        raise InvalidText(
            "the number of seats is {count}, but the rules say {players}.",
            count=len(seats),
            players=rules.players,
        )
    return Tokens(rules, tuple(_parse_spaces(seat, rules) for seat in seats))


def _parse_spaces(text: str, rules: Rules) -> tuple[int, ...]:
    spaces = list(rules.board.no_runners)
    if text == "-":
        return tuple(spaces)
    last = 0
    for part in text.split(","):
        column_text, _, space_text = part.partition(":")
        column, space = _whole(column_text), _whole(space_text)
        if column not in rules.board.columns or not space:
            raise InvalidText("“{part}” is not column:space, such as 7:4 on this board.", part=part)
        if column <= last:
            raise InvalidText(
                "the columns have to be in order, but {column} follows {last}.",
                column=column,
                last=last,
            )
        spaces[column] = space
        last = column
    return tuple(spaces)


def _seat(text: str, rules: Rules) -> int:
    seat = _whole(text)
    if not 1 <= seat <= rules.players:
        raise InvalidText(
            "“{text}” is not a seat from 1 to {players}.", text=text, players=rules.players
        )
    return seat - 1


def _parse_roll_off(text: str, rules: Rules) -> RollOff:
    start, _, listed = text.partition(":")
    parts = [part.partition("=") for part in listed.split(",")]
    contenders = tuple(_seat(seat, rules) for seat, _, _ in parts)
    thrown = [total for _, equals, total in parts if equals]
    sums = tuple(map(_whole, thrown))
    started = [bool(equals) for _, equals, _ in parts]
    if (
        start != "start"
        or len(contenders) < 2
        or list(contenders) != sorted(set(contenders))
        or started != sorted(started, reverse=True)
        or all(started)
    ):
        raise InvalidText(
            "“{text}” is not a roll-off such as start:1=7,2,3: at least two seats in order, the "
            "first ones with their sums.",
            text=text,
        )
    return RollOff(contenders, sums)


def _whole(text: str) -> int:
    """Parse a whole number; returns 0 for other text, since 0 is never allowed here."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 3 else 0
