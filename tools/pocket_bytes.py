"""Prints the bytes that a browser loads to work things out itself, as the server sends them.

python tools/pocket_bytes.py
"""

from cantstop.server.static.languages import catalogues
from cantstop.server.static.pages import WEB, ClientFiles

HINT = ("local-answers.js", "engine-worker.js", "engine/files.json", "engine/cantstop.wasm")
"""What a first hint needs beside the game's own evaluator."""
EVALUATORS = {1: "solo", 2: "2-free", 3: "3-free", 4: "4-free"}


def packed_sizes() -> dict[str, int]:
    """The bytes of every file that is built, by its name."""
    return {name: len(bundle.packed) for name, bundle in ClientFiles(WEB).bundles.items()}


def first_hints(sizes: dict[str, int]) -> dict[int, int]:
    """The bytes of a first hint, by number of players."""
    common = sum(sizes[name] for name in HINT)
    return {
        players: common + sizes[f"engine/{evaluator}.bin"]
        for players, evaluator in EVALUATORS.items()
    }


def main() -> None:
    """Print the first hint by number of players, and everything."""
    bundles = packed_sizes()
    for players, first in first_hints(bundles).items():
        print(f"first hint, {players} players: {first / 1000:6.1f} kB")
    print("  of these:", ", ".join(f"{name} {bundles[name] / 1000:.1f}" for name in HINT))
    words = dict.fromkeys(catalogues(), 0)
    rest = 0
    for name, size in bundles.items():
        if name.startswith("words/"):
            words[name.split("/")[1]] += size
        else:
            rest += size
    language = max(words.values())
    print(f"everything that is kept: {rest / 1000:.0f} kB, and a language {language / 1000:.0f}")


if __name__ == "__main__":
    main()
