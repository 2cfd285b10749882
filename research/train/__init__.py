"""How the value networks are trained and measured; ``python -m research.train`` is the command."""
