"""Bots as a class and as an object, without anything to inherit from."""

import cantstop


class Greedy:
    def __init__(self, moves: int = 3) -> None:
        self.moves = moves

    def choose(self, position: cantstop.Position, moves: int) -> cantstop.Move:
        return max(position.legal_moves, key=sum)

    def stop(self, position: cantstop.Position, moves: int) -> bool:
        return moves >= self.moves


results = cantstop.compete([Greedy, Greedy(5)], "win=1", games=10, seed=2)
print(results.games, sum(results.wins))
