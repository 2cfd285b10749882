"""When the race model's compiled code is out of date: it is built on the engine's."""

from pathlib import Path

from cantstop.engine.compiled import SOURCES as ENGINE_SOURCES
from cantstop.engine.compiled import digest

SOURCES = ENGINE_SOURCES + digest(Path(__file__).parent)
"""Changes with any file of the race model or of the engine."""
