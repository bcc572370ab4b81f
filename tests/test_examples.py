"""The examples in the docstrings of what is public are right, and there are some."""

import doctest
import importlib

import pytest

import pcsos
from tests.slow import slow_where

#: Modules with public names, and how many examples (lines after ``>>>``) they have at least.
MODULES = {
    "solve": 6,
    "problem.instance": 3,
    "problem.gram": 3,
    "similarity": 3,
    "options": 3,
    "validation.choices": 2,
    "problem.partition": 2,
    "result.result": 10,
    "result.certain_pairs": 4,
    "result.certification": 3,
    "progress": 3,
    "params": 2,
    "proofs.conflict": 4,
    "rand_index": 3,
    "numerics.aligned": 2,
    "choice.curve": 4,
    "choice.corners": 3,
    "choice.extent": 4,
    "choice.solve_front": 3,
    "choice.index": 3,
    "choice.solve_path": 4,
    "validation.names": 2,
    "verify.checker": 5,
    "assignment.transport": 3,
    "heuristics.registry": 4,
    "heuristics.differential_evolution.hybrid": 5,
    "heuristics.differential_evolution.restarted_kmeans": 4,
    "heuristics.differential_evolution.strategies": 1,
    "heuristics.differential_evolution.rearrangement": 2,
    "active.session": 6,
    "active.collection": 6,
    "active.oracles": 6,
    "active.side_by_side": 3,
    "estimators.certified": 5,
    "estimators.memetic": 3,
    "semisupervised.selection": 20,
    "semisupervised.soft.feature_weights": 4,
    "semisupervised.soft.k_means": 3,
    "semisupervised.soft.mpck_means": 4,
    "semisupervised.soft.pck_means": 5,
    "semisupervised.soft.pcsk_means": 4,
    "semisupervised.soft.sparse_k_means": 4,
    "neighbours.shared": 4,
    "semisupervised.graph.ssgc": 4,
    "semisupervised.graph.mcssgc": 6,
    "semisupervised.graph.mcssdbs": 5,
    "semisupervised.connected.connected_k_means": 4,
}


@pytest.mark.parametrize(
    ("module", "least"), slow_where(lambda item: item[0] == "semisupervised.selection", MODULES.items())
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
