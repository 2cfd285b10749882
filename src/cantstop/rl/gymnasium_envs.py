"""Gymnasium environments of one learner: alone, and against bots."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cantstop.bots import AnyBot, Decisions, read_bot
from cantstop.bots.expert import ChampionBot, ExpertBot
from cantstop.dice import SeededDice
from cantstop.engine import Evaluator
from cantstop.rl.encoding import Numbers, encoding_of, results
from cantstop.rl.episode import MOST_TURNS, Episode, check_max_turns
from cantstop.rl.rendering import METADATA, check_render_mode, rendered
from cantstop.rules import (
    Action,
    Choice,
    InvalidRules,
    Phase,
    Position,
    Rules,
    WrongType,
    read_rules,
    whole_number,
)

LARGEST_DICE_SEED = 2**63

Info = dict[str, Any]


class CantStopEnv(gymnasium.Env[Numbers, np.int64]):
    """What both environments share: a game from one decision of the learner to the next.

    An action that is not legal loses the turn, as a bust does: no legal one is ever worse. The mask
    of those that are is in ``info["action_mask"]``, and ``action_masks()`` gives it too.

    Returns are not discounted (γ = 1): every episode ends, and the benchmark's figures are sums of
    rewards. A learner that discounts learns to play another game.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(
        self, rules: Rules, regret: bool | Evaluator, max_turns: int, render_mode: str | None
    ) -> None:
        check_render_mode(render_mode)
        self.rules, self.render_mode = rules, render_mode
        self.max_turns = check_max_turns(max_turns)
        self.encoding = encoding_of(rules)
        self.action_space = spaces.Discrete(len(self.encoding.actions))
        self.observation_space = spaces.Box(
            np.zeros_like(self.encoding.highest), self.encoding.highest, dtype=np.int8
        )
        self._judge = _judge(rules, regret)
        self.seat = 0
        """The learner's."""
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The game that is being played."""
        if self._episode is None:
            raise InvalidRules("No game has begun: reset the environment first.")
        return self._episode

    @property
    def position(self) -> Position:
        """The position that the learner is asked about."""
        return self.episode.position

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Numbers, Info]:
        """Begin a game; the same seed always makes the same dice."""
        super().reset(seed=seed, options=options)
        self.seat = self._sit_down()
        dice = SeededDice(int(self.np_random.integers(LARGEST_DICE_SEED)), self.rules.board.sides)
        self._episode = Episode(self.rules, dice, self._bots(), self.max_turns)
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, Info]:
        """Decide, and go on to the next decision."""
        episode, turns = self.episode, self.episode.turns
        chosen = self.encoding.action(action)  # type: ignore[arg-type]
        extra: Info = {}
        if not episode.ended:  # the others may have won before the learner's first decision
            legal = int(action) in self.encoding.legal(episode.position)
            extra["illegal"] = not legal
            if self._judge is not None:
                extra["regret"] = _regret(self._judge, episode.position, chosen if legal else None)
            if legal:
                episode.act(chosen)
            else:
                episode.lose_turn()
        return (
            self._observe(),
            self._reward(turns),
            episode.position.outcome is not None,
            episode.given_up,
            self._info() | extra,
        )

    def action_masks(self) -> Numbers:
        """A 1 for every legal action; where the game has ended, for rolling."""
        if self.episode.ended:
            return self.encoding.mask([self.encoding.roll])
        return self.encoding.mask(self.encoding.legal(self.position))

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text (``ansi``) or as an array of pixels (``rgb_array``)."""
        return rendered(self.position, self.render_mode)

    def _sit_down(self) -> int:
        return 0

    def _bots(self) -> Mapping[int, Decisions]:
        return {}

    def _reward(self, turns_before: int) -> float:
        raise NotImplementedError

    def _observe(self) -> Numbers:
        return self.encoding.observe(self.position, self.seat, ended=self.episode.ended)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "turns": self.episode.turns}


class SoloEnv(CantStopEnv):
    """Alone: every turn costs 1, so that the return is minus the number of turns (γ = 1).

    ``rules`` are ``Rules`` or their text. With ``regret=True`` the info of a step says how many
    turns the action gives away against best play: by the solved game on the official board, by the
    engine's estimate elsewhere, or by an evaluator that is given instead, such as an exact table.

    >>> env = SoloEnv()
    >>> observation, info = env.reset(seed=7)
    >>> [str(env.encoding.actions[number]) for number in np.flatnonzero(info["action_mask"])]
    ['4+6', '5+5']
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        regret: bool | Evaluator = False,
        max_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(read_rules(rules, 1), regret, max_turns, render_mode)

    def _reward(self, turns_before: int) -> float:
        return float(turns_before - self.episode.turns)


class VersusEnv(CantStopEnv):
    """Against bots: the reward is the result, 1 for a win, and 0 before the end (γ = 1).

    ``opponents`` is a bot for all other seats, or one for each in the order of their turns: names,
    objects or classes. ``seat`` is the learner's; None draws one for every game. A loss is -1, or
    for more than two players the losers' share of it.

    >>> env = VersusEnv("careful", "win=5")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, int(info["action_mask"].sum())
    ((38,), 2)
    """

    def __init__(
        self,
        opponents: AnyBot | Sequence[AnyBot] = "careful",
        rules: Rules | str | None = None,
        *,
        seat: int | None = 0,
        regret: bool | Evaluator = False,
        max_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        found = rules_against(opponents, rules)
        super().__init__(found, regret, max_turns, render_mode)
        self._fixed_seat = check_seat(seat, found)
        self.opponents = tuple(map(read_bot, opponents_of(opponents, found)))
        for bot in self.opponents:
            bot.check(found)

    def _sit_down(self) -> int:
        if self._fixed_seat is None:
            return int(self.np_random.integers(self.rules.players))
        return self._fixed_seat

    def _bots(self) -> Mapping[int, Decisions]:
        def streams(_number: int) -> Callable[[int], int]:
            return lambda bound: int(self.np_random.integers(bound))

        return {
            (self.seat + place) % self.rules.players: bot.drawing_from(streams)
            for place, bot in enumerate(self.opponents, 1)
        }

    def _reward(self, turns_before: int) -> float:  # noqa: ARG002
        return results(self.position)[self.seat]

    def close(self) -> None:
        """End the bots that are programs."""
        for bot in self.opponents:
            bot.close()


def rules_against(opponents: AnyBot | Sequence[AnyBot], rules: Rules | str | None) -> Rules:
    """The rules of a game against these opponents."""
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        found = read_rules(rules, len(opponents) + 1)
    else:
        found = read_rules(rules)
    if found.players == 1:
        raise InvalidRules("One player alone has no opponents: the solo environment is for that.")
    return found


def opponents_of(opponents: AnyBot | Sequence[AnyBot], rules: Rules) -> list[AnyBot]:
    """One bot for each other seat."""
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        return list(opponents)
    return [opponents] * (rules.players - 1)


def check_seat(seat: int | None, rules: Rules) -> int | None:
    """The learner's seat, or None where it is drawn; refuse one that the table does not have."""
    if seat is None:
        return None
    try:
        found = whole_number(seat)
    except TypeError:
        raise WrongType("{seat} is not a seat: seats count from 0.", seat=repr(seat)) from None
    if found not in range(rules.players):
        raise InvalidRules(
            "There is no seat {seat}: seats count from 0, and the number of players is {players}.",
            seat=found,
            players=rules.players,
        )
    return found


def _judge(rules: Rules, regret: bool | Evaluator) -> ExpertBot | None:
    if regret is False:
        return None
    if regret is not True and not callable(getattr(regret, "evaluate", None)):
        raise WrongType(
            "{regret} cannot tell regret: give True, or an evaluator such as an exact table.",
            regret=repr(regret),
        )
    judge = ChampionBot() if regret is True else ExpertBot(evaluator=regret)
    judge.check(rules)
    return judge


def _regret(judge: ExpertBot, position: Position, action: Action | None) -> float:
    """What an action gives away against the best one; None stands for losing the turn."""
    turn = judge.turn(position)
    if action is None:
        return turn.value(position) - turn.bust_value
    if position.phase is Phase.MOVE:
        values: dict[Any, float] = dict(turn.move_values(position))
        return max(values.values()) - values[action]
    stop, roll = turn.stop_value(position), turn.roll_value(position)
    return max(stop, roll) - (stop if action is Choice.STOP else roll)
