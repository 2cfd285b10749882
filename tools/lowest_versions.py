"""Prints the lowest version that pyproject.toml allows of each dependency, as a constraints file.

    python tools/lowest_versions.py > lowest.txt
    pip install -c lowest.txt '.[all]'

Everything that is not named in pyproject.toml is as new as its dependents allow.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"

_BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\d.]+)")


def lowest_versions() -> dict[str, str]:
    """The lower bound of everything that an extra brings, but for that of the developers."""
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = [one for extra, found in extras.items() if extra != "dev" for one in found]
    bounds = [_BOUND.match(one) for one in wanted if not one.startswith("cantstop-game[")]
    return {bound["name"]: bound["version"] for bound in bounds if bound is not None}


def constraints() -> str:
    """A line for each of them."""
    return "".join(f"{name}=={version}\n" for name, version in sorted(lowest_versions().items()))


if __name__ == "__main__":
    print(constraints(), end="")
