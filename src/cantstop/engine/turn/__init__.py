"""The turn solver: the exact value of every state of one turn, given what its ends are worth.

``solve_turn`` and ``solve_rest`` are for everybody (``cantstop.engine`` has them too). The compiled
pieces below them are for programs that solve turns by the million: ``cantstop.solver`` and tools.
"""

from cantstop.engine.turn.ends import way_up
from cantstop.engine.turn.recursion import TurnValues, solve_states
from cantstop.engine.turn.solve import Outlook, Turn, solve_rest, solve_turn
from cantstop.engine.turn.states import (
    StateLayout,
    TooLarge,
    check_turn_size,
    count_states,
    next_state,
    number_states,
    place_at_bottom,
    state_layout,
)
from cantstop.engine.turn.tables import TurnTables, turn_tables

__all__ = [
    "Outlook",
    "StateLayout",
    "TooLarge",
    "Turn",
    "TurnTables",
    "TurnValues",
    "check_turn_size",
    "count_states",
    "next_state",
    "number_states",
    "place_at_bottom",
    "solve_rest",
    "solve_states",
    "solve_turn",
    "state_layout",
    "turn_tables",
    "way_up",
]
