"""``cantstop hint``: what to do in a position, and what every option is worth."""

from typing import Annotated

from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.rules import Position, parse_dice
from cantstop.wire.insight import hint_view


def hint(
    position: Annotated[str, Argument(metavar="POSITION", help="A position text.")],
    dice: Annotated[
        str | None, Option(metavar="DICE", help="The dice of the next roll, such as 2345.")
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show every option's chance to win, the best first.

    Example: cantstop hint "v1,players=2 7:4/6:9,8:3 1 - -" --dice 2345
    """
    words = translator(lang)
    where = Position.parse(position)
    if dice is not None:
        where = where.roll(parse_dice(dice))
    # the engine takes a moment to load, and the other commands do without
    from cantstop.engine import hint as find
    from cantstop.engine import hint_lines

    found = find(where)
    if json:
        print_json(hint_view(found))
        return
    for line in hint_lines(words, found):
        echo(line)
