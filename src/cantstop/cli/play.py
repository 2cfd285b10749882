"""``cantstop play``: a game in this terminal."""

import sys
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from cantstop.cli.options import Ascii, Lang, OwnBots, read_text, translator
from cantstop.dice import SecureDice, SeededDice
from cantstop.draw import board_text
from cantstop.game import Game
from cantstop.record import read_record
from cantstop.rules import InvalidText, Position, edition_named
from cantstop.terminal import (
    FINE,
    INTERRUPTED,
    USUAL_PLAYERS,
    Seat,
    Session,
    Table,
    TableDice,
    Talk,
    WantedRules,
    ask_seats,
    check_names,
    check_new,
    console,
    play_and_keep,
    seal_dice,
    seat_named,
    seat_number,
    usual_seats,
    variant_named,
)

_LARGEST_SEED = 10**18


class DiceKind(StrEnum):
    """Dice that nobody can foresee, or ones that everybody can check after the game."""

    SECURE = "secure"
    SEALED = "sealed"


@dataclass(frozen=True)
class Wanted:
    """A new table, as the options ask for it."""

    rules: WantedRules
    seats: tuple[Seat, ...]
    players: int | None
    youngest: str | None
    dice: DiceKind | None
    seed: int | None

    def __post_init__(self) -> None:
        if self.seed is not None and self.dice is not None:
            raise InvalidText("Dice come from --seed or from --dice, not from both.")


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
    plain: Annotated[
        bool, typer.Option("--plain", help="Words only: for screen readers and simple terminals.")
    ] = False,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Play in this terminal, with people and bots.

    An unfinished game is saved when you leave. Undo takes a move or a stop back until the dice
    are thrown again.

    Example: cantstop play --seat Anne --seat bot:careful --edition ravensburger --variant early
    """
    talk = console(translator(lang), ascii)
    options = (seat, players, edition, win, variant, rules, youngest, dice, seed, save)
    if resume is None:
        if save is not None:
            check_new(save)
        seats = tuple(map(seat_named, seat or ()))
        variants = frozenset(map(variant_named, variant or ()))
        wanted_rules = WantedRules(rules, edition, win, variants)
        table = _set_up(talk, Wanted(wanted_rules, seats, players, youngest, dice, seed))
    elif any(option is not None for option in options):
        raise InvalidText("--resume goes on with a game as it is: leave the other options out.")
    else:
        table = _resumed(talk, resume)
    draws = sys.stdout.isatty() and not plain
    session = Session(
        table,
        talk,
        folder=platformdirs.user_data_path("cantstop", appauthor=False) / "games",
        file=resume,
        draw=partial(board_text, names=table.names, ascii=ascii) if draws else None,
    )
    if save is not None:
        session.save(save)
    again = ["cantstop", "play", *(["--plain"] if plain else []), *(["--ascii"] if ascii else [])]
    again += ["--lang", lang] if lang is not None else []
    raise typer.Exit(play_and_keep(session, [*again, "--resume"]))


def _resumed(talk: Talk, path: Path) -> Table:
    record = read_record(read_text(str(path.absolute())))
    table = Table.of_record(record)
    if record.cut is not None:
        talk.tell(talk.words.error(record.cut))
    if table.game.outcome is not None:
        talk.tell(talk.words.say("This game is over already."))
    else:
        talk.tell(talk.words.say("The game in {path} goes on.", path=path))
    return table


def _set_up(talk: Talk, wanted: Wanted) -> Table:
    """A new table; whoever leaves while it is set up has nothing to save."""
    try:
        return _new_table(talk, wanted)
    except (EOFError, KeyboardInterrupt) as end:
        talk.write("")
        raise typer.Exit(FINE if isinstance(end, EOFError) else INTERRUPTED) from None


def _new_table(talk: Talk, wanted: Wanted) -> Table:
    seats = _seats(talk, wanted)
    rules = wanted.rules.rules(len(seats))
    edition = wanted.rules.edition
    first = 0 if wanted.youngest is None else seat_number(wanted.youngest, seats)
    return Table(
        Game(start=Position.initial(rules, first)),
        seats,
        _dice(talk, wanted, seats, rules.board.sides),
        None if edition is None else edition_named(edition).name,
        datetime.now().astimezone().date().isoformat(),
    )


def _seats(talk: Talk, wanted: Wanted) -> tuple[Seat, ...]:
    named = (wanted.rules.players, wanted.players, len(wanted.seats) or None)
    counts = sorted({players for players in named if players is not None})
    if len(counts) > 1:
        raise InvalidText(
            "How many play? The options say both {one} and {other}.", one=counts[0], other=counts[1]
        )
    if wanted.seats:
        check_names(wanted.seats)
        return wanted.seats
    players = counts[0] if counts else None
    if players is not None:
        wanted.rules.rules(players)  # what is wrong with the rules is said before any question
    if sys.stdin.isatty():
        return ask_seats(talk, players)
    return usual_seats(talk.words, USUAL_PLAYERS if players is None else players)


def _dice(talk: Talk, wanted: Wanted, seats: tuple[Seat, ...], sides: int) -> TableDice:
    if wanted.seed is not None:
        return SeededDice(wanted.seed, sides)
    if wanted.dice is DiceKind.SEALED:
        return seal_dice(talk, seats, sides)
    return SecureDice(sides)
