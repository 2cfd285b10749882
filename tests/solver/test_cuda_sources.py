"""What of the CUDA solver can be proven without a GPU: lists, layout, generated code."""

import re
import sys
from itertools import product

import numpy as np
import pytest

from cantstop.extras import MissingExtra
from cantstop.rules import Board, InvalidRules, Rules, Sharing
from cantstop.solver import Solution, solve_game
from cantstop.solver.cuda import check_rules
from cantstop.solver.cuda.kernels.means import (
    mean_of_none,
    mean_of_one,
    mean_of_three,
    mean_of_two,
    rolls_of,
)
from cantstop.solver.cuda.kernels.source import kernels_of, parts
from cantstop.solver.cuda.run.blocks import LANES, Blocks
from cantstop.solver.cuda.run.lookup import closed_sets, useless_chances

BOARDS = [
    Rules(1, board=Board((1, 3, 1))),
    Rules(1, board=Board((2, 4, 6, 4, 2))),
    Rules(1, 4, board=Board((1, 2, 3, 4, 3))),
    Rules(1, board=Board((4, 1, 2, 3, 5, 2, 1))),
]


def listed(blocks: Blocks) -> dict[int, list[tuple[int, ...]]]:
    """The anchors of every level as the warps list them, by their steps left."""
    patterns, start = blocks.patterns
    found: dict[int, list[tuple[int, ...]]] = {level: [] for level in range(blocks.levels)}
    for level in found:
        for warp in (int(warp) for _, warps in blocks.warps(level) for warp in warps):
            block, odd, part, own = warp >> 12, warp >> 8 & 15, warp >> 1 & 127, warp & 1
            low = sum(
                1 << bit
                for bit, stride, halves in zip(
                    blocks.bits, blocks.block_stride, blocks.halves, strict=True
                )
                if block // stride % halves == 0
            )
            first, last = start[own, low, odd] + part * LANES, start[own, low, odd + 1]
            for pattern in patterns[first : min(last, first + LANES)].tolist():
                found[level].append(
                    tuple(
                        2 * (block // stride % halves) + (pattern >> bit & 1)
                        for bit, stride, halves in zip(
                            blocks.bits, blocks.block_stride, blocks.halves, strict=True
                        )
                    )
                )
    return found


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_anchor_or_its_mirror_image_is_in_one_warp_of_its_level(rules: Rules) -> None:
    blocks = Blocks(rules)
    lengths = rules.board.lengths
    seen: set[tuple[int, ...]] = set()
    for level, anchors in listed(blocks).items():
        for steps in anchors:
            if any(left > length for left, length in zip(steps, lengths, strict=True)):
                continue  # columns of even length have size_class for a step that there is not
            assert sum(steps) == level
            assert steps not in seen
            seen |= {steps, steps[::-1]} if blocks.is_mirrored else {steps}
    everyone = product(*(range(length + 1) for length in lengths))
    assert seen == {s for s in everyone if s.count(0) < rules.columns_to_win}
    assert len(seen) == blocks.anchors


def test_places_are_a_numbering_without_gaps_where_lengths_are_odd() -> None:
    blocks = Blocks(Rules(1, board=Board((1, 3, 5, 3, 1))))
    every = np.array(list(product(*(range(length + 1) for length in blocks.lengths))))
    assert sorted(blocks.place(every).tolist()) == list(range(blocks.places))
    assert blocks.boards == blocks.places


def test_the_official_board_has_as_many_anchors_as_is_known() -> None:
    blocks = Blocks(Rules(1))
    assert (blocks.boards, blocks.anchors) == (7_431_782_400, 6_066_786_123)


def test_warps_need_no_more_lines_than_their_class_has() -> None:
    blocks = Blocks(Rules(1, board=Board.stepped(4, 3)))
    limits = {size_class: blocks.shared_lines(size_class) for size_class in range(blocks.classes)}
    for box, size_class in zip(blocks._box.T.tolist(), blocks._size_class.tolist(), strict=True):
        for kernel in kernels_of(4):
            assert kernel.shared_lines(tuple(box)) <= limits[size_class][kernel.name]


def test_the_work_of_levels_is_told_for_all_of_them() -> None:
    blocks = Blocks(Rules(1, board=Board.stepped(3, 1)))
    assert len(blocks.work()) == blocks.levels
    assert blocks.work().sum() > 0


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_the_chances_in_generated_code_are_those_of_useful_rolls(sides: int) -> None:
    total = sides**4

    def sum_of(code: str) -> int:
        return sum(int(count) for count in re.findall(rf"\((\d+)\.f / {total}\.f\)", code))

    columns = 2 * sides - 1
    assert sum_of(mean_of_none(sides)) == total
    assert sum_of(mean_of_one(sides, 1)) == total
    assert sum_of(mean_of_two(sides, (1, 0))) == total
    functions = mean_of_three(sides, (1, 0, 2)).split("template <>")[1:]
    for tops, function in enumerate(functions):
        live = {column for place, column in enumerate((1, 0, 2)) if not tops >> place & 1}
        useful = sum(
            count
            for group, count in rolls_of(sides)
            if any(column in live for split in group for column in split)
        )
        assert sum_of(function) == useful
    assert columns > 2


def test_useless_chances_count_the_rolls_without_a_live_column() -> None:
    chances = useless_chances(3, to_win=3)
    assert chances.shape == (len(closed_sets(5, 3)), 1 + 5 + 10)
    assert chances[0, 0] == 0
    closed, topped = closed_sets(5, 3).index((1, 2)), 1 + 3
    dead = {1, 2, 3}
    counted = sum(
        count
        for group, count in rolls_of(3)
        if all(column in dead for split in group for column in split)
    )
    assert chances[closed, topped] == pytest.approx(counted / 81)


def test_all_sets_of_columns_have_a_kernel_and_all_kernels_a_source() -> None:
    names = [kernel.name for kernel in kernels_of(6)]
    assert len(set(names)) == len(names)
    sets = [columns for kernel in kernels_of(6) for columns in kernel.columns]
    assert [len({tuple(sorted(s)) for s in sets if len(s) == size}) for size in (3, 2, 1)] == [
        165,
        55,
        11,
    ]
    sources = "".join(parts(2, 4))
    for kernel in kernels_of(2):
        assert f"{kernel.name}(const __grid_constant__ Batch batch)" in sources


def test_without_cupy_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtra, match=r"cantstop-game\[gpu\]"):
        solve_game(Rules(1, board=Board.stepped(2, 1)), "cuda")


@pytest.mark.parametrize(
    "rules",
    [
        Rules(2, board=Board.stepped(2, 1)),
        Rules(1, early=True),
        Rules(1, board=Board.stepped(3, 1, runners=2)),
        Rules(1, board=Board.stepped(7, 1)),
        Rules(1, board=Board((1, 16, 1))),
    ],
    ids=str,
)
def test_games_that_the_kernels_do_not_know_are_refused(rules: Rules) -> None:
    with pytest.raises(InvalidRules, match="With CUDA only"):
        check_rules(rules)


def test_one_player_shares_with_nobody_so_those_variants_make_no_difference() -> None:
    check_rules(Rules(1, sharing=Sharing.NO_REST))


def test_the_device_is_chosen_by_name() -> None:
    solution = solve_game(Rules(1, board=Board.stepped(2, 1)), "cpu")
    assert isinstance(solution, Solution)
    assert solution.value == solution.table.start
