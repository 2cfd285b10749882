"""``cantstop odds``: exact chances for runners in some columns."""

from fractions import Fraction
from typing import Annotated

from cantstop.cli.options import Json, Lang, RulesText, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.language import Translator
from cantstop.odds import (
    Situation,
    column_rolls,
    is_survival_quick,
    rolls_of,
    survival,
    triple_rolls,
    triples_chart,
    usable_rolls,
)
from cantstop.rules import Board, InvalidText, Rules
from cantstop.wire.reports import OddsReport, TripleOdds

_ROLLS_SHOWN = 8


def odds(
    columns: Annotated[
        list[str] | None, Argument(metavar="[COLUMN]...", help="Columns with a runner.")
    ] = None,
    closed: Annotated[
        list[str] | None, Option(metavar="COLUMN", help="A won column; repeat it for more.")
    ] = None,
    topped: Annotated[
        list[str] | None,
        Option(metavar="COLUMN", help="A column whose runner is on the top; repeat it."),
    ] = None,
    table: Annotated[bool, Option("--table", help="All 165 triples of runners.")] = False,
    chart: Annotated[bool, Option("--chart", help="All 165 triples as a picture (SVG).")] = False,
    rules: RulesText = "players=2",
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show the exact chance that the next roll can be used.

    Examples: cantstop odds 6 7 8 --json; cantstop odds --chart > triples.svg
    """
    words = translator(lang)
    board = Rules.parse(rules).board
    if chart:
        if board != Rules().board:
            raise InvalidText("The chart is drawn for the official board only.")
        echo(triples_chart(), nl=False)
    elif table:
        _show_table(words, board, json)
    else:
        situation = Situation.on(
            *_columns(columns), closed=_columns(closed), topped=_columns(topped), board=board
        )
        if json:
            print_json(_report(situation))
        else:
            _show(words, situation)


def _columns(given: list[str] | None) -> list[int]:
    for text in given or ():
        if not (text.isascii() and text.isdecimal() and len(text) <= 3):
            raise InvalidText("“{text}” is not the number of a column.", text=text)
    return [int(text) for text in given or ()]


def _show(words: Translator, situation: Situation) -> None:
    usable, total = usable_rolls(situation), rolls_of(situation.board)
    if situation.runners:
        echo(words.say("Runners on {columns}", columns=words.join(sorted(situation.runners))))
    else:
        echo(words.say("No runners on the board"))
    echo(
        words.say(
            "The next roll can be used: {usable} of {total} rolls, {percent}",
            usable=usable,
            total=total,
            percent=words.percent(Fraction(usable, total)),
        )
    )
    bust = words.percent(Fraction(total - usable, total))
    echo(words.say("It is a bust: {percent}", percent=bust))
    echo()
    if chances := _survival(situation):
        echo(words.say("Chance of surviving this many rolls, with no runner on a top:"))
        echo("".join(f"{rolls:>8}" for rolls in range(1, _ROLLS_SHOWN + 1)))
        echo("".join(f"{words.percent(chance):>8}" for chance in chances))
        echo()
    echo(words.say("Chance that a roll shows a column:"))
    shown = column_rolls(situation.board)
    for column in situation.board.columns:
        mark = "●" if column in situation.useful else " "
        chance = Fraction(shown[column], total)
        bar = "█" * round(chance * 40)
        echo(f"{column:>4} {mark} {shown[column]:>5} {words.percent(chance):>8}  {bar}")
    echo(words.say("● a column that can be used now"))


def _survival(situation: Situation) -> list[Fraction]:
    """The chances to get through one roll, two and so on; none where that would take too long."""
    if not is_survival_quick(situation):
        return []
    return [survival(situation, rolls) for rolls in range(1, _ROLLS_SHOWN + 1)]


def _show_table(words: Translator, board: Board, json: bool) -> None:
    triples, total = triple_rolls(board), rolls_of(board)
    if json:
        print_json([TripleOdds(tuple(triple), usable, total) for triple, usable in triples.items()])
        return
    for triple, usable in triples.items():
        name = "-".join(map(str, triple))
        chance = words.percent(Fraction(usable, total))
        echo(f"{name:<9}{usable:>6} / {total} {chance:>8}")


def _report(situation: Situation) -> OddsReport:
    return OddsReport(
        tuple(sorted(situation.runners)),
        tuple(sorted(situation.closed)),
        tuple(sorted(situation.topped)),
        usable_rolls(situation),
        rolls_of(situation.board),
        {str(column): rolls for column, rolls in column_rolls(situation.board).items()},
        tuple(map(float, _survival(situation))),
    )
