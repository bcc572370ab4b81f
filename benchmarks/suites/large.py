"""Certificates of clusterings too large for one relaxation: more features, many points.

``large/`` are sets of the AVOC paper and GT (``large/NAME.txt.gz``), ``drawn/`` mixtures of five Gaussians in four
dimensions, ``pairs/`` a mixture, blobs and a set of the S-MDEClust paper with pairs. A partition is found first, then
certified to the gap asked for or as closely as the time allows.
"""

from pathlib import Path
from typing import Any

from benchmarks import wording
from benchmarks.case import Case, Figure, Rows, in_tiers
from benchmarks.rows import done, rows_of
from benchmarks.solving import PROOF_COLUMNS, PROOF_SHOWN, certify_case
from benchmarks.suites.plane import synthetic_files

COLUMNS = PROOF_COLUMNS
SHOWN = PROOF_SHOWN
run = certify_case
#: Numbers of clusters, those of the published tables, by file.
N_CLUSTERS = {
    "10000_2_05": 2, "10000_2_10": 2, "10000_4_05": 4, "10000_4_075": 4, "abalone": 3, "facebook": 3, "electric": 3,
    "GT": 3,
}  # fmt: skip
#: Mixtures: number of points, and variance of the centres.
DRAWN = [(n, spread) for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000) for spread in (9, 2)]
RECORDED = r"n((1|3|10|30|100)000_spread9|(10|100)000_spread2|1000000_spread9)$"
MILLION = "drawn/n1000000_spread9"
#: A set of the S-MDEClust paper with pairs.
SYNTHETIC = "n5000-k20-c500"


def cases(data: Path | None) -> list[Case]:
    """Return the drawn cases, and those of files where there are any."""
    drawn = [
        Case(
            f"drawn/n{n}_spread{spread}", {"spread": [n, spread]}, gap=5e-3,
            time_limit=200.0 if n < 1_000_000 else 1500.0,
        )
        for n, spread in DRAWN
    ]  # fmt: skip
    with_pairs: dict[str, dict[str, Any]] = {
        "drawn-n100000_spread9": {"spread": [100_000, 9, 5000]},
        "blobs-n2000_k10": {"blobs": [2000, 10, 5]},
    }
    files: list[Case] = []
    if data is not None:
        with_pairs |= {
            f"s-mdeclust-{SYNTHETIC}": {"files": given}
            for name, given in synthetic_files(data).items()
            if name == SYNTHETIC
        }
        files = [
            Case(f"large/{name}", {"files": [str(data / "large" / f"{name}.txt.gz"), None, k]}, time_limit=300.0)
            for name, k in N_CLUSTERS.items()
        ]
    pairs = [Case(f"pairs/{name}", given, gap=1e-3, time_limit=120.0) for name, given in with_pairs.items()]
    return [*in_tiers(files, quick=2), *in_tiers(drawn, RECORDED, quick=1), *in_tiers(pairs, quick=0)]


def million(rows: Rows) -> str:
    """Return what a million points take."""
    (row,) = done(rows_of(rows, "large", MILLION))
    return f"{wording.gap(row['gap'])} in {wording.minutes(row['seconds'])} minutes, {row['peak_mb']:.0f} MB a process"


def by_blocks(rows: Rows) -> str:
    """Return how many of the certificates have more than one block."""
    own = rows_of(rows, "large")
    return wording.of(sum((row["n_blocks"] or 0) > 1 for row in own), len(own))


FIGURES: dict[str, Figure] = {
    "proved": lambda rows: wording.proved_of(rows_of(rows, "large", "large/")),
    "drawn": lambda rows: wording.proved_of(rows_of(rows, "large", "drawn/")),
    "pairs": lambda rows: wording.proved_of(rows_of(rows, "large", "pairs/")),
    "missed": lambda rows: wording.not_proved(rows_of(rows, "large")),
    "by_blocks": by_blocks,
    "million": million,
}
