"""``cantstop hint``: what to do in a position, and what every option is worth."""

from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from cantstop.cli.options import Json, Lang, echo, print_json, translator
from cantstop.language import Translator
from cantstop.rules import Phase, Position, parse_dice

if TYPE_CHECKING:
    from cantstop.engine import Hint, Option


def hint(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="A position text.")],
    dice: Annotated[
        str | None, typer.Option(metavar="DICE", help="The dice of the next roll, such as 2345.")
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Tell the chance to win of everything that can be done, the best first.

    Example: cantstop hint "v1,players=2 7:4/6:9,8:3 1 - -" --dice 2345
    """
    words = translator(lang)
    where = Position.parse(position)
    if dice is not None:
        where = where.roll(parse_dice(dice))
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.engine import best_evaluator
    from cantstop.engine import hint as find

    found = find(where, best_evaluator(where.rules))
    if json:
        print_json(_as_json(where, found))
    else:
        _show(words, where, found)


def _show(words: Translator, position: Position, found: "Hint") -> None:
    solo = position.rules.players == 1
    lines = [(_what(words, option), option.worth) for option in found.options]
    width = max((len(what) for what, _ in lines), default=0)
    error = "" if solo or found.error is None else f" ± {words.decimal(100 * found.error.rms)}"
    for what, worth in lines:
        figure = f"{-worth:.2f}" if solo else words.percent(Fraction(worth))
        echo(f"{what:<{width}}  {figure:>6}{error}")
    if position.phase is Phase.BUST:
        echo(words.say("This roll is of no use: it is a bust."))
        return
    if solo:
        echo(words.say("How many turns will follow this one, on average."))
    else:
        echo(words.say("The chance to win."))
    bust = words.percent(Fraction(found.bust))
    echo(words.say("The turn ends in a bust: {percent}", percent=bust))


def _what(words: Translator, option: "Option") -> str:
    from cantstop.engine import Press

    match option.action, option.then:
        case Press.STOP, _:
            return words.say("stop")
        case Press.ROLL, _:
            return words.say("roll")
        case move, Press.STOP:
            return words.say("{move}, then stop", move=move)
        case move, _:
            return words.say("{move}, then roll again", move=move)


def _as_json(position: Position, found: "Hint") -> dict[str, object]:
    solo = position.rules.players == 1

    def worth(value: float) -> dict[str, float]:
        return {"turns": -value} if solo else {"win": value}

    return {
        "position": str(position),
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
