"""A property worked out once, for immutable values."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):
    """Like ``functools.cached_property``, without the lock that Python 3.11 takes in there.

    The lock costs more than most of what is worked out here. Without it two threads may both do
    the work; they get the same value.
    """

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> "lazy[Value]": ...
    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...
    def __get__(self, owner: object | None, kind: type) -> "lazy[Value] | Value":
        if owner is None:
            return self
        value = self._work_out(owner)
        # the instance's own entry is found before this descriptor from now on
        object.__setattr__(owner, self._name, value)
        return value
