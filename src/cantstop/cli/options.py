"""Options that several commands share, and reading what they name."""

import json
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import Field, fields
from enum import Enum, StrEnum
from typing import Annotated, Any, ClassVar, NoReturn, Protocol

from cantstop.bots import register_bot
from cantstop.cli.completion import (
    complete_edition,
    complete_language,
    complete_seat,
    complete_variant,
)
from cantstop.cli.parser import Option
from cantstop.language import Translator, pick_language
from cantstop.record import Record, read_records
from cantstop.rules import InvalidText
from cantstop.terminal.console import EXIT_INTERRUPTED
from cantstop.terminal.local_game import LocalSeat
from cantstop.terminal.new_game import NewGameOptions
from cantstop.terminal.options import RulesOptions, variant_named
from cantstop.terminal.tui import Theme
from cantstop.untrusted import escaped, printable, read_input


class Device(StrEnum):
    """What does the work."""

    CPU = "cpu"
    CUDA = "cuda"


Lang = Annotated[
    str | None,
    Option(
        "--lang",
        metavar="CODE",
        help="Language: en, fr, nl, it or de.",
        complete=complete_language,
    ),
]
Json = Annotated[bool, Option("--json", help="Print JSON for programs.")]
Ascii = Annotated[bool, Option("--ascii", help="Draw with ASCII characters only.")]
Plain = Annotated[
    bool, Option("--plain", help="Words only: for screen readers and simple terminals.")
]
ThemeName = Annotated[Theme, Option("--theme", help="Colours to begin with; T changes them.")]
RulesText = Annotated[
    str,
    Option(
        "--rules", metavar="RULES", help="Rules as text, such as players=3,win=4,sharing=leapfrog."
    ),
]


Seats = Annotated[
    list[str] | None,
    Option(
        "--seat",
        metavar="NAME|bot:NAME",
        help="Who plays, in order; repeat it. Bots, the weakest first: bot:chick, bot:magpie, "
        "bot:tortoise, bot:ibex, bot:monkey, bot:fox, bot:falcon, bot:champion; more: "
        "cantstop bots.",
        complete=complete_seat,
    ),
]
Players = Annotated[
    int | None,
    Option("--players", metavar="N", help="How many play, 1 to 4, if no seat is named."),
]
AllRules = Annotated[
    str | None,
    Option(
        "--rules", metavar="RULES", help="All rules as one text, such as players=3,win=4,early."
    ),
]
Youngest = Annotated[
    str | None,
    Option("--youngest", metavar="SEAT", help="Who is the youngest, where the youngest starts."),
]
EditionName = Annotated[
    str | None,
    Option(
        "--edition",
        metavar="NAME",
        help="classic, trademark, ravensburger or asmodee.",
        complete=complete_edition,
    ),
]
ColumnsToWin = Annotated[
    int | None,
    Option("--win", metavar="N", help="How many columns it takes to win (V1); usually 3."),
]
Variants = Annotated[
    list[str] | None,
    Option(
        "--variant",
        metavar="NAME",
        help="early (V2), no-rest (V3), leapfrog (V4), longer (V1); repeat it.",
        complete=complete_variant,
    ),
]


OwnBots = Annotated[
    list[str] | None,
    Option(
        "--bot",
        metavar="NAME=BOT",
        help="A bot of your own, such as mine=program:./mybot or mine=module:Class; repeat it.",
    ),
]


GameNumber = Annotated[
    int | None,
    Option("--game", metavar="N", help="In a file of many records: which one, from 1."),
]


def new_game_options(
    seat: list[str] | None,
    players: int | None,
    rules: RulesOptions,
    youngest: str | None,
) -> NewGameOptions:
    """Who plays by which rules, from the options that say it."""
    return NewGameOptions(rules, tuple(map(LocalSeat.parse, seat or ())), players, youngest)


def rules_options(
    rules: str | None, edition: str | None, win: int | None, variant: list[str] | None
) -> RulesOptions:
    """The rules that --rules, or --edition, --win and --variant ask for."""
    return RulesOptions(rules, edition, win, frozenset(map(variant_named, variant or ())))


def chosen(records: Sequence[Record], game: int | None) -> Record:
    """The one that is asked for; where there is but one, nobody needs to ask."""
    if game is None and len(records) == 1:
        return records[0]
    if game is None or not 1 <= game <= len(records):
        raise InvalidText(
            "There are {count} records here: say which one with --game, from 1.",
            count=len(records),
        )
    return records[game - 1]


def read_one(name: str, game: int | None) -> Record:
    """The one record of a file, or the one that is asked for."""
    return chosen(read_records(read_text(name)), game)


def register_bots(bots: list[str] | None) -> None:
    """Have the bots of --bot known by their names, before anything else names them."""
    for bot in bots or ():
        register_bot(bot)


def draws_unicode() -> bool:
    """Whether what is printed can show the board's signs; a pipe on Windows often cannot."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def translator(lang: str | None) -> Translator:
    """The translator for a --lang option, or else for the environment."""
    return Translator(pick_language(lang, os.environ))


def read_text(name: str) -> str:
    """The text of a file, or of standard input for “-”; it is at most so long."""
    try:
        data = read_input(name)
    except OSError as error:
        raise InvalidText(
            "{name} cannot be read: {reason}.", name=name, reason=error.strerror
        ) from None
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidText("{name} cannot be read: it is not text in UTF-8.", name=name) from None


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines for people; everything that commands print goes through here.

    Names, reasons and quotes may come from anybody: what would steer the terminal is taken out.
    """
    stream = sys.stderr if err else sys.stdout
    print(printable(text), file=stream, end="\n" if nl else "", flush=True)


def leave_interrupted() -> NoReturn:
    """Leave after Ctrl-C, without waiting for a thread in which Numba may be compiling."""
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    if any(not one.daemon for one in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(EXIT_INTERRUPTED)
    raise SystemExit(EXIT_INTERRUPTED)


class Printed(Protocol):
    """A dataclass, such as those of ``cantstop.wire``."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def print_json(value: Printed | Sequence[Printed]) -> None:
    """Print values of the wire's types for programs."""
    echo(escaped(json.dumps(value, ensure_ascii=False, indent=2, default=_plain)))


def _plain(value: object) -> object:
    """What the standard library cannot write by itself."""
    if isinstance(value, Enum):
        return value.value
    return {one.name: getattr(value, one.name) for one in fields(value)}  # type: ignore[arg-type]
