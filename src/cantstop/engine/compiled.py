"""How the engine's code is compiled, and when its compiled form is out of date."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit

from cantstop.jit import compiled, inlined

__all__ = ["SOURCES", "cached", "compiled", "digest", "inlined"]

cached: Any = njit(cache=True, nogil=True, error_model="numpy")


def digest(*folders: Path) -> str:
    """Changes with any Python file of these folders; ``cached`` says why that matters."""
    found = sha256()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


SOURCES = digest(Path(__file__).parent)
"""Changes with any file of the engine."""
