"""The command line: which commands there are, and how errors reach a person."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from cantstop import __version__
from cantstop.cli.about import bots, editions, rules
from cantstop.cli.arena import ArenaCommand, arena
from cantstop.cli.backup import backup, restore
from cantstop.cli.check_bot import check_bot
from cantstop.cli.drill import drill
from cantstop.cli.help import PlainHelpCommand
from cantstop.cli.hint import hint
from cantstop.cli.odds import odds
from cantstop.cli.options import echo
from cantstop.cli.play import play
from cantstop.cli.review import review
from cantstop.cli.serve import serve
from cantstop.cli.show import show
from cantstop.cli.solve import solve
from cantstop.cli.tables import tables
from cantstop.cli.verify import verify
from cantstop.language import Translator, pick_language
from cantstop.rules import CantStopError
from cantstop.untrusted import quoted

BAD_INPUT = 2
INTERRUPTED = 130
_LONGEST_MESSAGE = 500

app = typer.Typer(
    name="cantstop",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    serve,
    play,
    odds,
    hint,
    review,
    drill,
    show,
    verify,
    solve,
    rules,
    editions,
    bots,
    check_bot,
):
    app.command(cls=PlainHelpCommand)(command)
app.command(cls=ArenaCommand)(arena)
app.command(cls=PlainHelpCommand)(backup)
app.command(cls=PlainHelpCommand)(restore)
app.command(cls=PlainHelpCommand)(tables)


def _print_version(wanted: bool) -> None:
    if wanted:
        echo(f"cantstop {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def cantstop(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Can't Stop: roll the dice, climb the columns, stop in time.

    Without a command it serves the game on this machine and opens a browser on it.
    """
    if context.invoked_subcommand is None:
        context.invoke(serve, open_browser=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; what goes wrong is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # Windows' old encodings lack most signs
            stream.reconfigure(errors="replace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.exit(_run(given))


def _run(arguments: Sequence[str]) -> int:
    try:
        code = app(args=arguments, prog_name="cantstop", standalone_mode=False)
    except CantStopError as error:
        return _fail(_translator(arguments).error(error))
    except TyperException as error:
        return _fail(quoted(" ".join(error.format_message().split()), _LONGEST_MESSAGE))
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    echo(f"cantstop: {message}", err=True)
    return BAD_INPUT


def _translator(arguments: Sequence[str]) -> Translator:
    """The language of an error: the one that was asked for, if that was not the error."""
    asked = None
    for option, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if option == "--lang":
            asked = value
        elif option.startswith("--lang="):
            asked = option.removeprefix("--lang=")
    try:
        return Translator(pick_language(asked, os.environ))
    except CantStopError:
        return Translator(pick_language(None, os.environ))
