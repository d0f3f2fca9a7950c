"""Prints every row of a Parquet file of positions, as DuckDB reads it.

Started by cli/export.rs, which compares it with the archive. A line a row, in
the order of `id`: the columns of McKee's table, tab separated, `-` for none.
Before them a line with counts that DuckDB works out by itself.
"""

import sys

import duckdb


def main(games, positions):
    connection = duckdb.connect()
    counts = connection.execute(
        """SELECT count(*), count(DISTINCT store_id), sum(steps), count(DISTINCT boardstatus),
                  count(DISTINCT board), min(octet_length(board)), max(octet_length(board)),
                  (SELECT count(*) FROM read_parquet($games)),
                  (SELECT sum(turns) FROM read_parquet($games)),
                  (SELECT count(*) FROM read_parquet($games) JOIN read_parquet($positions)
                   USING (store_id))
           FROM read_parquet($positions)""",
        {"games": games, "positions": positions},
    ).fetchone()
    print("\t".join(str(count) for count in counts))
    rows = connection.execute(
        """SELECT game_id, turn, side, brating, wrating, winner, boardstatus, next_move, maxturns
           FROM read_parquet($positions) ORDER BY id""",
        {"positions": positions},
    )
    for row in rows.fetchall():
        print("\t".join("-" if value is None else str(value) for value in row))


if __name__ == "__main__":
    main(*sys.argv[1:])
