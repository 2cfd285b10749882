"""The whole game compiled with Numba for games by the million, proven equal to ``rules``.

Numba is not imported here: it takes its time, and only the arena and the engine need it.
"""

from cantstop.extras import require

require("engine")
