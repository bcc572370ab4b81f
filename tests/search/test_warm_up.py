"""Warm-up: what is compiled before a run, in which order, and each kind once."""

import numpy as np
import pytest

from pcsos import Instance, Outliers
from pcsos.search import warm_up


@pytest.mark.parametrize("number", [0, 1, 5])
def test_each_kind_is_compiled_once_and_prices_first(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    monkeypatch.setattr(warm_up, "prepare", lambda each, **_: prepared.extend(own.what for own in each))
    points = np.random.default_rng(0).standard_normal((40, 2))
    warm_up.warm_up(instance=Instance(points, 3, conditions=[Outliers(number)] if number else []))
    assert prepared[0] == "prices"
    assert len(set(prepared)) == len(prepared) > 1
