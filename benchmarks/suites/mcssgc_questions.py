"""MCSSGC with pairs from questions: figure 6 of Dang, Vu, Do, Le (2021) as a table.

A case is a data set and a draw of seeds, as in the suite mcssgc, whose data these are. kmmffqs, asc and random
questions spend as many questions as the figure has at most, and after each number that it shows MCSSGC gets the answers
so far as pairs, with ten neighbours, and must-links as neighbours, as it was published, or contracted. No question is
asked whose answer follows from others, so that fewer are asked where everything follows. The Rand index counts points
without a seed. ``asc`` is not the published one, whose formula is in a paper that is not to be had.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.suites.mcssgc import AS_PUBLISHED, DRAWN, FILES, NEIGHBOURS, SideInformation, agreement, drawn, labelled
from benchmarks.tables import mean, table
from pcsos.analysis.active import LabelOracle, collect
from pcsos.analysis.active.answer import Answer
from pcsos.base.typing import Floats, Indices

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
DRAWS = range(6)
COLUMNS = (
    *("dataset", "draw", "n", "d", "k"),
    *(f"{strategy} asked" for strategy in STRATEGIES),
    *(f"{strategy} {way} {step}" for strategy in STRATEGIES for way in WAYS for step in range(5)),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each draw of each data set that is there."""
    there = {name: settings.data / file for name, file in FILES.items()} if settings.data is not None else {}
    files = {name: str(path) for name, path in there.items() if path.exists()}
    return [
        Case(
            f"{name}-{draw}", {"dataset": name, "draw": draw}, {"dataset": name, "file": files.get(name), "draw": draw}
        )
        for draw in DRAWS
        for name in SETTINGS
        if name not in FILES or name in files
    ]


def run(dataset: str, file: str | None, draw: int, **_: Any) -> Row:
    """Let every strategy ask, and cluster with its answers after each number of questions."""
    points, classes = drawn(dataset) if dataset in DRAWN else labelled(dataset, file)
    row: Row = {"n": len(points), "d": points.shape[1], "k": int(classes.max()) + 1}
    seeds, numbers = SETTINGS[dataset]
    known = SideInformation.draw(classes, seeds, 0, np.random.default_rng(draw)).seeds
    for strategy in STRATEGIES:
        oracle = LabelOracle(classes)
        found = collect(points, oracle, strategy=strategy, budget=max(numbers), n_clusters=row["k"], seed=draw)
        row[f"{strategy} asked"] = len(found.questions)
        for step, number in enumerate(numbers):
            for way, options in WAYS.items():
                labels = grown(points, known, found.questions[:number], options)
                row[f"{strategy} {way} {step}"] = round(agreement(labels, classes, known)[0], 4)
    return row


def grown(points: Floats, known: Indices, answers: Sequence[Answer], options: dict[str, Any]) -> Indices:
    """Return the labels that MCSSGC finds with seeds and answers."""
    from pcsos.clusterers import MCSSGC

    must_link, cannot_link = ([(i, j) for i, j, same in answers if same is kind] for kind in (True, False))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="cannot-links keep points out of all clusters")
        model = MCSSGC(NEIGHBOURS, **options).fit(points, known, must_link=must_link, cannot_link=cannot_link)
    return np.asarray(model.labels_, np.intp)


def report(rows: list[Row], settings: Settings) -> str:
    """Return the curves of the figure as a table, and how often the published order of strategies is found."""
    done = [row for row in rows if row["outcome"] == "done"]
    names = [f"{strategy} {way}" for way in WAYS for strategy in STRATEGIES]
    lines = curves(done)
    wins = [
        [way, rival, f"{sum(gain > 0.0 for gain in gains)} of {len(gains)}", mean(gains)]
        for way in WAYS
        for rival in STRATEGIES[1:]
        for gains in [[line[f"kmmffqs {way}"] - line[f"{rival} {way}"] for line in lines]]
    ]
    tables = (
        table(("data", "draws", "seeds", "questions", *names), [list(line.values()) for line in lines]),
        table(("must-links", "kmmffqs against", "ahead", "on average"), wins),
        f"failed or killed: {len(rows) - len(done)}",
    )
    return "\n\n".join(tables)


def curves(rows: list[Row]) -> list[dict[str, Any]]:
    """Return the means over the draws for each number of questions of each data set; drawn ones have a star."""
    found = []
    for name, (seeds, numbers) in SETTINGS.items():
        own = [row for row in rows if row["dataset"] == name]
        for step, number in enumerate(numbers if own else ()):
            line: dict[str, Any] = {"data": f"{name}{'*' * (name in DRAWN)}", "draws": len(own), "seeds": seeds}
            line |= {"questions": number}
            for way in WAYS:
                line |= {f"{each} {way}": mean(row[f"{each} {way} {step}"] for row in own) for each in STRATEGIES}
            found.append(line)
    return found
