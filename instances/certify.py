"""Solve the instances of this folder and record their optima: ``python instances/certify.py [NAME ...]``.

Every solved instance is written to ``optima.json`` at once, so the script can be stopped and started again;
without names it solves those that are not recorded yet.
"""

import datetime
import json
import sys
from pathlib import Path

import pcsos
from pcsos._version import __version__
from pcsos.evidence.result import Result
from pcsos.io import read_constraints, read_points

FOLDER = Path(__file__).parent
GAP = 1e-6


def main(names: list[str]) -> None:
    """Solve the named instances, or those without a record."""
    target = FOLDER / "optima.json"
    records = {r["name"]: r for r in json.loads(target.read_text())} if target.exists() else {}
    instances = json.loads(FOLDER.joinpath("instances.json").read_text())
    for instance in instances:
        if instance["name"] in names or (not names and instance["name"] not in records):
            record = records[instance["name"]] = certified(instance)
            print(*(record[key] for key in ("name", "status", "objective", "gap", "seconds")), flush=True)
            ordered = [records[i["name"]] for i in instances if i["name"] in records]
            target.write_text("[\n" + ",\n".join(" " + json.dumps(r) for r in ordered) + "\n]\n")


def certified(instance: dict[str, str]) -> dict[str, object]:
    """Solve one instance to a relative gap of 1e-6 and return its record."""
    points = read_points(FOLDER / instance["points"])
    must_link, cannot_link = (), ()
    if instance["constraints"]:
        constraints = read_constraints(FOLDER / instance["constraints"], points)
        must_link, cannot_link = constraints.must_link, constraints.cannot_link
    result = pcsos.solve(
        points,
        instance["n_clusters"],
        must_link=must_link,
        cannot_link=cannot_link,
        gap=GAP,
        time_limit=600.0,
    )
    return instance | outcome(result)


def outcome(result: Result) -> dict[str, object]:
    """Return what is recorded of a result."""
    labels = None if result.labels is None else result.labels.tolist()
    return {
        "status": str(result.status),
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 2),
        "how": f"pcsos {__version__}, python instances/certify.py, {datetime.date.today()}",
        "labels": labels,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
