"""Commands as functions: what one takes stands in its signature, and is read from there.

A parameter is ``Annotated[type, Option(...)]`` or ``Annotated[type, Argument(...)]``. The standard
library's parser would do, but for its errors and help: they are English, and speak of types.
"""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from math import isnan
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

from cantstop.rules import InvalidText

Complete = Callable[[str], list[tuple[str, str]]]
"""From the beginning of a value to those that begin so, each with a word about it."""

_NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True, kw_only=True)
class Argument:
    """A value that stands by itself."""

    metavar: str = ""
    help: str
    complete: Complete | None = None


@dataclass(frozen=True)
class Option:
    """A value behind a name such as ``--lang``, or for a bool just the name."""

    name: str = ""
    """By default the parameter's, with dashes."""
    metavar: str = ""
    help: str = ""
    least: float | None = None
    most: float | None = None
    complete: Complete | None = None
    bare: str | None = None
    """What an option means that stands without a value, where it may."""
    is_value: Callable[[str], bool] | None = None
    """Tells whether what follows such an option is its value."""
    short: str = ""
    """Its other name, of one letter."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a command."""

    key: str
    about: Argument | Option
    kind: type
    choices: tuple[str, ...]
    many: bool
    default: object

    @property
    def is_flag(self) -> bool:
        return self.kind is bool

    @property
    def is_required(self) -> bool:
        return self.default is _NO_DEFAULT

    @property
    def name(self) -> str:
        """What people call it: ``--lang``, ``RECORD``."""
        if isinstance(self.about, Option):
            return self.about.name or "--" + self.key.replace("_", "-")
        return self.metavar

    @property
    def metavar(self) -> str:
        return self.about.metavar or "|".join(self.choices)

    def read(self, text: str) -> object:
        """The value that a text stands for."""
        if self.choices:
            if text not in self.choices:
                raise InvalidText(
                    "{name} is one of {choices}, not “{text}”.",
                    name=self.name,
                    choices=", ".join(self.choices),
                    text=text,
                )
            return self.kind(text) if issubclass(self.kind, Enum) else text
        if self.kind in (int, float):
            return self._number(text)
        return self.kind(text)

    def _number(self, text: str) -> float:
        try:
            number: float = self.kind(text)
        except ValueError:
            number = float("nan")
        if isnan(number):
            if self.kind is int:
                raise InvalidText(
                    "{name} is a whole number, not “{text}”.", name=self.name, text=text
                )
            raise InvalidText("{name} is a number, not “{text}”.", name=self.name, text=text)
        assert isinstance(self.about, Option)
        least, most = self.about.least, self.about.most
        if (least is not None and number < least) or (most is not None and number > most):
            if most is None:
                raise InvalidText("{name} is at least {least}.", name=self.name, least=least)
            raise InvalidText(
                "{name} is from {least} to {most}.", name=self.name, least=least, most=most
            )
        return number


@dataclass(frozen=True)
class Command:
    """A function that can be called from the command line."""

    function: Callable[..., None]

    @property
    def name(self) -> str:
        return self.function.__name__.rstrip("_").replace("_", "-")

    @property
    def paragraphs(self) -> list[str]:
        """What its docstring says, a paragraph a line; the first is one sentence."""
        text = inspect.getdoc(self.function) or ""
        return [" ".join(part.split()) for part in text.split("\n\n")]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        hints = get_type_hints(self.function, include_extras=True)
        given = inspect.signature(self.function).parameters
        return tuple(_parameter(key, hints[key], given[key].default) for key in given)

    @property
    def options(self) -> dict[str, Parameter]:
        """Those behind a name, by that name."""
        return {one.name: one for one in self.parameters if isinstance(one.about, Option)}

    @property
    def arguments(self) -> list[Parameter]:
        """Those that stand by themselves."""
        return [one for one in self.parameters if isinstance(one.about, Argument)]

    def read(self, given: Sequence[str], commands: Collection[str] = ()) -> dict[str, object]:
        """The values of all parameters.

        ``commands`` are the names of all commands: an option that is one of them is answered by it.
        """
        values, rest = self.split(given, commands=commands)
        return {**values, **self._positional(rest)}

    def split(
        self,
        given: Sequence[str],
        *,
        all_options: bool = True,
        commands: Collection[str] = (),
    ) -> tuple[dict[str, object], list[str]]:
        """Split arguments into the values of options and the positionals.

        Without ``all_options``, everything from the first positional on is left as it is.
        """
        found: dict[str, list[object]] = {}
        rest: list[str] = []
        waiting = list(given)
        while waiting:
            text = waiting.pop(0)
            if text == "--":
                rest += waiting
                break
            if text == "-" or not text.startswith("-"):
                rest.append(text)
                if not all_options:
                    rest += waiting
                    break
                continue
            name, equals, value = text.partition("=")
            option = self._option(name, commands)
            found.setdefault(option.key, []).append(
                _value(option, value if equals else None, waiting)
            )
        values = {one.key: one.default for one in self.options.values()}
        for one in self.options.values():
            if one.key in found:
                values[one.key] = found[one.key] if one.many else found[one.key][-1]
        return values, rest

    def _option(self, name: str, commands: Collection[str] = ()) -> Parameter:
        options = self.options
        found = options.get(name) or next(
            (one for one in options.values() if name == getattr(one.about, "short", "")), None
        )
        if found is None:
            command = name.removeprefix("--")
            if command in commands:
                raise InvalidText(
                    "There is no option {name}; did you mean “cantstop {command}”?",
                    name=name,
                    command=command,
                )
            near = get_close_matches(name, [*options, "--help"], 1, cutoff=0.7)
            if near:
                raise InvalidText(
                    "There is no option {name}; did you mean {near}?", name=name, near=near[0]
                )
            raise InvalidText("There is no option {name}.", name=name)
        return found

    def _positional(self, given: list[str]) -> dict[str, object]:
        values: dict[str, object] = {}
        for one in self.arguments:
            if one.many and given:
                values[one.key], given = [one.read(text) for text in given], []
            elif given:
                values[one.key], given = one.read(given[0]), given[1:]
            elif one.is_required:
                raise InvalidText(
                    "{name} is missing; “cantstop {command} --help” explains it.",
                    name=one.metavar.rstrip("."),
                    command=self.name,
                )
            else:
                values[one.key] = one.default
        if given:
            raise InvalidText("“{text}” cannot be used here.", text=given[0])
        return values


def _value(option: Parameter, given: str | None, waiting: list[str]) -> object:
    """An option's value: what stands behind “=”, or what follows."""
    about = option.about
    assert isinstance(about, Option)
    if option.is_flag:
        if given is not None:
            raise InvalidText("{name} takes no value.", name=option.name)
        return True
    if given is None and about.bare is not None:
        assert about.is_value is not None
        given = waiting.pop(0) if waiting and about.is_value(waiting[0]) else about.bare
    if given is None:
        if not waiting:
            raise InvalidText(
                "{name} needs a value: {metavar}.", name=option.name, metavar=option.metavar
            )
        given = waiting.pop(0)
    return option.read(given)


def _parameter(key: str, hint: object, default: object) -> Parameter:
    assert get_origin(hint) is Annotated, f"{key} is neither an Option nor an Argument"
    kind, about = get_args(hint)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)
    choices: tuple[str, ...] = ()
    if get_origin(kind) is Literal:
        kind, choices = str, get_args(kind)
    elif issubclass(kind, Enum):
        choices = tuple(one.value for one in kind)
    assert kind in (str, int, float, bool, Path) or choices
    return Parameter(key, about, kind, choices, many, default)
