"""Options that several commands share, and reading what they name."""

import json
import os
import sys
from enum import StrEnum
from typing import Annotated

import typer

from cantstop.bots import register_bot
from cantstop.cli.completion import complete_language
from cantstop.language import Translator, pick_language
from cantstop.rules import InvalidText
from cantstop.untrusted import escaped, printable, read_input


class Device(StrEnum):
    """What does the work."""

    CPU = "cpu"
    CUDA = "cuda"


Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="CODE",
        help="Language: en, fr, nl, it or de.",
        autocompletion=complete_language,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
RulesText = Annotated[
    str,
    typer.Option(
        "--rules", metavar="RULES", help="Rules as text, such as players=3,win=4,sharing=leapfrog."
    ),
]


def _register_bots(bots: list[str] | None) -> list[str] | None:
    for bot in bots or ():
        register_bot(bot)
    return bots


OwnBots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="NAME=BOT",
        callback=_register_bots,
        is_eager=True,  # seats may name it
        help="A bot of your own, such as mine=program:./mybot or mine=module:Class; repeat it.",
    ),
]


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
    typer.echo(printable(text), err=err, nl=nl)


def print_json(value: object) -> None:
    """Print a value for programs."""
    echo(escaped(json.dumps(value, ensure_ascii=False, indent=2)))
