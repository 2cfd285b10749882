"""``cantstop play``: a game in this terminal."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from cantstop.bots import PACE
from cantstop.cli.options import (
    AllRules,
    Ascii,
    ColumnsToWin,
    EditionName,
    Lang,
    OwnBots,
    Plain,
    Players,
    Seats,
    ThemeName,
    Variants,
    Youngest,
    new_game_options,
    read_text,
    register_bots,
    rules_options,
)
from cantstop.cli.parser import Option
from cantstop.cli.screen import Screen
from cantstop.language import Translator, name_text
from cantstop.record import read_record
from cantstop.rules import InvalidText
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, Console
from cantstop.terminal.ladder import Ladder, journey_lines, read_ladder
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.new_game import DiceKind, NewGameOptions, ladder_seats, set_up_game
from cantstop.terminal.options import RulesOptions
from cantstop.terminal.plain import Session
from cantstop.terminal.save_file import SaveFile, check_new
from cantstop.terminal.tui import Theme, play_local

_LARGEST_SEED = 10**18


def play(
    seat: Seats = None,
    players: Players = None,
    edition: EditionName = None,
    win: ColumnsToWin = None,
    variant: Variants = None,
    rules: AllRules = None,
    youngest: Youngest = None,
    dice: Annotated[
        DiceKind | None,
        Option(
            help="secure: nobody can foresee them (default). sealed: fixed before the game and "
            "checked after it with cantstop verify; a save then holds their secret. entered: you "
            "throw your own, and type what they show."
        ),
    ] = None,
    ladder: Annotated[
        bool,
        Option(help="Play who is next on the ladder of eight animals; your score is kept."),
    ] = False,
    bot: OwnBots = None,
    seed: Annotated[
        int | None,
        Option(metavar="N", least=0, most=_LARGEST_SEED, help="The same dice every time."),
    ] = None,
    save: Annotated[
        Path | None, Option(metavar="FILE", help="Save the game to a new file as it goes.")
    ] = None,
    resume: Annotated[Path | None, Option(metavar="FILE", help="Resume a saved game.")] = None,
    plain: Plain = False,
    theme: ThemeName = Theme.DARK,
    pace: Annotated[
        float, Option(metavar="SECONDS", least=0, help="How long a bot takes for a step.")
    ] = PACE,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Play in this terminal, with people and bots.

    Without options a form asks who plays. ? lists the keys; the mouse works too. An unfinished
    game is saved when you leave, and the command that resumes it is printed. In a pipe, and with
    --plain or --ascii, the game is played in lines of text.

    Example: cantstop play --seat Anne --seat bot:careful --edition ravensburger --variant early

    The ladder: cantstop play --ladder --seat Anne

    Online: cantstop open SERVER; cantstop join LINK; cantstop watch LINK
    """
    register_bots(bot)
    screen = Screen.of(lang, theme, plain=plain, ascii=ascii)
    asked = new_game_options(seat, players, rules_options(rules, edition, win, variant), youngest)
    options = replace(asked, dice=dice, seed=seed)
    way = read_ladder(screen.app_options().folder)
    if ladder and resume is None:
        options = replace(options, seats=ladder_seats(screen.console.words, way, options.seats))
    has_options = options != NewGameOptions(RulesOptions()) or save is not None or ladder
    if screen.tui and resume is None and not has_options:
        raise SystemExit(play_local(screen.console.words, screen.app_options(pace)))
    if resume is not None and has_options:
        raise InvalidText("--resume continues a game as it is: leave out the other options.")
    again = [*(["--plain"] if plain else []), *(["--ascii"] if ascii else [])]
    again += ["--lang", lang] if lang is not None else []
    file, notes = _begin(screen, options, save, resume, way)
    if ladder:
        notes += journey_lines(screen.console.words, way)
    if screen.tui and not file.local.needs_lines:
        raise SystemExit(play_local(screen.console.words, screen.app_options(pace), file, notes))
    screen.console.print_lines(notes)
    names = [name_text(screen.console.words, name) for name in file.local.names]
    draw = None if screen.draw is None else partial(screen.draw, names=names)
    session = Session(file, screen.console, draw=draw)
    raise SystemExit(session.run(["cantstop", "play", *again, "--resume"]))


def _begin(
    screen: Screen,
    options: NewGameOptions,
    save: Path | None,
    resume: Path | None,
    ladder: Ladder,
) -> tuple[SaveFile, list[str]]:
    """The game that is played, where it is saved, and what to print about it."""
    notes: list[str] = []
    if save is not None:
        check_new(save)
    if resume is None:
        local = _new_game(screen.console, options, ladder, ask=not screen.tui)
    else:
        local, notes = _resumed(screen.console.words, resume)
    file = SaveFile(local, screen.app_options().folder, resume)
    if save is not None:
        file.save(save)
    return file, notes


def _new_game(console: Console, options: NewGameOptions, ladder: Ladder, *, ask: bool) -> LocalGame:
    """A new game; whoever leaves before it has begun has nothing to save."""
    try:
        return set_up_game(console, options, ladder, ask=ask)
    except (EOFError, KeyboardInterrupt) as end:
        console.write("")
        code = EXIT_OK if isinstance(end, EOFError) else EXIT_INTERRUPTED
        raise SystemExit(code) from None


def _resumed(words: Translator, path: Path) -> tuple[LocalGame, list[str]]:
    """The game in a save file, and what to print about it."""
    record = read_record(read_text(str(path.absolute())))
    local = LocalGame.from_record(record)
    notes = [] if record.cut is None else [words.error(record.cut)]
    if local.game.outcome is not None:
        notes.append(words.say("This game is already over."))
    else:
        notes.append(words.say("The game in {path} goes on.", path=path))
    return local, notes
