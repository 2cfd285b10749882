"""The game for OpenSpiel, with every roll an explicit chance node.

>>> game = load_game("players=3,win=4")
>>> str(game).partition("(")[0], game.num_players(), game.num_distinct_actions()
('python_cantstop', 3, 79)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 126)

The parameters are the parts of a rules text, so that a game's own string says everything. The first
roll of a turn follows by itself; so does whatever a bust changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Self

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from cantstop.rl.encoding import Encoding, encoding_of, results
from cantstop.rl.episode import MOST_TURNS, check_max_turns
from cantstop.rules import (
    OFFICIAL,
    Choice,
    IllegalAction,
    Phase,
    Position,
    Rules,
    Sharing,
    Start,
    chances,
    dice_text,
    read_rules,
)
from cantstop.rules.settings import MOST_PLAYERS

NAME = "python_cantstop"

_LENGTHS = "_"
"""Between the lengths of columns: OpenSpiel takes digits and dots for a number."""

_DEFAULTS: dict[str, Any] = {
    "players": 2,
    "win": 3,
    "early": False,
    "sharing": Sharing.FREE.value,
    "start": Start.FIRST_SEAT.value,
    "lengths": _LENGTHS.join(map(str, OFFICIAL.lengths)),
    "runners": OFFICIAL.runners,
    "max_turns": MOST_TURNS,
}


def _game_type(*, alone: bool) -> Any:  # noqa: ANN401
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="Can't Stop",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if alone else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.REWARDS if alone else kinds.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_DEFAULTS,
    )


class CantStopGame(pyspiel.Game):
    """The game of some rules."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        parts = [f"{name}={given[name]}" for name in ("players", "win", "sharing", "start")]
        parts += ["early"] if given["early"] else []
        parts += [f"lengths={given['lengths'].replace(_LENGTHS, '.')}"]
        self.rules = Rules.parse(",".join([*parts, f"runners={given['runners']}"]))
        self.encoding = encoding_of(self.rules)
        self.max_turns = check_max_turns(given["max_turns"])
        players, board = self.rules.players, self.rules.board
        # every step up is a move and a decision to roll or stop
        longest_turn = 2 * sum(sorted(board.lengths)[-board.runners :])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.actions),
            max_chance_outcomes=len(chances(board.sides, 4)),
            num_players=players,
            min_utility=float(-self.max_turns) if players == 1 else -1.0,
            max_utility=0.0 if players == 1 else 1.0,
            utility_sum=None if players == 1 else 0.0,
            max_game_length=longest_turn * self.max_turns,
        )
        super().__init__(_game_type(alone=players == 1), info, dict(params or {}))

    def new_initial_state(self) -> "CantStopState":
        """The state before anything has happened."""
        return CantStopState(self)

    def max_chance_nodes_in_history(self) -> int:
        """At most one roll for every decision."""
        return int(self.max_game_length())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:  # noqa: ANN401
        """The observer of the observation that all environments have."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


@dataclass(frozen=True)
class Situation:
    """What changes in a state; nothing of it can be changed, so that clones share it."""

    encoding: Encoding
    position: Position
    rolling: bool = False
    """Whether the decision to roll has been made."""
    turns: int = 0
    """Turns that have ended, of all seats."""
    brought: float = 0.0
    """Alone, what has come since the last decision."""

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def rolled(self, number: int) -> Self:
        """What a roll makes of it; a bust ends the turn."""
        rolls = self.position.chances
        if number not in range(len(rolls)):
            raise IllegalAction(
                "{number} is not a roll here: they are numbered from 0 to {last}.",
                number=number,
                last=len(rolls) - 1,
            )
        position = self.position.roll(rolls[number].dice)
        if position.phase is not Phase.BUST:
            return replace(self, position=position, rolling=False)
        return self._turn_ended(position.bust(), self.brought)

    def decided(self, number: int) -> Self:
        """What a decision makes of it."""
        match self.encoding.action(number):
            case Choice.STOP:
                return self._turn_ended(self.position.stop(), 0.0)
            case Choice.ROLL:
                return replace(self, rolling=True, brought=0.0)
            case move:
                return replace(self, position=self.position.move(move), brought=0.0)

    def _turn_ended(self, position: Position, brought: float) -> Self:
        return replace(
            self, position=position, rolling=False, turns=self.turns + 1, brought=brought - 1
        )


class CantStopState(pyspiel.State):
    """A position, and whether the decision to roll has been made."""

    def __init__(self, game: CantStopGame) -> None:
        super().__init__(game)
        self.max_turns = game.max_turns
        self.situation = Situation(game.encoding, Position.initial(game.rules))

    @property
    def position(self) -> Position:
        """The position by the rules."""
        return self.situation.position

    @property
    def encoding(self) -> Encoding:
        """Actions and observations as numbers."""
        return self.situation.encoding

    def current_player(self) -> int:
        """The seat that decides, or that chance does, or that nobody does any more."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.situation.rolling or self.position.phase in (Phase.START, Phase.ROLL):
            return int(pyspiel.PlayerId.CHANCE)
        return self.position.seat

    def is_terminal(self) -> bool:
        """Whether the game is over, or has gone on for too long."""
        return self.position.outcome is not None or self.situation.turns >= self.max_turns

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return self.encoding.legal(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every distinct roll, by its place in ``position.chances``, and how likely it is."""
        return _outcomes(self.position.rules.board.sides, self.position.dice_to_roll)

    def _apply_action(self, action: int) -> None:
        now = self.situation
        self.situation = now.rolled(action) if self.is_chance_node() else now.decided(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            sides = self.position.rules.board.sides
            return dice_text(self.position.chances[action].dice, sides)
        chosen = self.encoding.action(action)
        return str(chosen)

    def rewards(self) -> list[float]:
        """What came since the last decision: alone minus the turns that ended, else the result."""
        return [self.situation.brought] if self.num_players() == 1 else self.returns()

    def returns(self) -> list[float]:
        """Everything that the game has brought so far."""
        if self.num_players() == 1:
            return [float(-self.situation.turns)]
        return list(results(self.position))

    def __str__(self) -> str:
        return f"{self.position}{' roll' if self.situation.rolling else ''}"


@cache
def _outcomes(sides: int, dice: int) -> list[tuple[int, float]]:
    return [
        (number, float(chance.probability)) for number, chance in enumerate(chances(sides, dice))
    ]


class Observer:
    """The observation of a seat, as OpenSpiel asks for it."""

    def __init__(self, game: CantStopGame, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError("The observation has no parameters.")
        self.tensor = np.zeros(len(game.encoding.highest), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CantStopState, player: int) -> None:
        """Look at a state from a seat."""
        ended = state.is_terminal()
        self.tensor[:] = state.encoding.observe(state.position, player, ended=ended)

    def string_from(self, state: CantStopState, player: int) -> str:
        """The position: nothing in it is hidden from anybody."""
        return f"{player + 1}: {state}"


pyspiel.register_game(_game_type(alone=False), CantStopGame)


def load_game(rules: Rules | str | None = None, *, max_turns: int = MOST_TURNS) -> Any:  # noqa: ANN401
    """The OpenSpiel game of some rules; ``pyspiel.load_game`` knows its string from then on."""
    found = read_rules(rules)
    values = {
        "players": found.players,
        "win": found.columns_to_win,
        "early": found.early,
        "sharing": found.sharing.value,
        "start": found.start.value,
        "lengths": _LENGTHS.join(map(str, found.board.lengths)),
        "runners": found.board.runners,
        "max_turns": max_turns,
    }
    given = {name: value for name, value in values.items() if value != _DEFAULTS[name]}
    return pyspiel.load_game(NAME, given)
