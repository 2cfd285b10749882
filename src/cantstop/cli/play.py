"""``cantstop play``: a game in this terminal."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from cantstop.bots import PACE
from cantstop.cli.modern import Looks, Theme, show_online, show_replay, show_table
from cantstop.cli.new_table import DiceKind, Wanted, set_up
from cantstop.cli.options import Ascii, Lang, OwnBots, read_text, translator
from cantstop.draw import board_text
from cantstop.language import Translator
from cantstop.record import read_record
from cantstop.rules import InvalidText
from cantstop.terminal import (
    Keeping,
    Session,
    Table,
    Talk,
    WantedRules,
    check_new,
    console,
    is_modern,
    play_and_keep,
    seat_named,
    usual_name,
    variant_named,
)

_LARGEST_SEED = 10**18


def play(
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|bot:NAME",
            help="Who plays, in order; repeat it. Bots: bot:careful, bot:bold:8 and so on.",
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="How many play, 1 to 4, if no seat is named.")
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="classic, trademark, ravensburger or asmodee."),
    ] = None,
    win: Annotated[
        int | None, typer.Option(metavar="N", help="How many columns win (V1); usually 3.")
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="early (V2), no-rest (V3), leapfrog (V4), longer (V1); repeat it."
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="All rules as one text, such as players=3,win=4,early."),
    ] = None,
    youngest: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Who is the youngest, where that one starts."),
    ] = None,
    dice: Annotated[
        DiceKind | None,
        typer.Option(
            help="secure: nobody can foresee them (usual). sealed: fixed before the game and "
            "checked after it with cantstop verify; a save then holds their secret."
        ),
    ] = None,
    bot: OwnBots = None,  # noqa: ARG001
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=_LARGEST_SEED, help="The same dice every time."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the game in a new file, all along.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(
            metavar="LINK", help="Sit down at a table on a server; --seat NAME gives your name."
        ),
    ] = None,
    watch: Annotated[
        str | None, typer.Option(metavar="LINK", help="Watch a table on a server.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Step through a record, on the board.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Words only: for screen readers and simple terminals.")
    ] = False,
    theme: Annotated[Theme, typer.Option(help="Colours to begin with; T changes them.")] = (
        Theme.DARK
    ),
    pace: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long a bot takes for a step.")
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
    talk = console(translator(lang), ascii)
    options = (seat, players, edition, win, variant, rules, youngest, dice, seed, save)
    looks = Looks(theme, pace)
    modern = is_modern(os.environ) and not plain and not ascii
    folder = platformdirs.user_data_path("cantstop", appauthor=False) / "games"
    if replay is not None:
        raise typer.Exit(show_replay(talk, looks, replay, modern=modern))
    if join is not None or watch is not None:
        raise typer.Exit(_play_online(talk, looks, folder, join, watch, seat, modern=modern))
    if modern and resume is None and not any(option is not None for option in options):
        raise typer.Exit(show_table(talk, looks, folder))
    notes: list[str] = []
    if resume is None:
        if save is not None:
            check_new(save)
        seats = tuple(map(seat_named, seat or ()))
        variants = frozenset(map(variant_named, variant or ()))
        wanted = Wanted(
            WantedRules(rules, edition, win, variants), seats, players, youngest, dice, seed
        )
        table = set_up(talk, wanted, ask=not modern)
    elif any(option is not None for option in options):
        raise InvalidText("--resume goes on with a game as it is: leave the other options out.")
    else:
        table, notes = _resumed(talk.words, resume)
    keeping = Keeping(table, folder, resume)
    if save is not None:
        keeping.save(save)
    if modern:
        raise typer.Exit(show_table(talk, looks, folder, keeping, notes))
    for note in notes:
        talk.tell(note)
    again = ["cantstop", "play", *(["--plain"] if plain else []), *(["--ascii"] if ascii else [])]
    again += ["--lang", lang] if lang is not None else []
    draws = sys.stdout.isatty() and not plain
    draw = partial(board_text, names=table.names, ascii=ascii) if draws else None
    raise typer.Exit(play_and_keep(Session(keeping, talk, draw=draw), [*again, "--resume"]))


def _play_online(
    talk: Talk,
    looks: Looks,
    folder: Path,
    join: str | None,
    watch: str | None,
    seats: list[str] | None,
    *,
    modern: bool,
) -> int:
    """At a table on a server: with a seat, or only watching."""
    if not modern:
        raise InvalidText(
            "A table on a server needs a modern terminal, without --plain or --ascii."
        )
    if join is None:
        assert watch is not None
        return show_online(talk, looks, watch, None, folder)
    name = seats[0] if seats else usual_name(talk.words, 1)
    return show_online(talk, looks, join, name, folder)


def _resumed(words: Translator, path: Path) -> tuple[Table, list[str]]:
    """The table in a save, and what there is to say about it."""
    record = read_record(read_text(str(path.absolute())))
    table = Table.of_record(record)
    notes = [] if record.cut is None else [words.error(record.cut)]
    if table.game.outcome is not None:
        notes.append(words.say("This game is over already."))
    else:
        notes.append(words.say("The game in {path} goes on.", path=path))
    return table, notes
