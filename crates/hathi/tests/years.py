"""Asks a folder of positions by year, as DuckDB reads it.

Started by cli/export.rs, which asks the store the same. After the folder come
patterns: pieces on squares and who is to move, as `Ee4 rc6 g`. Prints the rows of
each year; then a line with the columns that lack statistics in some row group;
then a line for each pattern: positions as they are, positions with mirror images
and exchanged colours, and the years of the first of them.
"""

import sys

import duckdb


def images(pieces, mover):
    """The pattern in the four ways in which it is the same."""
    for mirror in (False, True):
        for flip in (False, True):
            image = []
            for piece in pieces:
                letter, file, rank = piece[0], ord(piece[1]) - ord("a"), int(piece[2])
                file = 7 - file if mirror else file
                rank = 9 - rank if flip else rank
                image.append((letter.swapcase() if flip else letter, file, rank))
            yield image, ("s" if mover == "g" else "g") if flip else mover


def condition(image):
    pieces, mover = image
    # Characters are counted from 1, ranks from 8 down.
    tests = [
        f"substr(boardstatus, {(8 - rank) * 8 + file + 1}, 1) = '{letter}'"
        for letter, file, rank in pieces
    ]
    return "(" + " AND ".join(tests + [f"side = '{mover}'"]) + ")"


def main(folder, *patterns):
    connection = duckdb.connect()
    files = f"{folder}/*/*.parquet"
    table = f"read_parquet('{folder}/*/*.parquet', hive_partitioning = true)"
    for year, rows, right in connection.execute(
        f"""SELECT year, count(*), bool_and(year IS NOT DISTINCT FROM extract(year FROM started))
            FROM {table} GROUP BY year ORDER BY year"""
    ).fetchall():
        print(year, rows, right)
    lacking = connection.execute(
        """SELECT DISTINCT path_in_schema FROM parquet_metadata($files)
           WHERE stats_min_value IS NULL AND stats_null_count IS DISTINCT FROM num_values
           ORDER BY ALL""",
        {"files": files},
    ).fetchall()
    print(" ".join(column for (column,) in lacking))
    for pattern in patterns:
        *pieces, mover = pattern.split()
        ways = [condition(image) for image in images(pieces, mover)]
        literal, either, years = connection.execute(
            f"""SELECT count(*) FILTER (WHERE {ways[0]}), count(*),
                    list(DISTINCT year ORDER BY year) FILTER (WHERE {ways[0]})
                FROM {table} WHERE {" OR ".join(ways)}"""
        ).fetchone()
        print(literal, either, *(years or []))


if __name__ == "__main__":
    main(*sys.argv[1:])
