"""The suite of the defaults of the soft clusterers, and a quick version of what it claims."""

from statistics import fmean

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from benchmarks.suites import soft_defaults
from benchmarks.suites.soft_defaults import SETS, SOFT, WRONG, compared, drawn_pairs, models, num_worse

QUICK = ("wine", "iris", "blobs, apart", "blobs, stretched", "redundant features")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:some pairs are broken")
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("dataset", QUICK)
def test_the_defaults_are_no_worse_than_no_pairs(dataset: str, wrong: float) -> None:
    points, classes = SETS[dataset]()
    num_pairs = soft_defaults.WINE_PAIRS if dataset == "wine" else int(soft_defaults.SHARE * len(points))
    index: dict[str, list[float]] = {method: [] for method in ("KMeans", *SOFT)}
    for seed in range(4):
        pairs = drawn_pairs(classes, num_pairs, wrong, seed)
        calls = models(len(np.unique(classes)), seed)
        for method, values in index.items():
            values.append(adjusted_rand_score(classes, calls[method](points, *pairs)))
    for method in SOFT:
        assert fmean(index[method]) >= fmean(index["KMeans"])
    if dataset == "wine" and not wrong:
        assert min(fmean(index[method]) for method in SOFT) >= 0.93


def test_the_published_search_is_worse_than_no_pairs() -> None:
    """What the defaults mend: one start by index with labels kept, and penalties by distance."""
    points, classes = SETS["wine"]()
    calls = models(3, 0)
    pairs = drawn_pairs(classes, soft_defaults.WINE_PAIRS, 0.0, 0)
    published, alone = (adjusted_rand_score(classes, calls[name](points, *pairs)) for name in ("published", "KMeans"))
    assert published < alone - 0.1


@pytest.mark.parametrize("dataset", SETS)
def test_sets_are_the_same_again(dataset: str) -> None:
    (points, classes), (again, _) = SETS[dataset](), SETS[dataset]()
    np.testing.assert_array_equal(points, again)
    assert points.shape == (len(classes), points.shape[1])
    must, cannot = drawn_pairs(classes, 100, 0.0, 1)
    assert (classes[must[:, 0]] == classes[must[:, 1]]).all()
    assert (classes[cannot[:, 0]] != classes[cannot[:, 1]]).all()
    assert len(must) + len(cannot) == 100


def test_the_report_counts_where_pairs_do_harm() -> None:
    row = dict.fromkeys(soft_defaults.COLUMNS, 0.5) | {"name": "wine/0", "outcome": "done", "published above": -0.6}
    text = soft_defaults.report([row, {"name": "wine/0.1", "outcome": "failed"}], None)
    assert "PCKMeans is worse than k-means in 0 of 1" in text
    assert "published is worse than k-means in 1 of 1" in text
    assert "failed or killed: 1" in text
    assert num_worse("published", [row | {"published above": -0.4}]) == 0  # within its standard error


def test_a_method_with_fewer_draws_is_compared_on_its_own() -> None:
    above, error = compared([0.5, 0.7], [0.4, 0.5, 0.0])
    assert above == pytest.approx(0.15)
    assert error == pytest.approx(0.05)
    assert compared([0.5, 0.5], [0.5, 0.5]) == (0.0, 0.0)
