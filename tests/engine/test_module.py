"""``cantstop.wasm`` finds what Numba's functions find, and a wrong one is refused in a sentence."""

import json
import subprocess
import sys
import threading
from dataclasses import asdict
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from wasmtime import MemoryType

from cantstop.bots.judgement import Judgement
from cantstop.engine import (
    Anchors,
    BadModule,
    EstimateError,
    Evaluator,
    TooLarge,
    Turn,
    analyse,
    best_evaluator,
    hint,
    race_model,
    solve_rest,
    solve_turn,
)
from cantstop.engine import module as modules
from cantstop.engine.compiled import TurnSolver
from cantstop.kernel.fields import MOST_MOVES
from cantstop.kernel.records import to_record
from cantstop.rules import Move, Phase, Position, Rules, Sharing
from cantstop.rules.settings import MOST_PLAYERS
from engine.random_positions import random_positions
from wasm import build
from wasm.source import description

HERE = Path(modules.__file__).parent
CONTENT, NOTE = (HERE / modules.NAME).read_bytes(), (HERE / modules.NOTE).read_bytes()

ALL_RULES = [
    Rules(players, win, early, sharing)
    for players, win, early, sharing in product((2, 3, 4), (3, 4, 5), (False, True), Sharing)
]
OTHERS = [
    "players=1",
    "players=1,win=5,early",
    "players=2,lengths=1.3.2.9.4,runners=2",
    "players=3,lengths=2.4.6.8.6.4.2,runners=3,sharing=leapfrog",
    "players=4,lengths=1.1.1.2.2.2.2.2.2.2.2.2.1.1.1,runners=4,early",
    # more columns than a word of 32 bits has places for
    "players=2,lengths=1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.2.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1",
]


def state_values(turn: Turn) -> NDArray[np.float64]:
    instance = turn._instance()
    return np.frombuffer(instance.read(instance.call("state_values"), 8 * instance.states))


def by_numba(position: Position, evaluator: Evaluator, states: int) -> NDArray[np.float64]:
    solved = TurnSolver(position.rules, evaluator).solve(
        to_record(position, 0), np.zeros(1, np.int64)
    )
    return solved.values.value[:states]


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_every_state_of_a_turn_is_worth_what_numba_finds(rules: Rules) -> None:
    evaluator = best_evaluator(rules)
    for position in random_positions(rules, 4, seed=1):
        turn = solve_turn(position, evaluator)
        expected = by_numba(position, evaluator, turn._instance().states)
        assert np.abs(state_values(turn) - expected).max() < 1e-6


@pytest.mark.parametrize("rules", list(map(Rules.parse, OTHERS)), ids=str)
def test_so_it_is_alone_and_on_other_boards(rules: Rules) -> None:
    positions = 1 if len(rules.board.lengths) > 32 else 4  # each takes seconds there
    for evaluator in {best_evaluator(rules), race_model()}:
        for position in random_positions(rules, positions, seed=2):
            turn = solve_turn(position, evaluator)
            expected = by_numba(position, evaluator, turn._instance().states)
            assert np.abs(state_values(turn) - expected).max() < 1e-6


@pytest.mark.parametrize(
    "rules", [Rules.parse(text) for text in ("players=2,early", *OTHERS[1:5])], ids=str
)
def test_the_roll_map_is_what_every_roll_brings(rules: Rules) -> None:
    for position in random_positions(rules, 12, seed=3):
        found = analyse(position)
        if found.rolls is None:
            continue
        turn = solve_rest(position, best_evaluator(rules))
        for roll in found.rolls:
            rolled = position.roll(roll.dice)
            assert roll.is_bust == (rolled.phase is Phase.BUST)
            assert roll.worth == turn.value(rolled)
            if roll.best is not None:
                assert roll.best == turn.best_move(rolled)
                assert (roll.then == "stop") == turn.should_stop(rolled.move(roll.best))


@pytest.mark.parametrize("dice", ["1235", "2456", "3356"])
@pytest.mark.parametrize("runners", ["6:1,7:2,8:1", "6:4,7:3,8:4", "6:2,7:1,8:2"])
def test_of_moves_that_only_rounding_tells_apart_the_first_is_taken(
    runners: str, dice: str
) -> None:
    position = Position.parse(f"v1,players=2 -/- 1 {runners} {dice}")
    turn = solve_rest(position, best_evaluator(position.rules))
    values = turn.move_values(position)
    six, eight = Move(6), Move(8)
    assert values[six] == pytest.approx(values[eight], rel=1e-14)
    first = next(move for move in position.legal_moves if move in (six, eight))
    assert turn.best_move(position) == first
    assert position.legal_moves[turn.judge(asdict(Judgement()), position, 1)] == first


def test_a_turn_that_was_put_aside_answers_as_before() -> None:
    rules = Rules()
    positions = list(random_positions(rules, 6, seed=4))
    turns = [solve_rest(position, best_evaluator(rules)) for position in positions]
    first = [turn.worths(position) for turn, position in zip(turns, positions, strict=True)]
    again = [turn.worths(position) for turn, position in zip(turns, positions, strict=True)]
    assert first == again


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """The positions whose turns the module solves from now on, nothing being kept."""
    found: list[Position] = []
    solve = modules.GameInstance.solve

    def noting(instance: modules.GameInstance, position: Position, *, whole: bool) -> None:
        found.append(position)
        solve(instance, position, whole=whole)

    modules.forget_instances()
    monkeypatch.setattr(modules.GameInstance, "solve", noting)
    return found


def test_a_turn_that_is_solved_serves_whoever_asks_about_a_part_of_it(
    solved: list[Position],
) -> None:
    position = Position.parse("v1,players=2 7:4/6:9,8:3 1 - -")
    evaluator = best_evaluator(position.rules)
    whole = solve_turn(position, evaluator)
    rolled = position.roll((2, 3, 4, 5))
    rest = solve_rest(rolled, evaluator)
    assert rest.move_values(rolled) == whole.move_values(rolled)
    assert rest.outlook(rolled) == whole.outlook(rolled)
    assert solved == [position]
    other = Position.parse("v1,players=2 7:4/6:9,8:4 1 - -")
    assert solve_turn(other, evaluator).value(other) != whole.value(position)
    assert solved == [position, other, position]


def test_a_part_that_is_solved_does_not_serve_the_whole(solved: list[Position]) -> None:
    position = Position.parse("v1,players=2 7:4/6:9,8:3 1 6:2,7:6,8:3 -")
    evaluator = best_evaluator(position.rules)
    rest, whole = solve_rest(position, evaluator), solve_turn(position, evaluator)
    assert rest.value(position) == whole.value(position)
    assert solved == [position, position]


def test_the_opening_turn_is_solved_once_for_many_games(solved: list[Position]) -> None:
    rules = Rules()
    opening, later = Position.initial(rules), Position.parse("v1,players=2 7:4/- 2 - -")
    found = []
    for _ in range(3):
        found.append(solve_turn(opening, best_evaluator(rules)).value(opening))
        solve_turn(later, best_evaluator(rules))
    assert solved == [opening, later]
    assert len(set(found)) == 1


def test_an_evaluator_of_ones_own_is_asked_every_time() -> None:
    class Learning(Evaluator):
        worth = 0.25

        def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
            return np.full((len(anchors), 2), [1 - self.worth, self.worth])

        def error(self, position: Position) -> EstimateError | None:
            return best_evaluator(position.rules).error(position)

    position, learning = Position.parse("v1,players=2 7:4/6:9,8:3 1 - -"), Learning()
    assert solve_turn(position, learning).bust_value == 0.75
    learning.worth = 0.75
    assert solve_turn(position, learning).bust_value == 0.25


def test_threads_have_instances_of_their_own_and_find_the_same() -> None:
    position = Position.parse("v1,players=3 7:4/6:9,8:3/- 1 6:2,7:6,8:3 -")
    turn, found = solve_rest(position, best_evaluator(position.rules)), []
    threads = [
        threading.Thread(target=lambda: found.append(turn.worths(position))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [turn.worths(position)] * 3


# What is refused


def test_a_damaged_module_is_refused() -> None:
    with pytest.raises(BadModule, match=r"^cantstop\.wasm is damaged\. Install the package again"):
        modules.checked_module(CONTENT[:-1] + bytes([CONTENT[-1] ^ 1]), NOTE)
    with pytest.raises(BadModule, match=r"^cantstop\.wasm\.json is damaged"):
        modules.checked_module(CONTENT, b"{}")


@pytest.mark.parametrize("content", [b"", b"\0asm", CONTENT[:5000]])
def test_something_else_in_its_place_is_refused(content: bytes) -> None:
    note = json.dumps({"version": modules.VERSION, "module": sha256(content).hexdigest()})
    with pytest.raises(BadModule, match=r"^cantstop\.wasm is damaged"):
        modules.checked_module(content, note.encode())


def test_an_older_module_is_refused() -> None:
    note = json.dumps({**json.loads(NOTE), "version": modules.VERSION - 1})
    with pytest.raises(BadModule, match="belongs to another version of the package"):
        modules.checked_module(CONTENT, note.encode())


OTHERS_MODULES = {
    "one without anything": b"\0asm\1\0\0\0",
    "one that wants something": b"\0asm\1\0\0\0\1\4\1\x60\0\0\2\7\1\1e\1f\0\0",
    "one that tells another version": b"\0asm\1\0\0\0\1\5\1\x60\0\1\x7f\3\2\1\0"
    b"\7\x0b\1\7version\0\0\x0a\6\1\4\0\x41\x2a\x0b",
}


@pytest.mark.parametrize("content", OTHERS_MODULES.values(), ids=OTHERS_MODULES)
def test_a_module_of_somebody_else_is_refused(content: bytes) -> None:
    note = json.dumps({"version": modules.VERSION, "module": sha256(content).hexdigest()})
    with pytest.raises(BadModule, match="belongs to another version of the package"):
        modules.checked_module(content, note.encode())


def test_a_position_made_to_harm_is_refused_before_it_is_solved() -> None:
    lengths = ".".join(["60"] * 39)
    position = Position.parse(f"v1,players=2,lengths={lengths},runners=9 -/- 1 - -")
    with pytest.raises(TooLarge):
        hint(position)


def test_memory_of_an_instance_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "MOST_MEMORY", 2 << 20)
    modules._kept.instances.clear()
    position = Position.parse("v1,players=2 -/- 1 - -")
    with pytest.raises(TooLarge, match="memory is not enough"):
        hint(position)
    monkeypatch.undo()
    assert hint(position).best is not None


def test_a_process_that_has_no_handler_for_a_trap_survives_a_refusal() -> None:
    code = f"""
import signal
from cantstop.engine import TooLarge, hint, module
from cantstop.rules import Position
position = Position.initial()
hint(position)
signal.signal(signal.SIGILL, signal.SIG_DFL)
module.MOST_MEMORY = {2 << 20}
module._kept.instances.clear()
try:
    hint(position)
except TooLarge:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\n")


def test_the_module_itself_says_how_much_memory_it_takes_at_most() -> None:
    module = modules.checked_module(CONTENT, NOTE).module
    (memory,) = (one.type for one in module.exports if one.name == "memory")
    assert isinstance(memory, MemoryType)
    assert memory.limits.max == modules.MOST_MEMORY >> 16


def test_what_has_grown_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "LARGE", 1 << 20)
    modules._kept.instances.clear()
    hint(Position.parse("v1,players=2 -/- 1 - -"))
    assert not modules._kept.instances


def test_few_instances_are_kept() -> None:
    for players, win in product((2, 3, 4), (3, 5)):
        board = "/".join("-" * players)
        hint(Position.parse(f"v1,players={players},win={win} {board} 1 6:1,7:1,8:1 -"))
        assert len(modules._kept.instances) <= modules.MOST_INSTANCES


# How it is made


def test_the_module_is_made_of_the_functions_as_they_are() -> None:
    assert json.loads(NOTE)["sources"] == build.source_digest(build.sources())


@pytest.mark.parametrize(
    "name", ["translated.inc", "replaced.py", "by_hand.hpp", build.DESCRIPTION]
)
def test_whatever_changes_a_source_has_to_build_the_module_again(name: str) -> None:
    texts = build.sources()
    changed = {**texts, name: texts[name].replace("1", "2", 1)}
    assert changed != texts
    assert build.source_digest(changed) != json.loads(NOTE)["sources"]


def test_the_same_functions_make_the_same_bytes() -> None:
    assert sha256(build.compiled(build.sources())).hexdigest() == sha256(CONTENT).hexdigest()


def test_the_module_tells_where_its_fields_are() -> None:
    told = json.loads(description())
    assert CONTENT.endswith(build.section(build.SECTION, description().encode()))
    assert told["version"] == modules.VERSION
    assert told["records"]["rules"]["players"] == ["i8", 0, 1]
    _, place, count = told["records"]["answer"]["moves"]
    assert (place, count) == (8 * (5 + MOST_PLAYERS), MOST_MOVES)


def test_the_engine_loads_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from cantstop import Position; "
        "Position.parse('v1,players=2 -/- 1 - 1266').hint(); "
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr


def test_what_the_instances_of_a_thread_keep_together_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Position.parse("v1,players=2 7:4/6:9 1 - -")
    known = hint(position)
    modules.forget_instances()
    monkeypatch.setattr(modules, "MOST_BYTES", 1)
    for columns in range(3, 7):
        hint(Position.parse(f"v1,players=2,lengths={'.'.join('4' * (2 * columns - 1))} -/- 1 - -"))
        assert len(modules._kept.instances) == 1
    assert hint(position) == known
