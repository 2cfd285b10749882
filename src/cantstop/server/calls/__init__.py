"""Calls: telling players where they are that a table waits for them."""
