"""Attacks on a server of its own, and what ordinary players notice; ``python -m tools.attack``."""
