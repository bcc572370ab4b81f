"""The plan of the record: its parts in the order in which they run, those first that README and home page quote."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.case import Case, Settings
from benchmarks.data import with_files
from benchmarks.suites import suite_named


@dataclass(frozen=True)
class Part:
    """Cases of a suite, whose rows make one file of the record.

    Parameters
    ----------
    name : str
        Name of the file, without ``.csv``.
    suite : str
        Name of the suite.
    pattern : str
        Regular expression that is found in the names of its cases.
    every : int
        One case of so many is run, in the order of the suite.
    gap, time_limit, workers
        As in :class:`~benchmarks.case.Settings`.
    data : str or None
        Folder of the data that the suite needs, below the folder of all data; None where it needs none.
    quick : int
        Number of cases of a quick record, spread over all of them.
    """

    name: str
    suite: str
    pattern: str = ""
    every: int = 1
    gap: float = 1e-4
    time_limit: float = 60.0
    workers: int | None = None
    data: str | None = None
    quick: int = 1

    def settings(self, data: Path | None) -> Settings:
        """Return the settings of the suite's command line."""
        folder = None if data is None or self.data is None else data / self.data
        return Settings(data=folder, gap=self.gap, time_limit=self.time_limit, workers=self.workers)

    def cases(self, settings: Settings, *, quick: bool) -> list[Case]:
        """Return the cases that are to be run; none whose data are missing."""
        if self.data is not None and settings.data is None:
            return []
        all_of_it = [case for case in suite_named(self.suite).cases(settings) if re.search(self.pattern, case.name)]
        chosen = with_files(all_of_it[:: self.every], settings.data)
        return spread(chosen, self.quick) if quick else chosen


def spread(cases: Sequence[Case], number: int) -> list[Case]:
    """Return so many cases, evenly spread from the first on."""
    number = min(number, len(cases))
    return [cases[i * len(cases) // number] for i in range(number)]


PAIRS = "pc-sos-sdp"
SYNTHETIC = "s-mdeclust"
SMALL = "^(iris|wine|seeds|connectionist|glass)/"
#: The first draw with the fewest cannot-links, and no must-links, of each of the other data sets.
FEWEST_CANNOT_LINKS = "^((heart|vertebral|accent|ecoli)/ml_0_cl_100_0|(computers|ECG5000)/ml_0_cl_150_0)$"

PLAN: tuple[Part, ...] = (
    Part("published", "published", data=PAIRS, time_limit=300.0, quick=11),
    Part("million", "certify", "^plane/n1000000_spread9", gap=1e-3, time_limit=180.0, quick=0),
    Part("balanced", "balanced", data=PAIRS, time_limit=120.0, quick=6),
    Part(
        "comparators", "comparators", r"^exact/.*_0$|^heuristics/.*/ml_(0_cl_100|100_cl_0|50_cl_50)_0$", workers=1,
        data=PAIRS, time_limit=30.0, quick=3,
    ),
    Part("verified", "verified", "^instances/", time_limit=300.0, quick=6),
    Part("unconstrained", "unconstrained", data="", time_limit=120.0, quick=4),
    Part("tsplib", "tsplib", data="", quick=3),
    Part("growth-plane", "certify", r"^plane/n(1000|10000|100000)_", gap=1e-3, quick=1),
    Part("large", "certify", "^large/", data="", time_limit=300.0, quick=2),
    Part("published-1e-6", "published", SMALL, gap=1e-6, data=PAIRS, time_limit=300.0, quick=5),
    Part("published-one-core", "published", FEWEST_CANNOT_LINKS, workers=1, data=PAIRS, time_limit=300.0),
    Part("rivals", "rivals", data="", workers=1, quick=8),
    Part("engines", "engines", data=PAIRS, time_limit=120.0, quick=3),
    Part("memetic", "memetic", every=2, data=PAIRS, quick=4),
    Part("instances", "instances", quick=6),
    Part("scaling", "scaling", quick=2),
    Part("trace", "trace", data=PAIRS),
    Part("plane", "plane", r"^n(1000|5000|20000-k2)-", gap=1e-3, time_limit=30.0, data=SYNTHETIC, quick=2),
    Part("growth-drawn", "certify", r"^drawn/n((1|3|10|30|100)000_spread9|(10|100)000_spread2)_pairs0", gap=5e-3,
         time_limit=200.0),
    Part("large-pairs", "certify", "^(blobs|s-mdeclust|drawn/n100000_spread9_pairs5000)", gap=1e-3, data="",
         time_limit=120.0, quick=0),
    Part("path", "path", data=PAIRS, time_limit=200.0),
    Part("soft_optimum", "soft_optimum"),
    Part("soft_confidence", "soft_confidence"),
    Part("soft_defaults", "soft_defaults", "/0.1$", time_limit=1200.0),
    Part("memory", "memory", quick=3),
    Part("hostile", "hostile", time_limit=600.0),
    Part("oracle", "oracle", every=4, time_limit=600.0),
    Part("dealings", "dealings", every=4, time_limit=600.0),
    Part("forged", "forged", every=4, time_limit=600.0),
    Part("confused", "confused", every=8, time_limit=600.0),
    Part("announced", "announced", every=8, time_limit=600.0),
    Part("checkers", "checkers", "^(?!certify/n10000)", every=3, workers=1, data=PAIRS, time_limit=40.0, quick=4),
    Part("disagreements", "disagreements", every=5, time_limit=600.0),
    Part("kill", "kill", every=6, quick=2),
    Part("interrupt", "interrupt"),
    Part("executors", "executors", gap=5e-3),
    Part("variants", "variants", every=3, data=PAIRS),
    Part("constrained_kmeans", "constrained_kmeans", every=3, data=PAIRS),
    Part("synthetic", "synthetic", r"^n(1000|5000|20000)-k(20|100)-c(500|2000)-", time_limit=20.0, data=SYNTHETIC),
    Part("dense", "dense", r"^n(1000|5000)-.*-p(5|20)-seed[0-2]$", time_limit=10.0),
    Part("million-drawn", "certify", "^drawn/n1000000_spread9", gap=5e-3, time_limit=1500.0, quick=0),
)  # fmt: skip
