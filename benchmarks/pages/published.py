"""Published seconds beside which ours stand; ``benchmarks/published.csv`` names the source of each.

``python -m benchmarks.pages.published FOLDER`` writes that file from the folder of published tables, and from the few
figures that are printed in a text.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.case import Settings
from benchmarks.suites import published as pc_sos_sdp
from benchmarks.suites import tsplib

FILE = Path(__file__).parents[1] / "published.csv"
COLUMNS = ("method", "case", "seconds", "solved_percent", "source")
SOURCES = {
    "PC-SOS-SDP": "Piccialli, Russo Russo and Sudoso 2022, Tables 2-4: means of five instances, 16 cores, to 1e-4",
    "CPRBBA": "Piccialli, Russo Russo and Sudoso 2022, Tables 5-7: means of five instances, an hour at most",
    "SOS-SDP": "tables of CG+DCA on TSPLIB, which quote SOS-SDP: to 1e-4, at most 24 hours, machine not known",
    "CG+DCA": "its tables on TSPLIB: column generation with DCA, to 1e-4, machine not known",
    "CPRBBA with sizes": "Guns, Dao, Vrain and Duong 2016: iris, exact, one thread",
    "CC-SOS-SDP": "Piccialli and Sudoso 2023: iris, 14 threads",
}
#: Printed seconds on iris under limits of sizes, by the names of the suite ``balanced``.
SIZES = {
    "CPRBBA with sizes": {"iris/38-": 1.3, "iris/42-": 2.5, "iris/46-": 18.5, "iris/50-": 295.0, "iris/-50": 159.0},
    "CC-SOS-SDP": {"iris/50-50": 5.0},
}
Figure = tuple[str, str, float, float]


def seconds(method: str) -> dict[str, float]:
    """Return the published seconds of a method, by case."""
    return _column(method, "seconds")


def solved(method: str) -> dict[str, float]:
    """Return the share of the instances that a method is printed to have solved, in percent, by case."""
    return _column(method, "solved_percent")


def configuration(dataset: str, kind: str, number: float) -> str:
    """Return the case of an instance of the PC-SOS-SDP paper, whose published seconds are means."""
    return f"{dataset}/{kind}/{number:.0f}"


def _column(method: str, column: str) -> dict[str, float]:
    with FILE.open(newline="", encoding="utf-8") as stream:
        return {row["case"]: float(row[column]) for row in csv.DictReader(stream) if row["method"] == method}


def write(folder: Path) -> None:
    """Write the file."""
    with FILE.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for method, case, value, share in figures(folder):
            writer.writerow((method, case, f"{value:.6g}", f"{share:g}", SOURCES[method]))


def figures(folder: Path) -> Iterator[Figure]:
    """Return method, case, seconds, and the share of the instances that were solved in percent."""
    for method, name in pc_sos_sdp.TABLES.items():
        for key, found in pc_sos_sdp.read_published(folder, name).items():
            yield method, configuration(*key), found[pc_sos_sdp.SECONDS[method]], found["solved_percent"]
    for case, both in tsplib.published(Settings(published=folder)).items():
        for method, value in zip(("SOS-SDP", "CG+DCA"), both, strict=True):
            yield method, case, value, 100.0 if value < tsplib.STOPPED else 0.0
    for method, printed in SIZES.items():
        for case, value in printed.items():
            yield method, case, value, 100.0


if __name__ == "__main__":
    write(Path(sys.argv[1]))
