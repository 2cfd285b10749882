"""The ways in which a call reaches a player: pushed by us, or fetched from a secret address."""
