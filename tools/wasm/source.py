"""The module's translated functions as C++ text, and what of them the rest of it has to know."""

import inspect
import json
from math import prod
from typing import Any

import numpy as np

from cantstop import cpp
from cantstop.bots import BOTS, bot_named
from cantstop.bots.compiled import record_of
from cantstop.engine import answers, compiled
from cantstop.engine.evaluators.race import chances, distances, views
from cantstop.engine.evaluators.race import network as race_network
from cantstop.engine.evaluators.value import network, packed, sums
from cantstop.engine.module import ANSWER_FIELDS, VERSION
from cantstop.engine.turn import ends, recursion, rolls, splits, states, tables, value_ends
from cantstop.kernel import decide, judgement, layout, reading, records, steps, stream
from cantstop.rules.settings import MOST_PLAYERS

RECORDS = {
    "Rules": layout.RULES,
    "Rolls": layout.ROLLS,
    "Position": layout.POSITION,
    "Stream": layout.STREAM,
    "Bot": layout.BOT,
    "Judgement": judgement.JUDGEMENT,
    "Answer": np.dtype(list(ANSWER_FIELDS), align=True),
}

STRUCTS = (
    states.ColumnSets,
    states.StateLayout,
    rolls.RollClasses,
    rolls.TripleRolls,
    splits.SplitOrder,
    tables.TurnTables,
    recursion.TurnValues,
    recursion.SolvedTurn,
    compiled.TurnMemory,
    compiled.RaceArrays,
    sums.Layers,
    race_network.Network,
    views.Scale,
    value_ends.EndsMemory,
    value_ends.Block,
    ends.Stops,
)
"""Tuples that the module makes itself."""

FUNCTIONS = (
    records.fill_rolls,
    states.fill_sets,
    rolls.fill_classes,
    rolls.classify,
    splits.fill_order,
    network.round_hidden,
    sums.fill_vectors,
    chances.fill_survival,
    chances.fill_duels,
    views.fill_scale,
    compiled.begin_solving,
    compiled.race_ends,
    compiled.keep_going_on,
    compiled.finish_solving,
    recursion._mean,  # noqa: SLF001
    recursion._mean_early,  # noqa: SLF001
    states.previous_state,
    compiled.state_of,
    value_ends.fill_ends,
    ends.stop_everywhere,
    answers.look_at_moves,
    answers.map_rolls,
    answers.follow_from,
    answers.mean_worth,
    judgement.judge_moves,
    judgement.judge_stop,
    steps.begin_game,
    steps.find_moves,
    steps.make_move,
    steps.may_stop,
    steps.stop_turn,
    steps.bust_turn,
    steps.after_throw,
    steps.winner_of,
    reading.complete,
    reading.is_possible,
    reading.leaders,
    reading.busting_falls,
    decide.choose,
    decide.stop,
    stream.open_stream,
)

CONSTANTS = {
    "INTERFACE": VERSION,
    "SEATS": steps.SEATS,
    "MOVES": layout.MOST_MOVES,
    "MOST_SEATS": MOST_PLAYERS,
    "TRIPLE_RUNNERS": rolls.TRIPLE,
    "TRIPLE_MASKS": rolls.MASKS,
    "TRIPLE_OPTIONS": rolls.OPTIONS,
    "TRIPLE_TWICE": rolls.TWICE,
    "TRIPLE_EACH": rolls.EACH,
    "MOST_TRIPLE_CLASSES": rolls.MOST_CLASSES,
    "NETWORK_COLUMNS": network.COLUMNS,
    "NETWORK_PAIR_ROWS": packed.PAIR_ROWS,
    "NETWORK_NEED_ROWS": packed.NEEDS * packed.NEEDS,
    "NETWORK_COUPLE_ROWS": sums.COUPLE_ROWS,
    "NETWORK_DEEP": packed.DEEP,
    "NETWORK_BLOCK": sums.BLOCK,
    "NETWORK_PADDING": sums.PADDING,
    "NETWORK_AT_ONCE": sums.AT_ONCE,
    "NETWORK_CHUNK": network.CHUNK,
    "NETWORK_MOST": network.MOST,
    "NETWORK_SQUARE_LIMIT": network.SQUARE_LIMIT,
    "NETWORK_LONGEST": value_ends.LONGEST,
    "RACE_FARTHEST": int(distances.MAX_DISTANCE),
    "RACE_ROWS": int(distances.MAX_DISTANCE) * chances.RESOLUTION + 2,
}

BY_HAND: dict[str, cpp.Compiled] = {
    "fill_slab": value_ends._fill_slab,  # noqa: SLF001
    "add_to_block": value_ends._add_to_block,  # noqa: SLF001
    "run_whole_layers": sums.run_layers,
    "write_chances": sums.write_worth,
    "solve_set": recursion._solve_set,  # noqa: SLF001
    "solve_triple": recursion._solve_triple,  # noqa: SLF001
}
"""Functions that have another form for the sake of speed, in ``by_hand.hpp``."""

REPLACED = {"ask_function": "ask_function"} | {
    f"{cpp.plain_function(function).__module__}.{function.__name__}": name
    for name, function in BY_HAND.items()
}

FUNCTIONS_OF_USERS = """
// functions of a user's own stay in Python
template <class R, class P> FUNCTION i64 ask_function(i64, R&, P&) { return -1; }
"""


def source(*, shows_lines: bool = False) -> str:
    """What ``module.cpp`` includes."""
    whole = cpp.Translation(("cantstop.kernel",), REPLACED, shows_lines)
    for kind in STRUCTS:
        whole.struct(kind)
    whole.add(*FUNCTIONS)
    numbers = ", ".join(f"{name} = {number}" for name, number in CONSTANTS.items())
    return "\n".join(
        (
            cpp.HEAD,
            f"enum {{ {numbers} }};",
            f"static const double SQUARE_GRAIN = {network.SQUARE_GRAIN!r};",
            *(cpp.record(name, dtype) for name, dtype in RECORDS.items()),
            FUNCTIONS_OF_USERS,
            '#include "by_hand.hpp"',
            whole.text(),
        )
    )


def replaced_source() -> str:
    """The Python of functions that have another form: whoever changes it has to look there."""
    return "\n".join(
        inspect.getsource(cpp.plain_function(function)) for function in BY_HAND.values()
    )


def bots() -> str:
    """The records of the bots that the module plays, by name; fields that are 0 are left out."""
    found = {}
    for name in BOTS:
        record = record_of(bot_named(name))
        if record is not None and record["kind"][0] != decide.SOLVER:
            found[name] = {
                field: np.ravel(record[field][0]).tolist()
                for field in record.dtype.names or ()
                if record[field].any()
            }
    return json.dumps(found)


def description() -> str:
    """The module's description of itself: where callers find the fields of its records."""
    described = {
        "version": VERSION,
        "records": {
            name.lower(): {field: _place(dtype, field) for field in dtype.names or ()}
            for name, dtype in RECORDS.items()
        },
    }
    return json.dumps(described, separators=(",", ":"))


def _place(dtype: np.dtype[Any], field: str) -> tuple[str, int, int]:
    """A field's type, where it begins, and how many numbers it has."""
    assert dtype.fields is not None
    kind, begin, *_ = dtype.fields[field]
    return kind.base.str[1:], begin, prod(kind.shape)
