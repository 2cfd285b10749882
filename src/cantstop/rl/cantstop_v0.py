"""The PettingZoo environment: every seat is an agent, and only one of them acts at a time.

>>> environment = env("players=3,sharing=leapfrog")
>>> environment.reset(seed=7)
>>> environment.agents
['player_0', 'player_1', 'player_2']
>>> observation, reward, terminated, truncated, info = environment.last()
>>> observation["observation"].shape, observation["action_mask"].shape
((49,), (79,))

A seat acts several times in its turn, so the same agent is often selected again. Rewards are the
result at the end, 1 for the winner; alone every turn costs 1. They are not discounted (γ = 1).
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cantstop.dice import SeededDice
from cantstop.rl.encoding import Numbers, encoding_of, results
from cantstop.rl.episode import MOST_TURNS, Episode, check_max_turns
from cantstop.rl.gymnasium_envs import LARGEST_DICE_SEED
from cantstop.rl.rendering import METADATA, check_render_mode, rendered
from cantstop.rules import InvalidRules, Position, Rules, read_rules

Observation = dict[str, Numbers]


def env(
    rules: Rules | str | None = None,
    *,
    max_turns: int = MOST_TURNS,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment with the usual wrappers: an illegal action ends the game with a loss."""
    found: Any = raw_env(rules, max_turns=max_turns, render_mode=render_mode)
    found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    wrapped: AECEnv[str, Observation, int] = wrappers.OrderEnforcingWrapper(found)
    return wrapped


class raw_env(AECEnv[str, Observation, int], EzPickle):
    """The environment itself; an illegal action is refused as the rules refuse it."""

    metadata: ClassVar[dict[str, Any]] = {
        **METADATA,
        "name": "cantstop_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        max_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, max_turns=max_turns, render_mode=render_mode)
        super().__init__()
        check_render_mode(render_mode)
        self.rules = read_rules(rules)
        self.encoding, self.render_mode = encoding_of(self.rules), render_mode
        self.max_turns = check_max_turns(max_turns)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        actions, highest = len(self.encoding.actions), self.encoding.highest
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = spaces.Box(np.zeros_like(highest), highest, dtype=np.int8)
        self._random: np.random.Generator | None = None
        self._episode: Episode | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self.action_spaces[agent]

    @property
    def episode(self) -> Episode:
        """The game that is being played."""
        if self._episode is None:
            raise InvalidRules("No game has begun: reset the environment first.")
        return self._episode

    @property
    def position(self) -> Position:
        """The position that an agent is asked about."""
        return self.episode.position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; the same seed always makes the same dice."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        dice = SeededDice(int(self._random.integers(LARGEST_DICE_SEED)), self.rules.board.sides)
        self._episode = Episode(self.rules, dice, max_turns=self.max_turns)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.seat]

    def step(self, action: int | None) -> None:
        """Decide for the selected agent; one whose game has ended passes None."""
        episode, agent = self.episode, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        turns = episode.turns
        episode.act(self.encoding.action(action))
        self._cumulative_rewards[agent] = 0.0
        brought = results(self.position)
        if self.rules.players == 1:
            brought = (float(turns - episode.turns),)
        self.rewards = dict(zip(self.agents, brought, strict=True))
        over = self.position.outcome is not None
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, episode.given_up)
        self.agent_selection = self.agents[self.position.seat]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; only the selected one has anything to decide."""
        seat, episode = self.possible_agents.index(agent), self.episode
        deciding = seat == self.position.seat and not episode.ended
        return {
            "observation": self.encoding.observe(self.position, seat, ended=episode.ended),
            "action_mask": self.encoding.mask(
                self.encoding.legal(self.position) if deciding else []
            ),
        }

    def state(self) -> Numbers:
        """The whole game, as the first seat sees it."""
        return self.encoding.observe(self.position, 0, ended=self.episode.ended)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text (``ansi``) or as an array of pixels (``rgb_array``)."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
