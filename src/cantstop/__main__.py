"""``python -m cantstop`` is the ``cantstop`` command."""

from cantstop.cli import main

main()
