"""The best simple rule: ``python -m research.simple_rule COMMAND``; see docs/strategy.md."""
