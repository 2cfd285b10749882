"""Measures the ladder's levels, and writes what docs/ladder.md shows."""
