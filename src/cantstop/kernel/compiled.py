"""How kernel code is compiled, and when its compiled form is out of date."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: Any = {"nogil": True, "error_model": "numpy"}


def compiled(function: Function) -> Function:
    """Compile a function for use by other compiled functions, and for tests."""
    return cast("Function", njit(**_OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a small function into each place that calls it: a call costs more than it does."""
    return cast("Function", njit(forceinline=True, **_OPTIONS)(function))


def cached(function: Function) -> Function:
    """Compile a function that Python calls, and keep the result on disk.

    Numba looks only at the function's own file and at what its closure holds to see whether it has
    changed. So such a function is made inside another one that is given ``SOURCES``.
    """
    return cast("Function", njit(cache=True, **_OPTIONS)(function))


def digest(folder: Path) -> str:
    """Changes with any Python file of a folder."""
    found = sha256()
    for path in sorted(folder.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


SOURCES = digest(Path(__file__).parent)
"""Changes with any file of the kernel."""
