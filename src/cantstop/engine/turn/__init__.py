"""The turn solver: the exact value of every state of one turn, given what its ends are worth.

These are functions that Numba compiles, for programs that solve turns by the million, and what the
engine's module is made of; ``cantstop.engine`` has ``solve_turn`` for everybody.
"""

from cantstop.engine.turn.ends import way_up
from cantstop.engine.turn.recursion import TurnValues, solve_states
from cantstop.engine.turn.states import (
    StateLayout,
    next_state,
    number_states,
    place_at_bottom,
    state_layout,
)
from cantstop.engine.turn.tables import TurnTables, turn_tables

__all__ = [
    "StateLayout",
    "TurnTables",
    "TurnValues",
    "next_state",
    "number_states",
    "place_at_bottom",
    "solve_states",
    "state_layout",
    "turn_tables",
    "way_up",
]
