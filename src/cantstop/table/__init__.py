"""What a table is for everybody: its events, the fold of them, and who may do what.

Pure: no clock, no network, no database. The server decides on a ``Table``, a client follows one,
and ``cantstop.wire`` writes its events as JSON.
"""

from cantstop.table.table import Table

__all__ = ["Table"]
