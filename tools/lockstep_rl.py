"""Plays random games in every learning environment and by the rules, and compares after each step.

    python tools/lockstep_rl.py 100000

The reference here is a ``Game`` that is moved by hand, with numbers of its own for actions and
observations: it shares nothing with the environments but the dice.
"""

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import numpy as np

from cantstop import DiceSource, Game, Phase, Position, Rules
from cantstop.bots import Decisions, bot_named, decide
from cantstop.kernel.stream import RandomStream, decision_stream, roll, start_stream, turn_stream
from cantstop.rl import CantStopVectorEnv, SoloEnv, VersusEnv, cantstop_v0, load_game
from cantstop.rl.vector_steps import ACTIONS, SEATS
from cantstop.rules import Action, Choice

Numbers = Any
"""A row of numbers."""

Environment = Any
"""Whatever a library makes, with attributes of ours."""

STEPS = 100_000
GAMES_AT_ONCE = 16
ROUNDS = 50
"""How often other rules take their turn."""
ILLEGAL = 0.02
"""How often an action is drawn from all there are, where illegal ones are allowed."""

SOLO = (
    "players=1",
    "players=1,win=4",
    "players=1,win=5,early",
    "players=1,sharing=leapfrog,start=roll-off",
    "players=1,win=2,lengths=1.2.3.2.1,runners=2",
    "players=1,win=1,lengths=4.1.9.2.6.2.2,runners=5",
)
SHARED = (
    "players=2",
    "players=3",
    "players=4",
    "players=2,win=5,start=youngest",
    "players=3,win=4,start=roll-off",
    "players=2,early",
    "players=3,early,sharing=no-rest",
    "players=2,sharing=no-rest",
    "players=4,sharing=leapfrog,start=roll-off",
    "players=2,sharing=leapfrog,win=4",
    "players=2,win=5,lengths=1.2.3.2.1",  # often no column is open before anybody has five (W5)
    "players=3,win=1,lengths=1.1.1,runners=1,start=roll-off",
    "players=2,lengths=1.3.5.7.9.7.5.3.1,runners=4",
)
"""Official rules, every variant, two to four players, and boards that end in unusual ways."""

BOTS = ("careful", "bold", "rule-of-28", "glenn-linear", "random:3")
"""The last one draws, in the plain environment from a generator that nobody can share."""


class Reference:
    """A game by the rules, up to the next decision that no bot takes."""

    def __init__(self, rules: Rules, max_turns: int) -> None:
        self.rules, self.max_turns = rules, max_turns
        self.game, self.earlier_turns = Game(rules), 0
        while self.game.phase is Phase.START:
            self.game.roll(self.throw(2))
        self.go_on()

    def throw(self, count: int) -> tuple[int, ...]:
        """The next dice."""
        raise NotImplementedError

    def bot(self, seat: int) -> Decisions | None:  # noqa: ARG002
        """Who plays at a seat, if it is a bot."""
        return None

    @property
    def turns(self) -> int:
        """Turns that have ended."""
        return self.earlier_turns + self.game.turn - (self.game.outcome is None)

    @property
    def ended(self) -> bool:
        """Whether nothing follows."""
        return self.game.outcome is not None or self.turns >= self.max_turns

    def go_on(self) -> None:
        """Play the steps that no learner decides."""
        while not self.ended:
            bot = self.bot(self.game.seat)
            if self.game.phase is Phase.ROLL:
                self.game.roll(self.throw(4))
            elif bot is None:
                return
            else:
                self.do(decide(bot, self.game.position, self.game.moves_in_turn))

    def do(self, action: Action) -> None:
        """One decision."""
        if action is Choice.STOP:
            self.game.stop()
        elif action is Choice.ROLL:
            self.game.roll(self.throw(4))
        else:
            self.game.move(action)

    def act(self, number: int) -> bool:
        """Do the action of a number, or lose the turn if it is illegal; whether it was legal."""
        legal = legal_actions(self.game.position)
        if number in legal:
            self.do(legal[number])
        else:
            self.earlier_turns = self.turns + 1
            position, players = self.game.position, self.rules.players
            nobody_out = (0,) * len(position.runners)
            begun = Position(position.tokens, (position.seat + 1) % players, nobody_out)
            self.game = Game(start=begun)
        self.go_on()
        return number in legal

    def result(self, seat: int) -> float:
        """What the game brought a seat of several: a share of one win, made to add up to 0."""
        outcome, players = self.game.outcome, self.rules.players
        if outcome is None:
            return 0.0
        won = 1 / len(outcome.winners) if seat in outcome.winners else 0
        return (won - 1 / players) / (1 - 1 / players)


def legal_actions(position: Position) -> dict[int, Action]:
    """What is legal, by its number: columns, then pairs of columns, then to stop and to roll."""
    columns = list(position.rules.board.columns)
    pairs = [(low, high) for low in columns for high in columns if low <= high]
    if position.phase is Phase.CHOICE:
        stop = len(columns) + len(pairs)
        choices: dict[int, Action] = {stop + 1: Choice.ROLL}
        return choices | ({stop: Choice.STOP} if position.may_stop else {})
    found: dict[int, Action] = {}
    for move in position.legal_moves:
        one, two = move[0], move[-1]
        found[one - 2 if len(move) == 1 else len(columns) + pairs.index((one, two))] = move
    return found


def observation(reference: Reference, seat: int) -> list[int]:
    """What a seat has to see."""
    position, players = reference.game.position, reference.rules.players
    order = [(seat + place) % players for place in range(players)]
    tokens = [space for whose in order for space in position.tokens.spaces[whose][2:]]
    dice = list(position.dice or (0, 0, 0, 0))
    turn = players if reference.ended else order.index(position.seat)
    return [*tokens, *position.runners[2:], *dice, turn]


def check(reference: Reference, seat: int, seen: Numbers, mask: Numbers) -> None:
    """Compare what a seat observes with what the rules say."""
    where = str(reference.game.position)
    assert seen.tolist() == observation(reference, seat), where
    legal = legal_actions(reference.game.position)
    rolling = len(mask) - 1
    assert np.flatnonzero(mask).tolist() == ([rolling] if reference.ended else sorted(legal)), where


class Numbered(Reference):
    """A reference whose dice are the rolls of a source, by their numbers."""

    def __init__(
        self, rules: Rules, dice: DiceSource, bots: Mapping[int, Decisions], max_turns: int
    ) -> None:
        self.dice, self.bots, self.rolls = dice, bots, 0
        super().__init__(rules, max_turns)

    def throw(self, count: int) -> tuple[int, ...]:
        self.rolls += 1
        return tuple(self.dice.roll(self.rolls, count))

    def bot(self, seat: int) -> Decisions | None:
        return self.bots.get(seat)


def plain(env: Environment, steps: int, random: Random) -> None:
    """A Gymnasium environment of one learner against the rules."""
    played, seed = 0, random.randrange(10**6)
    while played < steps:
        seen, info = env.reset(seed=seed)
        seed += 1
        bots, seat = env.episode.bots, env.seat
        reference = Numbered(env.rules, env.episode.dice, bots, env.max_turns)
        done = False
        while not done:
            check(reference, seat, seen, info["action_mask"])
            ended, before = reference.ended, reference.turns
            legal = list(legal_actions(reference.game.position))
            action = random.choice(legal) if legal and random.random() > ILLEGAL else None
            if action is None:
                action = random.randrange(len(info["action_mask"]))
            was_legal = True if ended else reference.act(action)
            seen, reward, over, cut, info = env.step(action)
            played += 1
            assert ended or info["illegal"] is not was_legal
            assert info["turns"] == reference.turns
            assert over == (reference.game.outcome is not None)
            assert cut == (reference.ended and not over)
            alone = reference.rules.players == 1
            due = before - reference.turns if alone else reference.result(seat)
            assert abs(reward - due) < 1e-12
            done = over or cut
        check(reference, seat, seen, info["action_mask"])


def petting_zoo(rules: str, steps: int, random: Random, max_turns: int) -> None:
    """The PettingZoo environment against the rules."""
    env: Any = cantstop_v0.raw_env(rules, max_turns=max_turns)
    played, seed = 0, random.randrange(10**6)
    while played < steps:
        env.reset(seed=seed)
        seed += 1
        reference = Numbered(env.rules, env.episode.dice, {}, max_turns)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            total[agent] += reward
            mask = seen["action_mask"]
            if over or cut:
                assert not mask.any()
                assert seen["observation"].tolist() == observation(
                    reference, env.possible_agents.index(agent)
                )
                env.step(None)
                continue
            assert agent == f"player_{reference.game.seat}"
            check(reference, reference.game.seat, seen["observation"], mask)
            action = random.choice(np.flatnonzero(mask).tolist())
            reference.act(action)
            env.step(action)
            played += 1
        assert reference.ended
        alone = reference.rules.players == 1
        due = [-reference.turns] if alone else list(map(reference.result, range(len(total))))
        assert np.allclose(list(total.values()), due)


class Outcomes(Reference):
    """A reference whose dice are drawn as the chance nodes of an OpenSpiel state say."""

    def __init__(self, rules: Rules, state: Environment, random: Random, max_turns: int) -> None:
        self.state, self.random = state, random
        super().__init__(rules, max_turns)

    def throw(self, count: int) -> tuple[int, ...]:
        assert self.state.is_chance_node()
        outcomes = self.state.chance_outcomes()
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-12
        sides = self.rules.board.sides
        dice = tuple(self.random.randint(1, sides) for _ in range(count))
        text = ("" if sides <= 9 else "-").join(map(str, sorted(dice)))
        texts = {self.state.action_to_string(-1, number): number for number, _ in outcomes}
        self.state.apply_action(texts[text])
        return dice


def open_spiel(rules: str, steps: int, random: Random, max_turns: int) -> None:
    """The OpenSpiel game against the rules."""
    game, played = load_game(rules, max_turns=max_turns), 0
    while played < steps:
        state = game.new_initial_state()
        reference = Outcomes(Rules.parse(rules), state, random, max_turns)
        while not reference.ended:
            assert state.current_player() == reference.game.seat
            legal = legal_actions(reference.game.position)
            assert state.legal_actions() == sorted(legal)
            for seat in range(reference.rules.players):
                assert state.observation_tensor(seat) == observation(reference, seat)
            action = random.choice(sorted(legal))
            due = legal[action]
            text = str(due)
            assert state.action_to_string(action) == text
            state.apply_action(action)
            reference.act(action)
            played += 1
        assert state.is_terminal()
        alone = reference.rules.players == 1
        seats = range(reference.rules.players)
        brought = [-reference.turns] if alone else list(map(reference.result, seats))
        assert np.allclose(state.returns(), brought)


class Streamed(Reference):
    """A reference whose dice and bots draw from the kernel's streams of a game's number."""

    def __init__(
        self, rules: Rules, seed: int, number: int, seat: int | None, bots: list[Any], most: int
    ) -> None:
        self.key, self.number, self.players = (seed, number), number, rules.players
        self.seat = RandomStream(*self.key, 0, SEATS).below(rules.players) if seat is None else seat
        self.choices = RandomStream(*self.key, 0, ACTIONS)
        self.bots = {(self.seat + place) % rules.players: bot for place, bot in enumerate(bots, 1)}
        self.start, self.opened, self.asked = start_stream(*self.key), (-1, -1), (-1, -1)
        self.earlier_turns = 0
        super().__init__(rules, most)

    def throw(self, count: int) -> tuple[int, ...]:
        sides = self.rules.board.sides
        if count == 2:
            return self.start.dice(2, sides)
        turn = (self.game.seat, self.turns)
        if turn != self.opened:
            self.opened = turn
            self.dice = turn_stream(*self.key, turn[0], turn[1] // self.players)
        return roll(self.dice, sides)

    def bot(self, seat: int) -> Decisions | None:
        if seat not in self.bots:
            return None
        if self.asked != (seat, self.turns):
            self.asked = (seat, self.turns)
            lap = self.turns // self.players
            self.deciding = self.bots[seat].drawing_from(
                lambda number: decision_stream(*self.key, seat, lap, number).below
            )
        found: Decisions = self.deciding
        return found


class VectorLockstep:
    """The vector environment against the rules: actions of ours and of its own by turns."""

    def __init__(self, rules: str, random: Random, bots: list[str] | None, max_turns: int) -> None:
        self.seed, self.seat, self.random = (
            random.randrange(2**64),
            random.choice([0, None]),
            random,
        )
        self.env = CantStopVectorEnv(
            GAMES_AT_ONCE, rules, bots, seat=self.seat, max_turns=max_turns
        )
        self.opponents = [bot_named(name) for name in bots or ()]
        self.every_seat = bots is None and self.env.rules.players > 1
        self.max_turns = max_turns
        self.references = [self.begun(number) for number in range(GAMES_AT_ONCE)]
        self.reported = [False] * GAMES_AT_ONCE
        self.seen, self.infos = self.env.reset(seed=self.seed)
        self.check()

    def begun(self, number: int) -> Streamed:
        """The game of a number, by the rules."""
        rules = self.env.rules
        return Streamed(rules, self.seed, number, self.seat, self.opponents, self.max_turns)

    def check(self) -> None:
        """Compare the observations of all games."""
        for at, reference in enumerate(self.references):
            who = reference.game.seat if self.every_seat else reference.seat
            check(reference, who, self.seen[at], self.infos["action_mask"][at])
            assert self.infos["seat"][at] == reference.game.seat
            assert self.infos["turns"][at] == reference.turns
            assert self.env.position(at) == reference.game.position

    def actions(self) -> list[int]:
        """Something to do in every game, mostly legal."""
        mask, random = self.infos["action_mask"], self.random
        return [
            random.randrange(mask.shape[1])
            if random.random() < ILLEGAL
            else random.choice(np.flatnonzero(row).tolist())
            for row in mask
        ]

    def step(self, *, ours: bool) -> None:
        """One step of all games."""
        step = self.env.step(self.actions()) if ours else self.env.step_at_random()
        self.seen, *brought, self.infos = step
        for at, action in enumerate(self.infos["action"].tolist()):
            self.follow(at, action, [values[at] for values in brought], ours=ours)
        self.check()

    def follow(self, at: int, action: int, brought: list[Any], *, ours: bool) -> None:
        """Do the same in one game by the rules, and compare what it brings."""
        reference, (reward, over, cut) = self.references[at], brought
        if self.reported[at]:
            self.references[at] = self.begun(reference.number + GAMES_AT_ONCE)
            self.reported[at] = False
            assert (reward, over, cut) == (0, False, False)
            return
        before, mover = reference.turns, reference.game.seat
        if not reference.ended:
            assert ours or action == drawn(reference)
            assert reference.act(action) is not bool(self.infos["illegal"][at])
        assert over == (reference.game.outcome is not None)
        assert cut == (reference.ended and not over)
        self.reported[at] = reference.ended
        seats = range(reference.rules.players)
        due = float(before - reference.turns)
        if len(seats) > 1:
            due = reference.result(mover if self.every_seat else reference.seat)
        assert abs(reward - due) < 1e-12
        if self.every_seat:
            assert np.allclose(self.infos["rewards"][at], list(map(reference.result, seats)))


def vector(rules: str, steps: int, random: Random, bots: list[str] | None, max_turns: int) -> None:
    """The vector environment against the rules."""
    game = VectorLockstep(rules, random, bots, max_turns)
    for step in range(-(-steps // GAMES_AT_ONCE)):
        game.step(ours=step % 2 == 1)


def drawn(reference: Streamed) -> int:
    """What the random learner of the kernel decides."""
    position = reference.game.position
    by_action = {action: number for number, action in legal_actions(position).items()}
    if position.phase is Phase.MOVE:
        moves = position.legal_moves
        return by_action[moves[reference.choices.below(len(moves))]]
    if position.may_stop and reference.choices.below(2) == 0:
        return by_action[Choice.STOP]
    return by_action[Choice.ROLL]


def opponents_for(rules: str, random: Random, bots: tuple[str, ...]) -> list[str]:
    """Bots for the other seats, those that play on that board."""
    if "lengths" in rules:
        bots = tuple(name for name in bots if name not in ("rule-of-28", "glenn-linear"))
    return [random.choice(bots) for _ in range(Rules.parse(rules).players - 1)]


def compare(steps: int, seed: int) -> list[str]:
    """Compare every environment for at least a number of steps; returns their names."""
    random, few = Random(seed), max(1, steps // ROUNDS)
    rules = zip(range(ROUNDS), cycle(SOLO), cycle(SHARED), strict=False)
    played: dict[str, Callable[[], None]] = {}
    for _, alone, shared in rules:
        limit, seat = random.choice([10_000, 30]), random.choice([0, None])
        anything = random.choice([alone, shared])
        steady = opponents_for(shared, random, BOTS[:-1])
        bots = opponents_for(shared, random, BOTS)
        versus = partial(VersusEnv, steady, shared, seat=seat, max_turns=limit)
        played = {
            "solo": partial(plain, SoloEnv(alone, max_turns=limit), few, random),
            "versus": partial(plain, versus(), few, random),
            "PettingZoo": partial(petting_zoo, anything, few, random, limit),
            "OpenSpiel": partial(open_spiel, anything, few, random, limit),
            "vector, solo": partial(vector, alone, few, random, None, limit),
            "vector, versus": partial(vector, shared, few, random, bots, limit),
            "vector, every seat": partial(vector, shared, few, random, None, limit),
        }
        for comparison in played.values():
            comparison()
    return list(played)


def main() -> None:
    """Compare many steps; a difference ends with the position where it showed."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    begin = time.perf_counter()
    names = compare(steps, seed=1)
    seconds = time.perf_counter() - begin
    print(
        f"{steps:,} random steps in each of {len(names)} environments ({'; '.join(names)}): "
        f"rules and environment agree after every one ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main()
