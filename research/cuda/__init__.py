"""The solved game and the arena on a GPU: checked, played, fitted and measured."""
