"""How the database came to its present shape, one step after the other.

A change of ``schema.py`` comes with a new file in ``versions``; a test says when one is missing.
"""
