"""What can be wrong with a record, and where."""

from typing import Self

from cantstop.rules import CantStopError


class RecordError(CantStopError):
    """A record that cannot be read or does not hold; it names the line."""

    def __init__(self, line: int, problem: CantStopError) -> None:
        super().__init__("Line {line}: {problem}", line=line, problem=problem)
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type[Self], tuple[int, CantStopError]]:
        """Copied between processes by its parts: the text alone does not make one."""
        return type(self), (self.line, self.problem)


class VerificationError(CantStopError):
    """A record whose dice are not those that its seed or seal gives."""
