"""``cantstop arena`` and ``cantstop check-bot`` as a person or a program calls them."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cantstop
from cantstop.arena.trial import TRIALS

PERL = Path(__file__).parents[2] / "examples" / "bots" / "steady.pl"


def answer(run: Any, *arguments: str) -> Any:
    code, out, err = run("arena", *arguments, "--seed", "3", "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_match_for_programs(run: Callable[..., tuple[int, str, str]]) -> None:
    found = answer(run, "careful", "bold", "--games", "50")
    assert (found["games"], sum(found["wins"]), len(found["wins"])) == (50, 50, 2)
    assert found["rules"] == "v1,players=2"
    assert found["seed"] == 3


def test_a_match_for_people_is_plain_when_piped(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = run("arena", "careful", "bold", "--games", "50", "--seed", "3")
    assert (code, err) == (0, "")
    assert "\r" not in out
    assert "\x1b" not in out
    assert "50 games" in out


@pytest.mark.parametrize(
    ("arguments", "rules", "matches"),
    [
        (["bold"], "v1,players=1", 1),
        (["bold"] * 3, "v1,players=3", 1),
        (["bold"] * 3 + ["--rules", "players=2"], "v1,players=2", 3),
        (["bold"] * 2 + ["--rules", "players=1"], "v1,players=1", 2),
        (["bold"] * 3 + ["--rules", "early,win=4"], "v1,players=3,win=4,early", 1),
        (["bold"] * 2 + ["--edition", "asmodee"], "v1,players=2,start=roll-off", 1),
        (["bold"] * 5, "v1,players=2", 10),
    ],
)
def test_rules_and_tables_follow_from_bots_and_options(
    run: Callable[..., tuple[int, str, str]], arguments: Any, rules: str, matches: int
) -> None:
    found = answer(run, *arguments, "--games", "2")
    assert (found["rules"], len(found["tables"])) == (rules, matches)


def test_threads_change_nothing(run: Callable[..., tuple[int, str, str]]) -> None:
    one = answer(run, "random", "rule-of-28", "--games", "3000", "--threads", "1")
    assert answer(run, "random", "rule-of-28", "--games", "3000", "--threads", "3") == one


def test_files_are_written(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    out, picture, kept = (tmp_path / name for name in ("out.csv", "out.svg", "kept.json"))
    found = answer(
        run, "bold", "careful", "--games", "20",
        "--out", str(out), "--chart", str(picture), "--resume", str(kept),
    )  # fmt: skip
    assert len(out.read_text("utf-8").splitlines()) == 3
    assert picture.read_text("utf-8").startswith("<svg")
    again = answer(run, "bold", "careful", "--games", "20", "--resume", str(kept))
    assert again == found


BAD = [
    (["deep-blue"], "There is no bot “deep-blue”"),
    ([], "No bots are named"),
    (["careful:0"], "a whole number from 1 to 99"),
    (["careful", "--games", "0"], "0 games cannot be played"),
    (["careful", "--games", "many"], "--games"),
    (["careful", "--seed", "-1"], "-1 is not a seed"),
    (["careful", "--threads", "0"], "0 threads cannot be used"),
    (["careful", "--rules", "players=2"], "the number of bots is 1"),
    (["careful", "--rules", "players=9"], "1 to 4 players"),
    (["careful", "--rules", "nonsense"], "nonsense"),
    (["careful", "--edition", "deluxe"], "deluxe"),
    (["careful", "--edition", "classic", "--rules", "lengths=1.2.1"], "official board"),
    (["rule-of-28", "--rules", "players=1,lengths=1.2.1"], "official board only"),
    (["no_such_module:Bot"], "ModuleNotFoundError"),
    (["program:no-such-program"], "There is no program “no-such-program”"),
    (["careful", "--timeout", "0"], "timeout must be positive"),
    (["careful", "--out", "results.xls"], "has to end in"),
    (["careful", "--out", "nowhere/results.csv"], "cannot be written"),
    (["careful", "--chart", "nowhere/chart.svg"], "cannot be written"),
    (["careful", "--resume", "nowhere/kept.json"], "cannot be used to resume"),
    (["careful", "--ray", "--threads", "2"], "not both"),
    (["careful", "--device", "cuda", "--threads", "2"], "neither --threads nor --ray"),
    (["expert", "--device", "cuda"], "The bot “expert” does not play on a GPU"),
    (["program:sh", "--device", "cuda"], "does not play on a GPU"),
    (["careful", "--device", "abacus"], "--device"),
    (["careful", "--ray", "127.0.0.1:1"], "No Ray cluster answers at “127.0.0.1:1”"),
    (["careful", "--ray", "ray://127.0.0.1:1"], "No Ray cluster answers"),
    (["careful", "--ray", "nowhere.invalid:99999"], "is not the address of a Ray cluster"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    fails: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: Any,
    said: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in fails("arena", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_an_unreadable_file_to_resume_from_is_one_line(
    fails: Callable[..., str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_bytes(b"\xff\xfe nonsense")
    assert "not an arena file" in fails("arena", "bold", "--resume", str(kept))


def test_errors_speak_the_language_that_was_asked_for(fails: Callable[..., str]) -> None:
    assert "parties" in fails("arena", "bold", "--games", "0", "--lang", "fr")


def test_without_cupy_a_gpu_is_one_line(
    fails: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert 'pip install "cantstop-game[gpu]"' in fails("arena", "careful", "--device", "cuda")


def test_without_ray_its_option_is_one_line(
    fails: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert 'pip install "cantstop-game[ray]"' in fails("arena", "bold", "--ray")


def test_check_bot_tries_a_program_with_many_rules(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _ = run("check-bot", f"program:perl {shlex.quote(str(PERL))}")
    assert code == 0
    assert len(out.splitlines()) == len(TRIALS) + 1
    assert all("all correct" in line for line in out.splitlines()[:-1])


def test_check_bot_tells_which_rules_a_bot_refuses(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _ = run("check-bot", "rule-of-28")
    assert code == 0
    assert out.count("official board only") == 2


def test_check_bot_names_the_first_failure(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    script = tmp_path / "late.py"
    script.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    print('ready' if word in ('cantstop', 'rules') else 'resign', flush=True)\n",
        "utf-8",
    )
    code, out, err = run("check-bot", "program:" + shlex.join([sys.executable, "-S", str(script)]))
    assert (code, out) == (1, "")
    assert "failed in the position “v1,players=2 -/- 1 - " in err
    assert err.endswith("it answered “resign” instead of a move.\n")


OWN_BOTS = """
from cantstop import InvalidRules
class Raises:
    def choose(self, position, moves):
        return position.legal_moves[moves - 1 - 10**6]
    def stop(self, position, moves):
        return True
class Picky(Raises):
    def check(self, rules):
        raise InvalidRules("I play nothing.")
class Unsure(Raises):
    def check(self, rules):
        return rules.no_such_attribute
"""


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "failing_own_bots.py").write_text(OWN_BOTS, "utf-8")
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("failing_own_bots", None)


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize("command", [["check-bot"], ["arena", "careful"]])
@pytest.mark.parametrize(
    ("bot", "place", "sentence"),
    [
        ("Raises", ", in choose\n", "IndexError: "),
        ("Unsure", ", in check\n", "AttributeError: "),
        ("NoSuch", "", "“failing_own_bots:NoSuch” cannot be loaded: AttributeError: "),
    ],
)
def test_the_traceback_of_an_own_bots_code_comes_before_the_sentence(
    run: Callable[..., tuple[int, str, str]],
    command: list[str],
    bot: str,
    place: str,
    sentence: str,
) -> None:
    code, out, err = run(*command, f"failing_own_bots:{bot}")
    *trace, last = err.splitlines()
    assert (code, out) == (1 if place else 2, "")
    assert last.startswith("cantstop: ")
    assert sentence in last
    assert bool(trace) is bool(place)
    if place:
        assert trace[0] == "Traceback (most recent call last):"
        assert "failing_own_bots.py" in trace[1]
        assert place in err
        assert str(Path(cantstop.__file__).parent) not in err  # whoever wrote it looks there


@pytest.mark.usefixtures("own_bots")
def test_check_bot_does_not_pass_a_bot_that_refuses_all_rules(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, err = run("check-bot", "failing_own_bots:Picky")
    assert (code, out) == (1, "I play nothing.\n" * len(TRIALS))
    assert err == "cantstop: The bot “failing_own_bots:Picky” refuses all of these rules.\n"


def test_arena_shows_what_a_failing_program_said_last(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    bot = shlex.join([sys.executable, "-S", "-c", "raise OSError('no more paper')"])
    code, out, err = run("arena", f"program:{bot}", "careful")
    *said, last = err.splitlines()
    assert (code, out) == (1, "")
    assert said[-1] == "OSError: no more paper"
    assert last.endswith("failed: it exited with code 1.")
