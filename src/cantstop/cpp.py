"""Compiled functions as C++: the Python source that Numba compiles, translated.

The functions are written in a small part of Python: numbers, records, arrays, loops, calls of each
other. This module reads that source and writes it down in C++; types are left to C++ (templates and
``auto``), so it knows nothing of what it translates. A target is a text in front of the functions
that says what arrays and the few functions of Python and NumPy are:
``kernel/cuda.py`` has the one for CUDA, ``tools/wasm`` the one for WebAssembly.

What is translated means the same in both languages: ``//`` and ``%`` round down as in Python, and a
name that a branch or a loop assigns first lives on after it. ``and`` and ``or`` join truth values.
"""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from math import isfinite
from pathlib import Path
from types import FunctionType, GenericAlias
from typing import Any, get_origin

import numpy as np
from numpy.typing import NDArray

Compiled = Any
"""A function that Numba compiles, or the Python function behind it."""

OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
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
HELPERS: Mapping[type[ast.AST], str] = {
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
    ast.Div: "divide",
}
"""Operators that are functions of the target."""

BY_VALUE = {
    "bool": "bool",
    "float": "double",
    "Word": "u64",
    "np.uint64": "u64",
    "None": "void",
}
"""Types that annotations name; all others are left to C++."""

INTEGERS = ("int", "np.int64")
CASTS = {"float": "double", "np.float64": "double", "np.float32": "float", "np.uint64": "u64"}
ELEMENTS = {"np.bool_": "bool", "np.int8": "signed char", "np.int16": "short", "np.int32": "int"}
ELEMENTS |= {"np.float32": "float"}
FUNCTIONS = {"max": "larger", "min": "smaller", "len": "len", "abs": "magnitude"}
LARGEST_OF_TWO = ("max", "min")
FUNCTIONS |= {"np.exp": "exponential", "np.log1p": "log_1p", "np.ceil": "round_up"}
FUNCTIONS |= {"np.rint": "round_even", "np.expand_dims": "with_axis", "np.zeros_like": "zeros_like"}
NEW_ARRAYS = {"np.empty": None, "np.zeros": "0", "np.ones": "1", "np.full": ""}
RESERVED = frozenset(
    {"auto", "case", "char", "const", "default", "delete", "do", "double", "enum", "export"}
    | {"extern", "friend", "goto", "inline", "namespace", "new", "operator", "private", "public"}
    | {"register", "short", "signed", "static", "struct", "switch", "template", "this", "throw"}
    | {"typedef", "union", "unsigned", "using", "virtual", "void", "volatile"}
)
"""Words of C++ that are names in Python."""

LARGEST_INT = 2**31 - 1

HEAD = """
typedef long long i64;
typedef unsigned long long u64;
// records and their arrays stay where they are; numbers are copied, small ones as whole numbers
template <class T> struct IsPlace { enum { value = 0 }; };
template <class T> struct IsPlace<const T> : IsPlace<T> {};
template <class T, int N> struct IsPlace<T[N]> { enum { value = 1 }; };
template <class T, int N> struct IsPlace<const T[N]> { enum { value = 1 }; };
template <class T, class I> struct Grown { typedef T type; };
template <class T, class I> struct Grown<const T, I> : Grown<T, I> {};
template <class I> struct Grown<signed char, I> { typedef I type; };
template <class I> struct Grown<unsigned char, I> { typedef I type; };
template <class I> struct Grown<short, I> { typedef I type; };
template <class I> struct Grown<unsigned short, I> { typedef I type; };
template <class I> struct Grown<int, I> { typedef I type; };
template <class T, class I, int P> struct Own { typedef typename Grown<T, I>::type type; };
template <class T, class I> struct Own<T, I, 1> { typedef T& type; };
template <class T, class I> struct Variable : Own<T, I, 0> {};
template <class T, class I> struct Variable<T&, I> : Own<T, I, IsPlace<T>::value> {};
template <class I, class T> INLINED typename Variable<T, I>::type fresh(T&& value) { return value; }
template <class T, class V> INLINED void put(T& place, V value) { place = (T)value; }
template <class A, class B> INLINED auto larger(A a, B b) -> decltype(a + b) {
    return a > b ? a : b;
}
template <class A, class B> INLINED auto smaller(A a, B b) -> decltype(a + b) {
    return a < b ? a : b;
}
template <class A> INLINED auto magnitude(A a) -> decltype(+a) { return a < 0 ? -a : a; }
template <class A, class B> INLINED auto floor_divide(A a, B b) -> decltype(a / b) {
    decltype(a / b) whole = a / b;
    return whole * b > a ? whole - 1 : whole;  // divisors are positive
}
template <class A, class B> INLINED auto modulo(A a, B b) -> decltype(a % b) {
    decltype(a % b) rest = a % b;
    return rest < 0 ? rest + b : rest;
}
template <class A, class B> INLINED auto divide(A a, B b) -> decltype(a / b * 1.0) {
    return decltype(a / b * 1.0)(a) / b;
}
template <class A, class B> INLINED void divide_by(A& a, B b) { a = (A)divide(a, b); }
"""
"""What every target begins with, once it has said what FUNCTION and INLINED are."""


class Untranslatable(Exception):
    """A piece of Python that has no translation; the message names file, line and text."""


@dataclass
class Translation:
    """All functions that are needed, in an order in which C++ can read them."""

    wide: tuple[str, ...] = ("cantstop",)
    """Packages whose whole numbers have 64 bits; elsewhere they have 32."""
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Functions that the target has itself: the name there by the name in Python.

    A name with its module in front, ``cantstop.cpp.record``, means that function alone.
    """
    shows_lines: bool = False
    """Whether the compiler's errors are to name the lines of Python."""
    functions: list[str] = field(default_factory=list)
    structs: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, str] = field(default_factory=dict)
    _names: dict[str, object] = field(default_factory=dict)
    _texts: dict[str, bool] = field(default_factory=dict)

    def add(self, *roots: Compiled) -> "Translation":
        """Translate functions, and all that they call."""
        for root in roots:
            self.function(root)
        return self

    def function(self, function: Compiled) -> str:
        """The name of a function in C++; it is translated first, where it has not been."""
        plain = plain_function(function)
        for known in (f"{plain.__module__}.{plain.__name__}", plain.__name__):
            if known in self.replaced:
                return self.replaced[known]
        name = self._name(plain.__name__, plain, plain.__module__)
        if name not in self._texts:
            self._texts[name] = True
            text = _Writer(self, plain, name, getattr(function, "targetoptions", {})).text()
            self.functions.append(text)
        return name

    def struct(self, kind: Any) -> str:  # noqa: ANN401
        """The name of a NamedTuple in C++."""
        name = self._name(kind.__name__, kind, kind.__module__)
        if name not in self.structs:
            self.structs[name] = _struct(name, kind._fields)
        return name

    def array(self, name: str, array: NDArray[Any], module: str) -> str:
        """The name of an array that is a constant of a module."""
        name = self._name(name, id(array), module)
        if name not in self.arrays:
            self.arrays[name] = constant_array(name, array)
        return name

    def text(self) -> str:
        """Everything, constants first."""
        return "\n".join((*self.arrays.values(), *self.structs.values(), *self.functions))

    def _name(self, name: str, of: object, module: str) -> str:
        """The same name, unless another module has something by it."""
        name = _word(name)
        for found in (name, f"{name}_{module.rsplit('.', 1)[-1]}", f"{name}_{_flat(module)}"):
            if self._names.setdefault(found, of) == of:
                return found
        raise AssertionError(name)


def _flat(module: str) -> str:
    return module.replace(".", "_")


def plain_function(function: Compiled) -> FunctionType:
    """The Python function behind a compiled one."""
    found = getattr(function, "py_func", function)
    assert isinstance(found, FunctionType)
    return found


def is_named_tuple(found: object) -> bool:
    """Whether something is a NamedTuple's class."""
    return isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")


def _struct(name: str, fields: Iterable[str]) -> str:
    """A NamedTuple as a struct of whatever it is made of."""
    kinds = [(f"T{at}", field) for at, field in enumerate(fields)]
    template = f"template <{', '.join(f'class {kind}' for kind, _ in kinds)}>"
    members = "".join(f"    {kind} {_word(field)};\n" for kind, field in kinds)
    names = ", ".join(kind for kind, _ in kinds)
    guide = f"{template} {name}({names}) -> {name}<{names}>;"
    return f"{template}\nstruct {name} {{\n{members}}};\n{guide}\n"


_TYPES = {"i1": "signed char", "i2": "short", "i4": "int", "i8": "i64", "u8": "u64", "f8": "double"}


def record(name: str, dtype: np.dtype[Any]) -> str:
    """A record as a struct."""
    fields = []
    for field_name in dtype.names or ():
        kind = dtype[field_name]
        sizes = "".join(f"[{size}]" for size in kind.shape)
        fields.append(f"    {_TYPES[kind.base.str[1:]]} {field_name}{sizes};")
    size = f'static_assert(sizeof({name}) == {dtype.itemsize}, "layout");'
    place = f"template <> struct IsPlace<{name}> {{ enum {{ value = 1 }}; }};"
    return "\n".join((f"struct {name} {{", *fields, "};", size, place))


def constant_array(name: str, array: NDArray[Any]) -> str:
    """An array of numbers that are known beforehand."""
    kinds = {"f": "double", "b": "bool"}
    kind = kinds.get(array.dtype.kind, "int")
    numbers = ", ".join(str(number).lower() for number in array.reshape(-1).tolist())
    sizes = ", ".join(map(str, array.shape))
    return (
        f"static const {kind} {name}_numbers[] = {{{numbers}}};\n"
        f"static const Array<const {kind}, {array.ndim}> {name} = {{{name}_numbers, {{{sizes}}}}};"
    )


def _word(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


class _Writer:
    """Writes one function."""

    def __init__(
        self,
        whole: Translation,
        function: FunctionType,
        name: str,
        options: Mapping[str, Any],
    ) -> None:
        self._whole, self._function, self._name_there = whole, function, name
        self._tree = _tree(function)
        self._globals = function.__globals__
        self._is_inlined = bool(options.get("forceinline") or options.get("inline") == "always")
        self._is_fast = bool(options.get("fastmath"))
        is_wide = any(f"{function.__module__}.".startswith(f"{package}.") for package in whole.wide)
        self._integer, self._suffix = ("i64", "LL") if is_wide else ("int", "")
        self._known = [{argument.arg for argument in self._tree.args.args}]
        self._temporaries = 0

    def text(self) -> str:
        """The function in C++."""
        given = self._tree.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
            raise self._wrong(given, "there is no translation of the parameters")
        kinds, arguments = [], []
        for number, argument in enumerate(self._tree.args.args):
            kind = self._annotated(argument.annotation)
            if kind is None:
                kinds.append(f"class T{number}")
                kind = f"T{number}" if self._is_view(argument) else f"T{number}&&"
            arguments.append(f"{kind} {_word(argument.arg)}")
        template = f"template <{', '.join(kinds)}>\n" if kinds else ""
        result = self._annotated(self._tree.returns) if self._tree.returns else "void"
        how = "INLINED" if self._is_inlined else "FUNCTION"
        fast = "FAST\n" if self._is_fast else ""
        body = self._statements(self._tree.body)
        head = f"{how} {result or 'auto'} {self._name_there}({', '.join(arguments)})"
        return f"{template}{head} {{\n{fast}{body}}}\n"

    def _annotated(self, annotation: ast.expr | None) -> str | None:
        """The type that an annotation names, if C++ does not find it."""
        name = ast.unparse(annotation) if annotation else ""
        return self._integer if name == "int" else BY_VALUE.get(name)

    def _is_view(self, argument: ast.arg) -> bool:
        """Whether an argument only points to numbers: arrays and tuples of them are copied."""
        if argument.annotation is None:
            return False
        try:
            found = eval(ast.unparse(argument.annotation), self._globals)  # noqa: S307 - our source
        except NameError:
            return False
        return is_named_tuple(found) or (
            isinstance(found, GenericAlias) and get_origin(found) is np.ndarray
        )

    def _wrong(self, node: ast.AST, why: str = "there is no translation of") -> Untranslatable:
        file = Path(self._function.__code__.co_filename).name
        return Untranslatable(f"{file}:{self._line(node)}: {why} {ast.unparse(node)!r}")

    def _line(self, node: ast.AST) -> int:
        return self._function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1

    # Statements

    def _statements(self, statements: list[ast.stmt]) -> str:
        return "".join(
            self._statement(node, statements[at + 1 :]) for at, node in enumerate(statements)
        )

    def _block(self, statements: list[ast.stmt], *names: str) -> str:
        self._known.append(set(names))
        text = self._statements(statements)
        self._known.pop()
        return f"{{\n{text}}}\n"

    def _statement(self, node: ast.stmt, rest: list[ast.stmt]) -> str:
        text = self._translated(node, rest)
        if not self._whole.shows_lines:
            return text
        return (
            f"\n#line {self._line(node)} {json.dumps(self._function.__code__.co_filename)}\n{text}"
        )

    def _translated(self, node: ast.stmt, rest: list[ast.stmt]) -> str:  # noqa: C901
        match node:
            case ast.Expr(value=ast.Constant()):
                return ""  # what it is for
            case ast.Expr(value=value):
                return f"{self._value(value)};\n"
            case ast.Return(value=None):
                return "return;\n"
            case ast.Return(value=value) if value is not None:
                return f"return {self._value(value)};\n"
            case ast.If(test=test, body=body, orelse=orelse):
                before = self._hoisted(node, rest)
                other = f"else {self._block(orelse)}" if orelse else ""
                return f"{before}if ({self._value(test)}) {self._block(body)}{other}"
            case ast.While(test=test, body=body, orelse=[]):
                before = self._hoisted(node, rest)
                return f"{before}while ({self._value(test)}) {self._block(body)}"
            case ast.For(target=ast.Name(id=name), iter=iterated, body=body, orelse=[]):
                if name in _assigned(body):
                    raise self._wrong(node, f"{name} is changed in the loop over it:")
                before = self._hoisted(node, rest)
                return f"{before}{self._loop(name, iterated)} {self._block(body, name)}"
            case ast.Break():
                return "break;\n"
            case ast.Continue():
                return "continue;\n"
            case ast.AugAssign(target=target, op=op, value=value):
                into = self._value(target)
                if isinstance(op, ast.Div):
                    return f"divide_by({into}, {self._value(value)});\n"
                if type(op) in HELPERS:
                    return f"{into} = {self._operation(op, into, self._value(value), node)};\n"
                if type(op) not in OPERATORS:
                    raise self._wrong(node)
                return f"{into} {OPERATORS[type(op)]}= {self._value(value)};\n"
            case ast.AnnAssign(target=target, value=value) if value is not None:
                return self._assign([target], value)
            case ast.Assign(targets=targets, value=value):
                return self._assign(targets, value)
        raise self._wrong(node)

    def _hoisted(self, node: ast.stmt, rest: list[ast.stmt]) -> str:
        """Declare what a branch or a loop assigns first and later statements read."""
        used = {each.id for later in rest for each in ast.walk(later) if isinstance(each, ast.Name)}
        text = ""
        for inner in ast.walk(node):
            if not isinstance(inner, ast.Assign | ast.AnnAssign) or inner.value is None:
                continue
            for name, value in _named_values(inner):
                if name not in used or self._is_known(name):
                    continue
                if all(self._is_known(part) for part in self._locals_in(value)):
                    kind = f"decltype(fresh<{self._integer}>({self._value(value)}))"
                    text += f"{kind} {_word(name)}{{}};\n"
                    self._known[-1].add(name)
        return text

    def _locals_in(self, node: ast.expr) -> set[str]:
        return {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name)
            and each.id not in self._globals
            and each.id not in FUNCTIONS
            and each.id not in (*CASTS, *INTEGERS)
        }

    def _loop(self, name: str, iterated: ast.expr) -> str:
        name = _word(name)
        if not (isinstance(iterated, ast.Call) and ast.unparse(iterated.func) == "range"):
            return f"for (auto {name} : {self._value(iterated)})"
        bounds = [self._value(bound) for bound in iterated.args]
        first, last, step = ["0", bounds[0], "1"] if len(bounds) == 1 else (*bounds, "1")[:3]
        if not step.strip("(-L)").isdecimal():
            raise self._wrong(iterated, "the step is not known beforehand:")
        compare = ">" if step.startswith("(-") else "<"
        if name == "_":
            self._temporaries += 1
            name = f"times_{self._temporaries}"
        return (
            f"for ({self._integer} {name} = {first}, {name}_end = {last}; "
            f"{name} {compare} {name}_end; {name} += {step})"
        )

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> str:
        target = targets[0]
        if isinstance(target, ast.Tuple):
            if len(targets) > 1:
                raise self._wrong(target)
            return self._unpack(target, value)
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            if target.slice.lower or target.slice.upper or len(targets) > 1:
                raise self._wrong(target)
            return f"fill({self._value(target.value)}, {self._value(value)});\n"
        text, written = self._value(value), ""
        for one in reversed(targets):
            written += self._put(one, text)
            text = self._value(one)
        return written

    def _put(self, target: ast.expr, text: str) -> str:
        match target:
            case ast.Name(id=name) if not self._is_known(name):
                self._known[-1].add(name)
                return f"auto&& {_word(name)} = fresh<{self._integer}>({text});\n"
            case ast.Subscript():
                return f"put({self._value(target)}, {text});\n"
            case ast.Name() | ast.Attribute():
                return f"{self._value(target)} = {text};\n"
        raise self._wrong(target)

    def _unpack(self, target: ast.Tuple, value: ast.expr) -> str:
        if isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=True))
            if all(isinstance(one, ast.Name) and not self._is_known(one.id) for one, _ in pairs):
                return "".join(self._put(one, self._value(part)) for one, part in pairs)
            self._temporaries += 1
            names = [f"new_{self._temporaries}_{at}" for at in range(len(pairs))]
            return "".join(
                (
                    *(
                        f"auto {name} = fresh<{self._integer}>({self._value(part)});\n"
                        for name, (_, part) in zip(names, pairs, strict=True)
                    ),
                    *(self._put(one, name) for name, (one, _) in zip(names, pairs, strict=True)),
                )
            )
        self._temporaries += 1
        text, names, after = self._value(value), [], ""
        for at, one in enumerate(target.elts):
            if isinstance(one, ast.Name) and one.id != "_" and not self._is_known(one.id):
                names.append(_word(one.id))
                self._known[-1].add(one.id)
            else:
                names.append(f"part_{self._temporaries}_{at}")
                if not (isinstance(one, ast.Name) and one.id == "_"):
                    after += self._put(one, names[-1])
        return f"auto [{', '.join(names)}] = {text};\n{after}"

    def _is_known(self, name: str) -> bool:
        return any(name in scope for scope in self._known)

    # Expressions

    def _value(self, node: ast.expr) -> str:  # noqa: C901
        match node:
            case ast.Constant(value=bool(value)):
                return str(value).lower()
            case ast.Constant(value=int(value)):
                return self._whole_number(value)
            case ast.Constant(value=float(value)):
                return repr(value)
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Attribute(value=ast.Name(id="np"), attr="inf"):
                return "__builtin_inf()"
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if isinstance(
                self._globals.get(name), type
            ):
                found = getattr(self._globals[name], attr)
                if not isinstance(found, IntEnum):
                    raise self._wrong(node)
                return self._whole_number(int(found))
            case ast.Attribute(value=value, attr="size"):
                return f"count_of({self._value(value)})"
            case ast.Attribute(value=value, attr=attr):
                return f"{self._value(value)}.{_word(attr)}"
            case ast.Subscript(value=value, slice=ast.Tuple(elts=places)):
                return self._value(value) + "".join(map(self._place, places))
            case ast.Subscript(value=value, slice=place):
                return self._value(value) + self._place(place)
            case ast.BinOp(left=ast.Constant(value=1), op=ast.LShift(), right=right):
                return f"(1LL << {self._value(right)})"  # columns are bits, of more than 32
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self._value(left), self._value(right), node)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return f"({OPERATORS[type(op)]}{self._value(operand)})"
            case ast.BoolOp(op=op, values=values):
                return f"({f' {OPERATORS[type(op)]} '.join(map(self._value, values))})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                if any(
                    isinstance(part, ast.Call) for other in others[:-1] for part in ast.walk(other)
                ):
                    raise self._wrong(node, "this would be called twice:")
                parts = [self._value(part) for part in (left, *others)]
                tests = [
                    self._operation(op, one, other, node)
                    for one, op, other in zip(parts, ops, parts[1:], strict=False)
                ]
                return tests[0] if len(tests) == 1 else f"({' && '.join(tests)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self._value(test)} ? {self._value(body)} : {self._value(orelse)})"
            case ast.Tuple(elts=parts):
                return f"tuple_of({', '.join(map(self._value, parts))})"
            case ast.Call():
                return self._call(node)
        raise self._wrong(node)

    def _operation(self, op: ast.AST, left: str, right: str, node: ast.AST) -> str:
        if type(op) in HELPERS:
            return f"{HELPERS[type(op)]}({left}, {right})"
        if type(op) not in OPERATORS:
            raise self._wrong(node)
        return f"({left} {OPERATORS[type(op)]} {right})"

    def _whole_number(self, value: int) -> str:
        if abs(value) > LARGEST_INT:
            return f"{value}{'ULL' if value >= 2**63 else 'LL'}"
        return f"{value}{self._suffix}" if value >= 0 else f"({value}{self._suffix})"

    def _place(self, node: ast.expr) -> str:
        match node:
            case ast.Slice(lower=None, upper=None) | ast.Slice(step=ast.expr()):
                raise self._wrong(node)
            case ast.Slice(lower=lower, upper=None) if lower is not None:
                return f".part({self._value(lower)})"
            case ast.Slice(lower=lower, upper=upper) if upper is not None:
                return f".part({self._value(lower) if lower else '0'}, {self._value(upper)})"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f".from_end({self._value(operand)})"
        return f"[{self._value(node)}]"

    def _call(self, node: ast.Call) -> str:
        name = ast.unparse(node.func)
        if name in NEW_ARRAYS:
            return self._new_array(name, node)
        found = self._globals.get(name)
        if isinstance(getattr(found, "py_func", found), FunctionType):
            return self._call_of(found, node)
        arguments = [self._value(argument) for argument in node.args]
        if node.keywords or (name in LARGEST_OF_TWO and len(arguments) != 2):
            raise self._wrong(node)
        if is_named_tuple(found):
            return f"{self._whole.struct(found)}{{{', '.join(arguments)}}}"
        if isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not arguments:
            return f"sum_of({self._value(node.func.value)})"
        known = {**dict.fromkeys(INTEGERS, self._integer), **CASTS, **FUNCTIONS}
        known.update(self._whole.replaced)
        if name not in known:
            raise self._wrong(node)
        return f"{known[name]}({', '.join(arguments)})"

    def _call_of(self, function: Compiled, node: ast.Call) -> str:
        """A call of a function that is translated too."""
        arguments = [self._value(argument) for argument in node.args]
        order = list(inspect.signature(plain_function(function)).parameters)
        given = {keyword.arg: self._value(keyword.value) for keyword in node.keywords}
        if len(arguments) + len(given) != len(order) or not given.keys() <= {*order}:
            raise self._wrong(node, "the arguments are not the parameters:")
        arguments += [given[parameter] for parameter in order[len(arguments) :]]
        return f"{self._whole.function(function)}({', '.join(arguments)})"

    def _new_array(self, name: str, node: ast.Call) -> str:
        arguments = list(node.args)
        shape = arguments.pop(0)
        sizes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
        value = self._value(arguments.pop(0)) if name == "np.full" else NEW_ARRAYS[name]
        element = ast.unparse(arguments[0]) if arguments else ""
        kind = ELEMENTS.get(element, self._integer if element in INTEGERS else None)
        kind = kind if arguments else "double"
        if kind is None or node.keywords:
            raise self._wrong(node)
        made = f"make<{kind}>({', '.join(map(self._value, sizes))})"
        return made if value is None else f"filled({made}, {value})"

    def _name(self, name: str, node: ast.AST) -> str:
        if self._is_known(name):
            return _word(name)
        if name not in self._globals:
            raise self._wrong(node, "nothing says before what this name is:")
        found = self._globals[name]
        if isinstance(found, np.ndarray):
            return self._whole.array(name, found, self._function.__module__)
        if isinstance(found, np.uint64):
            return f"{int(found)}ULL"
        if isinstance(found, bool) or not isinstance(found, int | float | np.integer):
            raise self._wrong(node)
        if not isfinite(found):
            raise self._wrong(node)
        return repr(found) if isinstance(found, float) else self._whole_number(int(found))


def _assigned(body: list[ast.stmt]) -> set[str]:
    """The names that some statements give another value."""
    return {
        each.id
        for statement in body
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _named_values(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment gives a value of their own."""
    assert node.value is not None
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for one, value in zip(target.elts, node.value.elts, strict=True):
                if isinstance(one, ast.Name):
                    yield one.id, value


@cache
def _tree(function: FunctionType) -> ast.FunctionDef:
    """A function's source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree
