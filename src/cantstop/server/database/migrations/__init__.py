"""Schema migrations, one after the other.

A change of ``schema.py`` comes with a new file in ``versions``; a test says when one is missing.
"""
