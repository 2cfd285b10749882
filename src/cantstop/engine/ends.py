"""The positions in which a turn can end, and what they are worth: one for each of its states."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.anchors import Anchors, Evaluator
from cantstop.engine.compiled import SOURCES, cached
from cantstop.engine.frame import Boxes, Frame
from cantstop.engine.paths import Paths
from cantstop.engine.sets import start_at_bottom, step_up
from cantstop.rules import Tokens


@dataclass(frozen=True, eq=False)
class Ends:
    """``worth[state, seat]`` after a stop in that state; state 0, no runner out, stands for a bust.

    ``legal`` tells where stopping is allowed (T8, V3).
    """

    worth: NDArray[np.float64]
    legal: NDArray[np.bool_]


def ends_of(
    frame: Frame,
    boxes: Boxes,
    states: int,
    paths: Paths,
    tokens: Tokens,
    seat: int,
    evaluator: Evaluator,
) -> Ends:
    """Evaluate every end of a turn, all in one call."""
    rules = tokens.rules
    before = np.array(tokens.spaces, np.int8)[:, 2:]
    spaces = np.empty((states, *before.shape), np.int8)
    legal = np.empty(states, np.bool_)
    won = np.zeros(states, np.int64)
    _stop_everywhere(frame, boxes, paths.spaces, paths.shared, before, seat, spaces, legal, won)
    owned, closed = tokens.counts[seat], len(rules.board.columns) - len(tokens.open_columns)
    over = (owned + won >= rules.columns_to_win) | (closed + won == len(rules.board.columns))
    following = (seat + 1) % rules.players
    if not over.any():
        return Ends(evaluator.evaluate(Anchors(rules, following, spaces)), legal)
    worth, going_on = np.empty((states, rules.players)), np.flatnonzero(~over)
    left = spaces.take(going_on, axis=0)  # much faster than an index
    worth[going_on] = evaluator.evaluate(Anchors(rules, following, left))
    worth[over] = _final_worth(np.array(tokens.counts), won[over], seat, rules.columns_to_win)
    return Ends(worth, legal)


def _final_worth(
    counts: NDArray[np.int64], won: NDArray[np.int64], seat: int, to_win: int
) -> NDArray[np.float64]:
    """What finished games are worth: a solo game needs no more turns, else the winners share 1."""
    if len(counts) == 1:
        return np.zeros((len(won), 1))
    final = np.repeat(counts[None, :], len(won), axis=0)
    final[:, seat] += won
    best = final == final.max(axis=1, keepdims=True)
    best[final[:, seat] >= to_win] = np.arange(len(counts)) == seat
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def _entry(sources: str) -> Callable[..., None]:
    @cached
    def stop_everywhere(
        frame: Frame,
        boxes: Boxes,
        path: NDArray[np.int64],
        shared: NDArray[np.bool_],
        before: NDArray[np.int8],
        seat: int,
        spaces: NDArray[np.int8],
        legal: NDArray[np.bool_],
        won: NDArray[np.int64],
    ) -> None:
        """Fill in the tokens after a stop in every state, if it is legal, and the columns won."""
        sources  # noqa: B018  what the cache looks at
        members, sizes, wanted = frame.members, frame.sizes, frame.wanted
        steps, first = boxes.steps, boxes.first
        made = np.empty(members.shape[1], np.int64)
        for index in range(len(sizes)):
            if not (wanted[index] or index == 0):
                continue
            size = sizes[index]
            states = start_at_bottom(members, index, size, steps, made)
            for state in range(first[index], first[index] + states):
                spaces[state] = before
                legal[state] = index > 0
                for at in range(size):
                    column = members[index, at]
                    if made[at] == steps[column]:  # W2
                        spaces[state, :, column] = 0
                        won[state] += 1
                    elif shared[column, made[at]]:
                        legal[state] = False
                    spaces[state, seat, column] = path[column, made[at]]
                step_up(members, index, size, steps, made)

    return stop_everywhere


_stop_everywhere = _entry(SOURCES)
