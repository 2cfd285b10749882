"""The whole game compiled with Numba for games by the million, proven equal to ``rules``.

The engine's module is made of the same functions. Numba is not imported here: ``fields.py`` does
without.
"""
