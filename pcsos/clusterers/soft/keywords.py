"""Keywords of the soft clusterers: where and how they search, and what broken pairs cost, described once."""

from typing import Annotated, Any, TypedDict

import numpy as np

from pcsos.problem.validation.signatures import Default, family


@family
class StartKeywords(TypedDict, total=False):
    """Where clusters begin, and how they are searched from there.

    Parameters
    ----------
    init : {"k-means++", "dkm++", "robin", "maximin", "seeding"} or callable
        Where centres begin. A callable gets the samples, n_clusters and a numpy.random.Generator and returns the
        centres, shape (n_clusters, n_features).
    n_init : int
        How many starts; the one with the best objective counts.
    order : {"random", "index"}
        In which order samples are gone through: drawn anew for each pass, or as they come, as in the paper. Without
        costs of pairs only ties depend on it. With them each sample goes to the cluster that is cheapest given those
        that its partners are in at that moment, so that the result depends on the order.
    max_iter : int
        Most passes over the samples, and most rounds of passes and weights where features are weighed.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts and of the order.
    """

    init: Annotated[Any, Default("k-means++")]
    n_init: Annotated[int, Default(10)]
    order: Annotated[str, Default("random")]
    max_iter: Annotated[int, Default(100)]
    random_state: int | np.random.RandomState | None


@family
class CostKeywords(TypedDict, total=False):
    """What broken pairs cost, and what is known of a sample when it is assigned again.

    Parameters
    ----------
    violation_cost : {"confidence", "distance"}
        With "confidence" a broken pair costs what a pair that is right with that probability is worth to round Gaussian
        clusters, 2 v log(p / (1 - p)) with v the variance that k-means leaves, beside squares that are divided by the
        variance of their feature where a metric is learned. With "distance" a broken must-link costs the squared
        distance of its samples, and a broken cannot-link what that lacks to the largest separation (equations 8, 10 and
        13), which makes cannot-links nearly hard.
    confidence : float
        The probability that a pair is right, above 0.5 and below 1; with other costs it has no part.
    reset_labels : bool
        Whether passes begin without labels as long as that lowers the cost. Otherwise, as in the paper, labels are kept
        from one pass to the next, and pairs hold a sample that was misplaced once where it is.
    """

    violation_cost: Annotated[str, Default("confidence")]
    confidence: Annotated[float, Default(0.95)]
    reset_labels: Annotated[bool, Default(True)]


class PairwiseKeywords(CostKeywords, StartKeywords, total=False):
    """What those take that pay for pairs that they break."""
