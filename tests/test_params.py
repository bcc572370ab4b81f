"""Parameters: their ranges, and that they reach the algorithms and come back from a run file."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.run_file import RunFile
from pcsos.problem.params import PARTS, AdmmParams, CutParams, Params, TreeParams

POINTS = np.random.default_rng(2).standard_normal((40, 6))


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (TreeParams, {"root_rounds": 0}, r"TreeParams.root_rounds is 0; give a whole number of at least 1$"),
        (TreeParams, {"node_rounds": 2.5}, r"TreeParams.node_rounds is 2.5; give a whole number"),
        (TreeParams, {"root_rounds": True}, r"root_rounds is True"),
        (TreeParams, {"root_rounds": np.array([3])}, r"root_rounds is array\(\[3\]\); give a whole number"),
        (TreeParams, {"fixing_gap": float("inf")}, r"fixing_gap is inf; give a number"),
        (AdmmParams, {"over_relaxation": 2.0}, r"over_relaxation is 2.0; give a number of at least 1 and at most 1.99"),
        (CutParams, {"fall": float("nan")}, r"fall is nan"),
        (CutParams, {"first_threshold": "much"}, r"first_threshold is 'much'"),
    ],
)
def test_values_out_of_range_are_refused(kind: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kind(**values)


def test_parts_of_another_kind_are_refused() -> None:
    with pytest.raises(InputError, match=r"Params.tree is 3; give a TreeParams"):
        Params(tree=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"params is a dict; give a pcsos.problem.params.Params"):
        pcsos.solve(POINTS, 3, options=pcsos.Options(params={"tree": {}}))  # type: ignore[arg-type]


def test_every_parameter_is_described() -> None:
    for kind in PARTS.values():
        for item in fields(kind):
            assert item.name in (kind.__doc__ or "")


def test_parameters_reach_the_tree() -> None:
    few = Params(tree=TreeParams(root_rounds=1, node_rounds=1, fixing_gap=-1.0))
    usual, branching = (
        pcsos.solve(POINTS[:14, :2], 3, workers=1, options=pcsos.Options(params=params, node_limit=9))
        for params in (Params(), few)
    )
    assert usual.nodes < branching.nodes


@pytest.mark.parametrize("part", [AdmmParams(iterations=3), CutParams(per_point=1, first_threshold=1.0)])
def test_parameters_reach_engine_and_cuts(part: Any) -> None:
    name = next(name for name, kind in PARTS.items() if isinstance(part, kind))
    bounds = []
    for params in (Params(), replace(Params(), **{name: part})):
        once = replace(params, tree=TreeParams(root_rounds=3, fixing_gap=-1.0))
        bounds.append(
            pcsos.solve(POINTS, 4, workers=1, options=pcsos.Options(node_limit=1, params=once)).root_lower_bound
        )
    assert bounds[1] < bounds[0]


def test_a_resumed_run_has_the_parameters_that_it_began_with(tmp_path: Path) -> None:
    params = Params(tree=TreeParams(root_rounds=1, node_rounds=2), admm=AdmmParams(sweeps=3))
    pcsos.solve(POINTS, 4, workers=1, run_file=tmp_path / "run", options=pcsos.Options(node_limit=1, params=params))
    with RunFile.open(tmp_path / "run") as file:
        assert file.options.params == params
