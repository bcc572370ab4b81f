"""A partition is there at once, before any search that may take its time."""

import numpy as np
import pytest

import pcsos
from pcsos.base.events import Event, IncumbentFound
from pcsos.evidence.result import Status
from pcsos.search import first_incumbents
from tests.asked import asked

POINTS = np.random.default_rng(2).normal(size=(600, 2))


@pytest.fixture(autouse=True)
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("quick_partition", "memetic_partition"):
        monkeypatch.setattr(first_incumbents, name, lambda *_, **__: None)


@pytest.mark.parametrize(
    "given",
    [
        {"size_min": 110},
        {"sizes": [50, 150, 100, 180, 120]},
        {"must_link": [(0, 1), (1, 2)], "size_max": 125},
        {"soft_must_link": [(0, 1)], "penalty": 2.0},
        {"groups": np.arange(600) % 2, "group_min": 40},
    ],
    ids=lambda given: next(iter(given)),
)
def test_many_points_are_assigned_once(given: dict[str, object]) -> None:
    heard: list[Event] = []
    result = pcsos.solve(
        POINTS, 5, workers=1, **asked(**given), options=pcsos.Options(node_limit=0, on_event=heard.append)
    )
    assert result.status is Status.FEASIBLE
    assert [event.source for event in heard if isinstance(event, IncumbentFound)] == ["K"]


def test_a_colouring_of_presolve_is_a_partition() -> None:
    hidden = np.arange(60) % 3
    rng = np.random.default_rng(0)
    pairs = [(i, j) for i, j in rng.integers(0, 60, (400, 2)).tolist() if hidden[i] != hidden[j]]
    heard: list[Event] = []
    result = pcsos.solve(
        POINTS[:60], 3, cannot_link=pairs, workers=1, options=pcsos.Options(node_limit=0, on_event=heard.append)
    )
    assert result.status is Status.FEASIBLE
    assert [event.source for event in heard if isinstance(event, IncumbentFound)] == ["F"]


@pytest.mark.slow
@pytest.mark.parametrize(("many", "searches"), [(500, 0), (2_000, 1)])
def test_nothing_is_searched_beside_many_best_intervals(
    many: int, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    monkeypatch.setattr(first_incumbents, "SAMPLED_FROM", many)
    monkeypatch.setattr(first_incumbents, "memetic_partition", lambda channel, problem, *_: begun.append(problem.size))
    line = np.random.default_rng(3).normal(size=300)
    pcsos.solve(line, 4, cannot_link=[(int(np.argmin(line)), int(np.argsort(line)[1]))], workers=1)
    assert len(begun) == searches
