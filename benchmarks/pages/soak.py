"""The soak beside the record: for how long, under what troubles, what was checked, and whether memory grows."""

import math

from benchmarks.case import Row
from benchmarks.pages.rows import rows_of
from benchmarks.record.folder import Record
from benchmarks.soak.summary import CONFIDENCE, checks_of, growth_of_all, total_of
from benchmarks.tables import table

PART = "soak"
#: What failed up to this scenario is mended since, or was a mistake of the soak.
MENDED = 2767


def said(record: Record) -> str:
    """Return hours, scenarios, processes and failures, and what a solve adds to the memory of its process."""
    rows = rows_of(record, PART)
    hours = sum(row["seconds"] for row in rows) / 3600.0
    scenarios, processes = (int(sum(row[column] for row in rows)) for column in ("num_seeds", "num_processes"))
    checks, wrong = (sum(numbers) for numbers in list(zip(*checks_of(rows), strict=True))[1:])
    commits = ", ".join(dict.fromkeys(row["commit"] for row in rows))
    return (
        f"{hours:.1f} hours at {commits}: {scenarios:,} scenarios, {processes:,} processes, {checks:,} checks, "
        f"{wrong or 'none'} of which failed{grown(rows)}"
    )


def grown(rows: list[Row]) -> str:
    """Return what a solve adds to the memory its process uses, as a clause; nothing where it was not measured."""
    slope, half = growth_of_all(rows)
    if math.isnan(slope):
        return ""
    within = "" if math.isnan(half) else f" ± {half:.1f}"
    sure = "" if math.isnan(half) else f" ({100 * CONFIDENCE:.0f} % confidence)"
    return f"; a solve adds {slope:.1f}{within} kB to the memory that its process uses{sure}"


def troubles(record: Record) -> str:
    """Return how many processes met each trouble."""
    counts = total_of(rows_of(record, PART), "troubles")
    names = {"none": "left alone"}
    return ", ".join(f"{names.get(name, name)} ({number:,})" for name, number in counts.most_common())


def checks(record: Record) -> str:
    """Return how often each kind of check was made, and failed, and where all that failed is mended since."""
    rows = rows_of(record, PART)
    later = {name: failed for name, _, failed in checks_of([row for row in rows if row["first_seed"] > MENDED])}
    lines = [
        (name, f"{made:,}", f"{failed} (mended since)" if failed and later.get(name, failed) == 0 else failed)
        for name, made, failed in checks_of(rows)
    ]
    return table(("checked", "times", "failed"), lines, left=1)
