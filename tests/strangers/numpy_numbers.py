"""Dice and columns that are NumPy's numbers."""

import numpy

import cantstop

dice = numpy.array([2, 3, 4, 5])
game = cantstop.Game(players=int(numpy.int64(2)))
moves = game.roll(tuple(dice))
game.move(tuple(numpy.array([6, 8])))
print(len(moves), game.position == cantstop.Position.initial().roll("2345").move("6+8"))
print(game.position.runners[numpy.int64(6)] == numpy.int64(1))
