"""The rows of a soak: a batch of scenarios as a row, and all rows as tables."""

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping

from scipy.stats import t as student

from benchmarks.case import Row
from benchmarks.soak.scenario import Outcome
from benchmarks.tables import mean, table

GROWTH = ("solves", "first_mb", "last_mb", "kb_a_solve", "used_kb_a_solve")
COLUMNS = (
    *("name", "commit", "first_seed", "num_seeds", "num_processes", "num_checks", "num_wrong"),
    *("abouts", "commands", "troubles", "checks", "wrong_kinds", "wrong_seeds", "first_wrong", "peaks"),
    *GROWTH,
    "seconds",
)
#: How sure the interval of the growth of the memory in use is, and what growth counts as none.
CONFIDENCE = 0.95
KB_A_SOLVE = 1.0
STEADY = f"memory in use does not grow by more than {KB_A_SOLVE:.0f} kB a solve"


def row_of(outcomes: list[Outcome], seconds: float, growth: Row, commit: str) -> Row:
    """Return the row of a batch of scenarios at a commit."""
    wrong = [(outcome, kind, sentence) for outcome in outcomes for kind, sentence in outcome.wrong]
    commands = _total(outcome.commands for outcome in outcomes)
    checks = _total(outcome.checks for outcome in outcomes)
    seeds = {outcome.seed for outcome in outcomes}
    first = min(seeds)
    return {
        "name": f"seeds-{first}", "commit": commit, "first_seed": first, "num_seeds": len(seeds),
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
    scenarios, processes = (int(sum(row[name] for row in rows)) for name in ("num_seeds", "num_processes"))
    hours, checks = sum(row["seconds"] for row in rows) / 3600, checks_of(rows)
    parts = [
        f"{hours:.2f} hours: {scenarios} scenarios, {processes} processes, "
        f"{sum(made for _, made, _ in checks)} checks, {sum(failed for *_, failed in checks)} of them failed"
    ]
    parts += [table((title, "processes"), total_of(rows, title).most_common()) for title in ("commands", "troubles")]
    parts += [table(("checks", "number", "failed"), checks), _growth(rows), _peaks(rows)]
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
    header = (
        *("processes", "solves in each", "MB at first", "MB at last", "kB held a solve"),
        *("kB in use a solve", f"± ({100 * CONFIDENCE:.0f} %)"),
    )
    lines: list[list[object]] = []
    for solves in sorted({row["solves"] for row in rows if row["solves"]}):
        own = [row for row in rows if row["solves"] == solves]
        held = (mean(float(row[name]) for row in own) for name in ("first_mb", "last_mb", "kb_a_solve"))
        lines.append([len(own), solves, *held, *growth_of_all(own)])
    return table(header, lines)


def growth_of_all(rows: list[Row]) -> tuple[float, float]:
    """Return by how many kB the memory in use grows with a solve, and half the interval of confidence; NaN if unknown.

    The slopes of the processes that were measured longest are the sample: the solves of one process are no independent
    values. There are few of them, so that the interval is that of Student's distribution. Rows of before the memory in
    use was measured tell nothing.
    """
    telling = [row for row in rows if row["solves"] and row["used_kb_a_solve"] is not None]
    longest = max((row["solves"] for row in telling), default=0)
    slopes = [float(row["used_kb_a_solve"]) for row in telling if row["solves"] == longest]
    if len(slopes) < 2:
        return mean(slopes), math.nan
    factor = float(student.ppf((1 + CONFIDENCE) / 2, len(slopes) - 1))
    return mean(slopes), factor * statistics.stdev(slopes) / math.sqrt(len(slopes))


def is_steady(rows: list[Row]) -> bool | None:
    """Tell whether the memory in use surely does not grow by more than is none; None where the interval holds both."""
    slope, half = growth_of_all(rows)
    if slope + half <= KB_A_SOLVE:
        return True
    return False if slope - half > KB_A_SOLVE else None


def checks_of(rows: list[Row]) -> list[tuple[str, int, int]]:
    """Return each check, how often it was made and how often it failed; the last one judges all rows together."""
    failed, steady = total_of(rows, "wrong_kinds"), is_steady(rows)
    found = [(name, made, failed[name]) for name, made in total_of(rows, "checks").most_common()]
    return found if steady is None else [*found, (STEADY, 1, int(not steady))]


def _peaks(rows: list[Row]) -> str:
    """Return the highest peaks of the first half of the rows beside those of the second, which are as many."""
    peaks = [json.loads(row["peaks"]) for row in rows]
    half = len(peaks) // 2
    first, then = highest(peaks[:half]), highest(peaks[len(peaks) - half :])
    return table(
        ("command, size", "most MB in the first half", "in the second"),
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
