"""The tables of a player in the database: those whose games are not over."""

from datetime import datetime

import sqlalchemy as sa

from cantstop.server.database import schema


def unfinished_tables(
    connection: sa.Connection, player_id: str, since: datetime, most: int
) -> dict[str, int]:
    """A player's seats, by table, at those that something happened at since then: the last first.

    A game is written when it ends. One that ended before it had begun is not, and is here too.
    """
    holders, tables, games = schema.holders.c, schema.tables.c, schema.games.c
    runs = sa.exists().where(schema.turns.c.table_id == holders.table_id)
    query = (
        sa.select(holders.table_id, holders.seat)
        .join_from(schema.holders, schema.tables, tables.id == holders.table_id)
        .where(
            holders.player_id == player_id,
            (tables.touched_at >= since) | runs,
            ~sa.exists().where(games.table_id == holders.table_id),
        )
        .order_by(tables.touched_at.desc(), tables.id)
        .limit(most)
    )
    return {row.table_id: row.seat for row in connection.execute(query)}
