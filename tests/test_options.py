import math
import os

import numpy as np
import pytest

from pcsos import options as options_module
from pcsos.exceptions import InputError
from pcsos.options import Options


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
    options = Options(gap=np.float32(0.5), seed=np.int64(3), workers=np.int32(2), node_limit=np.uint8(7))
    assert [type(v) for v in (options.gap, options.seed, options.workers, options.node_limit)] == [
        float,
        int,
        int,
        int,
    ]
    assert (options.gap, options.seed, options.workers, options.node_limit) == (0.5, 3, 2, 7)


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
        ("time_limit", math.inf),
        ("node_limit", 0),
        ("seed", 2**40),
    ],
)
def test_accepts_the_ends_of_a_range(name: str, value: float) -> None:
    assert getattr(Options(**{name: value}), name) == value
