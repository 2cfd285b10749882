"""Processes that end with whoever started them, even if that one is killed.

Run as a script, this is the guard of other people's programs: it kills them when its input ends.
"""

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from threading import Lock, Thread
from typing import IO

_PR_SET_PDEATHSIG = 1
_SYNCHRONIZE, _WAIT_TIMEOUT = 0x100000, 0x102
_EXIT_SECONDS = 5.0


def exit_with_parent() -> None:
    """Have this process, one of ``multiprocessing``, end when its parent does, even if killed.

    Linux ends it for certain, as soon as the thread that started it is gone; elsewhere a thread
    watches, which cannot run while compiled code holds Python's lock.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    watch = Thread(target=_exit_after, args=[parent.sentinel], name="parent", daemon=True)
    watch.start()


def _exit_after(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


def is_alive(process: int) -> bool:
    """Whether a process of this number is running."""
    if sys.platform == "win32":  # where os.kill with 0 would send it a Ctrl-C
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, 0, process)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
        finally:
            kernel.CloseHandle(handle)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's, and there
        return True
    return True


class ProgramGuard:
    """Kills process groups when this process is gone: a small process that reads their numbers.

    Other people's programs cannot be asked to watch their parent, and may have started more. The
    guard holds the end of a pipe that only we write to: however we end, it then reads its end.
    There is none on Windows, which has no process groups.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def watch(self, group: int) -> None:
        """Kill this process group when we are gone."""
        self._tell(f"+{group}")

    def forget(self, group: int) -> None:
        """The group has ended: its number may be given to another."""
        self._tell(f"-{group}")

    def _tell(self, line: str) -> None:
        if sys.platform == "win32":
            return
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: S603 - this very file
                    [sys.executable, "-I", "-S", __file__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C in a terminal is not for it
                )
                # at exit the last finalizer goes first: the programs' own before this one
                weakref.finalize(self, _end, self._process)
            into = self._process.stdin
            assert into is not None
            with suppress(
                OSError, ValueError
            ):  # it was killed, or Python exits: then there is none
                into.write(f"{line}\n".encode())
                into.flush()


def _end(guard: subprocess.Popen[bytes]) -> None:
    """Close the guard's input and wait for it, so that Python warns of no process left running."""
    assert guard.stdin is not None
    with suppress(OSError):
        guard.stdin.close()
    with suppress(subprocess.TimeoutExpired):  # a forked process may hold its input open
        guard.wait(_EXIT_SECONDS)


GUARD = ProgramGuard()
"""The guard of this process, started with its first program."""


def _guard(orders: IO[str]) -> None:
    groups: set[int] = set()
    for line in orders:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    if sys.platform != "win32":
        for group in groups:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    _guard(sys.stdin)
