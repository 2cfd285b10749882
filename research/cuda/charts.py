"""Draws the charts of docs/solved.md from what was found about the solved game."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDTH, ROW, BAR, LEFT = 640, 22, 15, 190
INK, FILL, BEST = "#5c6b73", "#2a9d8f", "#e76f51"


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """A label."""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


def drawing(height: int, title: str, parts: list[str]) -> str:
    """A picture with a title for those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{title}" font-family="sans-serif" font-size="12" fill="{INK}">'
        f"<title>{title}</title>{''.join(parts)}</svg>\n"
    )


def bars(rows: list[tuple[str, float, str]], title: str, best: str = "") -> str:
    """Bars from left to right, one a row, each with its name and its number."""
    most = max(value for _, value, _ in rows)
    parts = []
    for place, (name, value, number) in enumerate(rows):
        y, size = place * ROW + 4, value / most * (WIDTH - LEFT - 70)
        fill = BEST if name == best else FILL
        parts += [
            text(LEFT - 8, y + 12, name, "end"),
            f'<rect x="{LEFT}" y="{y}" width="{size:.1f}" height="{BAR}" fill="{fill}" rx="2"/>',
            text(LEFT + size + 6, y + 12, number),
        ]
    return drawing(len(rows) * ROW + 8, title, parts)


def main() -> None:
    """Draw all charts."""
    found = json.loads((Path(__file__).parent / "results.json").read_text())
    images = ROOT / "docs" / "img"
    games, by_turns = found["network"]["games"], found["network"]["by_turns"]
    shown = [(f"{n} turns", by_turns[n] / games) for n in range(2, 17)]
    shown.append(("more", sum(by_turns[17:]) / games))
    turns = [(name, share, f"{100 * share:.1f} %") for name, share in shown]
    (images / "solved-turns.svg").write_text(bars(turns, "How many turns best play takes"))
    means = sorted([("best play", found["value"]), *found["bots"].items()], key=lambda row: row[1])
    players = [(name, value, f"{value:.2f}") for name, value in means]
    chart = bars(players, "Mean number of turns alone", best="best play")
    (images / "solved-bots.svg").write_text(chart)


if __name__ == "__main__":
    main()
