"""Python functions as C++: each construct is compiled and asked, and answers as Python does."""

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

from cantstop import cpp
from cantstop.kernel.cuda import ARRAYS, HEAD

FIVE = 5
HALF = 0.5
WORD = np.uint64(2**63 + 3)
TABLE = np.array([[1, 2], [30, 40]])


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
            total += one * other
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
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All functions, compiled for this processor."""
    whole = cpp.Translation(wide=(__name__,)).add(*FUNCTIONS, a_name_of_a_loop_lives_on)
    exported = "\n".join(
        f'extern "C" {kind} call_{name}(long long a, long long b) {{ return {name}(a, b); }}'
        for function in (*FUNCTIONS, a_name_of_a_loop_lives_on)
        for name, kind in [
            (
                function.__name__,
                "double" if function.__annotations__["return"] is float else "long long",
            )
        ]
    )
    folder: Path = tmp_path_factory.mktemp("cpp")
    text = "\n".join((HEAD, cpp.HEAD, ARRAYS, whole.text(), exported))
    (folder / "functions.cpp").write_text(text)
    compiler = shutil.which("g++") or shutil.which("clang++") or "c++"
    command = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", "functions.so"]
    subprocess.run([*command, "functions.cpp"], check=True, cwd=folder)
    return ctypes.CDLL(str(folder / "functions.so"))


def ask(library: ctypes.CDLL, function: Callable[..., Any], a: int, b: int) -> Any:
    called = getattr(library, f"call_{function.__name__}")
    called.argtypes = [ctypes.c_longlong] * 2
    is_float = function.__annotations__["return"] is float
    called.restype = ctypes.c_double if is_float else ctypes.c_longlong
    return called(a, b)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_answers_as_in_python(
    library: ctypes.CDLL, function: Callable[[int, int], Any]
) -> None:
    for a, b in ASKED:
        if function in (words, wide_bits) and (a < 0 or b < 0):
            continue
        assert ask(library, function, a, b) == function(a, b), (a, b)


def test_a_name_that_a_loop_gives_first_lives_on_after_it(library: ctypes.CDLL) -> None:
    for a, b in ((9, 2), (3, -4)):
        found = ask(library, a_name_of_a_loop_lives_on, a, b)
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


UNKNOWN: list[tuple[Callable[..., Any], int, str]] = [
    (a_list, 1, "[a]"),
    (a_power, 1, "a ** 2"),
    (text_of, 1, "str(a)"),
    (unknown_before, 4, "last"),
    (strided, 1, ":"),
    (other_else, 1, "while a:"),
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
