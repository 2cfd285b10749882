"""Rules come second, whatever is called."""

import cantstop

bots = ["careful", "bold"]
print(cantstop.compete(bots, "win=1", games=2, seed=1).plan.rules)
print(cantstop.play_game(bots, "win=1", dice=1).rules)
print(cantstop.Game("win=1").rules)
print(cantstop.Position.initial("win=1").rules)
print(cantstop.Move(6, 8) == cantstop.Move((6, 8)) == cantstop.Move("6+8"))
