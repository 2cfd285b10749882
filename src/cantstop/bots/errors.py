"""What a bot can do wrong."""

from cantstop.rules import CantStopError


class BotFailure(CantStopError):
    """A bot that crashes, keeps silent, breaks the protocol or the rules: it loses its game."""
