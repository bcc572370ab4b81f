"""Rows: what the tables of a run file hold, every value of the kind that its column asks for."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from pcsos.verify.errors import FormatError
from pcsos.verify.reading.columns import TABLES

Row = dict[str, Any]


def rows(connection: sqlite3.Connection, table: str, clause: str = "", *parameters: object) -> Iterator[Row]:
    """Yield the rows of a table, one at a time, with the values of all columns by their names.

    The clause follows the name of the table in the query, with the parameters.
    """
    columns = TABLES[table]
    cursor = connection.execute(f"SELECT * FROM {table} {clause}", parameters)
    names = [name for name, *_ in cursor.description]
    for values in cursor:
        for name, value in zip(names, values, strict=True):
            columns[name].check(value, f"{table}.{name}")
        yield dict(zip(names, values, strict=True))


def only_row(connection: sqlite3.Connection, table: str, name: str, clause: str = "", *parameters: object) -> Row:
    """Return the one row of a table that fits."""
    found = list(rows(connection, table, f"{clause} LIMIT 2", *parameters))
    if len(found) != 1:
        raise FormatError(f"{len(found)} rows for {name}")
    return found[0]
