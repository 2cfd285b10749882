"""Many records from one file, in the memory of one: COUNT is the first argument."""

import sys
from resource import RUSAGE_SELF, getrusage

import cantstop

count = int(sys.argv[1])
game = cantstop.Game(players=1)
game.roll("2345")
game.move("7+7")
game.stop()
text = str(cantstop.Record.of(game, ["Anne"]))
with open("games.cantstop", "w", encoding="utf-8") as file:
    for _ in range(count):
        file.write(text)
first = cantstop.Record.iterate("games.cantstop")
print(sum(next(first).game().rolls for _ in range(500)), "rolls in 500 games")
before = getrusage(RUSAGE_SELF).ru_maxrss
found = sum(record.names == ("Anne",) for record in cantstop.Record.iterate("games.cantstop"))
print(found, (getrusage(RUSAGE_SELF).ru_maxrss - before) // 1024 < 4, "MB more or less")
