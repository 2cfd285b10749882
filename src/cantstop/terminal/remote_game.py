"""A solo game at a server's table that looks like one at this terminal: its dice come from there.

The server decides everything; what it has accepted is applied here as well.
"""

from cantstop.bots import Choice
from cantstop.client import Player, RemoteTable
from cantstop.dice import SecureDice
from cantstop.game import Game
from cantstop.rules import Busted, IllegalAction, Moved, Rolled, Stopped
from cantstop.terminal.local_game import Decision, LocalGame, LocalSeat, Thrown


class RemoteGame(LocalGame):
    """A solo game that is played at a table on a server."""

    def __init__(self, player: Player, name: str, *, hints: bool) -> None:
        table = player.table
        super().__init__(_game_of(table), (LocalSeat(name),), SecureDice(), table.edition)
        self._player = player
        self._hints = hints

    def apply(self, action: Decision | Busted) -> None:
        """Ask the server, and apply what it has accepted."""
        match action:
            case Choice.ROLL:
                self._roll()
            case Choice.STOP:
                self._player.stop()
                self.game.push(Stopped())
            case Busted():  # the server has let it follow the roll
                self.game.push(action)
            case _:
                assert not isinstance(action, Thrown), "nobody enters dice here"
                self._player.move(action)
                self.game.push(Moved(action))

    def _roll(self) -> None:
        before = len(self._player.table.plays)
        self._player.roll()
        rolled = next(
            play.event
            for play in self._player.table.plays[before:]
            if isinstance(play.event, Rolled)
        )
        self.game.push(rolled)

    def undo(self) -> None:
        """Undo the last move or stop: possible until dice are thrown again."""
        self._player.take_back()
        self.game.undo()

    def resign(self) -> None:
        """Give up the game."""
        self._player.resign()
        super().resign()

    def note_hint(self, seat: int) -> None:
        """Refuse hints in the one try that counts."""
        if not self._hints:
            raise IllegalAction("A daily game that counts is played without hints.")
        super().note_hint(seat)


def _game_of(table: RemoteTable) -> Game:
    """The game so far."""
    return Game.replay(table.start, (play.event for play in table.plays))
