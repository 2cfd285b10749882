"""Generated code: the mean gain of a roll, one function for every set of columns.

A roll is worth the best of its options, so its mean is a sum of maxima with constant weights. Which
options a roll has is known when the code is written: what remains is straight-line arithmetic.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations

from cantstop.rules import Split, splits, ways

Atoms = Callable[[int, int], Iterable[str]]
"""What a split can lead to, as C expressions of gains; columns are counted from 0."""

SUMS = 4
"""A long sum is added up in this many parts: each addition waits for the one before."""


def rolls_of(sides: int) -> list[tuple[tuple[Split, ...], int]]:
    """The splits of every roll, columns counted from 0, and how many rolls are like it."""
    return [
        (tuple((low - 2, high - 2) for low, high in splits(dice)), times)
        for dice, times in ways(sides, 4).items()
    ]


def distance(column: int, sides: int) -> int:
    """How far a column is from the middle."""
    return abs(column - (sides - 1))


def roles(columns: tuple[int, int, int], sides: int) -> tuple[int, int, int]:
    """The columns of a triple as X, Y, Z: the longest is the outer loop, the shortest is Y."""
    longest, middle, shortest = sorted(columns, key=lambda c: (distance(c, sides), c))
    return longest, shortest, middle


def outer_first(columns: tuple[int, int], sides: int) -> tuple[int, int]:
    """The columns of a pair as X, Y: the longer one is the outer loop."""
    longer, shorter = sorted(columns, key=lambda c: (distance(c, sides), c))
    return longer, shorter


def mean_of_three(sides: int, columns: tuple[int, int, int]) -> str:
    """The functions of a triple, for each subset of runners on a top."""
    x, y, z = columns
    name = {x: "i", y: "j", z: "k"}
    found = []
    for tops in range(8):
        live = [column for place, column in enumerate(columns) if not tops >> place & 1]

        def option(low: int, high: int, live: list[int] = live) -> list[str]:
            moved = sorted((c for c in (low, high) if c in live), key=columns.index)
            return ["o." + "".join(name[column] for column in moved)] if moved else []

        body = _sum(_classes(sides, option), parts=2, share=False)
        head = f"template <> INLINE float mean_of_three<{x}, {y}, {z}, {tops}>(const Options& o)"
        found.append(f"{head} {{\n{body}}}\n")
    return "".join(found)


def mean_of_two(sides: int, columns: tuple[int, int]) -> str:
    """The function of a pair."""
    x, y = columns
    others = [column for column in range(2 * sides - 1) if column not in columns]
    slot = {column: place for place, column in enumerate(others)}

    def atoms(low: int, high: int) -> list[str]:
        if low == high:
            return [{x: "xx", y: "yy"}.get(low) or f"o.twice[{slot[low]}]"]
        if {low, high} == {x, y}:
            return ["xy"]
        if x in (low, high):
            return [f"o.with_x[{slot[low + high - x]}]"]
        if y in (low, high):
            return [f"o.with_y[{slot[low + high - y]}]"]
        return [f"o.once[{slot[low]}]", f"o.once[{slot[high]}]"]

    head = f"mean_of_two<{x}, {y}>(float xx, float yy, float xy, const Others& o)"
    return f"template <> INLINE float {head} {{\n{_sum(_classes(sides, atoms))}}}\n"


def mean_of_one(sides: int, column: int) -> str:
    """The function of a column."""
    number = _pair_numbers(sides)

    def atoms(low: int, high: int) -> list[str]:
        if low == high:
            return ["ii" if low == column else f"e.twice[{low}]"]
        if column in (low, high):
            return [f"e.with_it[{low + high - column}]"]
        return [f"e.each[{number[low, high]}]"]

    head = f"template <> INLINE float mean_of_one<{column}>(float ii, const Entries& e)"
    return f"{head} {{\n{_sum(_classes(sides, atoms))}}}\n"


def mean_of_none(sides: int) -> str:
    """The function of a turn's first roll."""
    number = _pair_numbers(sides)

    def atoms(low: int, high: int) -> list[str]:
        return [f"e.twice[{low}]" if low == high else f"e.each[{number[low, high]}]"]

    return f"DEVICE float mean_of_none(const Entries& e) {{\n{_sum(_classes(sides, atoms))}}}\n"


def _pair_numbers(sides: int) -> dict[tuple[int, int], int]:
    return {pair: n for n, pair in enumerate(combinations(range(2 * sides - 1), 2))}


def _classes(sides: int, atoms: Atoms) -> dict[frozenset[str], str]:
    """The distinct sets of options of useful rolls, with their chances."""
    times: Counter[frozenset[str]] = Counter()
    for group, count in rolls_of(sides):
        times[frozenset(atom for split in group for atom in atoms(*split))] += count
    return {options: f"({count}.f / {sides**4}.f)" for options, count in times.items() if options}


def _sum(classes: dict[frozenset[str], str], parts: int = SUMS, share: bool = True) -> str:
    """The body of a function: the sum of the best options times their chances."""
    lines, wanted = _shared_maxima(classes) if share else ([], list(classes.items()))
    parts = min(parts, len(wanted))
    lines += [f"float sum{part} = 0.f;" for part in range(parts)]
    for place, (options, chance) in enumerate(wanted):
        first, *rest = sorted(options)
        for option in rest:
            first = f"best({first}, {option})"
        part = place % parts
        lines.append(f"sum{part} = plus(sum{part}, {chance}, {first});")
    total = " + ".join(f"sum{part}" for part in range(parts)) or "0.f"
    return "".join(f"    {line}\n" for line in [*lines, f"return {total};"])


def _shared_maxima(
    classes: dict[frozenset[str], str],
) -> tuple[list[str], list[tuple[frozenset[str], str]]]:
    """Work out once the maxima of two options that several rolls want, the commonest first."""
    wanted = [(set(options), chance) for options, chance in classes.items()]
    lines: list[str] = []
    while True:
        pairs = Counter(pair for options, _ in wanted for pair in combinations(sorted(options), 2))
        if not pairs:
            break
        (one, other), times = max(pairs.items(), key=lambda item: (item[1], item[0]))
        if times < 2:
            break
        name = f"m{len(lines)}"
        lines.append(f"const float {name} = best({one}, {other});")
        for options, _ in wanted:
            if one in options and other in options:
                options -= {one, other}
                options.add(name)
    return lines, [(frozenset(options), chance) for options, chance in wanted]
