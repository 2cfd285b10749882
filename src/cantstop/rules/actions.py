"""What a player can do in a turn: move by the roll, or choose between stopping and rolling."""

from enum import StrEnum

from cantstop.rules.moves import Move


class Choice(StrEnum):
    """What a player chooses between when no dice are on the table."""

    STOP = "stop"
    ROLL = "roll"


Action = Move | Choice
"""A move of the runners, stopping, or rolling; ``str`` gives its text."""


def parse_action(text: str) -> Action:
    """Parse the text of an action: a move, ``stop`` or ``roll``.

    >>> parse_action("6+8"), parse_action("stop")
    (Move(6, 8), <Choice.STOP: 'stop'>)

    Raises:
        InvalidText: If the text is neither.
    """
    return Choice(text) if text in (Choice.STOP, Choice.ROLL) else Move.parse(text)
