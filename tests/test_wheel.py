"""The package as others install it: built, unpacked elsewhere, and used from there."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_what_runs_and_nothing_else(wheel: Any) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "cantstop/py.typed" in names
    for language in ("fr", "nl", "it", "de"):
        assert f"cantstop/language/catalogues/{language}/LC_MESSAGES/cantstop.mo" in names
    assert not [name for name in names if name.endswith((".po", ".pot", ".pyc"))]
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cantstop", "cantstop_game"}


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
