"""A plain web host: ``python -m http.server``."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen


@contextmanager
def static_host(root: Path) -> Iterator[str]:
    """The address of the files in a folder."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with Popen(
        [*command, "--directory", str(root)], stdout=PIPE, stderr=DEVNULL, text=True, env={}
    ) as host:
        try:
            assert host.stdout is not None
            found = re.search(r"http://[^/]+/", host.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            host.terminate()
