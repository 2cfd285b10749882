"""Puts a fitted network into the package, and exact values of some anchors into the tests' data.

Usage: python -m research.cuda.keep NETWORK_FILE SAMPLES
"""

import sys
from pathlib import Path

import numpy as np

from cantstop.engine.evaluators.race.model import GRAIN

from .official import OFFICIAL, random_anchors

ROOT = Path(__file__).parents[2]
EVERY = 7001


def keep_network(network: Path) -> None:
    """Vectors are whole multiples of a grain, so 16 bits hold them exactly."""
    with np.load(network) as fitted:
        layers = {name: fitted[name] for name in fitted.files}
    whole = np.round(layers["vectors"] / GRAIN)
    assert np.array_equal(whole * GRAIN, layers["vectors"])
    layers["vectors"] = whole.astype(np.int16)
    np.savez_compressed(ROOT / "src" / "cantstop" / "engine" / "evaluators" / "solo.npz", **layers)


def keep_values(samples: Path) -> None:
    """Steps left in columns 2 to 12, and the turns to go."""
    steps = random_anchors(OFFICIAL.rules, OFFICIAL.samples)[::EVERY]
    values = np.load(samples / "samples.npy")[::EVERY]
    lines = [
        f"{' '.join(map(str, left))}  {value:.6f}"
        for left, value in zip(steps.tolist(), values.tolist(), strict=True)
    ]
    text = "# Steps left in columns 2 to 12, and the expected turns to go: from the solved game\n"
    (ROOT / "tests" / "data" / "solo_values.txt").write_text(text + "\n".join(lines) + "\n")


if __name__ == "__main__":
    keep_network(Path(sys.argv[1]))
    keep_values(Path(sys.argv[2]))
