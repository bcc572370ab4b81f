"""The instances in ``instances/`` and their recorded optima."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InfeasibleError
from pcsos.evidence.result import Result, Status
from pcsos.io import read_constraints, read_points
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import reduce_instance

FOLDER = Path(__file__).parents[1] / "instances"
LISTED: list[dict[str, Any]] = json.loads(FOLDER.joinpath("instances.json").read_text())
RECORDS: list[dict[str, Any]] = json.loads(FOLDER.joinpath("optima.json").read_text())
FEASIBLE = [record for record in RECORDS if record["status"] == "OPTIMAL"]
INFEASIBLE = [record for record in RECORDS if record["status"] == "INFEASIBLE"]
QUICK_SECONDS = 1.0


def load(record: dict[str, Any]) -> Instance:
    points = read_points(FOLDER / record["points"])
    if record["constraints"] is None:
        return Instance(points, record["n_clusters"])
    constraints = read_constraints(FOLDER / record["constraints"], points)
    return Instance(points, record["n_clusters"], constraints.must_link, constraints.cannot_link)


def named(records: list[dict[str, Any]]) -> dict[str, Any]:
    return {"argvalues": records, "ids": [record["name"] for record in records]}


def solve_record(record: dict[str, Any]) -> Result:
    return pcsos.solve(load(record), workers=1)


def test_every_instance_has_a_record_and_every_record_an_instance() -> None:
    for record, instance in zip(RECORDS, LISTED, strict=True):
        assert instance.items() <= record.items()
    assert len(FEASIBLE) >= 16
    assert len(INFEASIBLE) >= 4
    assert len(FEASIBLE) + len(INFEASIBLE) == len(RECORDS)


def test_the_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 1_500_000


@pytest.mark.parametrize("record", **named(FEASIBLE))
def test_recorded_labels_are_feasible_and_cost_what_is_recorded(record: dict[str, Any]) -> None:
    partition = Partition.of(load(record), record["labels"])
    assert partition.objective == pytest.approx(record["objective"], rel=1e-12)
    assert record["lower_bound"] <= record["objective"]
    assert record["gap"] <= 1.0001e-6


@pytest.mark.parametrize("record", **named([r for r in FEASIBLE if r["seconds"] <= QUICK_SECONDS]))
def test_quick_instances_are_solved_to_their_recorded_optimum(record: dict[str, Any]) -> None:
    result = solve_record(record)
    assert result.status is Status.OPTIMAL
    assert result.gap <= 1e-4
    assert record["lower_bound"] <= result.objective <= record["objective"] * (1 + 1.001e-4)
    assert result.lower_bound <= record["objective"] * (1 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("record", **named([r for r in FEASIBLE if r["seconds"] > QUICK_SECONDS]))
def test_other_instances_are_solved_to_their_recorded_optimum(record: dict[str, Any]) -> None:
    result = solve_record(record)
    assert result.status is Status.OPTIMAL
    assert record["lower_bound"] <= result.objective <= record["objective"] * (1 + 1.001e-4)
    assert result.lower_bound <= record["objective"] * (1 + 1e-12)


@pytest.mark.parametrize("record", **named(INFEASIBLE))
def test_infeasible_instances_are_proved_infeasible(record: dict[str, Any]) -> None:
    result = solve_record(record)
    assert result.status is Status.INFEASIBLE
    assert result.message
    assert result.labels is None


def test_the_infeasible_instances_need_different_proofs() -> None:
    kinds = set()
    for record in INFEASIBLE:
        try:
            reduce_instance(load(record))
            kinds.add("colouring")
        except InfeasibleError as error:
            kinds.add(error.witness["kind"])
    assert kinds == {"contradiction", "odd_cycle", "too_few_points", "colouring"}


@pytest.mark.slow
def test_the_generator_writes_the_committed_files(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "make.py", tmp_path)
    subprocess.run([sys.executable, "make.py"], cwd=tmp_path, check=True)
    written = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file())
    committed = {p.relative_to(FOLDER) for kind in ("points", "constraints") for p in (FOLDER / kind).iterdir()}
    assert set(written) == committed | {Path("make.py"), Path("instances.json")}
    for name in written:
        assert tmp_path.joinpath(name).read_bytes() == FOLDER.joinpath(name).read_bytes()


def test_distances_in_the_constraint_file_become_pairs() -> None:
    record = next(r for r in LISTED if r["name"] == "grid-distances")
    instance = load(record)
    i, j = np.triu_indices(instance.n_points, 1)
    distance = np.linalg.norm(instance.points[i] - instance.points[j], axis=1)
    assert len(instance.must_link) == (distance < 0.5).sum()
    assert len(instance.cannot_link) == (distance > 7.5).sum()
