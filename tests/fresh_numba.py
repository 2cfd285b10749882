"""Processes that have loaded Numba and nothing of ours.

They are forked from one that has it loaded: loading takes longer than what is tried in them.
"""

import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

_context = get_context("forkserver")


class Imported(NamedTuple):
    """What the import of a module wrote."""

    out: str
    err: str


def import_in_new_process(module: str, folder: Path, cache: Path | None) -> Imported:
    """Import a module from a folder, with compiled code kept in a cache folder of Numba's."""
    _context.set_forkserver_preload(["numba"])
    receiver, sender = _context.Pipe(duplex=False)
    process = _context.Process(target=_import, args=(module, folder, cache, sender))
    process.start()
    sender.close()
    try:
        imported: Imported = receiver.recv()
    finally:
        receiver.close()
        process.join()
    return imported


def _import(module: str, folder: Path, cache: Path | None, sender: Connection) -> None:
    import numba

    os.environ["NUMBA_CACHE_DIR"] = "" if cache is None else str(cache)
    numba.config.reload_config()  # type: ignore[no-untyped-call]
    os.umask(0)
    sys.dont_write_bytecode = True  # sources change within a second here
    sys.path[:0] = [str(folder)]
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        import_module(module)
    sender.send(Imported(out.getvalue(), err.getvalue()))
