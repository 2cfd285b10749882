"""The command in a process of its own that has limits of memory and processor time."""

import os
import resource
import subprocess
import sys
from dataclasses import dataclass

MIB = 1 << 20
BASE = 700 * MIB
"""Address space that Python and its libraries take without any input."""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one line with which it refused."""
        assert self.code == 2, f"{self.code}: {self.err[-2000:]}"
        assert self.err.startswith("cantstop: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert self.err.rstrip("\n").isprintable(), repr(self.err)
        assert len(self.err) < 1000
        return self.err


def cantstop(
    *arguments: str,
    stdin: bytes = b"",
    memory: int = BASE + 300 * MIB,
    seconds: int = 60,
) -> Ended:
    """Run the command; more memory than that it cannot have, and longer it does not run."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    done = subprocess.run(
        [sys.executable, "-m", "cantstop", *arguments],
        input=stdin,
        capture_output=True,
        preexec_fn=limit,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONIOENCODING": "utf-8",
            "HOME": "/nonexistent",
            "OPENBLAS_NUM_THREADS": "1",  # each thread's memory would count
        },
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
