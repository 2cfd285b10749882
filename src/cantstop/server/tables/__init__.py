"""A table and what may happen at it: pure values and decisions, no I/O."""
