"""Python functions as C++: each construct is compiled and asked, and answers as Python does.

The numbers' constructs are compiled as for CUDA and for WebAssembly, those with arrays and tuples
for WebAssembly, which alone has them.
"""

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from wasmtime import Engine, Func, FuncType, Instance, Module, Store

from cantstop import cpp
from cantstop.jit import fast_inlined, inlined
from cantstop.kernel.cuda import ARRAYS, HEAD
from wasm import build

Asked = Callable[..., Any]
"""Asks a compiled function."""

FIVE = 5
HALF = 0.5
WORD = np.uint64(2**63 + 3)
TABLE = np.array([[1, 2], [30, 40]])
SHARES = np.array([0.25, 0.5])
FLAGS = np.array([True, False, True])
PAIR = np.dtype([("one", "i8"), ("rows", "i1", (2, 2)), ("share", "f8")], align=True)


class Colour(IntEnum):
    RED = 7


class Both(NamedTuple):
    one: int
    other: int


def arithmetic(a: int, b: int) -> int:
    return (a + b) * 3 - (a & 6 | b ^ 1) + (a << 2) - (-b >> 1) + ~a


def floor_division(a: int, b: int) -> int:
    return (a // 4) * 100 + a % 4 + (b // 7) * 10000


def true_division(a: int, b: int) -> float:
    return a / 4 + b / 8


def comparisons(a: int, b: int) -> int:
    return (
        int(a < b) + 2 * int(0 <= a <= b) + 4 * int(a != b and not a > 3) + 8 * int(a > 0 or b > 5)
    )


def conditional(a: int, b: int) -> int:
    return a if a > b else b + 100


def branches(a: int, b: int) -> int:
    if a > b:
        found = 1
    elif a == b:
        found = 2
    else:
        found = 3
    return found


def loops(a: int, b: int) -> int:
    total = 0
    for one in range(a):
        for other in range(2, b):
            if other == 5:
                continue
            if one == 4:
                break
            total = (3 * total + one * other) % 1009
    for down in range(10, 0, -3):
        total += down
    for _ in range(3):
        total *= 2
    return total


def a_name_of_a_loop_lives_on(a: int, b: int) -> int:
    while a > b:
        last = a
        a -= 2
    if a < 0:
        last = -1
    return last + a


def chained_assignment(a: int, b: int) -> int:
    one = other = a + b
    other += 1
    return one * other


def swap(a: int, b: int) -> int:
    a, b = b, a
    return a - b


def built_in(a: int, b: int) -> int:
    return max(a, b) * 10 + min(a, b) + abs(a - b)


def constants(a: int, b: int) -> float:
    return FIVE * a + HALF * b + Colour.RED


def words(a: int, b: int) -> int:
    word = (np.uint64(a) ^ WORD) >> np.uint64(b)
    return np.int64(word & np.uint64(0xFFFF))  # type: ignore[return-value]


def wide_bits(a: int, b: int) -> int:
    return (1 << (a + 30)) + (1 << b)


def helper(a: int, b: int) -> int:
    return a * 7 + b


def calls(a: int, b: int) -> int:
    return helper(a, b=b)


def reserved_names(a: int, b: int) -> int:
    new, this = a, b
    return new * 2 + this


def augmented(a: int, b: int) -> int:
    total = a
    total //= 3
    total %= 5
    total <<= 2
    total |= b & 8
    total *= 3
    total -= 1
    return total


def divided(a: int, b: int) -> float:
    total: float = a * 1.0
    total /= 8
    return total + b


def truth(a: int, b: int) -> int:
    is_odd = a % 2 == 1
    both = is_odd and not b > 3
    sure = True
    return 1 if both or (sure and a < 0) else 0


def casts(a: int, b: int) -> float:
    return float(a) + np.float64(b) + np.float32(0.5) + int(a * 0.5) + np.int64(b)


def endless(a: int, b: int) -> float:
    best = -np.inf
    for each in range(a):
        best = max(best, -1.0 * (each - b) * (each - b))
    return best


def large_constants(a: int, b: int) -> int:
    return 1 << 40 if a > b else -5_000_000_000 + a


def early_return(a: int, b: int) -> int:
    """Says something first."""
    noted = a
    if a > b:
        return noted
    return -noted


def nothing_returned(a: int, b: int) -> int:
    put_nowhere(a)
    return b


def put_nowhere(a: int) -> None:
    if a > 3:
        return
    a += 1


@inlined
def doubled(a: int) -> int:
    return 2 * a


@fast_inlined
def tripled(a: float) -> float:
    return 3 * a


def small_functions(a: int, b: int) -> float:
    return doubled(a) + tripled(b * 1.0)


ASKED = [(3, 4), (7, 2), (0, 0), (9, 9), (13, 5), (-7, 3)]
FUNCTIONS: list[Callable[[int, int], Any]] = [
    arithmetic,
    floor_division,
    true_division,
    comparisons,
    conditional,
    branches,
    loops,
    chained_assignment,
    swap,
    built_in,
    constants,
    words,
    wide_bits,
    calls,
    reserved_names,
    augmented,
    divided,
    truth,
    casts,
    endless,
    large_constants,
    early_return,
    nothing_returned,
    small_functions,
]


# Arrays and tuples


def new_arrays(a: int, b: int) -> float:
    empty = np.empty(2, np.int64)
    empty[0], empty[1] = a, b
    zeros, ones = np.zeros((2, 3)), np.ones(3)
    full = np.full(3, a, np.int8)
    flags, floats = np.zeros(2, np.bool_), np.zeros(2, np.float32)
    flags[1] = a > b
    floats[0] = 0.5
    like = np.zeros_like(full)
    found = zeros[1, 2] + ones[2] + full[1] + flags[1] + floats[0] + like[2]
    return float(empty[0] + empty[1] + found)


def places(a: int, b: int) -> int:
    made = np.full(6, a, np.int64)
    made[:] = 3
    made[2] = b
    made[4] += 10
    first = last = made[4]
    made[0] = made[1] = 8
    head, middle, tail = made[:3], made[1:4], made[3:]
    middle[0] = 7
    return int(head[1] + 10 * tail[-1] + 100 * tail[1] + len(middle) + first - last + made[0])


def rows(a: int, b: int) -> int:
    grid = np.zeros((3, 2), np.int64)
    row = grid[1]
    row[0] = a
    grid[2] = b
    height, width = grid.shape
    return int(grid[1, 0] + grid[2, 1] * height + width + grid.size + grid.sum())


def each_of_an_array(a: int, b: int) -> int:
    made, total = np.full(4, a, np.int64), 0
    made[1] = b
    for one in made:
        total = 2 * total + int(one)
    return total


def constant_arrays(a: int, b: int) -> float:
    found = float(TABLE[1, a % 2] + SHARES[b % 2])
    if FLAGS[a % 3]:
        found += 100.0
    return found


def divided_arrays(a: int, b: int) -> float:
    shares = np.full(4, a + 10.0)
    shares[2] = b
    shares /= shares.sum()
    return float(shares[2] * 4)


def more_axes(a: int, b: int) -> int:
    made = np.full(3, a, np.int64)
    made[1] = b
    raised = np.expand_dims(made, 0)
    return int(raised[0, 1] + 10 * len(raised))


def two_of(a: int, b: int) -> tuple[int, int]:
    return a + b, a - b


def four_of(a: int, b: int) -> tuple[int, int, int, int]:
    return a, b, a + b, a * b


def both_summed(both: Both) -> int:
    return both.one * 10 + both.other


def tuples(a: int, b: int) -> int:
    both = Both(a, b)
    one, other = both
    more, less = two_of(a, b)
    _, less, more, last = four_of(less, more)
    return both_summed(both) + 3 * one + other + 100 * more + less + last


def curves(a: int, b: int) -> float:
    return float(np.exp(-a / 4) + np.log1p(b / 10) + np.ceil(a / 3) + np.rint(b / 2))


ARRAY_FUNCTIONS: list[Callable[[int, int], Any]] = [
    new_arrays,
    places,
    rows,
    each_of_an_array,
    constant_arrays,
    divided_arrays,
    more_axes,
    tuples,
    curves,
]


def exported(functions: list[Callable[..., Any]], how: str) -> str:
    return "\n".join(
        f"{how.format(name)} {_kind(function)} call_{name}(long long a, long long b) "
        f"{{ return {name}(a, b); }}"
        for function in functions
        for name in [function.__name__]
    )


def _kind(function: Callable[..., Any]) -> str:
    return "double" if function.__annotations__["return"] is float else "long long"


@pytest.fixture(scope="module")
def on_this_processor(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The functions of numbers, compiled as the arena's are, but for this processor."""
    whole = cpp.Translation(wide=(__name__,)).add(*FUNCTIONS, a_name_of_a_loop_lives_on)
    calls = exported([*FUNCTIONS, a_name_of_a_loop_lives_on], 'extern "C"')
    folder: Path = tmp_path_factory.mktemp("cpp")
    text = "\n".join((HEAD, "#define FAST", cpp.HEAD, ARRAYS, whole.text(), calls))
    (folder / "functions.cpp").write_text(text)
    compiler = shutil.which("g++") or shutil.which("clang++") or "c++"
    command = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", "functions.so"]
    subprocess.run([*command, "functions.cpp"], check=True, cwd=folder)
    library = ctypes.CDLL(str(folder / "functions.so"))

    def ask(function: Callable[..., Any], a: int, b: int) -> Any:
        called = getattr(library, f"call_{function.__name__}")
        called.argtypes = [ctypes.c_longlong] * 2
        called.restype = ctypes.c_double if _kind(function) == "double" else ctypes.c_longlong
        return called(a, b)

    return ask


@pytest.fixture(scope="module")
def in_a_module() -> Asked:
    """All functions, compiled as the engine's are."""
    functions = [*FUNCTIONS, a_name_of_a_loop_lives_on, *ARRAY_FUNCTIONS]
    whole = cpp.Translation(wide=(__name__,), shows_lines=True).add(*functions)
    calls = exported(functions, 'extern "C" __attribute__((export_name("{}")))')
    memory = "static void begin() { if (!used) used = (size_t)&__heap_base; }"
    calls = calls.replace("{ return", "{ begin(); return")
    text = "\n".join(('#include "runtime.hpp"', cpp.HEAD, memory, whole.text(), calls))
    runtime = (build.HERE / "runtime.hpp").read_text("utf-8")
    content = build.compile_files({"module.cpp": text, "runtime.hpp": runtime})
    store = Store(Engine())
    refuse = Func(store, FuncType([], []), lambda: None)  # memory is enough here
    exports: Any = Instance(store, Module(store.engine, content), [refuse]).exports(store)

    def ask(function: Callable[..., Any], a: int, b: int) -> Any:
        return exports[function.__name__](store, a, b)

    return ask


@pytest.mark.parametrize("target", ["on_this_processor", "in_a_module"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_answers_as_in_python(
    request: pytest.FixtureRequest, target: str, function: Callable[[int, int], Any]
) -> None:
    ask = request.getfixturevalue(target)
    for a, b in ASKED:
        if function in (words, wide_bits) and (a < 0 or b < 0):
            continue
        assert ask(function, a, b) == function(a, b), (a, b)


@pytest.mark.parametrize("function", ARRAY_FUNCTIONS, ids=lambda function: function.__name__)
def test_arrays_and_tuples_are_those_of_python(
    in_a_module: Asked, function: Callable[[int, int], Any]
) -> None:
    for a, b in ASKED[:-1]:
        assert in_a_module(function, a, b) == pytest.approx(function(a, b), rel=1e-14), (a, b)


@pytest.mark.parametrize("target", ["on_this_processor", "in_a_module"])
def test_a_name_that_a_loop_gives_first_lives_on_after_it(
    request: pytest.FixtureRequest, target: str
) -> None:
    for a, b in ((9, 2), (3, -4)):
        found = request.getfixturevalue(target)(a_name_of_a_loop_lives_on, a, b)
        assert found == a_name_of_a_loop_lives_on(a, b)


# What is not known


def a_list(a: int) -> int:
    found = [a]
    return found[0]


def a_power(a: int) -> int:
    return a**2


def text_of(a: int) -> str:
    return str(a)


def unknown_before(a: int) -> int:
    for each in range(a):
        place = each
        last = place + 1
    return last


def strided(a: NDArray[np.int64]) -> int:
    row = a[:, 1]
    return int(row[0])


def other_else(a: int) -> int:
    while a:
        a -= 1
    else:
        a = 7
    return a


def a_default(a: int, b: int = 3) -> int:
    return a + b


def a_power_in_place(a: int) -> int:
    a **= 2
    return a


def its_own_loop(a: int) -> int:
    for each in range(a):
        each += 1
    return a


def a_step_of_either_sign(a: int) -> int:
    total = 0
    for each in range(0, 10, a):
        total += each
    return total


def two_names_for_a_tuple(a: int) -> int:
    one, other = both = a, a
    return one + other + both[0]


def a_part_filled(a: NDArray[np.int64]) -> None:
    a[1:2] = 3


def a_starred_name(a: NDArray[np.int64]) -> int:
    one, *_rest = a.shape
    return int(one)


def a_class_attribute(a: int) -> int:
    return a + Path.anchor  # type: ignore[operator]


def an_axis(a: NDArray[np.int64]) -> int:
    return int(a.sum(axis=0))


def the_largest_of_three(a: int) -> int:
    return max(a, 2, 3)


def another_element(a: int) -> int:
    return int(np.empty(a, np.complex128)[0])


def called_twice(a: int) -> int:
    return int(0 < helper(a, 1) < 5)


def too_few(a: int) -> int:
    return helper(a)  # type: ignore[call-arg]


def a_text(a: int) -> int:
    return a + len(TEXT)


def no_number(a: int) -> float:
    return a + ENDLESS


def a_nested_function(a: int) -> int:
    def inner() -> int:
        return a

    return inner()


TEXT, ENDLESS = "text", float("inf")

UNKNOWN: list[tuple[Callable[..., Any], int, str]] = [
    (a_list, 1, "[a]"),
    (a_power, 1, "a ** 2"),
    (text_of, 1, "str(a)"),
    (unknown_before, 4, "last"),
    (strided, 1, ":"),
    (other_else, 1, "while a:"),
    (a_default, 0, "b: int=3"),
    (a_power_in_place, 1, "a **= 2"),
    (its_own_loop, 1, "each is changed in the loop over it"),
    (a_step_of_either_sign, 2, "the step is not known beforehand"),
    (two_names_for_a_tuple, 1, "(one, other)"),
    (a_part_filled, 1, "a[1:2]"),
    (a_starred_name, 1, "*_rest"),
    (a_class_attribute, 1, "Path.anchor"),
    (an_axis, 1, "a.sum(axis=0)"),
    (the_largest_of_three, 1, "max(a, 2, 3)"),
    (another_element, 1, "np.empty(a, np.complex128)"),
    (called_twice, 1, "this would be called twice"),
    (too_few, 1, "the arguments are not the parameters"),
    (a_text, 1, "TEXT"),
    (no_number, 1, "ENDLESS"),
    (a_nested_function, 1, "def inner"),
]


@pytest.mark.parametrize(("function", "line", "text"), UNKNOWN, ids=lambda each: str(each)[:24])
def test_what_is_not_known_is_named_with_its_file_and_line(
    function: Callable[..., Any], line: int, text: str
) -> None:
    with pytest.raises(cpp.Untranslatable) as told:
        cpp.Translation().add(function)
    place = f"test_cpp.py:{function.__code__.co_firstlineno + line}: "
    assert str(told.value).startswith(place)
    assert text in str(told.value)


def a_whole_number_first(a: int, b: int) -> float:
    share = 0
    if a > b:
        share = 0.5  # type: ignore[assignment]
    return share


def test_what_c_plus_plus_refuses_is_named_with_its_file_and_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    whole = cpp.Translation(wide=(__name__,), shows_lines=True).add(a_whole_number_first)
    runtime = (build.HERE / "runtime.hpp").read_text("utf-8")
    asked = exported([a_whole_number_first], "")
    text = "\n".join(('#include "runtime.hpp"', cpp.HEAD, whole.text(), asked))
    with pytest.raises(subprocess.CalledProcessError):
        build.compile_files({"module.cpp": text, "runtime.hpp": runtime})
    line = a_whole_number_first.__code__.co_firstlineno + 3
    assert f"test_cpp.py:{line}:" in capfd.readouterr().err


def test_a_record_is_a_struct_of_the_same_layout() -> None:
    text = cpp.record("Pair", PAIR)
    for expected in ("i64 one;", "signed char rows[2][2];", "double share;", "sizeof(Pair) == 24"):
        assert expected in text


# Arrays and tuples, whose meaning is the target's


def arrays(a: NDArray[np.int64], both: Both, n: int) -> int:
    made = np.full(n, both.other, np.int64)
    grid = np.zeros((n, 2))
    grid[1, 0] = TABLE[1, 0]
    made[:] = 3
    one, other = both
    part = made[1:n]
    rows, columns = a.shape
    return int(part[-1] + len(a) + a[0, 1] + one + other + rows * columns + made.size)


def test_arrays_and_tuples_are_left_to_the_target() -> None:
    text = cpp.Translation(wide=()).add(arrays).text()
    for expected in (
        "static const int TABLE_numbers[] = {1, 2, 30, 40};",
        "int arrays(T0 a, T1 both, int n)",
        "filled(make<int>(n), both.other)",
        "filled(make<double>(n, 2), 0)",
        "put(grid[1][0], TABLE[1][0]);",
        "fill(made, 3);",
        "auto [one, other] = both;",
        "made.part(1, n)",
        "auto [rows, columns] = a.shape;",
        "part.from_end(1)",
        "count_of(made)",
    ):
        assert expected in text, expected


def test_two_functions_of_one_name_stay_apart() -> None:
    from cantstop.engine.evaluators.race.network import run_layers
    from cantstop.engine.evaluators.value.sums import run_layers as other

    text = cpp.Translation(wide=()).add(run_layers, other).text()
    assert "void run_layers(" in text
    assert "void run_layers_sums(" in text


def test_a_function_can_be_replaced_by_its_module_and_name() -> None:
    from cantstop.engine.evaluators.race.network import run_layers
    from cantstop.engine.evaluators.value.sums import run_layers as other

    whole = cpp.Translation(wide=(), replaced={f"{other.__module__}.run_layers": "by_hand"})
    assert whole.function(other) == "by_hand"
    assert whole.function(run_layers) == "run_layers"
    assert cpp.Translation(wide=(), replaced={"run_layers": "both"}).function(other) == "both"
