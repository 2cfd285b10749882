"""``cantstop players``: what an operator sees of a server's players, and does about them."""

from collections.abc import Sequence
from typing import Annotated, Literal

from cantstop.cli.backup import Database
from cantstop.cli.options import Json, Lang, Printed, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.cli.serve import default_database
from cantstop.language import Translator, message
from cantstop.rules import InvalidText
from cantstop.untrusted import escaped
from cantstop.wire.reports import PlayerActReport, PlayerReport

_DONE = {
    "rename": message("{name} has a new name: {new}"),
    "exclude": message("{name} is excluded from lobby and ratings."),
    "include": message("{name} is not excluded any more."),
    "erase": message("{name} is erased: games stay, of “a player”."),
}


def players(
    what: Annotated[
        Literal["list", "rename", "exclude", "include", "export", "erase", "reports", "log"],
        Argument(help="What to do; without it, list the newest players."),
    ] = "list",
    name: Annotated[
        str | None, Argument(metavar="NAME", help="A player's name, or the id.")
    ] = None,
    new: Annotated[str | None, Argument(metavar="NEW", help="The new name.")] = None,
    database: Database = None,
    most: Annotated[
        int, Option("--most", metavar="N", least=0, help="How many to list; 0 for all.")
    ] = 50,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """List the players of a server; rename, exclude, export or erase one; read what was reported.

    It works on the database while servers run, and all of it is written down: “log” lists it. An
    excluded player is in no lobby and in no rating. Erasing takes away the name and all that is
    linked to it, and nothing brings it back; games stay, of “a player”.

    Example: cantstop players exclude Anne --database sqlite:///games.db
    """
    # the other commands do without a database, and start much quicker
    from cantstop.server.database import operating

    words, url = translator(lang), database or default_database()
    if what in ("list", "reports", "log"):
        if name is not None:
            raise InvalidText("“{text}” cannot be used here.", text=name)
        _print(words, url, what, most or None, json=json)
        return
    if name is None:
        raise InvalidText("Which player? Give the name, or the id.")
    if new is not None and what != "rename":
        raise InvalidText("“{text}” cannot be used here.", text=new)
    if what == "export":
        echo(escaped(operating.export_player(url, name)))
        return
    if what == "rename":
        if new is None:
            raise InvalidText("Give the new name, too.")
        operating.rename_player(url, name, new)
    elif what == "erase":
        operating.erase(url, name)
    else:
        operating.exclude(url, name, excluded=what == "exclude")
    if json:
        print_json(PlayerActReport(what, name, new))
    else:
        echo(words.say(_DONE[what], name=name, new=new))


def _print(words: Translator, url: str, what: str, most: int | None, *, json: bool) -> None:
    from cantstop.server.database import operating

    if what == "list":
        found = operating.list_players(url, most)
        lines = [_line(words, one) for one in found]
        nothing = words.say("There are no players.")
        shown: Sequence[Printed] = found
    elif what == "reports":
        reports = operating.list_reports(url, most)
        lines = [f"{one.at}  {one.name}  {one.reason}  {one.table}  {one.event}" for one in reports]
        nothing = words.say("Nothing was reported.")
        shown = reports
    else:
        acts = operating.list_log(url, most)
        lines = [f"{one.at}  {one.what}  {one.player}" for one in acts]
        nothing = words.say("Nothing was done yet.")
        shown = acts
    if json:
        print_json(shown)
        return
    for line in lines or [nothing]:
        echo(line)


def _line(words: Translator, player: PlayerReport) -> str:
    games = words.say_count("{count} game", "{count} games", player.games)
    excluded = f", {words.say('excluded')}" if player.excluded else ""
    return f"{player.id}  {player.name}: {games}{excluded}"
