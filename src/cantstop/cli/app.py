"""The command line: which commands there are, and how errors reach a person."""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Annotated

from cantstop import __version__
from cantstop.bots import BotFailure
from cantstop.cli.about import bots, editions, rules
from cantstop.cli.arena import arena
from cantstop.cli.backup import backup, restore
from cantstop.cli.check_bot import check_bot
from cantstop.cli.completion import completions, install, script_for, shell_of
from cantstop.cli.daily import daily
from cantstop.cli.drill import drill
from cantstop.cli.help import command_help, overview
from cantstop.cli.hint import hint
from cantstop.cli.me import me
from cantstop.cli.odds import odds
from cantstop.cli.online import join, open_, watch
from cantstop.cli.options import Lang, echo, translator
from cantstop.cli.parser import Argument, Command, Option
from cantstop.cli.play import play
from cantstop.cli.players import players
from cantstop.cli.ratings import ratings
from cantstop.cli.replay import replay
from cantstop.cli.results import results
from cantstop.cli.review import review
from cantstop.cli.serve import serve
from cantstop.cli.show import show
from cantstop.cli.site import site
from cantstop.cli.solve import solve
from cantstop.cli.tables import tables
from cantstop.cli.verify import verify
from cantstop.extras import MissingExtra
from cantstop.language import Translator, pick_language
from cantstop.record import VerificationError
from cantstop.rules import CantStopError, InvalidText, choices_for

NO = 1
"""The answer is no: a bot that fails, a record that does not hold."""
COULD_NOT = 2
"""There is no answer: bad input, a missing file or extra, no room for the output."""
INTERRUPTED = 130
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)

_HELP = ("-h", "--help")
_COMPLETE = "--complete"


def help_(
    command: Annotated[
        str | None,
        Argument(
            metavar="[COMMAND]",
            help="The command to explain; by default all are listed.",
            complete=lambda incomplete: [
                (one.name, one.paragraphs[0])
                for one in COMMANDS.values()
                if one.name.startswith(incomplete)
            ],
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Explain a command, or list them all.

    Example: cantstop help play
    """
    words = translator(lang)
    if command is None:
        echo(overview(words, ROOT, COMMANDS.values()))
    else:
        echo(command_help(words, _command(command)))


_FUNCTIONS: tuple[Callable[..., None], ...] = (
    serve, site, play, open_, join, watch, replay, daily, odds, hint, review, drill, show, verify,
    solve, arena, rules, editions, bots, check_bot, backup, restore, tables, results,
    players, ratings, me, help_,
)  # fmt: skip
COMMANDS = {command.name: command for command in map(Command, _FUNCTIONS)}


def cantstop(
    version: Annotated[bool, Option(short="-V", help="Print the version.")] = False,
    install_completion: Annotated[
        str | None,
        Option(
            metavar="[SHELL]",
            help="Teach your shell to complete commands, options and values with Tab.",
            bare="",
            is_value=lambda text: not text.startswith("-"),
        ),
    ] = None,
    show_completion: Annotated[
        str | None,
        Option(
            metavar="[SHELL]",
            help="Print the completion script for a shell.",
            bare="",
            is_value=lambda text: not text.startswith("-"),
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Can't Stop: roll the dice, climb the columns, stop in time.

    Without a command, it serves the game on this machine and opens a browser.
    """
    words = translator(lang)
    if version:
        echo(f"cantstop {__version__}")
    elif show_completion is not None:
        echo(script_for(show_completion or shell_of(os.environ)), nl=False)
    elif install_completion is not None:
        file = install(install_completion or shell_of(os.environ))
        echo(words.say("{file} is ready: open a new terminal.", file=file))
    else:
        _open_web_app(words, lang)


def _open_web_app(words: Translator, lang: str | None) -> None:
    """What most people want; where it is not installed, they can play all the same."""
    try:
        serve(open_browser=True, lang=lang)
    except MissingExtra as error:
        _complain(words.error(error))
        echo(words.say("“cantstop play” plays in this terminal, without any of it."), err=True)
        raise SystemExit(COULD_NOT) from None


ROOT = Command(cantstop)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; what goes wrong is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # Windows' old encodings lack most signs
            stream.reconfigure(errors="replace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.exit(_run(given))


def _run(arguments: Sequence[str]) -> int:
    try:
        _dispatch(arguments)
        if sys.stdout is not None:  # what is in the buffer shall not fail where nobody can tell it
            sys.stdout.flush()
    except CantStopError as error:
        for line in error.details if isinstance(error, BotFailure) else ():
            echo(line, err=True)
        _complain(_translator(arguments).error(error))
        return NO if isinstance(error, BotFailure | VerificationError) else COULD_NOT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return COULD_NOT
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _drop_output()
        words = _translator(arguments)
        _complain(words.say("The output cannot be written: {reason}.", reason=error.strerror))
        return COULD_NOT
    return 0


def _drop_output() -> None:
    """Whatever is still in the buffer would be written, and fail again, at the very end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: Sequence[str]) -> None:
    """Call the function that the arguments name."""
    if arguments[:1] == [_COMPLETE] and len(arguments) == 3:
        for line in completions(arguments[1], arguments[2], ROOT, COMMANDS.values()):
            echo(line)
        return
    asks_help = any(help_ in arguments for help_ in _HELP)
    values, rest = ROOT.split([one for one in arguments if one not in _HELP], all_options=False)
    if values["version"] and not asks_help:
        rest = []  # asked for before a command, as many do
    if not rest:
        if asks_help:
            echo(overview(_translator(arguments), ROOT, COMMANDS.values()))
        else:
            ROOT.function(**values)
        return
    name, *given = rest
    command = _command(name)
    if asks_help:
        echo(command_help(_translator(arguments), command))
    else:
        parameters = command.read(given, COMMANDS)
        if parameters.get("lang", "") is None:
            parameters["lang"] = values["lang"]  # given before the command
        command.function(**parameters)


def _command(name: str) -> Command:
    found = COMMANDS.get(name)
    if found is None:
        raise InvalidText(
            "There is no command “{name}”; {choices}",
            name=name,
            choices=choices_for(name, COMMANDS),
        )
    return found


def _complain(message: str) -> None:
    echo(f"cantstop: {message}", err=True)


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
