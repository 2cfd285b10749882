"""How the engine's code is compiled, and when its compiled form is out of date."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

from cantstop.kernel.compiled import cached, compiled

__all__ = ["SOURCES", "cached", "compiled", "digest", "inlined"]

Function = TypeVar("Function", bound=Callable[..., Any])


def inlined(function: Function) -> Function:
    """Compile a function into those that call it: a call in an inner loop is dear."""
    options: Any = {"nogil": True, "error_model": "numpy", "forceinline": True}
    return cast("Function", njit(**options)(function))


def digest(*folders: Path) -> str:
    """Changes with any Python file of these folders; ``cached`` says why that matters."""
    found = sha256()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


SOURCES = digest(Path(__file__).parent)
"""Changes with any file of the engine."""
