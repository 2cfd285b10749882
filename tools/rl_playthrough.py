"""Rewrites the playthroughs of the OpenSpiel game: every answer of its API along one game each.

OpenSpiel's own generator makes them; the tests compare line by line.
"""

from pathlib import Path

from cantstop.rl import load_game

FILE = Path(__file__).parents[1] / "tests" / "rl" / "data" / "{name}.txt"

GAMES = {
    "official-two-players": "players=2",
    "small-roll-off": "players=3,win=2,early,start=roll-off,lengths=1.2.3.2.1",
    "small-solo": "players=1,win=2,lengths=1.2.3.2.1,runners=2",
}


def playthrough(name: str) -> str:
    """One game, with every answer."""
    from open_spiel.python.algorithms import generate_playthrough  # it loads SciPy: two seconds

    text: str = generate_playthrough.playthrough(
        str(load_game(GAMES[name], max_turns=12)), None, seed=2026
    )
    return text


def main() -> None:
    """Write them all."""
    for name in GAMES:
        path = Path(str(FILE).format(name=name))
        path.parent.mkdir(exist_ok=True)
        path.write_text(playthrough(name), "utf-8")
        print(f"{path.name}: written")


if __name__ == "__main__":
    main()
