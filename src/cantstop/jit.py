"""How code is compiled with Numba, and when its compiled form is out of date."""

import logging
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, update_wrapper
from hashlib import sha256
from pathlib import Path
from types import CellType, FunctionType
from typing import Any, TypeVar, cast

try:
    from numba import njit
    from numba.core.compiler_lock import global_compiler_lock
except ModuleNotFoundError:
    from cantstop.extras import MissingExtra

    raise MissingExtra(extra="arena") from None

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""How everything is compiled: nobody calls our functions by the ways of C."""
_ROOT = Path(__file__).parent
_STRANGERS = stat.S_IWOTH
_IMPORT = re.compile(r"^(?:from|import) (cantstop[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)
"""Imports at the top of a module: compiled code takes nothing from those inside of functions."""


def compiled(function: Function) -> Function:
    """Compile a function for use by other compiled functions, and for tests."""
    return cast("Function", njit(**_OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a small function into each place that calls it: a call costs more than it does."""
    return cast("Function", njit(forceinline=True, **_OPTIONS)(function))


def merged(function: Function) -> Function:
    """Make a function part of those that call it, before they are compiled.

    What is compiled by itself is optimised again in every function above it. So large functions
    with one caller or two are compiled sooner if they are no functions.
    """
    return cast("Function", njit(inline="always", **_OPTIONS)(function))


def fast_inlined(function: Function) -> Function:
    """``inlined`` for sums of many numbers: their order and rounding are left to the processor.

    Only for finite numbers. The same processor rounds alike every time, another one may not.
    """
    return cast("Function", njit(forceinline=True, fastmath=True, **_OPTIONS)(function))


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and keep the result on disk.

    To see whether a compiled form is out of date, Numba looks at the function's own file and at
    the values in its closure, but not at the functions and constants that it takes from other
    modules. So the function gets a closure of one value: the digest of all sources it is built on.
    """
    assert isinstance(function, FunctionType)
    assert function.__closure__ is None, "an entry is a function of a module"
    marked = FunctionType(
        function.__code__.replace(co_freevars=("sources",)),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        (CellType(source_digest(function.__module__)),),
    )
    update_wrapper(marked, function)
    try:
        kept = njit(cache=True, **_OPTIONS)(marked)
        folder = Path(kept.stats.cache_path)
        if is_private(folder):
            _compile_once(kept, folder / f"{function.__qualname__}.lock")
            return cast("Function", kept)
    except RuntimeError:  # no folder can be written to
        pass
    _warn_once()
    return cast("Function", njit(**_OPTIONS)(marked))


def _compile_once(dispatcher: Any, lock: Path) -> None:  # noqa: ANN401
    """Let one process at a time compile a function: those that waited find it on disk.

    A server's processes all start at once, and so do the workers of a suite of tests.
    """
    compile_for = dispatcher.compile

    def compile_alone(signature: Any) -> Any:  # noqa: ANN401
        # the compiler's own lock comes first, everywhere: two threads never wait for each other
        with global_compiler_lock, _locked(lock):
            return compile_for(signature)

    dispatcher.compile = compile_alone


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Hold a lock among processes."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with lock.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@cache
def is_private(folder: Path) -> bool:
    """Whether nobody but this user and root can have put anything into a folder.

    Compiled code that is read from a file is run: whoever can write the file could run theirs. In
    a folder such as /tmp others may make folders of any name first, so owners count as well.
    """
    if sys.platform == "win32":
        return True  # folders of a user are theirs there, and have no such modes
    folder = folder.resolve()
    found = folder.stat()
    if found.st_uid == os.getuid() and found.st_mode & _STRANGERS and not any(folder.iterdir()):
        folder.chmod(0o700)  # just made, by a umask that lets everybody in
        found = folder.stat()
    if found.st_mode & _STRANGERS:
        return False
    return all(_is_trusted(place) for place in (folder, *folder.parents))


def _is_trusted(folder: Path) -> bool:
    """Whether only this user and root can replace what is in a folder."""
    if sys.platform == "win32":
        return True
    found = folder.stat()
    if found.st_uid not in (0, os.getuid()):
        return False
    if found.st_mode & stat.S_IWGRP and found.st_gid not in (0, os.getgid()):
        return False
    # in a sticky folder others can add, but not replace
    return not found.st_mode & _STRANGERS or bool(found.st_mode & stat.S_ISVTX)


@cache
def _warn_once() -> None:
    logging.getLogger(__name__).warning(
        "Compiled code is not kept: its folder could be written to by others. "
        "NUMBA_CACHE_DIR can name one of your own."
    )


@cache
def source_digest(module: str) -> str:
    """Changes with the source of a module, and of whatever it imports from this package."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found and _source(name) is not None:
            found.add(name)
            waiting += _imports(name)
    digest = sha256()
    for name in sorted(found):
        digest.update(_source(name) or b"")
    return digest.hexdigest()


@cache
def _source(module: str) -> bytes | None:
    """A module's source, or None if there is no module of that name."""
    path = _ROOT.joinpath(*module.split(".")[1:])
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file.read_bytes()
    return None


@cache
def _imports(module: str) -> tuple[str, ...]:
    """What a module imports from this package; a name imported may be a module itself."""
    source = (_source(module) or b"").decode()
    return tuple(
        name
        for place, names in _IMPORT.findall(source)
        for name in (place, *(f"{place}.{word}" for word in re.findall(r"\w+", names)))
    )
