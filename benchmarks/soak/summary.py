"""The rows of a soak: a batch of scenarios as a row, and all rows as tables."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping

from benchmarks.case import Row
from benchmarks.soak.scenario import Outcome
from benchmarks.tables import mean, table

GROWTH = ("solves", "first_mb", "last_mb", "kb_a_solve", "kb_error")
COLUMNS = (
    *("name", "commit", "first_seed", "num_seeds", "num_processes", "num_checks", "num_wrong"),
    *("abouts", "commands", "troubles", "checks", "wrong_kinds", "wrong_seeds", "first_wrong", "peaks"),
    *GROWTH,
    "seconds",
)
#: Seconds of the soak that peaks of memory are compared with.
FIRST_HOUR = 3600.0


def row_of(outcomes: list[Outcome], seconds: float, growth: Row, commit: str) -> Row:
    """Return the row of a batch of scenarios at a commit."""
    wrong = [(outcome, kind, sentence) for outcome in outcomes for kind, sentence in outcome.wrong]
    commands = _total(outcome.commands for outcome in outcomes)
    checks = _total(outcome.checks for outcome in outcomes)
    first = outcomes[0].seed
    return {
        "name": f"seeds-{first}", "commit": commit, "first_seed": first, "num_seeds": len(outcomes),
        "num_processes": commands.total(), "num_checks": checks.total(), "num_wrong": len(wrong),
        "abouts": json.dumps(Counter(outcome.about for outcome in outcomes)), "commands": json.dumps(commands),
        "troubles": json.dumps(_total(outcome.troubles for outcome in outcomes)), "checks": json.dumps(checks),
        "wrong_kinds": json.dumps(Counter(kind for _, kind, _ in wrong)),
        "wrong_seeds": " ".join(dict.fromkeys(str(outcome.seed) for outcome, _, _ in wrong)),
        "first_wrong": f"{wrong[0][1]}: {wrong[0][2]}" if wrong else "",
        "peaks": json.dumps(highest(outcome.peaks for outcome in outcomes)), "seconds": round(seconds, 1),
    } | growth  # fmt: skip


def report(rows: list[Row]) -> str:
    """Return what was done, what was checked, what was wrong, and whether memory grows."""
    total = {name: int(sum(row[name] for row in rows)) for name in ("num_seeds", "num_processes", "num_checks")}
    wrong = sum(int(row["num_wrong"]) for row in rows)
    hours = sum(row["seconds"] for row in rows) / 3600
    parts = [
        f"{hours:.2f} hours: {total['num_seeds']} scenarios, {total['num_processes']} processes, "
        f"{total['num_checks']} checks, {wrong} of them failed"
    ]
    failed = total_of(rows, "wrong_kinds")
    for title in ("commands", "troubles", "checks"):
        counts = total_of(rows, title).most_common()
        lines = [(name, number, failed[name]) for name, number in counts] if title == "checks" else counts
        header = (title, "number", "failed") if title == "checks" else (title, "processes")
        parts.append(table(header, lines))
    parts += [_growth(rows), _peaks(rows)]
    bad = [(row["name"], row["wrong_seeds"], row["first_wrong"]) for row in rows if row["num_wrong"]]
    if bad:
        parts.append("\n".join(f"{name}, seeds {_seeds(seeds)}: {first}" for name, seeds, first in bad))
    return "\n\n".join(parts)


def highest(peaks: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the highest peak of each kind."""
    found: dict[str, float] = {}
    for own in peaks:
        for kind, megabytes in own.items():
            found[kind] = max(found.get(kind, 0.0), megabytes)
    return found


def _growth(rows: list[Row]) -> str:
    """Return by how much the memory of a process grows that solves many instances, and all of them together."""
    lines = [[row[name] for name in GROWTH] for row in rows if row["solves"]]
    header = ("solves in one process", "MB at first", "MB at last", "kB a solve", "standard error")
    whole = [[sum(line[0] for line in lines), None, None, *growth_of_all(rows)]] * (len(lines) > 1)
    return table(header, [*lines, *whole])


def growth_of_all(rows: list[Row]) -> tuple[float, float]:
    """Return by how many kB memory grows with a solve, and the standard error, over all measured processes."""
    found = [(row["kb_a_solve"], row["kb_error"]) for row in rows if row["solves"]]
    return mean(slope for slope, _ in found), math.hypot(*(error for _, error in found)) / max(len(found), 1)


def _peaks(rows: list[Row]) -> str:
    """Return the highest peaks of the first hour beside those of all later ones."""
    passed, early, late = 0.0, [], []
    for row in rows:
        (early if passed < FIRST_HOUR else late).append(json.loads(row["peaks"]))
        passed += row["seconds"]
    first, then = highest(early), highest(late)
    return table(
        ("command, size", "most MB in the first hour", "later"),
        [(kind, first.get(kind), then.get(kind)) for kind in sorted(first | then)],
    )


def _seeds(cell: str | float) -> str:
    """Return seeds as they were written; one alone is read as a number."""
    return str(int(cell)) if isinstance(cell, float) else cell


def total_of(rows: list[Row], column: str) -> Counter[str]:
    """Return the sum of a column of counts."""
    return _total(Counter(json.loads(row[column])) for row in rows)


def _total(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for own in counts:
        total.update(own)
    return total
