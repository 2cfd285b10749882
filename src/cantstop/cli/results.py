"""``cantstop results``: what an operator sees of the daily games, and how to take a result away."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from cantstop.cli.backup import Database
from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.cli.serve import default_database
from cantstop.daily import day_of, signs_of
from cantstop.dice import read_day
from cantstop.language import Translator
from cantstop.rules import InvalidText
from cantstop.wire.reports import RemovedReport, ResultReport, ResultsReport

if TYPE_CHECKING:
    from cantstop.server.tables.tries import DailyEntry


def results(
    what: Annotated[
        Literal["list", "remove"], Argument(help="List the results of a day, or remove one.")
    ] = "list",
    table: Annotated[
        str | None, Argument(metavar="ID", help="The table whose result is to be removed.")
    ] = None,
    day: Annotated[
        str | None, Option(metavar="DAY", help="A day such as 2026-11-15; else today, in UTC.")
    ] = None,
    database: Database = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """List the results of the daily game of a server, with their tables, or remove one.

    It works on the database while servers run: name and result are gone from the day's table for
    whoever asks next, and so is the table where it was played. The device has had its try and gets
    no other. Nothing brings a removed result back.

    Example: cantstop results remove k7QmZr3pW9xA --database sqlite:///games.db
    """
    # the other commands do without a database, and start much quicker
    from cantstop.server.database.listing import list_results, remove_result

    words, url = translator(lang), database or default_database()
    if what == "remove":
        if table is None:
            raise InvalidText("Which result is to be removed? Give the id of its table.")
        if day is not None:
            raise InvalidText("“{text}” cannot be used here.", text="--day")
        entry = remove_result(url, table)
        if json:
            print_json(RemovedReport(_report(entry)))
        else:
            echo(words.say("Removed: {result}", result=_line(words, entry)))
        return
    if table is not None:
        raise InvalidText("“{text}” cannot be used here.", text=table)
    asked = day_of(datetime.now(UTC)) if day is None else read_day(day)
    _print_list(words, list_results(url, asked), asked, json=json)


def _print_list(words: Translator, found: "list[DailyEntry]", day: date, *, json: bool) -> None:
    if json:
        print_json(ResultsReport(day.isoformat(), tuple(map(_report, found))))
        return
    for entry in found:
        echo(_line(words, entry))
    if not found:
        echo(words.say("Nobody has finished this game here."))


def _report(entry: "DailyEntry") -> ResultReport:
    assert entry.finished_at is not None
    return ResultReport(
        entry.table,
        entry.day.isoformat(),
        entry.name,
        entry.turns,
        entry.finished_at.isoformat(timespec="seconds"),
    )


def _line(words: Translator, entry: "DailyEntry") -> str:
    turns = words.say_count("{count} turn", "{count} turns", entry.turns or 0)
    signs = "".join(sign.picture for sign in signs_of(entry.signs or ""))
    return f"{entry.table}  {entry.name}: {turns} {signs}"
