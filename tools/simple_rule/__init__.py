"""The best simple rule: found by search, measured by the arena; ``python -m tools.simple_rule``."""
