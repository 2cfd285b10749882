"""Rows of several kinds into files for a spreadsheet."""

import csv
from collections.abc import Mapping, Sequence

import cantstop
from cantstop import drills

record = cantstop.play_game(["careful", "bold"], "win=1", dice=7)
drill = drills.package_drills()[0]
tables: dict[str, Sequence[Mapping[str, object]]] = {
    "events": record.rows(),
    "verified": cantstop.verify(record).rows(),
    "drill": drill.rows(),
}
for name, rows in tables.items():
    with open(f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with open(f"{name}.csv", newline="", encoding="utf-8") as file:
        print(name, len(list(csv.DictReader(file))) == len(rows))
