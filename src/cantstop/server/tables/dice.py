"""Where a table's dice come from."""

from cantstop.dice import Seal, SealedDice, SecureDice
from cantstop.rules import Dice
from cantstop.server.tables.lessons import prepared_dice
from cantstop.server.tables.table import Table


def seal_of(table: Table) -> Seal | None:
    """The promise that the dice are bound to; prepared ones are bound to nothing."""
    commitment = table.opened.commitment
    return None if commitment is None else Seal(table.id, commitment, table.salts)


def throw(table: Table, dice_secret: bytes | None) -> Dice:
    """The dice of the table's next roll."""
    sides, count = table.rules.board.sides, table.position.dice_to_roll
    if table.opened.lesson is not None:
        return prepared_dice(table, table.opened.lesson) or SecureDice(sides).roll(count=count)
    seal = seal_of(table)
    assert seal is not None
    assert dice_secret is not None
    return SealedDice(seal, dice_secret, sides).roll(table.rolls + 1, count)
