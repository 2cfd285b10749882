"""Moves sorted, compared and looked for."""

import cantstop

moves = cantstop.Game().roll("1266")
print([str(move) for move in sorted(moves)], max(moves, key=sum) == (3, 12))
print(
    cantstop.Move("8+7") in moves,
    cantstop.Move(8, 7) in moves,
    moves.index(cantstop.Move("7+8")) >= 0,
)
print({move: sum(move) for move in moves}[cantstop.Move(7, 8)])
