"""What a type checker knows; ``make lint`` checks this file like all others."""

from io import StringIO
from typing import assert_type

import cantstop

game = cantstop.Game()
assert_type(game.roll("2345")[0], cantstop.Move)
assert_type(game.outcome, cantstop.Outcome | None)
assert_type(game.position.hint().best, cantstop.Option | None)
assert_type(cantstop.play_game(["careful"], dice=1), cantstop.Record)
assert_type(cantstop.board_svg(game.position), str)
assert_type(cantstop.board_png(game.position), bytes)
text = StringIO(str(cantstop.Record.of(game)))
assert_type(list(cantstop.Record.iterate(text)), list[cantstop.Record])
print("typed")
