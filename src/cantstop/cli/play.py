"""``cantstop play``: a game in this terminal."""

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from cantstop.bots import PACE
from cantstop.cli.completion import complete_edition, complete_seat, complete_variant
from cantstop.cli.online import OnlineOptions, play_at_server
from cantstop.cli.options import (
    Ascii,
    GameNumber,
    Lang,
    OwnBots,
    read_one,
    read_text,
    register_bots,
    translator,
)
from cantstop.cli.parser import Option
from cantstop.cli.progress import show_compiling
from cantstop.draw import board_text
from cantstop.extras import MissingExtra, is_installed
from cantstop.files import user_data_folder
from cantstop.language import Translator
from cantstop.record import Record, read_record
from cantstop.rules import InvalidText
from cantstop.terminal import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    Console,
    DiceKind,
    LocalGame,
    LocalSeat,
    Narrator,
    NewGameOptions,
    RulesOptions,
    SaveFile,
    check_new,
    set_up_game,
    standard_console,
    supports_tui,
    variant_named,
)
from cantstop.terminal.plain import Session
from cantstop.terminal.tui import AppOptions, Theme, play_local, show_replay

_LARGEST_SEED = 10**18


def play(
    seat: Annotated[
        list[str] | None,
        Option(
            metavar="NAME|bot:NAME",
            help="Who plays, in order; repeat it. Bots, the weakest first: bot:chick, bot:magpie, "
            "bot:tortoise, bot:ibex, bot:monkey, bot:fox, bot:falcon, bot:champion; more: "
            "cantstop bots.",
            complete=complete_seat,
        ),
    ] = None,
    players: Annotated[
        int | None, Option(metavar="N", help="How many play, 1 to 4, if no seat is named.")
    ] = None,
    edition: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="classic, trademark, ravensburger or asmodee.",
            complete=complete_edition,
        ),
    ] = None,
    win: Annotated[
        int | None, Option(metavar="N", help="How many columns it takes to win (V1); usually 3.")
    ] = None,
    variant: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            help="early (V2), no-rest (V3), leapfrog (V4), longer (V1); repeat it.",
            complete=complete_variant,
        ),
    ] = None,
    rules: Annotated[
        str | None,
        Option(metavar="RULES", help="All rules as one text, such as players=3,win=4,early."),
    ] = None,
    youngest: Annotated[
        str | None,
        Option(metavar="SEAT", help="Who is the youngest, where the youngest starts."),
    ] = None,
    dice: Annotated[
        DiceKind | None,
        Option(
            help="secure: nobody can foresee them (default). sealed: fixed before the game and "
            "checked after it with cantstop verify; a save then holds their secret. entered: you "
            "throw your own, and type what they show."
        ),
    ] = None,
    bot: OwnBots = None,
    seed: Annotated[
        int | None,
        Option(metavar="N", least=0, most=_LARGEST_SEED, help="The same dice every time."),
    ] = None,
    save: Annotated[
        Path | None, Option(metavar="FILE", help="Save the game to a new file as it goes.")
    ] = None,
    resume: Annotated[Path | None, Option(metavar="FILE", help="Resume a saved game.")] = None,
    join: Annotated[
        str | None,
        Option(
            metavar="LINK", help="Sit down at a table on a server; --seat NAME gives your name."
        ),
    ] = None,
    watch: Annotated[str | None, Option(metavar="LINK", help="Watch a table on a server.")] = None,
    open_at: Annotated[
        str | None,
        Option(
            "--open",
            metavar="SERVER",
            help="Open a table on a server, with your seat first; --seat open is for whoever "
            "follows the printed link.",
        ),
    ] = None,
    clock: Annotated[
        int | None,
        Option(metavar="SECONDS", least=1, help="With --open: the time for each decision."),
    ] = None,
    replay: Annotated[
        Path | None, Option(metavar="FILE", help="Step through a record, on the board.")
    ] = None,
    game: GameNumber = None,
    evaluate: Annotated[
        bool,
        Option("--evaluate", help="With --replay: everybody's chance to win beside every step."),
    ] = False,
    plain: Annotated[
        bool, Option("--plain", help="Words only: for screen readers and simple terminals.")
    ] = False,
    theme: Annotated[Theme, Option(help="Colours to begin with; T changes them.")] = (Theme.DARK),
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

    Online: cantstop play --join http://localhost:8000/t/k7Qm --seat Anne; cantstop play --open
    localhost:8000 --seat Anne --seat open --seat bot:fox
    """
    register_bots(bot)
    console = standard_console(translator(lang), ascii)
    words = console.words
    options = (seat, players, edition, win, variant, rules, youngest, dice, seed, save)
    has_options = any(option is not None for option in options)
    folder = user_data_folder() / "games"
    app_options = AppOptions(folder, pace, theme)
    tui = _shows_app(console, plain=plain or ascii)
    if replay is not None:
        record = read_one(str(replay), game)
        app_options = replace(app_options, folder=replay.parent)
        raise SystemExit(_replay(console, app_options, record, tui=tui, evaluate=evaluate))
    if game is not None or evaluate:
        raise InvalidText("--game and --evaluate go with --replay.")
    draw = partial(board_text, ascii=ascii) if sys.stdout.isatty() and not plain else None
    new_options = NewGameOptions(
        RulesOptions(rules, edition, win, frozenset(map(variant_named, variant or ()))),
        tuple(map(LocalSeat.parse, seat or ())),
        players,
        youngest,
        dice,
        seed,
    )
    online = OnlineOptions(join, watch, open_at, clock)
    if online.are_given:
        raise SystemExit(play_at_server(console, app_options, online, new_options, draw, tui=tui))
    if tui and resume is None and not has_options:
        raise SystemExit(play_local(words, app_options))
    notes: list[str] = []
    if resume is None:
        if save is not None:
            check_new(save)
        local = _new_game(console, new_options, ask=not tui)
    elif has_options:
        raise InvalidText("--resume continues a game as it is: leave out the other options.")
    else:
        local, notes = _resumed(words, resume)
    file = SaveFile(local, folder, resume)
    if save is not None:
        file.save(save)
    if tui and not local.needs_lines:
        raise SystemExit(play_local(words, app_options, file, notes))
    _print_lines(console, notes)
    again = [*(["--plain"] if plain else []), *(["--ascii"] if ascii else [])]
    again += ["--lang", lang] if lang is not None else []
    drawn = None if draw is None else partial(draw, names=local.names)
    session = Session(file, console, draw=drawn)
    raise SystemExit(session.run(["cantstop", "play", *again, "--resume"]))


def _shows_app(console: Console, *, plain: bool) -> bool:
    """Whether the app can be shown; where only its extra is missing, that is said."""
    if plain or not supports_tui(os.environ):
        return False
    if is_installed("terminal"):
        return True
    console.print(console.words.error(MissingExtra(extra="terminal")))
    return False


def _replay(
    console: Console, app_options: AppOptions, record: Record, *, tui: bool, evaluate: bool
) -> int:
    """Step through a record in the app; without it, print everything that happened."""
    if tui:
        return show_replay(console.words, app_options, record, evaluate=evaluate)
    narrator, game = Narrator(console.words, record.names), record.game()
    lines = narrator.whole_game(game)
    if evaluate:
        from cantstop.review import review  # NumPy and Numba load slowly
        from cantstop.terminal.plain.evaluation import evaluated_game

        with show_compiling(console.words, record.rules.players):
            found = review(record)
        lines = evaluated_game(narrator, game, found)
    _print_lines(console, lines)
    return EXIT_OK


def _new_game(console: Console, options: NewGameOptions, *, ask: bool) -> LocalGame:
    """A new game; whoever leaves before it has begun has nothing to save."""
    try:
        return set_up_game(console, options, ask=ask)
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


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line)
