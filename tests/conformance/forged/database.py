"""The database: its tables, and the classes of what is in them (section 1)."""

import re

from pcsos.evidence.run_file.rows import TABLES as STATEMENTS
from tests.conformance.forgery import Change, Forgery, added, changed, refused, stated

KIND = "database"


def anew(table: str, old: str, new: str) -> tuple[str, ...]:
    """The statements that make a table again, with its rows, with one word of its definition exchanged."""
    found = re.search(rf"CREATE TABLE {table} \(.*?\n?\);", STATEMENTS, re.DOTALL)
    assert found
    definition = " ".join(found[0].rstrip(";").split())
    assert old in definition
    copy = f"INSERT INTO {table} SELECT * FROM former"
    return f"ALTER TABLE {table} RENAME TO former", definition.replace(old, new), copy, "DROP TABLE former"


def of_hand(label: str, *own: Change, base: str = "hand") -> Forgery:
    return refused(label, base, KIND, *own)


def of_class(label: str, *own: Change, base: str = "hand") -> Forgery:
    return refused(f"class-{label}", base, "classes", *own)


UNKNOWN = added("evidence", problem=4, kind="known", bound=0.0, payload=b"", seconds=0.0, digest="")

FORGERIES = [
    of_hand("file-of-another-program: The application_id is another one. (1)", "PRAGMA application_id = 1"),
    of_hand("format-9: Formats before 10 are refused. (1)", "PRAGMA user_version = 9"),
    of_hand("format-11: Formats after 10 are refused. (1)", "PRAGMA user_version = 11"),
    of_hand("view: There is a view. (1)", "CREATE VIEW more AS SELECT 1"),
    of_hand("trigger: There is a trigger. (1)", "CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT 1; END"),
    of_hand("table-more: There is another table. (1)", "CREATE TABLE more (position INTEGER)"),
    of_hand("table-missing: A table is missing, though one that plays no part. (1)", "DROP TABLE events"),
    of_hand("index: There is an index. (1)", "CREATE INDEX more ON problems (parent)"),
    of_hand("column-more: A table has one column more. (1)", "ALTER TABLE claim ADD COLUMN more INTEGER"),
    of_hand("column-computed: A column is computed. (1)", "ALTER TABLE claim ADD COLUMN i INTEGER AS (1)"),
    of_hand("column-known: The claim has a column of another table. (1)", "ALTER TABLE claim ADD COLUMN seconds REAL"),
    of_hand(
        "column-missing: A column is missing, though one that plays no part. (1)",
        "ALTER TABLE claim DROP COLUMN digest",
    ),
    of_hand(
        "columns-in-another-order: Two columns of the claim are exchanged. (1)",
        *anew("claim", "objective REAL, lower_bound REAL", "lower_bound REAL, objective REAL"),
    ),
    of_hand(
        "column-checked: A column is checked by an expression. (1)",
        *anew("events", "name TEXT NOT NULL", "name TEXT NOT NULL CHECK (length(name) < 9)"),
    ),
    of_hand("column-default: A column has a default. (1)", *anew("events", "name TEXT", "name TEXT DEFAULT 'x'")),
    of_hand(
        "table-without-rowid: A table is of another kind. (1)",
        "DROP TABLE events",
        "CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, "
        "data TEXT NOT NULL) WITHOUT ROWID",
    ),
    of_hand("table-of-format-9: There is a table of another format. (1)", "CREATE TABLE covers (position INTEGER)"),
    of_hand(
        "no-key-of-problems: Nothing says that a problem is there once. (1)",
        *anew("problems", "problem INTEGER PRIMARY KEY", "problem INTEGER"),
    ),
    of_hand(
        "no-key-of-evidence: Evidence of a problem cannot be found at once. (1)",
        *anew("evidence", ", UNIQUE (problem, position)", ""),
    ),
    of_hand(
        "key-in-another-order: The key of the evidence is in another order. (1)",
        *anew("evidence", "UNIQUE (problem, position)", "UNIQUE (position, problem)"),
    ),
    of_hand(
        "key-more-of-evidence: A further key, from which rows can be read that say otherwise than the table. (1)",
        *anew("evidence", "UNIQUE (problem, position)", "UNIQUE (problem, position), UNIQUE (problem, kind, bound)"),
    ),
    of_hand(
        "key-wider: The key of the evidence holds more columns, which can be read from it alone. (1)",
        *anew("evidence", "UNIQUE (problem, position)", "UNIQUE (problem, position, bound)"),
    ),
    of_hand(
        "key-of-problems-beside: Problems have an index beside their table. (1)",
        *anew("problems", "problem INTEGER PRIMARY KEY", "problem INTEGER UNIQUE"),
    ),
    of_hand("key-more-of-claim: A further key. (1)", *anew("claim", "status TEXT NOT NULL", "status TEXT PRIMARY KEY")),
    of_hand("no-instance: There is no instance. (1)", "DELETE FROM instance"),
    of_hand("two-instances: There are two instances. (1)", "INSERT INTO instance SELECT * FROM instance"),
    of_hand("no-claim: The run has not ended. (1)", "DELETE FROM claim"),
    of_hand("two-claims: There are two claims. (1)", "INSERT INTO claim SELECT * FROM claim"),
    of_class(
        "integer-for-real: The objective is an INTEGER, in a column that is declared so. (1)",
        *anew("claim", "objective REAL", "objective INTEGER"),
    ),
    of_class(
        "real-for-integer: The number of clusters is a REAL, in a column that is declared so. (1)",
        *anew("instance", "n_clusters INTEGER", "n_clusters REAL"),
    ),
    of_class("text-for-real: The lower bound is text. (1)", changed("claim", lower_bound="much")),
    of_class("text-for-integer: The number of clusters is text. (1)", changed("instance", n_clusters="two")),
    of_class("half-for-integer: The number of clusters is 2.5. (1)", changed("instance", n_clusters=2.5)),
    of_class("text-for-blob: The points are text. (1)", changed("instance", points="0 2 10 12 11")),
    of_class("blob-for-text: The options are a blob. (1)", "UPDATE instance SET options = CAST(options AS BLOB)"),
    of_class(
        "digest: The digest of the instance is a blob, though nothing is proved with it. (1)",
        changed("instance", digest=b"0"),
    ),
    of_class("version: The version is text that is no UTF-8. (1)", "UPDATE instance SET version = CAST(X'FF' AS TEXT)"),
    of_class(
        "infinite-claim: The claimed lower bound is infinite, even of what is infeasible. (1)",
        changed("claim", lower_bound=float("inf")),
        base="odd-cycle",
    ),
    of_class(
        "infinite-seconds: The seconds of evidence are infinite, though nothing is proved with them. (1)",
        changed("evidence", "problem = 2", seconds=float("inf")),
    ),
    of_class(
        "digest-of-evidence: The digest of evidence is a blob, though nothing is proved with it. (1)",
        changed("evidence", "problem = 2", digest=b"0"),
    ),
    of_class(
        "digest-of-problem: The digest of a problem is a blob, though nothing is proved with it. (1)",
        changed("problems", "problem = 2", digest=b"0"),
    ),
    of_class(
        "bound-not-stated: The bound of a branching is text, though nothing is stated of it. (1)",
        changed("evidence", "problem = 0", bound="x"),
    ),
    of_class(
        "null-bound: A bound is NULL, in a column that may be. (1)",
        *anew("evidence", "bound REAL NOT NULL", "bound REAL"),
        changed("evidence", "problem = 2", bound=None),
    ),
    of_class(
        "null-payload: A payload is NULL, where there is nothing to hold. (1)",
        *anew("evidence", "payload BLOB NOT NULL", "payload BLOB"),
        changed("evidence", "kind = 'single'", payload=None),
    ),
    of_class(
        "null-parent: The parent of the whole's children is NULL. (1)",
        *anew("problems", "parent INTEGER NOT NULL", "parent INTEGER"),
        changed("problems", "parent = 0", parent=None),
    ),
    of_class("text-for-payload: A payload is empty text. (1)", changed("evidence", "kind = 'single'", payload="")),
    of_class("text-for-content: What a child decides is text. (1)", changed("problems", "problem = 4", content="0 4")),
    of_class("half-parent: The parent of a child is 1.5. (1)", changed("problems", "problem = 4", parent=1.5)),
    of_class("negative-parent: The parent of a child is -1. (1)", changed("problems", "problem = 4", parent=-1)),
    of_class(
        "real-for-parent: The parent of a child is a REAL, in a column that is declared so. (1)",
        *anew("problems", "parent INTEGER", "parent REAL"),
    ),
    of_class(
        "real-for-problem: What evidence is of is a REAL, in a column that is declared so. (1)",
        *anew("evidence", "problem INTEGER", "problem REAL"),
    ),
    of_class(
        "integer-for-bound: A bound is an INTEGER, in a column that is declared so. (1)",
        *anew("evidence", "bound REAL", "bound INTEGER"),
    ),
    of_class(
        "negative-position: The position of evidence is negative. (1)",
        changed("evidence", "problem = 2 AND kind = 'forced'", position=-1),
    ),
    of_class("large-position: A position is 2^62. (1)", changed("evidence", "kind = 'bound'", position=1 << 62)),
    of_class(
        "large-problem: The number of a problem is 2^62. (1)",
        changed("problems", "problem = 4", problem=1 << 62),
        changed("evidence", "problem = 4", problem=1 << 62),
        stated(1, "branching", children=[3, 1 << 62]),
    ),
    of_class(
        "negative-problem: The number of a problem is negative. (1)",
        changed("problems", "problem = 4", problem=-4),
        changed("evidence", "problem = 4", problem=-4),
        stated(1, "branching", children=[3, -4]),
    ),
    of_class("change: A change is neither ML nor CL nor a part. (1)", changed("problems", "problem = 4", change="cl")),
    of_class(
        "kind: Evidence of an unknown kind. (1)", changed("evidence", "problem = 2 AND kind = 'bound'", kind="proved")
    ),
    of_class(
        "kind-in-capitals: Evidence of a kind in capitals. (1)", changed("evidence", "kind = 'single'", kind="SINGLE")
    ),
    of_class("kind-more: Evidence of an unknown kind beside what proves all. (1)", UNKNOWN),
    of_class("status: The status is an unknown one. (1)", changed("claim", status="PERFECT")),
]
