"""``cantstop drill`` as a person or a pipe calls it."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cantstop.cli import main
from cantstop.drills import Progress, load_progress

Run = Callable[..., tuple[Any, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("cantstop.cli.drill.user_data_folder", lambda: tmp_path / "data")

    def run(*arguments: str, typed: str = "") -> tuple[Any, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as exit_:
            main(["drill", *arguments])
        captured = capsys.readouterr()
        return exit_.value.code or 0, captured.out, captured.err

    return run


def test_drills_are_asked_answered_explained_and_remembered(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("--seed", "3", "--kind", "stop", "--count", "2", typed="stop\n2\n")
    assert code == 0
    assert out.count("Drill: stop or roll.") == 2
    assert out.count("The chance to win.") + out.count("turns will follow") == 2
    assert out.count("Rule of 28") >= 1
    progress = load_progress(tmp_path / "data" / "drills.json")
    assert (progress.answered, len(progress.seen)) == (2, 2)
    assert progress.rating != Progress().rating
    assert out.count("Right.") == progress.right
    _, again, _ = run("--seed", "3", typed="quit\n")
    assert again.startswith(f"Rating {round(progress.rating.rating)} ")


def test_a_move_can_be_typed_and_nonsense_costs_nothing(run: Run, tmp_path: Path) -> None:
    typed = "nonsense\n7+7+7\n99\nstop\nhelp\nrules\nboard\n1\n"
    code, out, _ = run("--seed", "5", "--kind", "move", "--count", "1", typed=typed)
    assert code == 0
    assert out.count("“quit” leaves") == 3  # 99, stop and help are no answers here
    assert out.count("means nothing here") == 2
    assert out.count("On the table:") == 2
    assert "Goal:" in out
    assert load_progress(tmp_path / "data" / "drills.json").answered == 1


def test_the_end_of_the_input_leaves_and_keeps_what_was_done(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("--seed", "1", "--kind", "stop", typed="stop\n")
    assert code == 0
    assert "Your progress is in" in out
    assert load_progress(tmp_path / "data" / "drills.json").answered == 1


def test_progress_is_taken_along_as_a_file(run: Run, tmp_path: Path) -> None:
    run("--seed", "1", "--kind", "stop", "--count", "1", typed="stop\n")
    mine, taken = tmp_path / "data" / "drills.json", tmp_path / "taken.json"
    assert run("--export", str(taken))[0] == 0
    assert load_progress(taken) == load_progress(mine)
    assert run("--export", str(taken))[0] == 2  # nothing is overwritten
    run("--seed", "2", "--kind", "stop", "--count", "1", typed="stop\n")
    later = load_progress(mine)
    assert run("--import", str(taken))[0] == 0
    assert load_progress(mine) == load_progress(taken)
    assert load_progress(tmp_path / "data" / "drills.json.before") == later


def test_a_file_of_another_program_is_refused_and_nothing_is_lost(run: Run, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "data" / "drills.json", tmp_path / "theirs.json"
    run("--seed", "1", "--kind", "stop", "--count", "1", typed="stop\n")
    before = mine.read_bytes()
    theirs.write_text(json.dumps({"rating": 2000}), "utf-8")
    for arguments in (
        ["--import", str(theirs)],
        ["--progress", str(theirs)],
        ["--import", str(tmp_path / "none")],
        ["--import", str(theirs), "--export", str(tmp_path / "new")],
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("cantstop: ")
        assert err.count("\n") == 1
    assert mine.read_bytes() == before
    assert json.loads(theirs.read_text("utf-8")) == {"rating": 2000}
    mine.write_bytes(b"damaged")
    assert run(typed="stop\n")[0] == 2
    assert mine.read_bytes() == b"damaged"


@pytest.mark.parametrize("language", ["fr", "nl", "it", "de"])
def test_it_speaks_five_languages(run: Run, language: str) -> None:
    code, out, _ = run("--lang", language, "--kind", "end", "--count", "1", typed="1\n")
    assert code == 0
    assert "Your" not in out
    assert "Rating" not in out or language == "de"


def test_ascii_only(run: Run) -> None:
    _, out, _ = run("--ascii", "--lang", "fr", "--count", "1", typed="1\n")
    assert out.isascii()
