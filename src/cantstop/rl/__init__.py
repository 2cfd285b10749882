"""The game for learners: environments of Gymnasium and PettingZoo, and a game of OpenSpiel.

``import cantstop.rl`` makes ``CantStop/Solo-v0`` and ``CantStop/Versus-v0`` known to Gymnasium,
where it is installed, for ``gymnasium.make`` and ``gymnasium.make_vec``. ``cantstop_v0.env()`` is
PettingZoo's, and ``load_game()`` OpenSpiel's. All have the same actions and the same observation,
by any rules, and returns that are not discounted (γ = 1): every game ends.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from cantstop.extras import MissingExtra

if TYPE_CHECKING:
    from cantstop.rl import cantstop_v0
    from cantstop.rl.encoding import Encoding, encoding_of, results
    from cantstop.rl.episode import Episode
    from cantstop.rl.gymnasium_envs import SoloEnv, VersusEnv
    from cantstop.rl.open_spiel_game import load_game
    from cantstop.rl.vector_env import CantStopVectorEnv

_PLACES = {
    "CantStopVectorEnv": "vector_env",
    "Encoding": "encoding",
    "Episode": "episode",
    "SoloEnv": "gymnasium_envs",
    "VersusEnv": "gymnasium_envs",
    "encoding_of": "encoding",
    "load_game": "open_spiel_game",
    "results": "encoding",
}
"""The modules of the public names: each loads the libraries that it is for."""

SOLO_THRESHOLD = -6.75
"""The mean return, not discounted, at which the solo game counts as learned: best play has -6.71531
(docs/solved.md), and no mean of games that were played can be asked to reach that."""

_LIBRARIES = {
    "gymnasium": "Gymnasium",
    "numba": "Numba",
    "numpy": "NumPy",
    "pettingzoo": "PettingZoo",
    "pyspiel": "OpenSpiel",
}


def __getattr__(name: str) -> object:
    """Load what is asked for, and say it in a sentence if a library for it is missing."""
    if name != "cantstop_v0" and name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_PLACES.get(name, name)}")
    except ModuleNotFoundError as error:
        if error.name not in _LIBRARIES:
            raise
        extra = "openspiel" if name == "load_game" else "rl"
        raise MissingExtra(extra=extra, library=_LIBRARIES[error.name]) from None
    return getattr(module, name) if name in _PLACES else module


def __dir__() -> list[str]:
    """Everything, also what is not loaded yet."""
    return sorted({*globals(), *__all__})


def _register() -> None:
    """Make the environments known to Gymnasium under their ids."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    for name, environment, vector, threshold in (
        ("CantStop/Solo-v0", "SoloEnv", "solo_vector_env", SOLO_THRESHOLD),
        ("CantStop/Versus-v0", "VersusEnv", "versus_vector_env", None),
    ):
        gymnasium.register(
            name,
            f"cantstop.rl.gymnasium_envs:{environment}",
            reward_threshold=threshold,
            vector_entry_point=f"cantstop.rl.vector_env:{vector}",
        )


_register()

__all__ = [
    "CantStopVectorEnv",
    "Encoding",
    "Episode",
    "SoloEnv",
    "VersusEnv",
    "cantstop_v0",
    "encoding_of",
    "load_game",
    "results",
]
