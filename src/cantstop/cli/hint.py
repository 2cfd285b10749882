"""``cantstop hint``: what to do in a position, and what every option is worth."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Argument, Option
from cantstop.cli.progress import show_compiling
from cantstop.rules import Position, parse_dice

if TYPE_CHECKING:
    from cantstop.engine import Hint


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
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.engine import hint as find
    from cantstop.engine import hint_lines

    with show_compiling(words, where.rules.players):
        found = find(where)
    if json:
        print_json(_as_json(found))
        return
    for line in hint_lines(words, found):
        echo(line)


def _as_json(found: "Hint") -> dict[str, object]:
    solo = found.position.rules.players == 1

    def worth(value: float) -> dict[str, float]:
        return {"turns": -value} if solo else {"win": value}

    return {
        "position": str(found.position),
        **worth(found.worth),
        "bust": found.bust,
        "error": asdict(found.error) if found.error else None,
        "options": [
            {
                "move": str(option.action),
                **worth(option.worth),
                "then": option.then,
            }
            for option in found.options
        ],
    }
