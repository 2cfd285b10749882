"""What ``cantstop results`` says when it cannot do what it is asked for."""

from pathlib import Path

import pytest

from cantstop.cli.app import main


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["remove"], "Which result is to be removed? Give the id of its table."),
        (["remove", "k7Qm", "--day", "2026-11-15"], "“--day” cannot be used here."),
        (["list", "k7Qm"], "“k7Qm” cannot be used here."),
        (["--day", "yesterday"], "yesterday"),
        ([], "There is no database"),
        (["remove", "k7Qm"], "There is no database"),
    ],
)
def test_one_sentence_and_exit_code_2(
    args: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'none.db'}"
    with pytest.raises(SystemExit) as exit_code:
        main(["results", *args, "--database", url, "--lang", "en"])
    assert exit_code.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert not (tmp_path / "none.db").exists()
