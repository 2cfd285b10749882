"""The kernel's functions as CUDA C++: the same source, translated instead of compiled with Numba.

The kernel is written in a small part of Python: whole numbers, records, loops, calls of its own
functions. This module reads that source and writes it down in C++. So there is one description of
the games, on both kinds of processor, and a test compiles the text for the CPU and compares.

Numbers are 64 bits wide, signed unless they are a ``Word``. Division is of numbers that are not
negative, where both languages agree.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from cantstop.kernel import play
from cantstop.kernel.layout import (
    BLOCK_FIGURES,
    BOT,
    POSITION,
    ROLLS,
    RULES,
    SCORES,
    STREAM,
    TALLY,
    TOTALS,
)
from cantstop.rules.settings import MOST_PLAYERS

Compiled = Any
"""A function that Numba compiles, or what stands behind it."""

RECORDS = {
    "Rules": RULES,
    "Rolls": ROLLS,
    "Position": POSITION,
    "Stream": STREAM,
    "Bot": BOT,
    "Scores": SCORES,
    "Tally": TALLY,
    "Totals": TOTALS,
}
_WORD_FIELDS = {
    name
    for dtype in RECORDS.values()
    for name in dtype.names or ()
    if dtype[name].base == np.dtype("u8")
}
_TYPES = {"i1": "signed char", "i2": "short", "i4": "int", "i8": "i64", "u8": "u64"}
_BY_VALUE = {"int": "i64", "bool": "i64", "Word": "u64", "np.uint64": "u64"}
_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
    ast.Not: "!",
    ast.Invert: "~",
    ast.USub: "-",
}

_BUILT_IN = {"max": "larger", "min": "smaller", "len": "len"}

HEAD = """
typedef long long i64;
typedef unsigned long long u64;
#ifdef __CUDACC__
#define DEVICE static __device__ inline
#define MEMBER __device__
#else
#define DEVICE static inline
#define MEMBER
#endif
DEVICE i64 larger(i64 a, i64 b) { return a > b ? a : b; }
DEVICE i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
template <class T, int N> DEVICE void fill(T (&array)[N], T value) {
    for (int i = 0; i < N; i++) array[i] = value;
}
struct Seats {
    const i64* bots;
    i64 count;
    MEMBER i64 operator[](i64 seat) const { return bots[seat]; }
};
DEVICE i64 len(const Seats& seats) { return seats.count; }
"""

WORKSPACE = """
struct Workspace {
    const Rules& rules;
    const Rolls& rolls;
    Position& position;
    Position& scratch;
    Stream& dice;
    Stream& draws;
    Tally& tally;
};
// functions of a user's own stay on the CPU; no game with one of them comes here
template <class R, class P> DEVICE i64 ask_function(i64, R&, P&) { return -1; }
"""

TAIL = """
// Plays games from one number up to another, some for each thread, each with totals of its own.
struct Match {
    const Rules* rules;
    const Rolls* rolls;
    const Bot* bots;
    const i64* seatings;
    const i64* dice;
    Totals* totals;
    i64 dice_a_block, size, first_game, last_game, games_a_thread;
    u64 seed;
};

DEVICE void play_share(const Match& match, i64 thread) {
    Position position, scratch;
    Stream dice, draws;
    Tally tally;
    Scores scores[MOST_PLAYERS];
    i64 figures[FIGURES];
    fill(figures, 0LL);
    Workspace workspace{*match.rules, *match.rolls, position, scratch, dice, draws, tally};
    const Bot* bots = match.bots;
    i64 first = match.first_game + thread * match.games_a_thread;
    i64 last = smaller(match.last_game, first + match.games_a_thread);
    for (i64 game = first; game < last; game++) {
        i64 block = game / match.size, place = game % match.size;
        Seats seats{match.seatings + place * match.rules->players, match.rules->players};
        u64 number = (u64)(block * match.dice_a_block + match.dice[place]);
        play_game(workspace, scores, bots, seats, match.seed, number);
        note(match.totals[thread], figures, seats, tally, position.seat, place, match.size);
    }
}

#ifdef __CUDACC__
extern "C" __global__ void play_games(const Match match) {
    play_share(match, (i64)blockIdx.x * blockDim.x + threadIdx.x);
}
#else
extern "C" void play_games(const Match* match, i64 threads) {
    for (i64 thread = 0; thread < threads; thread++) play_share(*match, thread);
}
#endif
"""

MATCH = np.dtype(
    [
        *((name, "u8") for name in ("rules", "rolls", "bots", "seatings", "dice", "totals")),
        *((name, "i8") for name in ("dice_a_block", "size", "first_game", "last_game")),
        ("games_a_thread", "i8"),
        ("seed", "u8"),
    ]
)
"""What the generated code is started with; the addresses are the device's."""


@cache
def source() -> str:
    """The whole program, from the records to the kernel that is launched."""
    functions = "\n".join(_translated(play.play_game, play.note))
    constants = f"enum {{ MOST_PLAYERS = {MOST_PLAYERS}, FIGURES = {BLOCK_FIGURES + 1} }};"
    return "\n".join((HEAD, constants, *map(_struct, RECORDS), WORKSPACE, functions, TAIL))


def _struct(name: str) -> str:
    dtype = RECORDS[name]
    fields = []
    for field in dtype.names or ():
        kind = dtype[field]
        sizes = "".join(f"[{size}]" for size in kind.shape)
        fields.append(f"    {_TYPES[kind.base.str[1:]]} {field}{sizes};")
    size = f'static_assert(sizeof({name}) == {dtype.itemsize}, "layout");'
    return "\n".join((f"struct {name} {{", *fields, "};", size))


def _translated(*roots: Callable[..., Any]) -> Iterator[str]:
    """The functions and all that they call, each after those it needs."""
    done: set[str] = set()

    def visit(function: FunctionType) -> Iterator[str]:
        if function.__name__ in done:
            return
        done.add(function.__name__)
        writer = _Writer(function)
        text = writer.text()
        for needed in writer.needed:
            yield from visit(needed)
        yield text

    for root in roots:
        yield from visit(_plain(root))


def _plain(function: Compiled) -> FunctionType:
    """The Python function behind a compiled one."""
    found = getattr(function, "py_func", function)
    assert isinstance(found, FunctionType)
    return found


class _Writer:
    """Writes one function."""

    def __init__(self, function: FunctionType) -> None:
        tree = _tree(function)
        self.needed: list[FunctionType] = []
        self._tree = tree
        self._globals = function.__globals__
        self._words = {a.arg for a in tree.args.args if self._annotation(a) == "u64"}
        self._locals: dict[str, str] = {}
        self._parameters = {argument.arg for argument in tree.args.args}

    @staticmethod
    def _annotation(argument: ast.arg) -> str:
        return _BY_VALUE.get(ast.unparse(argument.annotation) if argument.annotation else "", "")

    def text(self) -> str:
        """The function in C++."""
        body = [self._statement(statement) for statement in self._tree.body]
        kinds, arguments = [], []
        for number, argument in enumerate(self._tree.args.args):
            kind = self._annotation(argument)
            if not kind:
                kinds.append(f"class T{number}")
                kind = f"T{number}&"
            arguments.append(f"{kind} {argument.arg}")
        template = f"template <{', '.join(kinds)}>\n" if kinds else ""
        returns = ast.unparse(self._tree.returns) if self._tree.returns else "None"
        result = "void" if returns == "None" else _BY_VALUE[returns]
        declared = "".join(f"    {kind} {name} = 0;\n" for name, kind in self._locals.items())
        head = f"{template}DEVICE {result} {self._tree.name}({', '.join(arguments)}) {{\n"
        return head + declared + "".join(body) + "}\n"

    def _block(self, statements: list[ast.stmt]) -> str:
        return "{\n" + "".join(map(self._statement, statements)) + "}\n"

    def _statement(self, node: ast.stmt) -> str:  # noqa: C901
        match node:
            case ast.Expr(value=ast.Constant()):
                return ""  # what it is for
            case ast.Expr(value=value):
                return f"{self._value(value)};\n"
            case ast.Return(value=None):
                return "return;\n"
            case ast.Return(value=value):
                assert value is not None
                return f"return {self._value(value)};\n"
            case ast.If(test=test, body=body, orelse=orelse):
                other = f"else {self._block(orelse)}" if orelse else ""
                return f"if ({self._value(test)}) {self._block(body)}{other}"
            case ast.While(test=test, body=body):
                return f"while ({self._value(test)}) {self._block(body)}"
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=arguments), body=body):
                return self._loop(name, [self._value(a) for a in arguments], body)
            case ast.Break():
                return "break;\n"
            case ast.Continue():
                return "continue;\n"
            case ast.AugAssign(target=target, op=op, value=value):
                return f"{self._value(target)} {_OPERATORS[type(op)]}= {self._value(value)};\n"
            case ast.Assign(targets=targets, value=value):
                return self._assign(targets, value)
        raise NotImplementedError(ast.unparse(node))

    def _loop(self, name: str, bounds: list[str], body: list[ast.stmt]) -> str:
        first, last, step = ["0", bounds[0], "1"] if len(bounds) == 1 else (*bounds, "1")[:3]
        compare = ">" if step.startswith("(-") else "<"
        return (
            f"for (i64 {name} = {first}, {name}_end = {last}; {name} {compare} {name}_end; "
            f"{name} += {step}) {self._block(body)}"
        )

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> str:
        target = targets[0]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Name):
            names = ", ".join(ast.unparse(part) for part in target.elts)
            return f"auto& [{names}] = {value.id};\n"
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            return f"fill({self._value(target.value)}, {self._value(value)});\n"
        if isinstance(target, ast.Tuple):
            assert isinstance(value, ast.Tuple)
            pairs = list(zip(target.elts, value.elts, strict=True))
            if all(self._is_record(part) for _, part in pairs):
                return "".join(self._assign([one], part) for one, part in pairs)
            before = [
                f"{self._kind(v)} new_{n} = {self._value(v)};" for n, (_, v) in enumerate(pairs)
            ]
            for one, part in pairs:
                self._declare(one, part)
            after = [f"{self._value(t)} = new_{n};" for n, (t, _) in enumerate(pairs)]
            return "{ " + " ".join((*before, *after)) + " }\n"
        if self._is_record(value):
            return f"auto& {ast.unparse(target)} = {self._value(value)};\n"
        text = self._value(value)
        for one in targets:
            self._declare(one, value)
        return "".join(f"{self._value(one)} = " for one in targets) + f"{text};\n"

    def _declare(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and target.id not in self._parameters | set(self._locals):
            self._locals[target.id] = self._kind(value)
            if self._locals[target.id] == "u64":
                self._words.add(target.id)

    def _kind(self, node: ast.expr) -> str:
        return "u64" if self._is_word(node) else "i64"

    @staticmethod
    def _is_record(node: ast.expr) -> bool:
        """Whether a value is a record, which has a name in C++ but is not copied."""
        match node:
            case ast.Attribute(value=ast.Name(id="workspace")):
                return True
            case ast.Subscript(value=ast.Name(id="bots")):
                return True
        return False

    def _is_word(self, node: ast.expr) -> bool:
        """Whether a value is unsigned: so is whatever is made of an unsigned one."""
        match node:
            case ast.Name(id=name):
                return name in self._words or isinstance(self._globals.get(name), np.uint64)
            case ast.Attribute(attr=name):
                return name in _WORD_FIELDS
            case ast.Subscript(value=value):
                return self._is_word(value)
            case ast.Call(func=ast.Attribute(attr=name)):
                return name == "uint64"
            case ast.Call(func=ast.Name(id=name)):
                found = self._globals.get(name)
                return found is not None and _returns(found) in ("Word", "np.uint64")
            case ast.BinOp(left=left, right=right):
                return self._is_word(left) or self._is_word(right)
            case ast.UnaryOp(operand=operand):
                return self._is_word(operand)
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_word(body) or self._is_word(orelse)
        return False

    def _value(self, node: ast.expr) -> str:  # noqa: C901
        match node:
            case ast.Constant(value=int(value)):
                return f"{int(value)}LL"
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=value, attr=name):
                return f"{self._value(value)}.{name}"
            case ast.Subscript(value=value, slice=ast.Tuple(elts=places)):
                return self._value(value) + "".join(f"[{self._value(p)}]" for p in places)
            case ast.Subscript(value=value, slice=place):
                return f"{self._value(value)}[{self._value(place)}]"
            case ast.BinOp(left=left, op=op, right=right):
                return f"({self._value(left)} {_OPERATORS[type(op)]} {self._value(right)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"i64(!{self._value(operand)})"
            case ast.UnaryOp(op=op, operand=operand):
                return f"({_OPERATORS[type(op)]}{self._value(operand)})"
            case ast.BoolOp(op=op, values=values):
                return f"i64({f' {_OPERATORS[type(op)]} '.join(map(self._value, values))})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                parts = [self._value(part) for part in (left, *others)]
                tests = [
                    f"({a} {_OPERATORS[type(op)]} {b})"
                    for a, op, b in zip(parts, ops, parts[1:], strict=False)
                ]
                return f"i64({' && '.join(tests)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self._value(test)} ? {self._value(body)} : {self._value(orelse)})"
            case ast.Call(func=ast.Attribute(attr=name), args=[argument]):
                return f"({'u64' if name == 'uint64' else 'i64'})({self._value(argument)})"
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return f"{self._function(name)}({', '.join(map(self._value, arguments))})"
        raise NotImplementedError(ast.unparse(node))

    def _function(self, name: str) -> str:
        if name in _BUILT_IN:
            return _BUILT_IN[name]
        found = self._globals.get(name)
        if found is not None and name != "ask_function":
            self.needed.append(_plain(found))
        return name

    def _name(self, name: str) -> str:
        found = self._globals.get(name)
        if name in self._locals or name in self._parameters or found is None:
            return name
        assert isinstance(found, int | np.integer), name
        return f"{int(found)}{'ULL' if isinstance(found, np.uint64) else 'LL'}"


def _returns(function: Compiled) -> str:
    """The annotation of what a function returns, or nothing."""
    if not isinstance(getattr(function, "py_func", function), FunctionType):
        return ""
    returns = _tree(_plain(function)).returns
    return ast.unparse(returns) if returns else ""


@cache
def _tree(function: FunctionType) -> ast.FunctionDef:
    """A function's source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree
