"""What a notebook shows of a game and of a position."""

from IPython.core.formatters import DisplayFormatter

import cantstop

formatter = DisplayFormatter()
game = cantstop.Game()
game.roll("2345")
for thing in (game, game.position):
    shown, _ = formatter.format(thing)  # type: ignore[no-untyped-call]
    print(shown["image/svg+xml"][:4], shown["text/plain"][:9])
