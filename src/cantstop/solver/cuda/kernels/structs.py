"""The structures that kernels take as arguments, field by field as the sources have them."""

from typing import Any

import numpy as np

# CuPy has no type hints
CuPy = Any
DeviceArray = Any
DeviceKernel = Any


def struct(pointers: str, *others: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> np.dtype:
    """A structure of pointers and other fields, aligned as C does it."""
    return np.dtype([*((name, "u8") for name in pointers.split()), *others], align=True)


def batch_type(columns: int) -> np.dtype:
    """``Batch``: what the kernels of a pass work on."""
    return struct(
        "values control steps place guess records record_base useless",
        ("stride", "i8", (columns,)),
        ("warps", "i4"),
        ("shared_lines", "i4"),
    )


def layout_type(columns: int) -> np.dtype:
    """``Layout``: where anchors lie in the table."""
    return struct(
        "",
        ("stride", "i8", (columns,)),
        ("block_stride", "i4", (columns,)),
        ("halves", "i4", (columns,)),
        ("lengths", "i4", (columns,)),
        ("mirrored", "i4"),
        ("closed_low", "i4", (columns + 1,)),
    )


JOB = struct(
    "values slopes warps again patterns pattern_start weights guess search first steps place active"
    " control",
    ("count", "i8"),
    ("warp_count", "i4"),
    ("usual_slope", "f4"),
    ("slope_bias", "f4"),
)
"""``Job``: which anchors the warps are set up for."""

FOUND = struct(
    "search guess first active values slopes again again_count tally",
    ("again_room", "u4"),
    ("is_first", "i4"),
    ("is_last", "i4"),
    ("tolerance", "f4"),
    ("slope_error", "f4"),
)
"""``Found``: where the results of a pass go."""

SEARCH = np.dtype((np.float32, 8))
"""``Search``: what is known about an anchor's value between passes."""

AGAIN = np.dtype([("place", "i8"), ("x", "f4"), ("search", "f4", (8,))], align=True)
"""``Again``: an anchor that needs another pass."""

TALLY = np.dtype(
    [
        (name, "f8")
        for name in (
            "anchors",
            "slope",
            "first_error",
            "first_square",
            "error",
            "slopes",
            "slope_error",
            "slope_square",
        )
    ]
    + [("worst_error", "f4"), ("worst_first", "f4")],
    align=True,
)
"""``Tally``: what a level was like."""


def size_checks(columns: int) -> str:
    """Statements that let a compiler refuse sources whose structures are not these."""
    return check_sizes(
        {
            "Batch": batch_type(columns),
            "Layout": layout_type(columns),
            "Job": JOB,
            "Found": FOUND,
            "Again": AGAIN,
            "Tally": TALLY,
        }
    )


def check_sizes(structs: dict[str, np.dtype]) -> str:
    """A static assertion for every structure, by its name in the sources."""
    return "".join(
        f'static_assert(sizeof({name}) == {kind.itemsize}, "{name} has another size in Python");\n'
        for name, kind in structs.items()
    )
