"""Ctrl-C while the arena is still being compiled, which takes half a minute the first time."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

LIMIT = 300
"""Seconds until a test that hangs is given up."""


def test_ctrl_c_does_not_wait_for_the_compiler_and_leaves_its_cache_whole(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cantstop", "arena", "rule-of-28", "careful", "--games", "100"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "LANGUAGE": "en"},
    )
    try:
        limit = time.monotonic() + LIMIT
        while not any(tmp_path.rglob("play_games.lock")):  # made by whoever compiles it
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out, err) == (130, b"", b"")
    kept = [file.name for file in tmp_path.rglob("*") if file.is_file()]
    assert [name for name in kept if "play_games" in name] == ["play_games.lock"]
