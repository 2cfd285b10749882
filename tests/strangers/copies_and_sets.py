"""Positions and games pickled, copied, in sets and as keys."""

import copy
import pickle

import cantstop

game = cantstop.Game(dice=1)
game.roll("2345")
game.move("6+8")
same = pickle.loads(pickle.dumps(game.position))
print(same == game.position, copy.deepcopy(game.position) == game.position)
print(len({same, game.position, cantstop.Position.initial()}))
values = {game.position: 0.5}
print(values[same], pickle.loads(pickle.dumps(game)).events == game.events)
record = cantstop.Record.of(game)
print(pickle.loads(pickle.dumps(record)) == copy.deepcopy(record) == record)
