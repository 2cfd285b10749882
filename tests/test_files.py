"""Files that are whole at any time."""

import csv
import io
import stat
from pathlib import Path

import pytest

from cantstop.files import open_atomically, write_atomically, write_csv


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    write_atomically(tmp_path / "fresh", "ü\n")
    assert (tmp_path / "fresh").read_bytes() == "ü\n".encode()
    assert (tmp_path / "fresh").stat().st_mode == usual.stat().st_mode


def test_a_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secrets"
    path.touch(0o644)
    with open_atomically(path, private=True) as file:
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def interrupted(path: Path) -> None:
    with open_atomically(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def test_what_goes_wrong_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name", ["=HYPERLINK()", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=1,2", '="a"', "＝1"]
)
def test_no_text_of_a_csv_file_is_a_formula(name: str) -> None:
    file = io.StringIO(newline="")
    write_csv(file, [[name, "Anne", "Jean-Luc", "-", -1, -0.5, 1e-9, None]])
    (row,) = csv.reader(io.StringIO(file.getvalue(), newline=""))
    assert row == [
        "'" + name.replace("\r", " "),
        "Anne",
        "Jean-Luc",
        "-",
        "-1",
        "-0.5",
        "1e-09",
        "",
    ]
