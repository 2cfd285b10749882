"""``cantstop.wasm`` plays by the rules: random games of all kinds, compared after every step."""

from random import Random
from typing import Any

import pytest

from cantstop.engine.module import GameInstance
from cantstop.kernel.fields import COLUMNS, POSITION_FIELDS, Packer, position_values
from cantstop.rules import Phase, Position, Rules
from lockstep import BOARDS, all_rules

POSITION = Packer(POSITION_FIELDS)
TURNS = 40
GAMES_A_BOARD = 24


class ModuleGame:
    """A game that an instance of the module plays."""

    def __init__(self, rules: Rules) -> None:
        self._instance = GameInstance(rules)
        self.call = self._instance.call
        self._address = self.call("position_record")

    def state(self) -> dict[str, Any]:
        """The position's record, without what of it means nothing at the moment."""
        found = POSITION.unpack(self._instance.read(self._address, POSITION.size))
        found["moves"] = found["moves"][: 2 * found["move_count"]]
        found["entered"] = sorted(found["entered"][: found["out"].bit_count()])
        return found


def expected(position: Position, moves: int) -> dict[str, Any]:
    """What the record has to say."""
    found = position_values(position, moves)
    sizes = {"won": 4, "tokens": 4 * COLUMNS, "runners": COLUMNS}
    for name, size in sizes.items():
        found[name] = tuple(bytes(found[name]).ljust(size, b"\0"))
    found["moves"] = tuple(found["moves"])
    return found


def begin(game: ModuleGame, rules: Rules, random: Random) -> Position:
    """Settle who starts, in both."""
    position, roll_off = Position.initial(rules), (1 << rules.players) - 1
    while position.phase is Phase.START:
        assert game.call("starter", roll_off) == -1
        dice = random.randint(1, rules.board.sides), random.randint(1, rules.board.sides)
        position, roll_off = (
            position.roll(dice),
            game.call("throw_two_for_start", roll_off, sum(dice)),
        )
    if rules.players > 1 and Position.initial(rules).phase is Phase.START:
        assert game.call("starter", roll_off) == position.seat
    game.call("begin_play", position.seat)
    return position


def play_turn(game: ModuleGame, position: Position, random: Random) -> Position:
    """A turn of random dice and decisions, in both."""
    moves, sides = 0, position.rules.board.sides
    while True:
        dice = [random.randint(1, sides) for _ in range(4)]
        position = position.roll(tuple(dice))
        assert game.call("throw_four", *dice) == len(position.legal_moves)
        assert game.state() == expected(position, moves)
        if position.phase is Phase.BUST:
            game.call("play_bust")
            return position.bust()
        index = random.randrange(len(position.legal_moves))
        position, moves = position.move(position.legal_moves[index]), moves + 1
        game.call("play_move", index)
        assert game.state() == expected(position, moves)
        assert game.call("stop_is_legal") == position.may_stop
        if position.may_stop and random.randrange(3) == 0:
            position = position.stop()
            assert game.call("play_stop") == (position.outcome is not None)
            return position


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_rules_and_module_agree_after_every_step(board: object) -> None:
    random = Random(f"{board}")
    kinds = [rules for rules in all_rules() if rules.board == board]
    for rules in random.sample(kinds, GAMES_A_BOARD):
        game = ModuleGame(rules)
        position = begin(game, rules, random)
        for _ in range(TURNS):
            assert game.state() == expected(position, 0)
            if position.outcome is not None:
                break
            position = play_turn(game, position, random)
