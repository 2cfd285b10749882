"""What can go wrong, as values: one clear sentence each, ready to be translated."""


class Phrase(str):
    """Words in a field of an error that are translated as its template is."""

    __slots__ = ()


class CantStopError(ValueError):
    """Something the caller can put right; its message is one sentence for a person.

    The template and its fields are kept apart so that an interface can print the sentence in
    the player's language.
    """

    def __init__(self, template: str, **fields: object) -> None:
        super().__init__(template.format(**fields) if fields else template)
        self.template = template
        self.fields = fields


class InvalidText(CantStopError):
    """Text that cannot be read: the syntax is wrong."""


class InvalidRules(CantStopError):
    """Settings that no game of Can't Stop has."""


class IllegalAction(CantStopError):
    """An action that is well formed but that the rules forbid in this position."""


class ImpossiblePosition(CantStopError):
    """A position that no game can reach."""
