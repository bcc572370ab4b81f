"""The digest that the checker computes by itself is the one that the solver has written, whatever the instance."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import verify
from pcsos.verify.digest import Number, canonical
from tests import oracle
from tests.asked import asked
from tests.gram_instances import random_gram_instance
from tests.verify.certificates import HAND_MADE, edit, hand_made, write

POINTS = np.random.default_rng(0).standard_normal((12, 2))

CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "pairs": {"must_link": [(3, 1), (1, 3), (5, 5)], "cannot_link": [(7, 2), (0, 4)]},
    "weights": {"weights": np.arange(1.0, 13.0) / 7.0},
    "sizes": {"size_min": 3, "size_max": 5},
    "weight limits": {"weight_max": 5.5},
    "groups": {"groups": ["Köln", "b"] * 6, "group_min": {"b": 1}},
    "soft pairs": {"soft_must_link": [(0, 5, 0.1), (5, 0, 0.2)], "soft_cannot_link": [(1, 2, 1e-3)]},
    "all of it": {"weights": np.full(12, 0.3), "must_link": [(0, 1)], "size_min": 2, "soft_cannot_link": [(2, 3, 2.5)]},
}


def stored(path: Path) -> str:
    connection = sqlite3.connect(path)
    found: str = connection.execute("SELECT digest FROM instance").fetchone()[0]
    connection.close()
    return found


def unproved(path: Path, instance: Instance) -> Path:
    return write(path, instance, [], None, None, status=Status.UNKNOWN)


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_one_that_a_run_has_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    pcsos.solve(POINTS, 3, run_file=path, **asked(**CASES[name]))
    assert verify(path).digest == stored(path)


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_one_of_random_instances(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng) if seed % 3 else random_gram_instance(rng)
    path = unproved(tmp_path / "a.run", instance)
    assert verify(path).digest == stored(path)


def test_it_is_computed_and_not_read(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "a.run")
    honest = stored(path)
    edit(path, ("UPDATE instance SET digest = ?", ("0" * 64,)))
    assert verify(path).digest == honest
    edit(path, ("UPDATE instance SET points = ?", (encode_floats(2.0 * HAND_MADE.points),)))
    edit(path, ("UPDATE claim SET status = 'UNKNOWN', objective = NULL, labels = NULL, lower_bound = 0.0", ()))
    assert verify(path).digest != honest


def test_neither_the_order_of_pairs_matters_nor_one_that_says_nothing(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "a.run")
    edit(path, ("UPDATE instance SET cannot_link = ?", (encode_integers([[4, 1], [0, 2], [1, 4]]),)))
    edit(path, ("UPDATE instance SET must_link = ?", (encode_integers([[4, 4], [3, 2]]),)))
    assert verify(path).digest == stored(path)


def test_the_sign_of_zero_counts_as_the_solver_counts_it(tmp_path: Path) -> None:
    path = unproved(tmp_path / "a.run", Instance([-0.0, 1.0, 0.0], 2))
    assert verify(path).digest == stored(path)


def test_conditions_enter_it_in_one_form() -> None:
    text = '{"soft":[[1,0,1.50,2E0]], "limits": {"groups": ["\\u00e9","\\u007f\\"","\U0001f600"], "b":null}}'
    written = canonical(json.loads(text, parse_float=Number, parse_int=Number))
    assert written == (
        r'{"limits": {"b": null, "groups": ["\u00e9", "\u007f\"", "\ud83d\ude00"]}, "soft": [[1, 0, 1.50, 2E0]]}'
    )
