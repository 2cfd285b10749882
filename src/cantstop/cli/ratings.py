"""``cantstop ratings``: everybody's ratings, worked out again from the games of a database."""

from typing import Annotated, Literal

from cantstop.cli.backup import Database
from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Argument
from cantstop.cli.progress import ProgressLine
from cantstop.cli.serve import default_database
from cantstop.wire.reports import RatingsReport

_TELL_EVERY = 1000


def ratings(
    what: Annotated[Literal["recompute"], Argument(help="Work all ratings out again.")],
    database: Database = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Work out the ratings of all players again, from the games of a database alone.

    It works on the database while servers run, which do the same some minutes after games that
    count. The same games give the same ratings, to the last digit, on every machine.

    Example: cantstop ratings recompute --database sqlite:///games.db
    """
    # the other commands do without a database, and start much quicker
    from cantstop.server.database.ratings import recompute

    assert what == "recompute"
    words = translator(lang)
    with ProgressLine() as line:

        def tell(games: int) -> None:
            if games % _TELL_EVERY == 0:
                line.show(words.say("Games: {count}", count=games))

        found = recompute(database or default_database(), tell)
    if json:
        print_json(RatingsReport(found.games, found.players, found.ratings, found.differ))
        return
    echo(words.say("Games that count: {count}", count=found.games))
    echo(words.say("Players with a rating: {count}", count=found.players))
    echo(
        words.say(
            "Ratings that differ from before: {differ} of {count}",
            differ=found.differ,
            count=found.ratings,
        )
    )
