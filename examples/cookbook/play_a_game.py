"""Play a game between bots, keep its record, and check every roll of it."""

from cantstop import Record, play_game, verify

record = play_game(["careful", "bold", "rule-of-28"], "win=3", dice=2026)
record.save("game.cantstop")

again = Record.load("game.cantstop")
checked = verify(again)
print(f"{again.summary()['winner_name']} won after {checked.turns} turns and {checked.rolls} rolls")
print("every roll is that of the seed" if checked.dice_checked else "nothing to check")
