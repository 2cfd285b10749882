"""A bot at a table on a server.

Open a table with a free seat, and then: ``python online_bot.py http://localhost:8000/t/k7Qm``
"""

import sys

from cantstop import Phase
from cantstop.client import Player


def main(link: str) -> None:
    with Player.join(link, name="Sprinter") as me:
        for position in me.decisions():
            if position.phase is Phase.MOVE:
                me.move(max(position.legal_moves, key=sum))
            elif position.may_stop and me.moves >= 4:
                me.stop()
            else:
                me.roll()
        won = me.outcome is not None and me.table.mine & set(me.outcome.winners)
    print("I won!" if won else "I lost.")


if __name__ == "__main__":
    main(sys.argv[1])
