"""Published seconds beside which ours stand; ``benchmarks/published.csv`` names the source of each.

``python -m benchmarks.pages.published FOLDER`` writes that file from the folder of published tables.
"""

import csv
import sys
from pathlib import Path

from benchmarks.case import Settings
from benchmarks.suites import published as pc_sos_sdp
from benchmarks.suites import tsplib

FILE = Path(__file__).parents[1] / "published.csv"
COLUMNS = ("method", "case", "seconds", "source")
SOURCES = {
    "PC-SOS-SDP": "Piccialli, Russo Russo and Sudoso 2022, Tables 2-4: means of five instances, 16 cores",
    "SOS-SDP": "tables of CG+DCA on TSPLIB, which quote SOS-SDP: at most 24 hours, machine not known",
    "CG+DCA": "its tables on TSPLIB: column generation with DCA, machine not known",
}


def seconds(method: str) -> dict[str, float]:
    """Return the published seconds of a method, by case."""
    with FILE.open(newline="", encoding="utf-8") as stream:
        return {row["case"]: float(row["seconds"]) for row in csv.DictReader(stream) if row["method"] == method}


def configuration(dataset: str, kind: str, number: float) -> str:
    """Return the case of an instance of the PC-SOS-SDP paper, whose published seconds are means."""
    return f"{dataset}/{kind}/{number:.0f}"


def write(folder: Path) -> None:
    """Write the file."""
    means = pc_sos_sdp.read_published(folder)
    found = [
        ("PC-SOS-SDP", configuration(*key), figures["mean_seconds_16_cores"])
        for key, figures in means.items()
        if key[0] in pc_sos_sdp.N_CLUSTERS
    ]
    for case, both in tsplib.published(Settings(published=folder)).items():
        if case.split("/")[0] in tsplib.N_CLUSTERS:
            found += [(method, case, value) for method, value in zip(("SOS-SDP", "CG+DCA"), both, strict=True)]
    with FILE.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((method, case, f"{value:.6g}", SOURCES[method]) for method, case, value in found)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
