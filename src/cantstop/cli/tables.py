"""``cantstop tables``: what an operator sees of a server's tables; how to close or delete one."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from cantstop.cli.backup import Database
from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.cli.serve import default_database
from cantstop.language import Translator, message
from cantstop.rules import InvalidText
from cantstop.wire.reports import ClosedReport, DeletedReport, TableReport

if TYPE_CHECKING:
    from cantstop.server.database.listing import ListedTable

_STAGES = {
    "open": message("waiting for players"),
    "playing": message("being played"),
    "over": message("over"),
}
_ENDED = {
    "turns": message("ended after too many turns"),
    "closed": message("closed"),
}


def tables(
    what: Annotated[
        Literal["list", "close", "delete", "clean"],
        Argument(help="List tables, close or delete one, or delete all expired ones."),
    ] = "list",
    table: Annotated[
        str | None, Argument(metavar="ID", help="The table to close or delete.")
    ] = None,
    database: Database = None,
    most: Annotated[
        int, Option("--most", metavar="N", least=0, help="How many to list; 0 for all.")
    ] = 50,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """List the tables of a server, the most recently active first; close or delete one.

    It works on the database while servers run. A closed table's game is over without a winner; its
    players are notified, with SQLite within half a minute. A deleted table is gone with its game
    and all names, and nothing brings it back. A server deletes expired tables itself; “clean” is
    for when it finds too many to be true.

    Example: cantstop tables close k7QmZr3pW9xA --database sqlite:///games.db
    """
    # the other commands do without a database, and start much quicker
    from cantstop.server.database.listing import list_tables

    words, url = translator(lang), database or default_database()
    if what in ("close", "delete"):
        _end(words, url, what, table, json=json)
        return
    if table is not None:
        raise InvalidText("“{text}” cannot be used here.", text=table)
    if what == "clean":
        _clean(words, url, json=json)
        return
    found = list_tables(url, most or None)
    if json:
        print_json([_report(one) for one in found])
        return
    now = datetime.now(UTC)
    for one in found:
        echo(_line(words, one, now))
    if not found:
        echo(words.say("There are no tables."))


def _end(words: Translator, url: str, what: str, table: str | None, *, json: bool) -> None:
    """Close or delete a table."""
    from cantstop.server.database.listing import close_table, delete_table

    if what == "close":
        if table is None:
            raise InvalidText("Which table is to be closed? Give its id.")
        close_table(url, table)
        report: ClosedReport | DeletedReport = ClosedReport(table)
        sentence = words.say("Table {table} is closed.", table=table)
    else:
        if table is None:
            raise InvalidText("Which table is to be deleted? Give its id.")
        delete_table(url, table)
        report = DeletedReport(table)
        sentence = words.say("Table {table} is deleted.", table=table)
    if json:
        print_json(report)
    else:
        echo(sentence)


def _clean(words: Translator, url: str, *, json: bool) -> None:
    from cantstop.server.runtime.housekeeping import clean_up

    count = clean_up(url)
    if json:
        print_json(DeletedReport(count))
    else:
        echo(words.say_count("One table is deleted.", "{count} tables are deleted.", count))


def _report(table: "ListedTable") -> TableReport:
    return TableReport(
        table.id,
        table.stage.value,
        tuple(table.players),
        table.events,
        table.opened.isoformat(timespec="seconds"),
        table.touched.isoformat(timespec="seconds"),
        table.ended,
    )


def _line(words: Translator, table: "ListedTable", now: datetime) -> str:
    state = _ENDED.get(table.ended or "") or _STAGES[table.stage]
    return words.say(
        "{table}  {state}; {players}; opened {age} ago, last event {idle} ago, events: {events}",
        table=table.id,
        state=words.say(state),
        players=", ".join(table.players) or "–",
        age=_span(now - table.opened),
        idle=_span(now - table.touched),
        events=table.events,
    )


def _span(time: timedelta) -> str:
    """A span of time in its largest unit: 40 s, 12 min, 3 h, 5 d."""
    seconds = max(0, int(time.total_seconds()))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
