"""A generator that walks what can be reached."""

from collections.abc import Iterator

from cantstop import Phase, Position


def reachable(position: Position, depth: int) -> Iterator[Position]:
    yield position
    if not depth:
        return
    if position.phase is Phase.ROLL:
        for dice, _ in position.chances:
            yield from reachable(position.roll(dice), depth - 1)
    elif position.phase is Phase.MOVE:
        for move in position.legal_moves:
            yield from reachable(position.move(move), depth - 1)


found = list(reachable(Position.initial(), 2))
print(sum(position.phase is Phase.MOVE for position in found), len(set(found)) <= len(found))
