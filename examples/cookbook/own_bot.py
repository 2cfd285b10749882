"""Let a bot of your own compete: it needs two methods, and no file of its own."""

from cantstop import Move, Position, compete


class Patient:
    """Stops with all runners out and four moves made."""

    def choose(self, position: Position, moves: int) -> Move:
        return max(position.legal_moves, key=lambda move: sum(map(position.rules.board.top, move)))

    def stop(self, position: Position, moves: int) -> bool:
        return position.free_runners == 0 and moves >= 4


results = compete([Patient(), "careful"], games=100, seed=1)
for row in results.rows():
    print(f"{row['bot']:<8} {row['wins']:>5} of {row['games']}  rating {row['rating']:.0f}")
