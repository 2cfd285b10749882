"""Things in sentences."""

import cantstop

game = cantstop.Game()
moves = game.roll("2345")
print(f"{moves[0]} of {len(moves)}: {', '.join(f'{move}' for move in moves)}")
print(f"{game.position} | {game.rules} | {game.phase.value}")
print(f"{moves[0]!s:>6}|{moves!r}")
