"""What can be wrong with a record, and where."""

from cantstop.rules import CantStopError


class RecordError(CantStopError):
    """A record that cannot be read or does not hold; it names the line."""

    def __init__(self, line: int, problem: CantStopError) -> None:
        super().__init__("Line {line}: {problem}", line=line, problem=problem)
        self.line = line
        self.problem = problem


class VerificationError(CantStopError):
    """A record whose dice are not those that its seed or seal gives."""
