"""The database: its tables, and the classes of what is in them (section 1)."""

import re

from pcsos.evidence.run_file.rows import TABLES as STATEMENTS
from tests.conformance.forgery import Forgery, changed, refused

KIND = "database"


def anew(table: str, old: str, new: str) -> tuple[str, ...]:
    """The statements that make a table again, with its rows, with one word of its definition exchanged."""
    found = re.search(rf"CREATE TABLE {table} \(.*?\n?\);", STATEMENTS, re.DOTALL)
    assert found
    definition = " ".join(found[0].rstrip(";").split())
    assert old in definition
    copy = f"INSERT INTO {table} SELECT * FROM former"
    return f"ALTER TABLE {table} RENAME TO former", definition.replace(old, new), copy, "DROP TABLE former"


def of_hand(name: str, why: str, *own: str, base: str = "hand") -> Forgery:
    return refused(name, base, KIND, why, "1", *own)


def of_class(name: str, why: str, *own: str, base: str = "hand") -> Forgery:
    return refused(f"class-{name}", base, "classes", why, "1", *own)


FORGERIES = [
    of_hand("file-of-another-program", "The application_id is another one.", "PRAGMA application_id = 1"),
    of_hand("format-8", "Formats before 9 are refused.", "PRAGMA user_version = 8"),
    of_hand("format-10", "Formats after 9 are refused.", "PRAGMA user_version = 10"),
    of_hand("view", "There is a view.", "CREATE VIEW more AS SELECT 1"),
    of_hand("trigger", "There is a trigger.", "CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT 1; END"),
    of_hand("table-more", "There is another table.", "CREATE TABLE more (position INTEGER)"),
    of_hand("table-missing", "A table is missing, though one that plays no part.", "DROP TABLE events"),
    of_hand("index", "There is an index.", "CREATE INDEX more ON nodes (parent)"),
    of_hand("column-more", "A table has one column more.", "ALTER TABLE claim ADD COLUMN more INTEGER"),
    of_hand("column-computed", "A column is computed.", "ALTER TABLE claim ADD COLUMN i INTEGER AS (1)"),
    of_hand("column-known", "The claim has a column of another table.", "ALTER TABLE claim ADD COLUMN seconds REAL"),
    of_hand(
        "column-missing", "A column is missing, though one that plays no part.", "ALTER TABLE claim DROP COLUMN digest"
    ),
    of_hand(
        "columns-in-another-order",
        "Two columns of the claim are exchanged.",
        *anew("claim", "objective REAL, lower_bound REAL", "lower_bound REAL, objective REAL"),
    ),
    of_hand(
        "column-checked",
        "A column is checked by an expression.",
        *anew("events", "name TEXT NOT NULL", "name TEXT NOT NULL CHECK (length(name) < 9)"),
    ),
    of_hand("column-default", "A column has a default.", *anew("events", "name TEXT", "name TEXT DEFAULT 'x'")),
    of_hand(
        "table-without-rowid",
        "A table is of another kind.",
        "DROP TABLE events",
        "CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, "
        "data TEXT NOT NULL) WITHOUT ROWID",
    ),
    of_hand(
        "no-key-of-parts", "Parts cannot be found at once.", *anew("parts", "part INTEGER PRIMARY KEY", "part INTEGER")
    ),
    of_hand("no-key-of-nodes", "Nothing says that a node is there once.", *anew("nodes", ", UNIQUE (part, node)", "")),
    of_hand(
        "no-key-of-steps",
        "Nothing says that a step is there once.",
        *anew("steps", ", PRIMARY KEY (part, node, position)", ""),
    ),
    of_hand(
        "key-more-of-nodes",
        "A further key, from which rows can be read that say otherwise than the table.",
        *anew("nodes", "UNIQUE (part, node)", "UNIQUE (part, node), UNIQUE (part, node, parent, kind, i, j)"),
    ),
    of_hand("key-more-of-claim", "A further key.", *anew("claim", "status TEXT NOT NULL", "status TEXT PRIMARY KEY")),
    of_hand("no-instance", "There is no instance.", "DELETE FROM instance"),
    of_hand("two-instances", "There are two instances.", "INSERT INTO instance SELECT * FROM instance"),
    of_hand("no-claim", "The run has not ended.", "DELETE FROM claim"),
    of_hand("two-claims", "There are two claims.", "INSERT INTO claim SELECT * FROM claim"),
    of_class(
        "integer-for-real",
        "The objective is an INTEGER, in a column that is declared so.",
        *anew("claim", "objective REAL", "objective INTEGER"),
    ),
    of_class(
        "real-for-integer",
        "The number of clusters is a REAL, in a column that is declared so.",
        *anew("instance", "n_clusters INTEGER", "n_clusters REAL"),
    ),
    of_class("text-for-real", "The lower bound is text.", changed("claim", lower_bound="much")),
    of_class("text-for-integer", "The number of clusters is text.", changed("instance", n_clusters="two")),
    of_class("half-for-integer", "The number of clusters is 2.5.", changed("instance", n_clusters=2.5)),
    of_class("text-for-blob", "The points are text.", changed("instance", points="0 2 10 12 11")),
    of_class("blob-for-text", "The options are a blob.", "UPDATE instance SET options = CAST(options AS BLOB)"),
    of_class(
        "digest",
        "The digest of the instance is a blob, though nothing is proved with it.",
        changed("instance", digest=b"0"),
    ),
    of_class("version", "The version is text that is no UTF-8.", "UPDATE instance SET version = CAST(X'FF' AS TEXT)"),
    of_class(
        "infinite-claim",
        "The claimed lower bound is infinite, even of what is infeasible.",
        changed("claim", lower_bound=float("inf")),
        base="odd-cycle",
    ),
    of_class(
        "infinite-seconds",
        "The seconds of a node are infinite, though nothing is proved with them.",
        changed("nodes", "node = 2", seconds=float("inf")),
    ),
    of_class(
        "bound-of-node", "A column of a node that plays no part is text.", changed("nodes", "node = 2", lower_bound="x")
    ),
    of_class(
        "unused-column",
        "A node that is closed by multipliers has text in the place of prices.",
        changed("nodes", "node = 2", prices="x"),
    ),
    of_class("witness", "A witness is a blob.", changed("nodes", "node = 3", witness=b"{}")),
    of_class("negative-position", "The position of a node is negative.", changed("nodes", "node = 4", position=-1)),
    of_class(
        "negative-position-of-step", "The position of a step is negative.", changed("steps", "node = 4", position=-1)
    ),
    of_class(
        "large-node",
        "The number of a node is 2^62.",
        changed("nodes", "node = 4", node=1 << 62),
        changed("steps", "node = 4", node=1 << 62),
    ),
    of_class(
        "negative-node",
        "The number of a node is negative.",
        changed("nodes", "node = 4", node=-4),
        changed("steps", "node = 4", node=-4),
    ),
    of_class("negative-point", "A point of a decision is negative.", changed("nodes", "node = 4", i=-1)),
    of_class("kind-of-decision", "A decision is neither ML nor CL.", changed("nodes", "node = 4", kind="cl")),
    of_class("closing", "A closing is of an unknown kind.", changed("nodes", "node = 2", closing="proved")),
    of_class("kind-of-step", "A step is of an unknown kind.", changed("steps", "node = 2", kind="known")),
    of_class("status", "The status is an unknown one.", changed("claim", status="PERFECT")),
    of_class(
        "bound-of-part",
        "What is noted of a part is infinite, though nothing is proved with it.",
        changed("parts", "part = 1", lower_bound=float("inf")),
        base="cover",
    ),
    of_class(
        "digest-of-cover", "The digest of the last cover is a blob.", changed("covers", digest=b"0"), base="cover"
    ),
]
