"""What is said of proofs in a sentence: which of them are missing, and what one took."""

import math
from collections.abc import Callable, Sequence

from benchmarks.case import Row
from benchmarks.pages import provenance, rounding
from benchmarks.pages.rows import is_proved
from benchmarks.suites.published import seconds_of


def not_proved(rows: Sequence[Row], part: str, name_of: Callable[[Row], str] = lambda row: str(row["name"])) -> str:
    """Return, as a clause, what is not proved within the limit of its part, each with its gap."""
    missing = [f"{name_of(row)} ({bound(row)})" for row in rows if not is_proved(row)]
    within = f"within {provenance.limit(part)} seconds each"
    return f"not proved {within}: {', '.join(missing)}" if missing else f"all are proved {within}"


def worst_gap(rows: Sequence[Row], name_of: Callable[[Row], str]) -> str:
    """Return the largest gap of rows, where no bound is the worst; that all are proved where they are."""
    missing = [row for row in rows if not is_proved(row)]
    if not missing:
        return "no more than was asked for, as all are proved"
    row = max(missing, key=lambda row: math.inf if row["gap"] is None else float(row["gap"]))
    found = "unknown" if row["gap"] is None else rounding.gap(row["gap"])
    return f"{found} after {rounding.seconds(seconds_of(row))} seconds ({name_of(row)})"


def gap(row: Row) -> str:
    """Return the gap of a row for a table, in bold where it is larger than what was asked for."""
    if row["gap"] is None:
        return "no bound"
    return rounding.gap(row["gap"]) if is_proved(row) else f"**{rounding.gap(row['gap'])}**"


def bound(row: Row) -> str:
    """Return the gap of a row, or that there is no bound."""
    return "no bound" if row["gap"] is None else f"gap {rounding.gap(row['gap'])}"


def effort(row: Row) -> str:
    """Return the seconds of a row, and its nodes or that it did not end."""
    nodes = row["outcome"] if row["nodes"] is None else rounding.counted(int(row["nodes"]), "node")
    return f"{rounding.seconds(seconds_of(row))} seconds, {nodes}"
