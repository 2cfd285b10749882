"""A Gymnasium vector environment on the compiled kernel: thousands of games in one call."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cantstop.bots import AnyBot, read_bot
from cantstop.bots.compiled import compiled_forms
from cantstop.kernel.layout import POSITION, STREAM, TALLY
from cantstop.kernel.records import DICE_IN_A_ROLL, rules_records, to_position
from cantstop.rl.encoding import Numbers, encoding_of
from cantstop.rl.episode import MOST_TURNS, check_max_turns
from cantstop.rl.gymnasium_envs import check_seat, opponents_of, rules_against
from cantstop.rl.vector_steps import (
    ACT,
    ACT_AT_RANDOM,
    ANY_SEAT,
    BEGIN,
    EVERY_SEAT,
    GAME,
    PLAN,
    ROLL,
    STOP,
    Games,
    StepResults,
    step_games,
)
from cantstop.rules import (
    InvalidRules,
    InvalidText,
    Position,
    Rules,
    WrongType,
    read_rules,
    ways,
    whole_number,
)

LARGEST_SEED = 2**64

Rewards = NDArray[np.float64]
Flags = NDArray[np.bool_]
Step = tuple[Numbers, Rewards, Flags, Flags, dict[str, Any]]


class CantStopVectorEnv(VectorEnv[Numbers, NDArray[np.int64], Any]):
    """Many games at once, by the same rules, in compiled code.

    One player is alone. More play against ``opponents``, bots that have a compiled form and do not
    solve their turns; without opponents every seat is a learner's: the observation is that of the
    seat to move, ``info["seat"]``, the reward is the result for the seat that acted, and
    ``info["rewards"]`` has all seats'. A game that has ended restarts in the next step, whatever
    its action (``AutoresetMode.NEXT_STEP``); until then the mask has rolling only.

    >>> env = CantStopVectorEnv(3, "players=1")
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape
    ((3, 27), (3, 79))
    >>> observations, rewards, terminated, truncated, infos = env.step_at_random()
    >>> infos["action"].shape
    (3,)
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str | None = None,
        opponents: AnyBot | Sequence[AnyBot] | None = None,
        *,
        seat: int | None = 0,
        max_turns: int = MOST_TURNS,
    ) -> None:
        num_envs = _check_count(num_envs)
        self.rules = read_rules(rules) if opponents is None else rules_against(opponents, rules)
        self.num_envs = num_envs
        self.encoding = encoding_of(self.rules)
        seat = check_seat(seat, self.rules)
        self.single_action_space = spaces.Discrete(len(self.encoding.actions))
        self.single_observation_space = spaces.Box(
            np.zeros_like(self.encoding.highest), self.encoding.highest, dtype=np.int8
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._every_seat = opponents is None and self.rules.players > 1
        self._records = rules_records(self.rules)
        self._bots: Any = None  # whose code is then left out
        if opponents is not None:
            self._bots = _records_of(opponents_of(opponents, self.rules), self.rules)
        learner = EVERY_SEAT if self._every_seat else ANY_SEAT if seat is None else seat
        self._plan = self._make_plan(learner, check_max_turns(max_turns))
        self._games = Games(
            np.zeros(num_envs, GAME),
            np.zeros(num_envs, POSITION),
            np.zeros(num_envs, STREAM),
            np.zeros(num_envs, STREAM),
            np.zeros(num_envs, STREAM),
            np.zeros(1, POSITION),
            np.zeros(1, TALLY),
        )
        self._seed = np.uint64(0)
        self._begun = False

    def _make_plan(self, learner: int, max_turns: int) -> NDArray[Any]:
        plan, rolls = np.zeros(1, PLAN), list(ways(self.rules.board.sides, DICE_IN_A_ROLL))
        plan["seat"], plan["max_turns"], plan["stride"] = learner, max_turns, self.num_envs
        plan["dice"][0, : len(rolls)] = rolls
        codes = plan["codes"][0]
        for number, action in enumerate(self.encoding.moves):
            low, high = (*action, 0)[:2]
            codes[low, high] = number
        codes[STOP], codes[ROLL] = self.encoding.stop, self.encoding.roll
        return plan

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Restart all games.

        Game k has the dice of game k of the arena with that seed. Without a seed the games go on
        to other dice.

        Raises:
            InvalidText: If ``options`` ask for single games.
        """
        if options and "reset_mask" in options:
            raise InvalidText(
                "Games cannot be begun anew one by one: one that has ended begins in the next step."
            )
        super().reset(seed=seed, options=options)
        games = self._games.games
        if seed is not None or not self._begun:
            self._seed = np.uint64(self.np_random.integers(LARGEST_SEED, dtype=np.uint64))
            if seed is not None:
                self._seed = np.uint64(seed % LARGEST_SEED)
            games["number"] = np.arange(self.num_envs, dtype=np.uint64)
        else:
            games["number"] += np.uint64(self.num_envs)
        self._begun = True
        results = self._new_results(np.zeros(self.num_envs, np.int64))
        self._do(BEGIN, results)
        return results.observations, self._infos(results)

    def step(self, actions: Any) -> Step:  # noqa: ANN401
        """Do one action in every game.

        Raises:
            WrongType: If the actions are not one whole number for each game.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise WrongType(
                "Actions are whole numbers, not {kind}.", kind=given.dtype if given.ndim else given
            )
        chosen = given.astype(np.int64)  # a copy: what is returned is never changed again
        if chosen.shape != (self.num_envs,):
            raise WrongType(
                "Every game takes one action: {count} in all, not an array of shape {shape}.",
                count=self.num_envs,
                shape=str(chosen.shape),
            )
        for number in (chosen.min(), chosen.max()):
            self.encoding.action(int(number))
        return self._step(chosen, ACT)

    def step_at_random(self) -> Step:
        """Do a legal action in every game, each as likely as the others.

        ``info["action"]`` has them.
        """
        return self._step(np.zeros(self.num_envs, np.int64), ACT_AT_RANDOM)

    def _step(self, actions: NDArray[np.int64], what: int) -> Step:
        if not self._begun:
            raise InvalidRules("No game has begun: reset the environment first.")
        acted = self._games.positions["seat"].copy() if self._every_seat else None
        results = self._new_results(actions)
        self._do(what, results)
        infos = self._infos(results)
        infos["action"], infos["illegal"] = results.actions, results.illegal
        rewards = results.rewards[:, 0]
        if acted is not None:
            infos["rewards"] = results.rewards
            rewards = results.rewards[np.arange(self.num_envs), acted]
        return results.observations, rewards, results.terminated, results.truncated, infos

    def _do(self, what: int, results: StepResults) -> None:
        step_games(self._records, self._plan, self._bots, self._games, self._seed, results, what)

    def _new_results(self, actions: NDArray[np.int64]) -> StepResults:
        """Room for what a step tells; new every time, since learners keep it."""
        count = self.num_envs
        return StepResults(
            np.zeros((count, len(self.encoding.highest)), np.int8),
            np.zeros((count, len(self.encoding.actions)), np.int8),
            np.zeros((count, self.rules.players if self._every_seat else 1)),
            np.zeros(count, np.bool_),
            np.zeros(count, np.bool_),
            np.zeros(count, np.bool_),
            np.zeros(count, np.int8),
            actions,
        )

    def _infos(self, results: StepResults) -> dict[str, Any]:
        return {
            "action_mask": results.masks,
            "seat": results.seats,
            "turns": self._games.games["turns"].copy(),
        }

    def position(self, game: int) -> Position:
        """The position of a game, by the rules."""
        game = range(self.num_envs)[game]
        found = to_position(self.rules, self._games.positions[game : game + 1])
        roll = int(self._games.games["roll"][game])
        return found if roll < 0 else found.roll(tuple(self._plan["dice"][0, roll].tolist()))


def _check_count(games: int) -> int:
    try:
        count = whole_number(games)
    except TypeError:
        count = 0
    if count < 1:
        raise WrongType(
            "{count} is not a number of games: at least one is played.", count=repr(games)
        )
    return count


def _records_of(opponents: Sequence[AnyBot], rules: Rules) -> Any:  # noqa: ANN401
    bots = list(map(read_bot, opponents))
    for bot in bots:
        bot.check(rules)
    found = compiled_forms(bots)
    if found is None or found.solve_turns:
        raise InvalidRules(
            "The vector environment has no compiled form of {bots}: take bots such as “careful” or "
            "“glenn-linear”, or the plain environment, which takes any.",
            bots=", ".join(bot.name for bot in bots),
        )
    return found.records


def solo_vector_env(
    num_envs: int = 1, rules: Rules | str | None = None, max_turns: int = MOST_TURNS
) -> CantStopVectorEnv:
    """What ``gymnasium.make_vec`` makes of the solo environment."""
    return CantStopVectorEnv(num_envs, read_rules(rules, 1), max_turns=max_turns)


def versus_vector_env(
    num_envs: int = 1,
    opponents: AnyBot | Sequence[AnyBot] = "careful",
    rules: Rules | str | None = None,
    *,
    seat: int | None = 0,
    max_turns: int = MOST_TURNS,
) -> CantStopVectorEnv:
    """What ``gymnasium.make_vec`` makes of the environment against bots."""
    return CantStopVectorEnv(num_envs, rules, opponents, seat=seat, max_turns=max_turns)
