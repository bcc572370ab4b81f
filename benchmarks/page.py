"""``python -m benchmarks pages``: write ``docs/benchmarks.md`` and its picture from the rows of a record.

The text is ``benchmarks/page.md``, in which ``{SUITE[FIGURE]}`` stands for a figure; nobody writes a measured one by
hand. README quotes some: ``figures()`` has each as the page shows it, by ``SUITE.FIGURE``.
"""

import argparse
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks import published, wording
from benchmarks.case import Row, Rows
from benchmarks.picture import dots
from benchmarks.record import WHOLE, facts_of, rows_in, summary
from benchmarks.repository import ROOT
from benchmarks.rows import NOT_MEASURED, NotMeasuredError, is_proved, read_rows, seconds_of, written_above
from benchmarks.soak import command as soak
from benchmarks.suites import NAMES, constrained, plane, suite_named
from benchmarks.tables import geometric_mean, mean, table

TEMPLATE = Path(__file__).with_name("page.md")
PAGE, PICTURE = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "pictures" / "benchmarks.svg"
#: What README and the home page quote, by hand: three figures with what stands beside them.
QUOTED = (
    *("constrained.proved", "constrained.minutes", "constrained.ratio_smaller", "constrained.ratio_larger"),
    *("plane.million_gap", "plane.million_seconds", "plane.million_verify_seconds"),
    *("sizes.iris_seconds", "sizes.cc_sos_sdp", "sizes.cprbba"),
)


def add_parser(commands: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = commands.add_parser("pages", help="write the page of benchmarks", description=__doc__)
    command.add_argument("--record", type=Path, default=WHOLE, metavar="FOLDER", help="default: benchmarks/results")
    command.add_argument("--check", action="store_true", help="write nothing, say what differs; exit status 1 then")
    command.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Write the page and the picture, or check them."""
    made = {PAGE: text(options.record), PICTURE: picture(rows_in(options.record))}
    if not options.check:
        for path, content in made.items():
            path.write_text(content, encoding="utf-8")
        return
    differing = [path for path, content in made.items() if not path.exists() or path.read_text() != content]
    print("\n".join(f"{path.name} differs from the record" for path in differing) or "all is as the record says")
    sys.exit(1 if differing else 0)


def text(record: Path) -> str:
    """Return the page as a record says."""
    rows = rows_in(record)
    found: dict[str, Mapping[str, str]] = {name: figures_of(name, rows) | source(record, name) for name in NAMES}
    found["accelerator"] = {"table": accelerated(record)} | source(record, "accelerator")
    return TEMPLATE.read_text(encoding="utf-8").format(**found, record=head(record, rows), soak=soaked(record))


def figures(record: Path = WHOLE) -> dict[str, str]:
    """Return every figure that the page can show, by ``SUITE.FIGURE``."""
    rows = rows_in(record)
    return {f"{name}.{key}": figure for name in NAMES for key, figure in figures_of(name, rows).items()}


def quoted(record: Path = WHOLE) -> dict[str, str]:
    """Return the figures that README quotes."""
    found = figures(record)
    return {name: found[name] for name in QUOTED}


def figures_of(suite: str, rows: Rows) -> dict[str, str]:
    """Return the figures of a suite; a sentence in place of those without rows."""
    found = {}
    for name, figure in suite_named(suite).FIGURES.items():
        try:
            found[name] = figure(rows)
        except NotMeasuredError:
            found[name] = NOT_MEASURED
    return found


def source(record: Path, suite: str) -> dict[str, str]:
    """Return where the rows of a suite are, how many and of what commit and machine, and what happened to them."""
    own, file = summary(record, suite), record / f"{suite}.csv"
    if not own["rows"]:
        return {"source": NOT_MEASURED}
    happened = [
        f"{own[key]} {words}"
        for key, words in (("not done", "failed or killed"), ("beside other work", "beside other work"))
        if own[key]
    ]
    where = f"`{suite}.csv`: {wording.counted(own['rows'], 'row')}, {wording.minutes(own['seconds'])} minutes"
    commits = " and ".join(f"`{commit}`" for commit in written_above(file, "commit"))
    machines = (machine.split(",")[0] for machine in written_above(file, "machine"))
    return {"source": "; ".join([where, *happened, f"commit {commits}, {' and '.join(dict.fromkeys(machines))}"])}


def head(record: Path, rows: Rows) -> dict[str, str]:
    """Return commit, machines, date, versions and hours of the record."""
    facts = facts_of(record)
    if not facts:
        return dict.fromkeys(("commit", "machines", "date", "versions", "hours", "rows"), NOT_MEASURED)
    return {
        "commit": facts["commit"][:10],
        "machines": "; ".join(dict.fromkeys(facts["machines"].values())),
        "date": f"{date.fromisoformat(facts['begun'][:10]):%d %B %Y}",
        "versions": facts["versions"],
        "hours": f"{sum(summary(record, name)['seconds'] for name in rows) / 3600.0:.1f}",
        "rows": f"{sum(map(len, rows.values())):,}",
    }


def accelerated(record: Path) -> str:
    """Return a table of the roots that a device has bounded."""
    rows = read_rows(record / "accelerator.csv")
    header = ("instance", "device", "gap", "seconds", "super-points", "features", "clusters", "MB")
    cells = []
    for row in rows:
        numbers = (row[key] for key in ("n_super_points", "n_features", "n_clusters", "peak_mb"))
        values = (wording.gap(row["gap"]), wording.seconds(row["seconds"]), *map(wording.whole, numbers))
        cells.append((row["name"], row["device"], *values))
    return table(header, cells, left=2) if rows else f"{NOT_MEASURED.capitalize()}."


def soaked(record: Path) -> str:
    """Return what the soak came to."""
    rows = read_rows(record / "soak.csv")
    return soak.sentence(rows) if rows else NOT_MEASURED


def picture(rows: Rows) -> str:
    """Return the picture: printed seconds and ours, on the instances with pairs and on the files of TSPLIB."""
    groups: dict[str, dict[str, float | None]] = {}
    theirs = published.seconds("PC-SOS-SDP")
    for name in constrained.N_CLUSTERS:
        own = [row for row in rows.get("constrained", []) if row["dataset"] == name]
        if own:
            cases = constrained.by_configuration(own)
            groups[name] = {"printed": mean(theirs[case] for case in cases), "pcsos": constrained.mean_seconds(own)}
    for name in plane.N_CLUSTERS:
        own = [row for row in rows.get("plane", []) if row["name"].startswith(f"tsplib/{name}/")]
        if own:
            printed = [published.seconds("SOS-SDP")[row["name"].removeprefix("tsplib/")] for row in own]
            groups[name] = {"printed": geometric_mean(printed), "pcsos": geometric_mean(map(counted_seconds, own))}
    return dots(groups, "mean seconds an instance")


def counted_seconds(row: Row) -> float:
    """Return the seconds of a proof; those of the limit, and no less, where there is none."""
    return seconds_of(row) if is_proved(row) else max(plane.TSPLIB_LIMIT, seconds_of(row))
