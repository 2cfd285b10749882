"""What each command ends with: 0 done, 1 “no”, 2 “could not”, as docs/command.md has it."""

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cantstop import play_game, record_text
from cantstop.cli.app import COMMANDS

POSITION = "v1,players=2 -/- 1 6:1,8:1 -"
SILENT = "program:" + shlex.join([sys.executable, "-S", "-c", "raise SystemExit(5)"])

BOTS = """
from cantstop import InvalidRules

class Good:
    def choose(self, position, moves):
        return position.legal_moves[0]
    def stop(self, position, moves):
        return True

class Raising(Good):
    def stop(self, position, moves):
        raise RuntimeError("no idea")

class Refusing(Good):
    def check(self, rules):
        raise InvalidRules("Not me.")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Records that hold, that do not, and that cannot be read; bots that play, and that fail."""
    record = record_text(play_game(["careful", "bold"], "win=1", dice=1))
    (tmp_path / "good.cantstop").write_text(record)
    (tmp_path / "forged.cantstop").write_text(record.replace('[Seed "1"]', '[Seed "2"]'))
    (tmp_path / "cut.cantstop").write_text(record[: len(record) // 2])
    (tmp_path / "nonsense.cantstop").write_text("castles\n")
    (tmp_path / "exit_code_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield
    sys.modules.pop("exit_code_bots", None)


CODES: dict[str, dict[str, int]] = {
    "serve": {"--database mysql://x": 2, "--port nowhere": 2, "--daily-secret missing": 2},
    "site": {"": 2, "good.cantstop": 2},
    "play": {
        "--plain --seat bot:nobody": 2,
        "--plain --resume missing.cantstop": 2,
        "--replay good.cantstop": 2,
    },
    "open": {"http://127.0.0.1:1 --plain": 2, "": 2},
    "join": {"http://127.0.0.1:1/t/k7Qm --plain": 2, "": 2},
    "watch": {"http://127.0.0.1:1/t/k7Qm --plain": 2, "nonsense": 2},
    "replay": {"good.cantstop --plain": 0, "missing.cantstop": 2, "nonsense.cantstop": 2},
    "daily": {"--results": 2, "--day yesterday": 2, "--server http://127.0.0.1:1": 2},
    "odds": {"6 7 8": 0, "6 77": 2, "--rules nonsense": 2},
    "hint": {"nonsense": 2, f"'{POSITION}' --dice 9": 2},
    "review": {"missing.cantstop": 2, "nonsense.cantstop": 2},
    "drill": {"--import missing": 2, "--players 9": 2},
    "show": {f"'{POSITION}'": 0, "missing.cantstop": 2, "good.cantstop --at 99999": 2},
    "verify": {
        "good.cantstop": 0,
        "forged.cantstop": 1,
        "cut.cantstop": 2,
        "nonsense.cantstop": 2,
        "missing.cantstop": 2,
        "good.cantstop --key 0": 2,
    },
    "solve": {"--sides 2 --shortest 1 --lengths 1": 2, "--players 4": 2},
    "arena": {
        "exit_code_bots:Good --games 2": 0,
        "exit_code_bots:Raising careful --games 2": 1,
        f"{shlex.quote(SILENT)} careful --games 2": 1,
        "exit_code_bots:Refusing careful": 2,
        "nobody": 2,
        "missing_module:Bot": 2,
        "program:missing-program": 2,
    },
    "rules": {"": 0, "--edition deluxe": 2, "--variant nonsense": 2},
    "editions": {"": 0, "--jason": 2},
    "bots": {"": 0, "careful": 2},
    "check-bot": {
        "exit_code_bots:Good": 0,
        "exit_code_bots:Raising": 1,
        "exit_code_bots:Refusing": 1,
        shlex.quote(SILENT): 1,
        "nobody": 2,
        "program:missing-program": 2,
    },
    "backup": {"tables.backup --database sqlite:///missing.db": 2, "": 2},
    "restore": {"missing.backup": 2},
    "tables": {"list --database sqlite:///missing.db": 2, "close": 2},
    "results": {"list --database sqlite:///missing.db": 2, "remove": 2},
    "players": {"list --database sqlite:///missing.db": 2, "erase": 2},
    "ratings": {"recompute --database sqlite:///missing.db": 2, "rename": 2},
    "me": {"": 2, "http://127.0.0.1:1": 2, "http://127.0.0.1:1 --begin Anne": 2},
    "help": {"": 0, "play": 0, "nonsense": 2},
}


def test_every_command_has_its_codes() -> None:
    assert list(CODES) == list(COMMANDS)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", CODES)
def test_exit_codes(command: str, run: Callable[..., tuple[int, str, str]]) -> None:
    for arguments, due in CODES[command].items():
        code, _, err = run(command, *shlex.split(arguments))
        assert code == due, f"{command} {arguments}: {err}"
        if due:
            assert err.splitlines()[-1].startswith("cantstop: "), f"{command} {arguments}: {err}"
        else:
            assert err == ""


def test_without_a_command_that_there_is(run: Callable[..., tuple[int, str, str]]) -> None:
    assert [run(*words)[0] for words in (["xyzzy"], ["--xyzzy"], ["-V"], ["--help"])] == [
        2,
        2,
        0,
        0,
    ]
