"""Files, texts and arguments that mean harm: refused in one sentence, within bounds."""

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cantstop import untrusted
from cantstop.arena import Plan, checkpoint
from cantstop.arena.checkpoint import Checkpoint, MatchProgress, Totals, resumed
from cantstop.arena.plan import MOST_MATCHES
from cantstop.client import requests, table
from cantstop.engine import size
from cantstop.engine.evaluators.value.packed import MAX_CONTENT, MAX_FILE, MAX_UNITS
from cantstop.record import headers, read
from cantstop.rules import CantStopError, InvalidText
from cantstop.rules.board import LARGEST_DIE, LONGEST_COLUMN
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.server.database import backup
from cantstop.solver import open_solution
from cantstop.solver.table import HEADER, MARK
from fuzz import children
from limited import BASE, MIB, cantstop

HUGE_BOARD = "v1,players=2,lengths=" + ".".join(["99"] * 39)
SMALL = ("solve", "--sides", "2", "--shortest", "1")


class TestTables:
    def table(self, path: Path, values: bytes = bytes(16 * 8), **header: Any) -> Path:
        whole = {
            "rules": "v1,players=1,lengths=1.3.1",
            "dtype": "<f8",
            "count": len(values) // 8,
            "sha256": sha256(values).hexdigest(),
            "anchors": 15,
            "boards": 16,
            "seconds": 0.1,
        }
        text = MARK + json.dumps({**whole, **header}).encode()
        path.write_bytes(text.ljust(HEADER) + values)
        return path

    def test_this_table_would_be_read(self, tmp_path: Path) -> None:
        done = cantstop(*SMALL, "--table", str(self.table(tmp_path / "a")), memory=BASE * 3)
        assert (done.code, done.err) == (0, "")

    def test_only_two_types_of_numbers_are_read(self, tmp_path: Path) -> None:
        for dtype in (">f8", "<U2", "<f8,<f8", "<M8[s]", "(2,)<f8", "V8", "O", "|O"):
            path = self.table(tmp_path / "a", b"A" * 128, dtype=dtype)
            with pytest.raises(CantStopError, match="has a damaged header"):
                open_solution(path)
        # the last one would have made addresses of what is in the file
        done = cantstop(*SMALL, "--table", str(path), memory=BASE * 3)
        assert "has a damaged header" in done.sentence

    @pytest.mark.parametrize(
        "header",
        [
            {"count": -1},
            {"count": 2**62},
            {"count": 16.0},
            {"count": True},
            {"rules": None},
            {"rules": "v1,players=2," + HUGE_BOARD[13:]},
            {"seconds": "1"},
            {"anchors": None},
            {"nested": json.loads("[" * 900 + "]" * 900)},
        ],
    )  # fmt: skip
    def test_a_header_that_lies_is_refused(self, tmp_path: Path, header: Any) -> None:
        path = self.table(tmp_path / "a", **header)
        if "nested" in header:
            assert open_solution(path).anchors == 15
            path.write_bytes((MARK + b"[" * 3000).ljust(HEADER) + bytes(128))
        with pytest.raises(CantStopError, match=r"damaged header|truncated"):
            open_solution(path)

    def test_what_is_no_regular_file_is_refused(self, tmp_path: Path) -> None:
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        for path in (fifo, Path("/dev/zero"), tmp_path):
            done = cantstop(*SMALL, "--table", str(path), memory=BASE * 3)
            assert "cannot be read" in done.sentence


class TestRecords:
    def test_a_header_of_ten_megabytes_takes_no_more_memory_than_it_has(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "long.cantstop"
        path.write_text('[Cantstop "1"]\n[Rules "' + "a" * 10_000_000 + '"]\n')
        assert "is not a header" in cantstop("verify", str(path)).sentence

    def test_a_long_game_is_read_in_linear_time(self, tmp_path: Path) -> None:
        turns = "\n".join(f"{turn}. (1) 1111=bust" for turn in range(1, 45_001))
        path = tmp_path / "busts.cantstop"
        path.write_text(
            '[Cantstop "1"]\n[Rules "v1,players=1,lengths=1.1.1"]\n'
            f'[Position "v1,players=1,lengths=1.1.1 2:1,4:1 1 - -"]\n\n{turns}\n*\n'
        )
        done = cantstop("verify", str(path), seconds=40)
        assert done.code == 0, done.err[-500:]
        assert "45001 turns and 45000 rolls" in done.out

    def test_many_records_are_read_one_by_one(self, tmp_path: Path) -> None:
        path = tmp_path / "many.cantstop"
        path.write_text('[Cantstop "1"]\n[Rules "v1,players=1"]\n*\n' * 20_000)
        assert cantstop("verify", str(path), seconds=40).code == 0

    @pytest.mark.parametrize("name", ["/dev/zero", "-"])
    def test_endless_input_is_not_read_to_its_end(self, name: str) -> None:
        done = cantstop("verify", name, stdin=b"[" * (17 << 20) if name == "-" else b"")
        assert f"{name} cannot be read: File too large." in done.sentence

    @pytest.mark.parametrize("code", ["\x1b[31m", "\x9b2J", "\u202e", "\r", "\x00", "\x07"])
    def test_nothing_quoted_steers_the_terminal(
        self, tmp_path: Path, code: str, fails: Callable[..., str]
    ) -> None:
        path = tmp_path / "codes.cantstop"
        path.write_text(f'[Cantstop "1"]\n[{code}x "{code}"]\n', "utf-8")
        in_file = fails("verify", str(path))
        assert "Line 2" in in_file
        for said in (in_file, fails("show", f"players={code} - 1 - -"), fails(f"--{code}")):
            assert said.rstrip("\n").isprintable(), repr(said)

    def test_nothing_quoted_steers_the_terminal_of_an_installed_command(self) -> None:
        assert cantstop("show", "players=\x1b[31m - 1 - -").sentence
        assert cantstop("--\x9b2J").sentence


class TestArguments:
    @pytest.mark.parametrize("text", ["a b " * 2000, "x" * 5000, "v1 " * 30_000])
    def test_a_long_text_is_no_traceback(self, text: str) -> None:
        assert cantstop("show", text).sentence

    def test_a_hint_on_a_large_board_is_refused_before_it_takes_memory(self) -> None:
        position = f"{HUGE_BOARD} -/- 1 - -"
        done = cantstop("hint", position, memory=3 * BASE)
        assert "too large to be solved" in done.sentence
        many = "v1,players=2,lengths=" + ".".join(["1"] * 39) + ",runners=20 -/- 1 - -"
        assert "too large to be solved" in cantstop("hint", many, memory=3 * BASE).sentence

    def test_dice_with_a_billion_sides_take_no_memory(self) -> None:
        done = cantstop("solve", "--sides", "1000000000", memory=3 * BASE)
        assert "The number of columns cannot be 41" in done.sentence

    def test_odds_for_large_dice_take_seconds(self) -> None:
        rules = "lengths=" + ".".join(["3"] * 39) + ",runners=8"
        done = cantstop("odds", "7", "--rules", rules, seconds=60)
        assert done.code == 0
        assert "160000" in done.out
        assert "get through" not in done.out
        assert json.loads(cantstop("odds", "7", "--json", "--rules", rules).out)["survival"] == []

    def test_more_matches_than_can_be_played_are_refused(self) -> None:
        done = cantstop("arena", *["careful"] * 300, "--rules", "players=4", memory=3 * BASE)
        assert "300 bots make too many matches" in done.sentence


class TestArenaFiles:
    ARENA = ("arena", "careful", "bold", "--games", "10", "--seed", "1", "--resume")

    @pytest.mark.parametrize(
        "content",
        [
            "[" * 100_000,
            '{"plan": {"games": 1e999}, "tables": []}',
            '{"plan": {"games": 1}, "tables": [{"counts": [1e30], "done": []}]}',
            "{}",
            "\x00" * 1000,
            "[]",
            '{"plan": {"games": 10}, "tables": 7}',
        ],
    )
    def test_what_is_no_file_of_the_arena_is_refused(self, tmp_path: Path, content: str) -> None:
        path = tmp_path / "arena"
        path.write_text(content)
        with pytest.raises(InvalidText, match="it is not an arena file"):
            resumed(Plan.of(["careful", "bold"], games=10, seed=1), path)

    def test_counts_of_games_that_were_not_played_are_refused(self, tmp_path: Path) -> None:
        plan, path = Plan.of(["careful", "bold"], games=10, seed=1), tmp_path / "arena"
        totals = Totals()
        totals.array["games"] = 6
        Checkpoint(plan, [MatchProgress(totals, [(0, 4), (6, 8)])]).save(path)
        found = resumed(plan, path)
        assert found.matches[0].gaps(10) == [(4, 6), (8, 10)]
        good = json.loads(path.read_text())
        for change in (
            {"done": [[0, 5]]},
            {"done": [[0, 4], [2, 8]]},
            {"done": [[-4, 4]]},
            {"done": [[0, 99]]},
            {"counts": [-1] * len(good["tables"][0]["counts"])},
        ):
            path.write_text(json.dumps({**good, "tables": [{**good["tables"][0], **change}]}))
            with pytest.raises(InvalidText, match="it is not an arena file"):
                resumed(plan, path)
        path.write_text(json.dumps({**good, "tables": []}))
        with pytest.raises(InvalidText, match="holds other games"):
            resumed(plan, path)

    def test_an_endless_file_is_refused(self) -> None:
        assert (
            "cannot be used to resume"
            in cantstop(*self.ARENA, "/dev/zero", memory=3 * BASE + 100 * MIB).sentence
        )


def test_the_documentation_tells_the_bounds_that_there_are() -> None:
    text = (Path(__file__).parent.parent / "docs" / "security.md").read_text("utf-8")
    for bound in (
        f"{untrusted.MAX_TEXT_BYTES >> 20} MiB of text",
        f"{read.MAX_RECORDS:,} records",
        f"{read.MAX_EVENTS:,} events each",
        f"{headers.MAX_HEADER:,} characters a header",
        f"cut at {untrusted.MAX_QUOTE} characters",
        f"columns of {LONGEST_COLUMN} spaces, dice of {LARGEST_DIE} sides, {MOST_PLAYERS} players",
        f"a header of {HEADER >> 10} KiB",
        f"{checkpoint.MAX_BYTES >> 20} MiB and {checkpoint.MAX_MATCH_BYTES >> 10} KiB for each",
        f"{MOST_MATCHES:,} matches",
        f"{MAX_FILE >> 20} MiB, {MAX_CONTENT >> 20} MiB unpacked, {MAX_UNITS:,} units",
        f"{backup._MAX_LINE_BYTES >> 20} MiB a row, {backup._MAX_RATIO} times the size",
        f"{requests.MAX_ANSWER_BYTES >> 20} MiB, complete within {requests.LONGEST_ANSWER} s",
        f"names of {table.LONGEST_NAME} characters",
        f"{size.MAX_BYTES >> 30} GiB of memory for one turn",
        f"{children.MAX_SECONDS:.0f} s",
        f"{children.MAX_GROWTH >> 20} MiB for an input",
    ):
        assert bound in " ".join(text.split()), bound
