"""The best simple rule: ``python -m tools.simple_rule COMMAND``; docs/strategy.md tells of it."""
