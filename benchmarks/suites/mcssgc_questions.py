"""MCSSGC with pairs from questions: figure 6 of Dang, Vu, Do, Le (2021) as a table.

A case is a data set with a number of seeds and of questions, which kmmffqs, asc and random questions spend; ten draws
of seeds, as in the suite mcssgc, whose data these are. MCSSGC gets the answers as pairs, ten neighbours, and must-links
as neighbours, as it was published, or contracted. No question is asked whose answer follows from others, so that fewer
are asked where everything follows. The Rand index counts points without a seed. ``asc`` is not the published one, whose
formula is in a paper that is not to be had.
"""

import warnings
from collections import defaultdict
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.suites.mcssgc import AS_PUBLISHED, DRAWN, FILES, NEIGHBOURS, SideInformation, agreement, drawn, labelled
from benchmarks.tables import mean, table
from pcsos.active import LabelOracle, collect

#: Seeds, and numbers of questions.
SETTINGS = {
    "ecoli": (30, (300, 400, 500, 600)),
    "iris": (6, (30, 40, 50, 60)),
    "protein": (25, (60, 80, 100, 120)),
    "soybean": (6, (2, 6, 10, 20, 30)),
    "yeast": (100, (200, 400, 600, 800)),
    "zoo": (25, (100, 120, 140, 160)),
    "haberman": (25, (100, 200, 300, 400)),
    "d1": (20, (30, 50, 70, 90)),
}
STRATEGIES = ("kmmffqs", "asc", "random")
WAYS: dict[str, dict[str, Any]] = {"published": AS_PUBLISHED, "contracted": {}}
REPEATS = 10
COLUMNS = (
    *("dataset", "seeds", "questions", "n", "d", "k"),
    *(f"{strategy} asked" for strategy in STRATEGIES),
    *(f"{strategy} {way} {figure}" for strategy in STRATEGIES for way in WAYS for figure in ("rand", "rand_sd")),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each setting of each data set that is there."""
    there = {name: settings.data / file for name, file in FILES.items()} if settings.data is not None else {}
    files = {name: str(path) for name, path in there.items() if path.exists()}
    return [
        Case(
            f"{name}-{seeds}-{questions}",
            {"dataset": name, "seeds": seeds, "questions": questions},
            {"dataset": name, "file": files.get(name), "seeds": seeds, "questions": questions},
        )
        for name, (seeds, numbers) in SETTINGS.items()
        if name not in FILES or name in files
        for questions in numbers
    ]


def run(dataset: str, file: str | None, seeds: int, questions: int, **_: Any) -> Row:
    """Ask by every strategy in each draw, and cluster with the answers."""
    from pcsos.semisupervised import MCSSGC

    points, classes = drawn(dataset) if dataset in DRAWN else labelled(dataset, file)
    k = int(classes.max()) + 1
    values: dict[str, list[float]] = defaultdict(list)
    for repeat in range(REPEATS):
        known = SideInformation.draw(classes, seeds, 0, np.random.default_rng(repeat)).seeds
        for strategy in STRATEGIES:
            oracle = LabelOracle(classes)
            found = collect(points, oracle, strategy=strategy, budget=questions, n_clusters=k, seed=repeat)
            values[f"{strategy} asked"].append(len(found.questions))
            for way, options in WAYS.items():
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message="cannot-links keep points out of all clusters")
                    model = MCSSGC(NEIGHBOURS, **options).fit(
                        points, known, must_link=found.must_link, cannot_link=found.cannot_link
                    )
                values[f"{strategy} {way} rand"].append(agreement(model.labels_, classes, known)[0])
    spreads = {f"{name}_sd": float(np.std(own, ddof=1)) for name, own in values.items() if name.endswith("rand")}
    return (
        {"n": len(points), "d": points.shape[1], "k": k} | {name: mean(own) for name, own in values.items()} | spreads
    )


def report(rows: list[Row], settings: Settings) -> str:
    """Return the curves of the figure as a table, and how often the published order of strategies is found."""
    done = [row for row in rows if row["outcome"] == "done"]
    names = [f"{strategy} {way}" for way in WAYS for strategy in STRATEGIES]
    lines = [
        [f"{row['dataset']}{'*' * (row['dataset'] in DRAWN)}", int(row["seeds"]), int(row["questions"])]
        + [row[f"{name} rand"] for name in names]
        for row in done
    ]
    wins = [
        [way, rival, f"{sum(gain > 0.0 for gain in gains)} of {len(gains)}", mean(gains)]
        for way in WAYS
        for rival in STRATEGIES[1:]
        for gains in [[row[f"kmmffqs {way} rand"] - row[f"{rival} {way} rand"] for row in done]]
    ]
    tables = (
        table(("data", "seeds", "questions", *names), lines),
        table(("must-links", "kmmffqs against", "ahead", "on average"), wins),
        f"failed or killed: {len(rows) - len(done)}",
    )
    return "\n\n".join(tables)
