"""Cores and memory, within the limits of a container."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cantstop import machine
from cantstop.processes import is_alive


@pytest.fixture
def cgroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(machine, "_CGROUP", tmp_path)
    return tmp_path


def test_the_number_of_cores_is_known() -> None:
    assert machine.count_cores() >= 1


def test_a_quota_limits_the_cores(cgroup: Path) -> None:
    without = machine.count_cores()
    (cgroup / "cpu.max").write_text("max 100000\n")
    assert machine.count_cores() == without
    (cgroup / "cpu.max").write_text("50000 100000\n")
    assert machine.count_cores() == 1


def test_a_container_limits_the_memory(cgroup: Path) -> None:
    assert machine.available_memory() > 0
    (cgroup / "memory.max").write_text("5000\n")
    (cgroup / "memory.current").write_text("2000\n")
    assert machine.available_memory() == 3000


def test_a_process_is_alive_until_it_has_ended() -> None:
    assert is_alive(os.getpid())
    assert is_alive(1)  # another user's
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert is_alive(process.pid)
    assert not is_alive(process.pid)
