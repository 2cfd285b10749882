"""The whole game compiled with Numba for games by the million, proven equal to ``rules``.

Nothing is imported here: Numba takes its time, and only the arena and the engine need it.
"""
