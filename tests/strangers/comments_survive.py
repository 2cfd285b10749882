"""A user's notes are still there after a program has read and written the file."""

from pathlib import Path

from cantstop import Record, play_game

record = play_game(["careful", "bold"], "win=1", dice=7).annotated(2, "hm", "?!")
record.save("game.cantstop")
with Path("game.cantstop").open("rb") as file:
    again = Record.load(file)
print(again == record, again.comments[0].text, again.annotations[0].sign)
