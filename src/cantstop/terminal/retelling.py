"""A record told from beginning to end, in words."""

from cantstop.record import Record
from cantstop.terminal.console import Talk
from cantstop.terminal.telling import Teller


def retell(talk: Talk, record: Record) -> None:
    """Tell everything that happened in a game, and how it ended if it did."""
    teller, game = Teller(talk.words, record.names), record.game()
    positions = game.positions
    for before, event, after in zip(positions, game.events, positions[1:], strict=False):
        for line in teller.event(before, event, after):
            talk.tell(line)
    if game.outcome is not None:
        for line in teller.outcome(game.position, game.turn, game.outcome):
            talk.tell(line)
        for line in teller.against_par(game.start, game.turn):
            talk.tell(line)
    else:
        for line in teller.standings(game.position):
            talk.tell(line)
