import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.run_file import RunFile
from pcsos.problem import options as options_module
from pcsos.problem.options import Options


def test_defaults() -> None:
    options = Options()
    assert (options.gap, options.time_limit, options.node_limit, options.seed) == (1e-4, None, None, 0)
    assert 1 <= options.num_workers <= min(os.cpu_count() or 1, 16)


def test_the_number_of_workers_asked_for_is_used() -> None:
    assert Options(workers=3).num_workers == 3


def test_minus_one_is_a_worker_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options_module, "cores", lambda: 40)
    assert (Options(workers=-1).num_workers, Options(workers=np.int64(-1)).num_workers, Options().num_workers) == (
        40,
        40,
        16,
    )


def test_numpy_numbers_become_plain_ones() -> None:
    given = {
        "gap": np.float32(0.5), "seed": np.int64(3), "workers": np.int32(2), "node_limit": np.uint8(7),
        "time_limit": np.int64(60),
    }  # fmt: skip
    options = Options(**given)
    found = {name: getattr(options, name) for name in given}
    assert found == given
    assert {name: type(value) for name, value in found.items()} == dict.fromkeys(given, int) | {
        "gap": float, "time_limit": float,
    }  # fmt: skip


@pytest.mark.parametrize("limit", [np.int64(60), np.float32(60.0), Fraction(60), math.inf, 10**400])
def test_any_time_limit_can_be_written_down(limit: Any, tmp_path: Path) -> None:
    result = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, time_limit=limit, run_file=tmp_path / "run")
    with RunFile.read(tmp_path / "run") as file:
        assert file.options.time_limit == (None if limit > 60 else 60.0)
    assert pcsos.resume(tmp_path / "run", time_limit=limit).objective == result.objective


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("gap", v) for v in (0.0, -1e-4, 1.0, 1e-12, math.nan, "small", True, None)],
        *[("time_limit", v) for v in (-1.0, math.nan, "1 h", True)],
        *[("node_limit", v) for v in (-1, 1.5, "3", True)],
        *[("workers", v) for v in (0, -2, -1.0, 1.5, "2", True)],
        *[("seed", v) for v in (-1, 0.5, None, "0", False)],
        *[("engine", v) for v in ("sdpnal", None, "ADMM")],
        *[("ilp", v) for v in ("cplex", None)],
    ],
)
def test_refuses_a_value_and_names_the_option(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"^{name} is .*; give "):
        Options(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gap", 1e-9),
        ("gap", 0.999),
        ("time_limit", 0),
        ("node_limit", 0),
        ("seed", 2**40),
    ],
)
def test_accepts_the_ends_of_a_range(name: str, value: float) -> None:
    assert getattr(Options(**{name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("k", "n_clusters"),
        ("random_state", "seed"),
        ("n_jobs", "workers"),
        ("init", "start"),
        ("sample_weight", "weights"),
    ],
)
def test_names_of_other_libraries_are_answered_with_those_that_are_meant(name: str, meant: str) -> None:
    arguments: dict[str, Any] = {name: 1}
    with pytest.raises(TypeError, match=f"there is no argument '{name}'; it is called '{meant}' here"):
        pcsos.solve([0.0, 1.0], **arguments)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        pcsos.solve([0.0, 1.0], 2, colour="red")  # type: ignore[call-arg]
