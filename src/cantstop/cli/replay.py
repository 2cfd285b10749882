"""``cantstop replay``: a record, step by step."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cantstop.bots import PACE
from cantstop.cli.options import Ascii, GameNumber, Lang, Plain, ThemeName, read_one
from cantstop.cli.parser import Argument, Option
from cantstop.cli.screen import Screen
from cantstop.record import Record
from cantstop.terminal.console import EXIT_OK
from cantstop.terminal.narration import Narrator
from cantstop.terminal.tui import Theme, show_replay


def replay(
    record: Annotated[Path, Argument(metavar="RECORD", help="A record file, or - for stdin.")],
    game: GameNumber = None,
    evaluate: Annotated[
        bool, Option("--evaluate", help="Everybody's chance to win beside every step.")
    ] = False,
    plain: Plain = False,
    theme: ThemeName = Theme.DARK,
    pace: Annotated[
        float, Option(metavar="SECONDS", least=0, help="How long a step is shown while it runs.")
    ] = PACE,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Step through a record, on the board.

    ? lists the keys. In a pipe, and with --plain or --ascii, the whole game is printed as lines
    of text.

    Example: cantstop replay tonight.cantstop --evaluate
    """
    screen = Screen.of(lang, theme, plain=plain, ascii=ascii)
    found = read_one(str(record), game)
    if screen.tui:
        options = replace(screen.app_options(pace), folder=record.parent)
        raise SystemExit(show_replay(screen.console.words, options, found, evaluate=evaluate))
    screen.console.print_lines(_lines(screen, found, evaluate=evaluate))
    raise SystemExit(EXIT_OK)


def _lines(screen: Screen, record: Record, *, evaluate: bool) -> list[str]:
    """Everything that happened, in lines of text."""
    words = screen.console.words
    narrator, game = Narrator(words, record.names), record.game()
    if not evaluate:
        return list(narrator.whole_game(game))
    from cantstop.review import review  # the engine takes a moment to load
    from cantstop.terminal.plain.evaluation import evaluated_game

    found = review(record)
    return list(evaluated_game(narrator, game, found))
