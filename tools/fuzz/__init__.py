"""Nonsense for the server, by the hundred thousand: what is sent, and what has to come back."""
