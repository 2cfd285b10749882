"""``cantstop review``: one game as a page, many as a table."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import cantstop.review.game as reviewing
from cantstop.cli import main

GOLDEN = Path(__file__).parents[1] / "golden"
TWO, FOUR, SOLO = (
    str(GOLDEN / f"{name}.cantstop") for name in ("classic-two", "classic-four", "solo-small")
)
HUGE = (
    '[Cantstop "1"]\n[Rules "v1,players=2,lengths=' + ".".join(["60"] * 39) + '"]\n'
    '[Seat1 "Anne"]\n[Seat2 "Bob"]\n\n1. (1) 1-2-3-4=3+7 stop\n*\n'
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit_:
            main(["review", *arguments])
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return run


def test_one_game_is_a_page_of_text(run: Any) -> None:
    code, out, _ = run(TWO)
    assert code == 0
    assert re.search(r"^ +Ada +Zoë$", out, re.MULTILINE)
    assert re.search(r"^luck( +[+−]\d+\.\d ± \d\.\d){2}$", out, re.MULTILINE)
    assert re.search(r"^played like +\d+ \(\d+-\d+\)", out, re.MULTILINE)
    # about 1 % and 9 %, whichever network says it; the chance to bust is exact
    sentence = r"Round 4, Zoë \(mistake\): Stopping gave 1\.\d%, rolling [89]\.\d%: "
    assert re.search(
        sentence + r"runners on 4, 7 and 8 bust in 9\.7% of rolls\.$", out, re.MULTILINE
    )


@pytest.mark.parametrize("record", [TWO, FOUR, SOLO])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_web_page_needs_nothing_but_itself(
    run: Any, tmp_path: Path, record: str, language: str
) -> None:
    page, chart = tmp_path / "review.html", tmp_path / "review.svg"
    code, out, err = run(record, "--html", str(page), "--svg", str(chart), "--lang", language)
    assert (code, out, err) == (0, "", "")
    text = page.read_text("utf-8")
    outside = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?!#)[^"')]+""", text)
    assert outside == []
    assert "<script" not in text
    assert text.count("<table") >= 2  # the players, and what is behind the chart
    picture = ElementTree.parse(chart).getroot()
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    seats = {TWO: 2, FOUR: 4, SOLO: 1}[record]
    assert len(lines) == seats


def test_names_cannot_break_out_of_the_page(run: Any, tmp_path: Path) -> None:
    record, page = tmp_path / "game.cantstop", tmp_path / "page.html"
    record.write_text(Path(TWO).read_text("utf-8").replace("Ada", "<script>alert(1)</script>"))
    assert run(str(record), "--html", str(page))[0] == 0
    assert "<script" not in page.read_text("utf-8")


def test_many_games_are_a_table_and_every_player_has_a_summary(run: Any) -> None:
    code, out, _ = run(TWO, FOUR, TWO)
    games, players = out.strip().split("\n\n")
    assert code == 0
    assert len(games.splitlines()) == 1 + 2 + 4 + 2
    ada = next(line for line in players.splitlines() if line.startswith("Ada"))
    assert ada.split()[1] == "3"


def test_a_name_is_no_formula_in_a_spreadsheet(run: Any, tmp_path: Path) -> None:
    record = tmp_path / "game.cantstop"
    record.write_text(Path(TWO).read_text("utf-8").replace("Ada", "=HYPERLINK('http://x')"))
    for files in ([str(record)], [str(record), TWO]):
        rows = list(csv.DictReader(io.StringIO(run(*files, "--csv")[1])))
        assert rows[0]["name"] == "'=HYPERLINK('http://x')"


def test_a_spreadsheet_reads_the_rows(run: Any) -> None:
    code, out, _ = run(TWO, FOUR, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [(row["file"], row["game"], row["seat"]) for row in rows][:3] == [
        (TWO, "1", "1"),
        (TWO, "1", "2"),
        (FOUR, "2", "1"),
    ]
    for row in rows:
        parts = [float(row[name]) for name in ("start", "luck", "skill", "drift")]
        assert sum(parts) == pytest.approx(float(row["result"]), abs=1e-9)
    assert float(rows[0]["played_like"]) > 1000
    assert rows[2]["played_like"] == ""


def test_what_cannot_be_read_is_told_and_the_rest_is_reviewed(run: Any, tmp_path: Path) -> None:
    broken, huge = tmp_path / "broken.cantstop", tmp_path / "huge.cantstop"
    broken.write_text("nonsense\n")
    huge.write_text(HUGE)
    code, out, err = run(str(broken), TWO, str(huge), "nowhere.cantstop")
    assert code == 2
    assert "Ada" in out
    assert len(err.splitlines()) == 3
    assert all(line.startswith("cantstop: ") for line in err.splitlines())


def test_one_bad_file_is_one_sentence(run: Any, tmp_path: Path) -> None:
    huge = tmp_path / "huge.cantstop"
    huge.write_text(HUGE)
    for file in (str(huge), "nowhere.cantstop", __file__):
        code, out, err = run(file)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_page_is_of_one_game(run: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, _, err = run(TWO, FOUR, "--html", str(page))
    assert (code, err) == (2, "cantstop: A chart or a page shows one game: there are 2.\n")
    assert not page.exists()
    nowhere = tmp_path / "nowhere" / "page.html"
    code, _, err = run(TWO, "--html", str(nowhere))
    assert code == 2
    assert err.startswith(f"cantstop: {nowhere} cannot be written: ")


def test_whoever_interrupts_sees_what_was_done(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, look_at = [], reviewing.review

    def interrupted(record: Any) -> Any:
        calls.append(record)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return look_at(record)

    monkeypatch.setattr("cantstop.review.review", interrupted)
    code, out, _ = run(TWO, FOUR, SOLO)
    assert code == 130
    assert "Zoë" in out
    assert len(calls) == 2


def test_listing_the_commands_loads_no_engine() -> None:
    code = "import cantstop.cli.app, sys; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
