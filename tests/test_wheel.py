"""The package as others install it: built, unpacked elsewhere, and used from there."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wheel_test import CORE, THIRD_PARTY, TRIES, Try, build_wheel

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return build_wheel(str(tmp_path_factory.mktemp("dist")))


def test_the_wheel_holds_what_runs_and_nothing_else(wheel: Any) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "cantstop/py.typed" in names
    for language in ("fr", "nl", "it", "de"):
        assert f"cantstop/language/catalogues/{language}/LC_MESSAGES/cantstop.mo" in names
    assert not [name for name in names if name.endswith((".po", ".pot", ".pyc"))]
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cantstop", "cantstop_game"}


def test_neither_the_wheel_nor_the_source_distribution_holds_the_research(
    wheel: Any, tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        rooms = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {"src", "tests", "tools", "docs"} <= rooms
    assert "research" not in rooms
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "research" in name]


@pytest.fixture(scope="module")
def core(wheel: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Runs a program where nothing is installed but the wheel."""
    folder = tmp_path_factory.mktemp("core")
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)

    def run(*arguments: str, typed: str = "") -> Any:
        return subprocess.run(
            [str(folder / "bin" / "python"), *arguments],
            cwd=folder,
            env={"HOME": str(folder), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"},
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_core_loads_nothing_that_others_wrote(core: Callable[..., Any]) -> None:
    done = core("-c", THIRD_PARTY)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


@pytest.mark.parametrize("one", TRIES[CORE], ids=lambda one: " ".join(one.arguments[:3]))
def test_the_core_plays_and_names_what_is_missing(one: Try, core: Callable[..., Any]) -> None:
    done = core("-m", *one.arguments, typed=one.typed)
    assert done.returncode == one.code, done.stderr
    assert one.says in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_names_what_is_missing(core: Callable[..., Any]) -> None:
    for program, extra in (
        ("import cantstop; cantstop.Game().position.hint()", "engine"),
        ("import cantstop; cantstop.analyse", "engine"),
        ("import cantstop; cantstop.play_game(['champion', 'bold'])", "engine"),
        ("import cantstop.arena", "arena"),
        ("import cantstop.jit", "arena"),
        ("import cantstop.client", "client"),
        ("from cantstop.server import create_app", "web"),
    ):
        done = core("-c", program)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert "MissingExtra: To use " in last, program
        assert last.endswith(f'pip install "cantstop-game[{extra}]"')


def test_the_installed_command_works_in_every_language(wheel: Any, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    # the copy elsewhere is not what coverage is asked about
    environment.pop("COVERAGE_PROCESS_CONFIG", None)

    def python(*arguments: str) -> Any:
        return subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=tmp_path,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def run(*arguments: str) -> Any:
        return python("-m", "cantstop", *arguments)

    assert python("-c", "import cantstop; print(cantstop.__file__)").startswith(str(tmp_path))
    assert json.loads(run("odds", "6", "7", "8", "--json"))["usable"] == 1192
    said = {run("rules", "--lang", language) for language in ("en", "fr", "nl", "it", "de")}
    assert len(said) == 5
