"""Many samples: MemeticKMeans works on samples of them, where no condition needs all."""

import numpy as np
import pytest

from pcsos import Instance, MemeticKMeans, heuristics
from pcsos.heuristics.sampled import SAMPLED_FROM

K = 10
MANY = SAMPLED_FROM // K + 1


def blobs(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    classes = rng.integers(K, size=n)
    return 9.0 * rng.normal(size=(K, 3))[classes] + rng.normal(size=(n, 3)), classes


def cost(points: np.ndarray, labels: np.ndarray) -> float:
    means = np.array([points[labels == c].mean(axis=0) for c in range(K)])
    return float(((points - means[labels]) ** 2).sum())


@pytest.mark.parametrize(
    ("n", "given", "method"),
    [
        (MANY - 1, {}, "s-mdeclust"),
        (MANY, {}, "sampled"),
        (MANY, {"must_link": [(0, 1)]}, "sampled"),
        (MANY, {"cannot_link": [(0, 1)]}, "ipc-kmeans"),
        (MANY, {"size_min": 2}, "sampled"),
    ],
)
def test_what_suits_an_instance(n: int, given: dict[str, object], method: str) -> None:
    assert heuristics.suited_method(Instance(np.arange(float(n)), K, **given)) == method  # type: ignore[arg-type]


def test_what_suits_is_what_runs_unless_a_method_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance([0.0, 1.0, 5.0, 6.0], 2)
    monkeypatch.setattr("pcsos.heuristics.registry.suited_method", lambda instance: "ipc-kmeans")
    runs = [heuristics.run(instance, *given).record.method for given in ((), ("ipc-kmeans",), ("s-mdeclust",))]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.slow
def test_samples_find_the_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    points, classes = blobs(MANY)
    methods: list[str] = []
    run = heuristics.run

    def noting(instance: Instance, method: str, **options: object) -> object:
        methods.append(method)
        return run(instance, method, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(heuristics, "run", noting)
    model = MemeticKMeans(K, random_state=0).fit(points)
    assert methods == ["sampled"]
    assert cost(points, model.labels_) <= cost(points, classes)
