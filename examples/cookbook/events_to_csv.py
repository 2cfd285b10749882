"""Games as a table: a row for each event, for a spreadsheet or for pandas."""

import csv
from pathlib import Path

from cantstop import play_game

games = [play_game(["careful", "bold"], dice=seed) for seed in range(5)]
rows = [{"game": number, **row} for number, game in enumerate(games) for row in game.rows()]

with Path("events.csv").open("w", encoding="utf-8", newline="") as file:
    table = csv.DictWriter(file, list(rows[0]))
    table.writeheader()
    table.writerows(rows)

busts = sum(row["event"] == "busted" for row in rows)
print(f"{len(rows)} events of {len(games)} games, {busts} busts")
# with pandas: pandas.DataFrame(game.summary() for game in games)
