"""The check of docstrings and comments finds the words of its list there, and nowhere else.

``make lint`` asks it about the packages themselves.
"""

from pathlib import Path

import pytest

from plain_words import CHECKED, ROOT, main, problems


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ('"""Stops after so many moves."""', 1),
        ('def play() -> None:\n    """Play.\n\n    Everybody is Told.\n    """\n', 4),
        ('LIMIT = 3\n"""What somebody may do."""\n', 2),
        ("x = 1\ny = 2  # refuse what is no position\n", 2),
        ("x = 1  # names that are none\n", 1),
        ('"""Let so much time pass."""', 1),
    ],
)
def test_a_word_of_the_list_is_found_with_its_line(source: str, at: int) -> None:
    ((line, problem),) = problems(source)
    assert line == at
    assert problem.startswith("“")


@pytest.mark.parametrize(
    "source",
    ['say("Somebody has told you so many times.")\n', '"""Sets ``told.actions``."""', "told = 1\n"],
)
def test_sentences_of_the_program_and_names_in_code_are_left_alone(source: str) -> None:
    assert problems(source) == []


def test_comments_of_scripts_are_read_and_their_code_is_not() -> None:
    source = 'const told = "somebody";\n/**\n * Somebody.\n */\n// drawn anew\n'
    assert [line for line, _ in problems(source, is_script=True)] == [3, 5]


def test_a_file_with_such_a_word_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert all((ROOT / folder).is_dir() for folder in CHECKED)
    bad = tmp_path / "bad.py"
    bad.write_text('"""Somebody."""\n', "utf-8")
    assert main([str(bad)]) == 1
    assert "bad.py:1: “Somebody”" in capsys.readouterr().out
