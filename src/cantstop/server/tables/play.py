"""The seat in turn rolls, moves and stops; what has to follow follows by itself."""

from cantstop.rules import Dice, Move, Phase
from cantstop.server.errors import NotYourTurn, Refused, Stale
from cantstop.server.tables.actions import Play
from cantstop.server.tables.events import Busted, Finished, Happened, Moved, Rolled, Stopped
from cantstop.server.tables.table import Stage, Table


def check_turn(table: Table, action: Play, *, bot: bool) -> None:
    """Refuse somebody who is not to act, or who has not seen what happened last."""
    if table.stage is Stage.OPEN:
        raise Refused("The game has not begun: seats are still free.")
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    if table.to_act != action.seat:
        raise NotYourTurn("It is not your turn.")
    if bot is not (table.bot_to_act is not None):
        raise Refused("A bot plays for you: come back to your seat first.")
    if action.n is not None and action.n < table.last_play:
        raise Stale("The game has gone on since; look again.")


def rolled(table: Table, dice: Dice) -> list[Happened]:
    """These dice are thrown; a roll that is of no use is a bust (T7)."""
    seat = table.position.seat
    after = table.position.roll(dice)
    happened = [Happened(seat, Rolled(dice, table.rolls + 1))]
    if after.phase is Phase.BUST:
        happened.append(Happened(seat, Busted()))
    return happened


def moved(table: Table, text: str) -> list[Happened]:
    """The dice on the table are used."""
    move = Move.parse(text)
    table.position.move(move)
    return [Happened(table.position.seat, Moved(str(move)))]


def stopped(table: Table, dice_secret: bytes | None) -> list[Happened]:
    """The turn ends; if that ends the game, the secret of the dice comes out."""
    before, after = table.position, table.position.stop()
    new = set(after.tokens.won_by(before.seat)) - set(before.tokens.won_by(before.seat))
    happened = [Happened(before.seat, Stopped(tuple(sorted(new))))]
    if after.outcome is not None:
        secret = None if dice_secret is None else dice_secret.hex()
        happened.append(Happened(None, Finished(after.outcome.winners, secret)))
    return happened
