"""How the value networks are trained and measured; ``python -m tools.train`` is the command."""
