"""Choices, certified: the cost of each number of clusters, and the fronts of cost against split and diameter.

Cases ``path/NAME`` solve k = 2 to 10 in one path, and then each k alone, without what the path has to begin with. Cases
``front/NAME/CRITERION`` have three clusters. Beside the fronts of the split stands what CPRBBA needed for them in the
paper of Guns, Dao, Vrain and Duong (ECAI 2016). Iris and wine are those of scikit-learn; the data folder holds
``datasets/seeds.txt.gz``, and without it seeds are left out. What is measured runs once before, unmeasured, so that the
path and the single solves have the same kernels loaded; before a front a small path does.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from sklearn import datasets

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.clock import cpu_clock
from benchmarks.tables import table
from pcsos.base.typing import Floats
from pcsos.io import read_points

T = TypeVar("T")

#: Numbers of clusters of the paths.
NUMBERS = range(2, 11)
#: Corners and seconds of CPRBBA for the front of cost and split.
PUBLISHED = {"iris": (10, 1.1), "wine": (9, 101.0), "seeds": (17, 179.0)}
COLUMNS = (
    *("kind", "dataset", "criterion", "n_points", "n_features", "num_rows", "num_proved", "best", "largest_gap"),
    *("seconds", "cpu_seconds", "cpu_seconds_alone", "published_rows", "published_seconds", "values", "costs"),
)


def cases(settings: Settings) -> list[Case]:
    """Return the paths and fronts of each data set."""
    found = []
    for name, (rows, seconds) in PUBLISHED.items():
        if name == "seeds" and settings.data is None:
            continue
        file = str(settings.data / "datasets" / "seeds.txt.gz") if name == "seeds" else None
        columns = {"kind": "front", "dataset": name}
        theirs = {"published_rows": rows, "published_seconds": seconds}
        found += [
            Case(f"path/{name}", {"kind": "path", "dataset": name}, {"dataset": name, "file": file, "criterion": None}),
            *(
                Case(
                    f"front/{name}/{criterion}",
                    columns | {"criterion": criterion} | (theirs if criterion == "split" else {}),
                    {"dataset": name, "file": file, "criterion": criterion},
                )
                for criterion in ("split", "diameter")
            ),
        ]
    return found


def run(dataset: str, file: str | None, criterion: str | None, **options: Any) -> Row:
    """Find a path, or a front."""
    rows = getattr(datasets, f"load_{dataset}")().data if file is None else read_points(file)
    row = {"n_points": len(rows), "n_features": rows.shape[1]}
    return row | (_path(rows, **options) if criterion is None else _front(rows, criterion, **options))


def _path(points: Floats, **options: Any) -> Row:
    """Solve all numbers of clusters in one path, and one by one."""
    pcsos.path(points, NUMBERS, **options)
    path, seconds = measured(lambda: pcsos.path(points, NUMBERS, **options))
    alone = measured(lambda: [pcsos.solve(points, number, **options) for number in NUMBERS])[1]
    return seconds | {
        "num_rows": len(path),
        "num_proved": sum(result.status is pcsos.Status.OPTIMAL for result in path.results),
        "best": path.best,
        "largest_gap": max((row.gap for row in path.rows if row.gap is not None), default=None),
        "cpu_seconds_alone": alone["cpu_seconds"],
        "values": " ".join(str(number) for number in NUMBERS),
        "costs": " ".join(f"{row.objective:.8g}" for row in path.rows if row.objective is not None),
    }


def _front(points: Floats, criterion: str, **options: Any) -> Row:
    """Find a front of three clusters."""
    pcsos.path(points[:30], range(2, 4), workers=1)
    front, seconds = measured(lambda: pcsos.front(points, 3, criterion, **options))
    return seconds | {
        "num_rows": len(front),
        "num_proved": sum(one.result.status is pcsos.Status.OPTIMAL for one in front.corners) * front.is_complete,
        "largest_gap": max((one.gap for one in front.corners if one.gap is not None), default=None),
        "values": " ".join(f"{one.value:.6g}" for one in front.corners),
        "costs": " ".join(f"{one.objective:.8g}" for one in front.corners),
    }


def measured(work: Callable[[], T]) -> tuple[T, Row]:
    """Return what work leads to, and its seconds."""
    begun, before = time.perf_counter(), cpu_clock()
    found = work()
    return found, {
        "seconds": round(time.perf_counter() - begun, 2),
        "cpu_seconds": round(cpu_clock() - before, 2),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line for each path and front."""
    header = ("case", "n", "d", "rows", "proved", "CPU s", "CPU s, one by one", "CPRBBA rows", "CPRBBA s")
    keys = (
        *("name", "n_points", "n_features", "num_rows", "num_proved", "cpu_seconds", "cpu_seconds_alone"),
        *("published_rows", "published_seconds"),
    )
    return table(header, [[row.get(key) for key in keys] for row in rows])
