"""The ``cantstop`` command."""

from cantstop.cli.app import main

__all__ = ["main"]
