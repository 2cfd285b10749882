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
from cantstop.cli.options import Ascii, Lang, OwnBots, read_text, register_bots, translator
from cantstop.cli.parser import Option
from cantstop.draw import board_text
from cantstop.extras import MissingExtra, is_installed
from cantstop.files import user_data_folder
from cantstop.language import Translator
from cantstop.record import read_record
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
    default_name,
    set_up_game,
    standard_console,
    supports_tui,
    variant_named,
)
from cantstop.terminal.plain import Session
from cantstop.terminal.tui import AppOptions, Theme, play_local, play_online, show_replay

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
            help="secure: nobody can foresee them (usual). sealed: fixed before the game and "
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
        Path | None, Option(metavar="FILE", help="Keep the game in a new file, all along.")
    ] = None,
    resume: Annotated[Path | None, Option(metavar="FILE", help="Go on with a saved game.")] = None,
    join: Annotated[
        str | None,
        Option(
            metavar="LINK", help="Sit down at a table on a server; --seat NAME gives your name."
        ),
    ] = None,
    watch: Annotated[str | None, Option(metavar="LINK", help="Watch a table on a server.")] = None,
    replay: Annotated[
        Path | None, Option(metavar="FILE", help="Step through a record, on the board.")
    ] = None,
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
    game is saved when you leave, and the command to go on with it is printed. In a pipe, and with
    --plain or --ascii, the game goes by lines of text.

    Example: cantstop play --seat Anne --seat bot:careful --edition ravensburger --variant early

    Online: cantstop play --join http://localhost:8000/t/k7Qm --seat Anne
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
        raise SystemExit(_replay(console, app_options, replay, tui=tui))
    if join is not None or watch is not None:
        if not tui:
            raise InvalidText(
                "A table on a server needs a modern terminal, without --plain or --ascii."
            )
        raise SystemExit(_play_online(words, app_options, join, watch, seat))
    if tui and resume is None and not has_options:
        raise SystemExit(play_local(words, app_options))
    notes: list[str] = []
    if resume is None:
        if save is not None:
            check_new(save)
        variants = frozenset(map(variant_named, variant or ()))
        new_options = NewGameOptions(
            RulesOptions(rules, edition, win, variants),
            tuple(map(LocalSeat.parse, seat or ())),
            players,
            youngest,
            dice,
            seed,
        )
        local = _new_game(console, new_options, ask=not tui)
    elif has_options:
        raise InvalidText("--resume goes on with a game as it is: leave the other options out.")
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
    draws = sys.stdout.isatty() and not plain
    draw = partial(board_text, names=local.names, ascii=ascii) if draws else None
    session = Session(file, console, draw=draw)
    raise SystemExit(session.run(["cantstop", "play", *again, "--resume"]))


def _shows_app(console: Console, *, plain: bool) -> bool:
    """Whether the app can be shown; where only its extra is missing, that is said."""
    if plain or not supports_tui(os.environ):
        return False
    if is_installed("terminal"):
        return True
    console.print(console.words.error(MissingExtra(extra="terminal")))
    return False


def _play_online(
    words: Translator,
    app_options: AppOptions,
    join: str | None,
    watch: str | None,
    seats: list[str] | None,
) -> int:
    """At a table on a server: with a seat, or only watching."""
    if join is None:
        assert watch is not None
        return play_online(words, app_options, watch, None)
    name = seats[0] if seats else default_name(words, 1)
    return play_online(words, app_options, join, name)


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
        notes.append(words.say("This game is over already."))
    else:
        notes.append(words.say("The game in {path} goes on.", path=path))
    return local, notes


def _replay(console: Console, app_options: AppOptions, path: Path, *, tui: bool) -> int:
    """Step through a record in the app; without it, print everything that happened."""
    record = read_record(read_text(str(path)))
    if tui:
        return show_replay(console.words, replace(app_options, folder=path.parent), record)
    narrator = Narrator(console.words, record.names)
    _print_lines(console, narrator.whole_game(record.game()))
    return EXIT_OK


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line)
