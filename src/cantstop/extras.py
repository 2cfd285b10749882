"""What is not in the core: the extras, and the sentence that names the one that is missing."""

from importlib.util import find_spec

from cantstop.rules import CantStopError, Phrase

DISTRIBUTION = "cantstop-game"

_NEEDED = {
    "engine": ("wasmtime",),
    "arena": ("wasmtime", "numpy", "numba"),
    "web": ("fastapi", "uvicorn", "sqlalchemy", "alembic", "websockets", "prometheus_client"),
    "client": ("msgspec", "websockets"),
    "terminal": ("textual",),
    "postgresql": ("psycopg",),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "gpu": ("cupy",),
    "rl": ("gymnasium", "pettingzoo"),
    "openspiel": ("pyspiel",),
}
"""The modules that each extra brings and that are asked for."""

_PARTS = {
    "engine": Phrase("hints, reviews and the strong bots"),
    "arena": Phrase("the arena, the solver, evaluators and compiled bots of your own"),
    "web": Phrase("the web app"),
    "client": Phrase("tables on a server"),
    "terminal": Phrase("the terminal app"),
    "postgresql": Phrase("PostgreSQL"),
    "parquet": Phrase("Parquet files"),
    "ray": Phrase("a Ray cluster"),
    "gpu": Phrase("a GPU"),
    "rl": Phrase("the environments for learners"),
    "openspiel": Phrase("OpenSpiel"),
}
"""What people want them for."""


class MissingExtra(CantStopError, ImportError):
    """Something that is asked for comes with an extra that is not installed."""

    def __init__(self, *, extra: str, library: str | None = None) -> None:
        super().__init__(
            'To use {part}, first run: pip install "{distribution}[{extra}]"',
            part=library or _PARTS[extra],
            distribution=DISTRIBUTION,
            extra=extra,
        )


def is_installed(extra: str) -> bool:
    """Whether what an extra brings is there."""
    return all(find_spec(module) is not None for module in _NEEDED[extra])


def require(extra: str) -> None:
    """Say what to install, before an import fails without a word about it.

    Raises:
        MissingExtra: If what the extra brings is not installed.
    """
    if not is_installed(extra):
        raise MissingExtra(extra=extra)
