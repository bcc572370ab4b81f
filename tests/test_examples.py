"""The examples in the docstrings of what is public are right, and there are some."""

import doctest
import importlib

import pytest

import pcsos
from tests.slow import slow_where

#: Modules with public names, and how many examples (lines after ``>>>``) they have at least.
MODULES = {
    "solving": 6,
    "problem.instance": 3,
    "problem.gram": 3,
    "problem.similarity": 3,
    "problem.options": 3,
    "problem.validation.arrays": 2,
    "problem.partition": 2,
    "evidence.result.result": 10,
    "evidence.result.certain_pairs": 4,
    "evidence.result.certification": 3,
    "report.progress": 3,
    "problem.params": 2,
    "evidence.status": 4,
    "base.rand_index": 3,
    "evidence.result.words": 2,
    "analysis.choice.curve": 4,
    "analysis.choice.corners": 3,
    "analysis.choice.solve_front": 7,
    "analysis.choice.rows": 3,
    "analysis.choice.solve_path": 4,
    "problem.validation.names": 2,
    "verify.checker": 5,
    "heuristics.assignment.transport": 3,
    "heuristics.registry": 4,
    "heuristics.differential_evolution.hybrid": 5,
    "heuristics.differential_evolution.generation": 1,
    "heuristics.differential_evolution.landscape": 2,
    "analysis.active.session": 12,
    "analysis.active.oracles": 6,
    "analysis.active.side_by_side": 3,
    "estimators.certified": 5,
    "estimators.memetic": 3,
    "clusterers.selection": 20,
    "clusterers.soft.sparse": 4,
    "clusterers.soft.k_means": 8,
    "clusterers.soft.mpck_means": 4,
    "clusterers.soft.sparse_k_means": 8,
    "heuristics.neighbours": 4,
    "clusterers.graph.mcssgc": 10,
    "clusterers.graph.mcssdbs": 5,
    "clusterers.connected.connected_k_means": 4,
}


@pytest.mark.parametrize(
    ("module", "least"), slow_where(lambda item: item[0] == "clusterers.selection", MODULES.items())
)
def test_examples_are_right(module: str, least: int) -> None:
    found = doctest.testmod(importlib.import_module(f"pcsos.{module}"), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0
    assert found.attempted >= least


def test_what_the_package_offers_has_an_example() -> None:
    missing = [
        name
        for name in pcsos.__all__
        if callable(getattr(pcsos, name)) and ">>>" not in (getattr(pcsos, name).__doc__ or "")
    ]
    assert set(missing) <= {"InfeasibleError", "InputError", "PcsosError", "RunFileError", "Reason", "Status"}
