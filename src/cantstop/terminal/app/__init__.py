"""The game in a modern terminal: a Textual app over the same tables as the plain mode."""
