"""The game in a terminal: ``plain`` in lines of text, ``tui`` as a Textual app."""
