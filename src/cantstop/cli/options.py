"""Options that several commands share, and reading what they name."""

import json
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from cantstop.bots import register_bot
from cantstop.cli.completion import complete_language
from cantstop.cli.parser import Option
from cantstop.language import Translator, pick_language
from cantstop.record import Record, read_records
from cantstop.rules import InvalidText
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
RulesText = Annotated[
    str,
    Option(
        "--rules", metavar="RULES", help="Rules as text, such as players=3,win=4,sharing=leapfrog."
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


def print_json(value: object) -> None:
    """Print a value for programs."""
    echo(escaped(json.dumps(value, ensure_ascii=False, indent=2)))
