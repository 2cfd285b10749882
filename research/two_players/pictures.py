"""The charts and boards of docs/two-players.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cantstop.draw import board_svg
from cantstop.rules import Position

IMAGES = Path(__file__).parents[2] / "docs" / "img"
WIDTH, ROW, BAR, LEFT = 640, 22, 15, 200
INK, LIGHT = "#5c6b73", "#ffffff"
FILLS = ("#e76f51", "#2a9d8f", "#457b9d", "#8d99ae")

BOARDS = {
    "two-players-stop": "v1,players=2 -/- 1 6:6,7:7,8:6 -",
    "two-players-roll": "v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -",
    "two-players-last-chance": "v1,players=2 -/2:3,7:12,12:3 1 6:6,7:7,8:6 -",
}
"""The same runners on three boards; ``cantstop hint`` says what they ask for."""


def text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK) -> str:
    """A label."""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{fill}">{words}</text>'


def bar(x: float, y: float, size: float, height: int, fill: str) -> str:
    """A bar from left to right."""
    return f'<rect x="{x:.1f}" y="{y}" width="{size:.1f}" height="{height}" fill="{fill}" rx="2"/>'


def drawing(height: int, title: str, parts: list[str]) -> str:
    """A picture with a title for those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{title}" font-family="sans-serif" font-size="12" fill="{INK}">'
        f"<title>{title}</title>{''.join(parts)}</svg>\n"
    )


def shares_chart(rows: list[tuple[str, list[float]]], title: str) -> str:
    """One bar a row, divided as a hundred points are."""
    parts, unit = [], (WIDTH - LEFT - 20) / 100
    for place, (name, shares) in enumerate(rows):
        x, y = float(LEFT), place * ROW + 4
        parts.append(text(LEFT - 8, y + 12, name, "end"))
        for seat, share in enumerate(shares):
            parts.append(bar(x, y, share * unit - 1, BAR, FILLS[seat]))
            parts.append(text(x + share * unit / 2, y + 12, f"{share:.1f}", "middle", LIGHT))
            x += share * unit
    return drawing(len(rows) * ROW + 8, title, parts)


def pairs_chart(rows: list[tuple[str, float, float]], names: tuple[str, str], title: str) -> str:
    """Two thin bars a row, with a key below them."""
    parts, most = [], max(max(row[1:]) for row in rows)
    unit = (WIDTH - LEFT - 70) / most
    for place, (name, one, two) in enumerate(rows):
        y = place * 34 + 4
        parts.append(text(LEFT - 8, y + 18, name, "end"))
        for offset, value, fill in ((0, one, FILLS[0]), (14, two, FILLS[1])):
            parts.append(bar(LEFT, y + offset, value * unit, 12, fill))
            parts.append(text(LEFT + value * unit + 6, y + offset + 10, f"{value:.0f} %"))
    y = len(rows) * 34 + 8
    for at, (name, fill) in enumerate(zip(names, FILLS[:2], strict=True)):
        parts += [bar(LEFT + at * 180, y, 12, 12, fill), text(LEFT + 18 + at * 180, y + 10, name)]
    return drawing(y + 20, title, parts)


def bars_chart(rows: list[tuple[str, float, float]], title: str) -> str:
    """One bar a row with its number and interval; the first row in another colour."""
    parts, most = [], max(value for _, value, _ in rows)
    for place, (name, value, interval) in enumerate(rows):
        y, size = place * ROW + 4, max(value, 0.0) / most * (WIDTH - LEFT - 90)
        parts += [
            text(LEFT - 8, y + 12, name, "end"),
            bar(LEFT, y, size, BAR, FILLS[0] if place == 0 else FILLS[1]),
            text(LEFT + size + 6, y + 12, f"{value:.1f} ± {interval:.1f}"),
        ]
    return drawing(len(rows) * ROW + 8, title, parts)


def draw_all(found: dict[str, Any]) -> None:
    """Draw everything that there are figures for."""
    seats = [
        (f"{players} players", found["seats"][f"v1,players={players}"]["seats"])
        for players in (2, 3, 4)
    ]
    charts = {"two-players-seats": shares_chart(seats, "What each seat wins under best play")}
    bands = [
        (f"win chance {row['group']}–{row['group'] + 20} %", row["bust"], row["alone"])
        for row in found["courage"]["by_win_chance"]
    ]
    charts["two-players-courage"] = pairs_chart(
        bands, ("best play", "as if alone"), "How likely a turn is to bust"
    )
    advice = [
        (row["advice"], row["wins"], row["wins_interval"])
        for name, row in found.items()
        if name.startswith("advice: ")
    ]
    advice.sort(key=lambda row: -row[1])
    charts["two-players-advice"] = bars_chart(advice, "Wins against best play, in percent")
    for name, position in BOARDS.items():
        charts[name] = board_svg(Position.parse(position), names=("You", "They"))
    for name, picture in charts.items():
        (IMAGES / f"{name}.svg").write_text(picture.rstrip("\n") + "\n", "utf-8")
