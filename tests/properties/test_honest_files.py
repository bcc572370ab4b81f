"""Whoever bounds, and whatever is asked: both checkers accept the run file, so what was bounded is what it says."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import pcsos
from pcsos.problem.params import BlockParams, Params, PriceParams, TreeParams
from tests.asked import asked
from tests.second_checker.second import first_answers, second_answers, why_not
from tests.slow import slow_where


class Way(NamedTuple):
    """A way to a bound: points, clusters and features, what leads there, and the evidence that it was taken."""

    n: int
    k: int
    d: int
    params: Params
    taken: str
    gap: float = 1e-6
    certifies: bool = False
    has_gram: bool = False


NO_PRICES, ROUNDS = PriceParams(features_up_to=0), TreeParams(root_rounds=2, node_rounds=2)
PRICES = Params(prices=PriceParams(points_from=2, first_cells=4), blocks=BlockParams(whole_up_to=0))


def blocks(largest: int) -> Params:
    own = BlockParams(whole_up_to=0, least_size=2, least_members=1, probes=1, largest_size=largest)
    return Params(prices=NO_PRICES, tree=ROUNDS, blocks=own)


TREE = "problem = 0 AND kind = 'bound'"
PARTS = "kind = 'cover' AND (SELECT count(*) FROM problems WHERE change = 'part') > 3"
#: A part that is the whole, with all weights: where smaller ones were merged.
RUNG = """problem IN (
    SELECT problem FROM problems JOIN instance ON substr(content, -length(weights)) = weights WHERE change = 'part'
)"""
WAYS = {
    "tree": Way(9, 3, 2, Params(prices=NO_PRICES, tree=ROUNDS), TREE),
    "line": Way(9, 3, 1, Params(tree=ROUNDS), "kind = 'line'"),
    "certified line": Way(12, 3, 1, blocks(largest=6), "kind = 'line'", certifies=True),
    "prices": Way(12, 3, 2, PRICES, "kind = 'prices' AND problem = 0"),
    "branched prices": Way(30, 5, 2, PRICES, "kind = 'prices' AND problem > 0"),
    "parts": Way(12, 3, 2, blocks(largest=6), PARTS, certifies=True),
    "rung": Way(6, 3, 2, blocks(largest=4000), RUNG, gap=0.2),
    "certified whole": Way(9, 3, 2, blocks(largest=4000), TREE, certifies=True),
    "tree of a matrix": Way(9, 3, 2, Params(prices=NO_PRICES, tree=ROUNDS), TREE, has_gram=True),
    "line of a matrix": Way(9, 3, 1, Params(tree=ROUNDS), "kind = 'line'", has_gram=True),
    "certified matrix": Way(9, 3, 2, blocks(largest=4000), TREE, certifies=True, has_gram=True),
}
#: What takes longest, and differs least from the others.
SLOW = {"branched prices", "certified line", "certified whole", "tree of a matrix", "line of a matrix"}


def conditions(n: int, k: int) -> dict[str, dict[str, Any]]:
    """What is asked beside k clusters, each family by itself and most of them together."""
    size = n // k
    weights = np.resize([1.0, 40.0, 0.5, 0.25], n)
    own: dict[str, dict[str, Any]] = {
        "nothing": {},
        "pairs": {"must_link": [(0, 3)], "cannot_link": [(0, 1), (2, 4)]},
        "sizes": {"size_min": size - 1, "size_max": size + 1},
        "listed sizes": {"sizes": [size - 1, *[size] * (k - 2), n - size * (k - 1) + 1]},
        "weights": {"weights": weights, "weight_max": max(1.3 * weights.sum() / k, 41.25)},
        "groups": {"groups": np.arange(n) % 2, "group_max": -(-n // (2 * k)) + 1},
        "soft": {"soft_must_link": [(0, 4, 3.0), (1, 2, 0.5)], "soft_cannot_link": [(0, 5, 20.0), (3, 4, 1.0)]},
    }
    return own | {"most": own["pairs"] | own["sizes"] | own["groups"] | own["soft"]}


def write(way: Way, given: dict[str, Any], path: Path, node_limit: int | None) -> pcsos.Status:
    """Write a run file, and return what it claims."""
    points = np.random.default_rng(0).normal(size=(way.n, way.d))
    place: Any = pcsos.Gram(points @ points.T) if way.has_gram else points
    ending: dict[str, Any] = {"gap": way.gap, "workers": 1, "run_file": path}
    options = pcsos.Options(params=way.params, node_limit=node_limit)
    if not way.certifies:
        return pcsos.solve(place, way.k, **asked(**given), **ending, options=options).status
    labels = pcsos.solve(place, way.k, **asked(**given), workers=1).labels
    return pcsos.certify(place, labels, **asked(**given), **ending, options=options).status


@pytest.fixture(scope="module", params=slow_where(SLOW.__contains__, WAYS))
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[Path, pcsos.Status]:
    """The files of one way, and what they claim."""
    way, folder = WAYS[request.param], tmp_path_factory.mktemp("honest")
    found = {}
    for name, given in conditions(way.n, way.k).items():
        for node_limit in (None,) if way.certifies else (4, 0) if name in ("nothing", "most") else (4,):
            path = folder / f"{name} {node_limit}.run"
            found[path] = write(way, given, path, node_limit)
    assert any(has(path, way.taken) for path in found)
    return found


def has(path: Path, which: str) -> bool:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(f"SELECT 1 FROM evidence WHERE {which}").fetchone() is not None


def test_the_first_checker_accepts(files: dict[Path, pcsos.Status]) -> None:
    for (path, status), answer in zip(files.items(), first_answers(files), strict=True):
        assert answer.status == status, f"{path.name}: {answer.reason}"


@pytest.mark.slow
def test_the_second_checker_accepts(files: dict[Path, pcsos.Status]) -> None:
    if why_not() is not None:
        pytest.skip(f"the second checker cannot be built: {why_not()}")
    for (path, status), answer in zip(files.items(), second_answers(list(files)), strict=True):
        assert answer.status == status, f"{path.name}: {answer.reason}"
