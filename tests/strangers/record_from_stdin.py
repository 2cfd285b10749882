"""A record comes through a pipe, and goes on through the next."""

import sys

from cantstop import Record

for record in Record.iterate(sys.stdin):
    record.annotated(0, "seen").save(sys.stdout)
