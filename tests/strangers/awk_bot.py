"""A bot in awk plays against one of the package."""

import shutil
from pathlib import Path

import cantstop

Path("bot.awk").write_text(
    """
$1 == "choose" { print $8; fflush(); next }
$1 == "stop" { print ($2 >= 2 ? "stop" : "roll"); fflush(); next }
{ print "ready"; fflush() }
""",
    encoding="utf-8",
)
awk = Path(shutil.which("awk") or "awk").resolve().name
options = "-W interactive" if awk == "mawk" else ""  # mawk would wait for a full buffer
record = cantstop.play_game([f"program:awk {options} -f bot.awk", "careful"], "win=1", dice=3)
print(record.outcome is not None, record.names[1])
