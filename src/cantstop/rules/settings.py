"""The rules of one game as a frozen set of settings with a canonical one-line text."""

from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar

from cantstop.rules.board import OFFICIAL, Board
from cantstop.rules.errors import InvalidRules, InvalidText, check_is_text, whole_number
from cantstop.rules.moves import Rolls, rolls_of

RULES_VERSION = 1
"""Changes only when the same events would lead to other positions."""

MOST_PLAYERS = 4

Setting = TypeVar("Setting", bound=Enum)


class Sharing(Enum):
    """What an opponent's token means to a runner. One value: V3 and V4 exclude each other (V5)."""

    FREE = "free"  # T10: tokens are no obstacle
    NO_REST = "no-rest"  # V3
    LEAPFROG = "leapfrog"  # V4


class Start(Enum):
    """Who starts (M4)."""

    FIRST_SEAT = "first-seat"
    ROLL_OFF = "roll-off"
    YOUNGEST = "youngest"


class _Derived:
    """What follows from the rules; slots, because every roll and every move reads them."""

    __slots__ = ("plain_below", "rolls")

    rolls: Rolls
    """What four dice can show, and what that allows."""
    plain_below: tuple[int, ...]
    """The space of each column below which a step is plain: one up, and two more may follow.

    So there is nothing to look at; with V4 there always is."""


@dataclass(frozen=True, slots=True)
class Rules(_Derived):
    """Everything that is settled before the first roll.

    >>> print(Rules(players=3, columns_to_win=4, sharing=Sharing.LEAPFROG))
    v1,players=3,win=4,sharing=leapfrog
    >>> Rules.parse("players=3,early").early
    True
    """

    players: int = 2
    columns_to_win: int = 3  # V1 asks for more
    early: bool = False  # V2: runners out early
    sharing: Sharing = Sharing.FREE
    start: Start = Start.FIRST_SEAT
    board: Board = OFFICIAL

    def __post_init__(self) -> None:
        if not (
            type(self.players) is type(self.columns_to_win) is int
            and type(self.early) is bool
            and type(self.sharing) is Sharing
            and type(self.start) is Start
            and isinstance(self.board, Board)
        ):
            self._check_types()
        if not 1 <= self.players <= MOST_PLAYERS:
            raise InvalidRules(
                "Can't Stop is for 1 to {most} players, not {players}.",
                most=MOST_PLAYERS,
                players=self.players,
            )
        if not 1 <= self.columns_to_win <= len(self.board.columns):
            raise InvalidRules(
                "{win} columns cannot be won: this board has {columns}.",
                win=self.columns_to_win,
                columns=len(self.board.columns),
            )
        leapfrog, put = self.sharing is Sharing.LEAPFROG, object.__setattr__
        plain_below = tuple([0 if leapfrog else max(top - 2, 0) for top in self.board.tops])
        put(self, "plain_below", plain_below)
        put(self, "rolls", rolls_of(self.board.sides, self.early))

    def _check_types(self) -> None:
        for name, kind, example in (
            ("players", int, "3"),
            ("columns_to_win", int, "3"),
            ("early", bool, "True"),
            ("sharing", Sharing, "Sharing.LEAPFROG"),
            ("start", Start, "Start.ROLL_OFF"),
            ("board", Board, "Board.stepped(sides=4, shortest=1)"),
        ):
            value = getattr(self, name)
            if kind is int and not isinstance(value, bool) and hasattr(value, "__index__"):
                object.__setattr__(self, name, whole_number(value))  # a number of NumPy's, say
            elif not isinstance(value, kind) or kind is int:
                raise InvalidRules(
                    "The rules cannot have {name}={value}: it takes a value such as {example}.",
                    name=name,
                    value=repr(value),
                    example=example,
                )

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        # without what was worked out: every position would take the answers to all rolls along
        settled = (self.players, self.columns_to_win, self.early, self.sharing, self.start)
        return type(self), (*settled, self.board)

    def __str__(self) -> str:
        parts = [f"v{RULES_VERSION}", f"players={self.players}"]
        if self.columns_to_win != 3:
            parts.append(f"win={self.columns_to_win}")
        if self.early:
            parts.append("early")
        if self.sharing is not Sharing.FREE:
            parts.append(f"sharing={self.sharing.value}")
        if self.start is not Start.FIRST_SEAT:
            parts.append(f"start={self.start.value}")
        if self.board.lengths != OFFICIAL.lengths:
            parts.append("lengths=" + ".".join(map(str, self.board.lengths)))
        if self.board.runners != OFFICIAL.runners:
            parts.append(f"runners={self.board.runners}")
        return ",".join(parts)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a rules text: the canonical one, or the same parts in any order.

        The version may be left out; then the current one is meant.

        Raises:
            InvalidText: If the text is not that of rules.
        """
        check_is_text(text, "players=3,win=4")
        given = _parts(text)
        version = given.pop("version", str(RULES_VERSION))
        if version != str(RULES_VERSION):
            raise InvalidText(
                "Rules version {version} is unknown: this program knows version {known}.",
                version=version,
                known=RULES_VERSION,
            )
        lengths = given.pop("lengths", None)
        return cls(
            players=_number("players", given.pop("players", "2")),
            columns_to_win=_number("win", given.pop("win", "3")),
            early="early" in given,
            sharing=_choice("sharing", given.pop("sharing", Sharing.FREE.value), Sharing),
            start=_choice("start", given.pop("start", Start.FIRST_SEAT.value), Start),
            board=Board(
                lengths=OFFICIAL.lengths
                if lengths is None
                else tuple(_number("lengths", length) for length in lengths.split(".")),
                runners=_number("runners", given.pop("runners", "3")),
            ),
        )


_VALUED = ("players", "win", "sharing", "start", "lengths", "runners")


def _parts(text: str) -> dict[str, str]:
    given: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals and key.startswith("v") and key[1:].isdecimal():
            key, value = "version", key[1:]
        elif equals != ("=" if key in _VALUED else "") or key not in (*_VALUED, "early"):
            raise InvalidText(
                "“{part}” is not a part of the rules; they look like “{example}”.",
                part=part,
                example="players=3,win=4,early,sharing=leapfrog",
            )
        if key == "sharing" and key in given and value != given[key]:
            raise InvalidText(
                "The rules ask for “{one}” and “{other}”: V3 (no rest on a shared space) and V4 "
                "(leapfrog) exclude each other.",
                one=given[key],
                other=value,
            )
        if key in given:
            raise InvalidText("The rules name “{key}” twice.", key=key)
        given[key] = value
    return given


def _number(key: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):
        raise InvalidText(
            "The rules give “{key}” as “{text}”, which is not a whole number.", key=key, text=text
        )
    return int(text)


def _choice(key: str, text: str, kind: type[Setting]) -> Setting:
    try:
        return kind(text)
    except ValueError:
        raise InvalidText(
            "The rules give “{key}” as “{text}”; it is one of: {choices}.",
            key=key,
            text=text,
            choices=", ".join(member.value for member in kind),
        ) from None
