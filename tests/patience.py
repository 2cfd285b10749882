"""How long tests wait for what is about to be so."""

from typing import Any

PATIENCE = 400
"""Seconds: nothing takes so long, but a machine may have many other things to do."""

PATIENT_SOCKET: Any = {"open_timeout": PATIENCE, "ping_interval": None}
"""Options of a WebSocket whose server may be slow to open it, and to answer a ping."""
