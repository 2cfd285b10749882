"""``cantstop.wasm``, the engine's compiled functions, run by Wasmtime.

The file is made of the Python functions of ``kernel`` and ``engine`` by ``make wasm`` and comes
with the package, so that nothing is compiled where it is used but for the milliseconds that
Wasmtime takes. Browsers run the same file: docs/engine-module.md has what it exports.

An instance serves one game with one evaluator and has one solved turn at a time. Each thread has a
few instances of its own; memory of each is bounded, and what has grown large is not kept.
"""

import json
import struct
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from wasmtime import Config, Engine, Func, FuncType, Instance, Memory, Module, Store, WasmtimeError

from cantstop.engine.size import MAX_BYTES, TooLarge
from cantstop.kernel.fields import (
    JUDGEMENT_FIELDS,
    MOST_MOVES,
    POSITION_FIELDS,
    RULES_FIELDS,
    Field,
    Packer,
    position_values,
    rules_values,
)
from cantstop.rules import CantStopError, Position, Rules
from cantstop.rules.settings import MOST_PLAYERS

NAME = "cantstop.wasm"
NOTE = "cantstop.wasm.json"
VERSION = 2
"""Of what the module exports, and of the numbers that it takes."""

MOST_INSTANCES = 6
"""Instances that each thread keeps: two for a game, one of them for its opening turn."""

LARGE = 128 << 20
"""An instance of at least this many bytes is not kept: memory of a module never shrinks."""

MOST_MEMORY = MAX_BYTES + LARGE
"""The module itself says that an instance never takes more bytes, in browsers too."""

MOST_BYTES = 64 << 20
"""Of all instances that a thread keeps, if there are several: of the official board one has 15."""

ANSWER_FIELDS: Sequence[Field] = (
    # what they are worth to whoever decides
    ("bust", "f8"),
    ("stop", "f8"),
    ("again", "f8"),
    ("value", "f8"),
    ("busts", "f8"),  # the chance that the turn ends in a bust
    ("worths", "f8", MOST_PLAYERS),  # to every seat
    ("moves", "f8", MOST_MOVES),  # what each legal move is worth
    ("stops", "i1", MOST_MOVES),  # whether to stop after it
    ("stops_here", "i1"),
)

_RULES, _POSITION, _JUDGEMENT = map(Packer, (RULES_FIELDS, POSITION_FIELDS, JUDGEMENT_FIELDS))
_ANSWER = Packer(ANSWER_FIELDS)
AT_BEST, STOPPING, ROLLING = range(3)
"""How a turn goes on that is looked ahead."""


class BadModule(CantStopError):
    """The engine's file cannot be used; the sentence says why."""


class Look(NamedTuple):
    """What can be done in a position, and what it is worth to whoever decides.

    ``stop``, ``again`` and ``stops`` mean something where there is no roll to play, ``moves`` and
    ``then`` (whether to stop after each) where there is one.
    """

    bust: float
    stop: float
    again: float
    value: float
    moves: Sequence[float]
    then: Sequence[bool]
    stops: bool


class RollLook(NamedTuple):
    """What a roll would bring: the best move's columns (a bust has none), and whether to stop."""

    worth: float
    columns: tuple[int, ...]
    stops: bool


class Prospects(NamedTuple):
    """What a position is worth to every seat, and the chance that the turn ends in a bust."""

    worths: tuple[float, ...]
    bust: float


class Numbers(NamedTuple):
    """What the module estimates by: the export that takes it, its arrays, and their sizes."""

    export: str
    data: bytes
    sizes: tuple[int, ...]


class CheckedModule(NamedTuple):
    """The module, compiled for this processor, and what compiled it."""

    engine: Engine
    module: Module


def checked_module(content: bytes, note: bytes) -> CheckedModule:
    """The module in a file's content, compiled for this processor.

    Raises:
        BadModule: If it is damaged, or another one than this version of the package is for.
    """
    try:
        described = json.loads(note)
        digest, version = str(described["module"]), int(described["version"])
    except (ValueError, LookupError, TypeError):
        raise BadModule("{name} is damaged. Install the package again.", name=NOTE) from None
    if sha256(content).hexdigest() != digest:
        raise BadModule("{name} is damaged. Install the package again.", name=NAME)
    config = Config()
    config.cranelift_opt_level = "speed"
    engine = Engine(config)
    try:
        module = Module(engine, content)
    except WasmtimeError:
        raise BadModule("{name} is damaged. Install the package again.", name=NAME) from None
    if version != VERSION or _version_of(engine, module) != VERSION:
        raise BadModule(
            "{name} belongs to another version of the package. Install the package again.",
            name=NAME,
        )
    return CheckedModule(engine, module)


def _refuse() -> None:
    """What the module calls where memory is not enough.

    It could trap instead, but that is a signal of the processor, and other libraries take the
    handler of that signal for themselves (Ray does): then the process would die.
    """
    raise TooLarge("The turn is too large to be solved: memory is not enough.")


def _instance(store: Store, module: Module) -> Instance:
    return Instance(store, module, [Func(store, FuncType([], []), _refuse)])


def _version_of(engine: Engine, module: Module) -> object:
    """The version that a module itself tells; None for a module of another kind."""
    store = Store(engine)
    store.set_limits(memory_size=LARGE)
    try:
        version: Any = _instance(store, module).exports(store)["version"]
        return version(store)
    except (KeyError, TypeError, WasmtimeError):
        return None


@cache
def _module() -> CheckedModule:
    here = files("cantstop.engine")
    try:
        content, note = (here / NAME).read_bytes(), (here / NOTE).read_bytes()
    except OSError:
        raise BadModule("{name} is missing. Install the package again.", name=NAME) from None
    return checked_module(content, note)


class GameInstance:
    """An instance of the module that serves one game."""

    def __init__(self, rules: Rules) -> None:
        engine, module = _module()
        self._store = Store(engine)
        self._store.set_limits(memory_size=MOST_MEMORY)
        exports = _instance(self._store, module).exports(self._store)
        self._functions: dict[str, Any] = dict(exports)
        memory = self._functions["memory"]
        assert isinstance(memory, Memory)
        self._memory = memory
        self._players = rules.players
        self._position, self._answer = self.call("position_record"), self.call("answer_record")
        self._judgement = self.call("judgement_record")
        self.write(_RULES.pack(rules_values(rules)), self.call("rules_record"))
        self.call("begin_game_of")
        self.solved: object = None
        """Whatever the caller knows the solved turn by."""
        self.states = 0
        """How many states the solved turn has."""

    def call(self, name: str, *arguments: int) -> Any:  # noqa: ANN401
        """Call an exported function.

        Raises:
            TooLarge: If the memory that an instance may have is not enough.
        """
        try:
            return self._functions[name](self._store, *arguments)
        except TooLarge:
            self.solved = None
            raise

    def write(self, data: bytes, address: int) -> None:
        """Put bytes into the instance's memory."""
        self._memory.write(self._store, data, address)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the instance's memory."""
        return bytes(self._memory.read(self._store, address, address + size))

    def use(self, numbers: Numbers) -> None:
        """Estimate what follows a turn by these numbers."""
        address: int = self.call("reserve_input", len(numbers.data))
        self.write(numbers.data, address)
        self.call(numbers.export, address, *numbers.sizes)

    @property
    def bytes(self) -> int:
        """How much memory it has taken."""
        return self._memory.data_len(self._store)

    def put(self, position: Position, moves_made: int = 0) -> None:
        """Name the position that is asked about."""
        self.write(_POSITION.pack(position_values(position, moves_made)), self._position)

    def solve(self, position: Position, *, whole: bool) -> None:
        """Solve a turn, or what can still come of it."""
        self.put(position)
        self.states = self.call("solve", whole)

    def look(self, position: Position) -> Look:
        """What can be done in a position of the solved turn."""
        self.put(position)
        self.call("look")
        found, count = self._answers(), len(position.legal_moves)
        return Look(
            found["bust"],
            found["stop"],
            found["again"],
            found["value"],
            found["moves"][:count],
            found["stops"][:count],
            bool(found["stops_here"]),
        )

    def look_ahead(self, position: Position, how: int) -> Prospects:
        """What a position of the solved turn is worth to everybody."""
        self.put(position)
        self.call("look_ahead", how)
        found = self._answers()
        return Prospects(found["worths"][: self._players], found["busts"])

    def look_at_rolls(self, position: Position) -> list[RollLook]:
        """What every distinct roll would bring, in the order of ``rules.ways``."""
        self.put(position)
        count: int = self.call("look_at_rolls")
        worths = struct.unpack(f"<{count}d", self.read(self.call("roll_worths"), 8 * count))
        best = struct.iter_unpack("<3b", self.read(self.call("roll_moves"), 3 * count))
        return [
            RollLook(worth, tuple(filter(None, columns)), bool(stops))
            for worth, (*columns, stops) in zip(worths, best, strict=True)
        ]

    def ends(self) -> list[tuple[int, float]]:
        """The states in which the turn that was looked ahead may be stopped, with their chances."""
        states = self.states
        chances = struct.unpack(f"<{states}d", self.read(self.call("end_chances"), 8 * states))
        return [(state, chance) for state, chance in enumerate(chances) if chance > 0.0]

    def runners(self, state: int, columns: int) -> tuple[int, ...]:
        """Where the runners of a state stand, by column."""
        self.call("put_runners", state)
        spaces: tuple[int, ...] = struct.unpack(
            f"<{columns}b", self.read(self.call("runners"), columns)
        )
        return spaces

    def judge(self, judgement: dict[str, int | float], position: Position, moves: int) -> int:
        """What a player with a judgement does: the number of a move, or whether they stop."""
        self.write(_JUDGEMENT.pack(judgement), self._judgement)
        self.put(position, moves)
        found: int = self.call("judge_move" if position.legal_moves else "judge_press")
        return found

    def _answers(self) -> dict[str, Any]:
        return _ANSWER.unpack(self.read(self._answer, _ANSWER.size))


class _Kept(threading.local):
    """The instances of a thread, the latest last."""

    def __init__(self) -> None:
        self.instances: OrderedDict[tuple[Rules, object, bool], GameInstance] = OrderedDict()


_kept = _Kept()


def instance_for(
    rules: Rules, evaluator: object, is_opening: bool, set_up: Callable[[GameInstance], None]
) -> GameInstance:
    """This thread's instance for a game and an evaluator, set up if it is a new one."""
    instances, key = _kept.instances, (rules, evaluator, is_opening)
    found = instances.get(key)
    if found is None:
        found = GameInstance(rules)
        set_up(found)
        instances[key] = found
        while len(instances) > MOST_INSTANCES:
            instances.popitem(last=False)
    else:
        instances.move_to_end(key)
    return found


def forget(instance: GameInstance) -> None:
    """Do not keep an instance that has become large, nor more of others than have room beside."""
    instances = _kept.instances
    # the memory of an instance never shrinks: only giving it up frees what a large turn took
    if instance.bytes > LARGE:
        for key in [key for key, one in instances.items() if one is instance]:
            del instances[key]
    while len(instances) > 1 and sum(one.bytes for one in instances.values()) > MOST_BYTES:
        instances.popitem(last=False)


def forget_instances() -> None:
    """Begin as a new thread does, without an instance: what one costs can be measured so."""
    _kept.instances.clear()
