"""Selection: how well clusters agree with classes on held-out samples, and choices that are made by it.

The protocol of Vouros and Vasilaki (2021, section 3): folds of samples with known classes; pairs drawn from the
training part of a fold; clusters of all samples; the pairwise F of the test part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from pcsos.base.exceptions import InputError
from pcsos.base.rand_index import shared_pairs
from pcsos.base.typing import Floats, Indices
from pcsos.problem.generate import constraints_from_labels
from pcsos.problem.validation.arrays import coordinates, number_between, numbers, one_of, whole_number
from pcsos.problem.validation.cluster_names import sorted_classes
from pcsos.problem.validation.names import refuse_other_index
from pcsos.report.progress import counted, usual_stream

Kind = Literal["both", "must-link", "cannot-link"]
KINDS: tuple[Kind, ...] = ("both", "must-link", "cannot-link")


def pairwise_f(classes: ArrayLike, labels: ArrayLike) -> float:
    """Return the F score of clusters as guesses which pairs of samples share a class.

    With TP pairs that share a class and a cluster, precision is TP over the pairs that share a cluster, recall TP over
    those that share a class, and F their harmonic mean.

    Parameters
    ----------
    classes, labels : array-like of shape (n_samples,)
        Classes and clusters, by any names.

    Returns
    -------
    float
        From 0 to 1; 1 where neither has a pair that shares anything.

    Examples
    --------
    >>> from pcsos.clusterers.selection import pairwise_f
    >>> pairwise_f(["a", "a", "b", "b"], [0, 0, 0, 1])
    0.4
    """
    sizes = np.shape(classes), np.shape(labels)
    if sizes[0] != sizes[1] or len(sizes[0]) != 1:
        raise InputError(f"classes and labels have the shapes {sizes[0]} and {sizes[1]}; give one of each per sample")
    together, wanted, found = shared_pairs(classes, labels)
    return 1.0 if wanted + found == 0 else 2.0 * together / (wanted + found)


@dataclass(frozen=True)
class Protocol:
    """How pairs are drawn and samples are held out.

    Parameters
    ----------
    share : float
        Pairs to draw, as a share of all pairs of training samples; their number is made even.
    kind : {"both", "must-link", "cannot-link"}
        From which of them they are drawn, all being equally likely.
    n_folds, n_repeats : int
        Folds, stratified by class, and how often all of them are drawn anew.
    seed : int
        Seed of all draws; the same seed draws the same folds and pairs for whatever is compared.
    """

    share: float = 0.05
    kind: Kind = "both"
    n_folds: int = 10
    n_repeats: int = 25
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("kind", self.kind, KINDS)
        number_between("share", self.share, 0.0, 1.0, "a share of the pairs from {} to {}")
        for name, least in (("n_folds", 2), ("n_repeats", 1), ("seed", 0)):
            whole_number(name, getattr(self, name), least)

    def folds(self, classes: Indices) -> Iterator["Fold"]:
        """Go through the folds of all repeats; raises InputError where no class has enough samples for them."""
        most = int(np.bincount(classes).max())
        if self.n_folds > most:
            raise InputError(f"n_folds is {self.n_folds}, but no class has more than {most} samples; give fewer folds")
        for repeat in range(self.n_repeats):
            rng = np.random.default_rng([self.seed, repeat])
            splitter = StratifiedKFold(self.n_folds, shuffle=True, random_state=int(rng.integers(2**31)))
            for train, test in splitter.split(classes, classes):
                yield Fold(train, test, *drawn_pairs(classes, train, self.share, self.kind, rng))


class Fold(NamedTuple):
    """Training samples, test samples, and pairs of training samples."""

    train: Indices
    test: Indices
    must_link: Indices
    cannot_link: Indices


def drawn_pairs(
    classes: Indices, rows: Indices, share: float, kind: Kind, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Draw pairs of these rows, must-links where classes are equal and cannot-links where they differ.

    The number of pairs is a share of all pairs of the rows, rounded and made even, or as many as there are of a kind.
    """
    sizes = np.bincount(np.unique(classes[rows], return_inverse=True)[1])
    pool = len(rows) * (len(rows) - 1) // 2
    alike = int((sizes * (sizes - 1)).sum()) // 2
    wanted = round(share * pool)
    wanted += wanted % 2
    if kind == "both":
        must = int(rng.hypergeometric(alike, pool - alike, min(wanted, pool)))
        cannot = min(wanted, pool) - must
    else:
        must = min(wanted, alike) if kind == "must-link" else 0
        cannot = min(wanted, pool - alike) if kind == "cannot-link" else 0
    must_link, cannot_link = constraints_from_labels(classes[rows], n_must_link=must, n_cannot_link=cannot, seed=rng)
    return rows[must_link], rows[cannot_link]


def held_out_scores(models: Sequence[Any], X: ArrayLike, y: ArrayLike, protocol: Protocol | None = None) -> Floats:
    """Return the pairwise F of the test samples of each fold, for models that all see the same pairs.

    Parameters
    ----------
    models : sequence of estimators
        Clusterers whose ``fit`` takes ``must_link`` and ``cannot_link``; they are cloned.
    X : array-like of shape (n_samples, n_features)
        The samples, all of which are clustered.
    y : array-like of shape (n_samples,)
        Their classes.
    protocol : Protocol, optional
        By default that of the paper with 5 % of the pairs.

    Returns
    -------
    ndarray of shape (n_repeats * n_folds, n_models)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pcsos.clusterers import KMeans, PCKMeans
    >>> from pcsos.clusterers.selection import Protocol, held_out_scores
    >>> X, y = load_iris(return_X_y=True)
    >>> protocol = Protocol(share=0.02, n_repeats=1)
    >>> models = [KMeans(3, random_state=0), PCKMeans(3, random_state=0)]
    >>> scores = held_out_scores(models, X, y, protocol)
    >>> scores.shape, bool(scores[:, 0].mean() < scores[:, 1].mean())
    ((10, 2), True)
    """
    if hasattr(models, "fit"):
        raise InputError("models is one estimator; give a list of them")
    points, classes = _checked(X, y)
    return np.array([_scores(models, points, classes, fold) for fold in (protocol or Protocol()).folds(classes)])


def _scores(models: Sequence[Any], points: Floats, classes: Indices, fold: Fold) -> list[float]:
    """Return the F of each model on the test samples of a fold."""
    pairs = {"must_link": fold.must_link, "cannot_link": fold.cannot_link}
    fitted = [clone(model).fit(points, **pairs) for model in models]
    return [pairwise_f(classes[fold.test], model.labels_[fold.test]) for model in fitted]


def _checked(X: ArrayLike, y: ArrayLike) -> tuple[Floats, Indices]:
    points = coordinates(X, "X", (None, None), "give an array with one row per sample")
    refuse_other_index(X, y, "y")
    classes = sorted_classes(y, "y")
    if len(points) != len(classes):
        raise InputError(f"y has {len(classes)} classes but there are {len(points)} samples; give one class a sample")
    return points, classes


def sparsity_grid(n_features: int, step: float = 0.2) -> Floats:
    """Return the values of s that the paper tries: 1.1, 1.3, ... up to the root of the number of features.

    Examples
    --------
    >>> from pcsos.clusterers.selection import sparsity_grid
    >>> sparsity_grid(4).tolist()
    [1.1, 1.3, 1.5, 1.7, 1.9]
    """
    whole_number("n_features", n_features, 1)
    number_between("step", step, 1e-6, 1e6)
    count = int(np.floor((np.sqrt(n_features) - 1.1) / step + 1e-9)) + 1
    return np.round(1.1 + step * np.arange(count), 10) if count > 0 else np.ones(1)


@dataclass(frozen=True, eq=False)
class Selection:
    """What was chosen, and what came of it.

    Parameters
    ----------
    s : float
        The value to use: the one that was chosen most often, the least of them where there are several.
    chosen : ndarray, shape (n_repeats * n_folds,)
        The value that was chosen for each fold.
    scores : ndarray, shape (n_repeats * n_folds,)
        The F of the test samples of each fold with that value.
    """

    s: float
    chosen: Floats
    scores: Floats


def select_sparsity(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    how: Literal["nested", "oracle"] = "nested",
    grid: ArrayLike | None = None,
    protocol: Protocol | None = None,
    n_inner_folds: int = 3,
    verbose: bool = True,
) -> Selection:
    """Choose the bound on the sum of the weights of features by the pairwise F of held-out samples.

    Parameters
    ----------
    model : estimator
        A clusterer with the parameter ``s``.
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Their classes.
    how : {"nested", "oracle"}
        "nested" chooses anew in each fold, by folds of its training samples, and so says what to expect of samples
        without classes. "oracle" takes the value with the best mean F on the test samples themselves, as the paper
        does, which is too good to be true.
    grid : array-like, optional
        The values to try; those of :func:`sparsity_grid` by default.
    protocol : Protocol, optional
        By default that of the paper with 5 % of the pairs.
    n_inner_folds : int
        Folds of the training samples, for "nested".
    verbose : bool
        Whether a line on the standard error tells, every two seconds, how many folds are done.

    Returns
    -------
    Selection

    Raises
    ------
    InputError
        If samples, classes or options cannot be used.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pcsos.clusterers import PCSKMeans
    >>> from pcsos.clusterers.selection import Protocol, select_sparsity
    >>> X, y = load_iris(return_X_y=True)
    >>> protocol = Protocol(share=0.02, n_repeats=1)
    >>> model = PCSKMeans(3, random_state=0)
    >>> nested = select_sparsity(model, X, y, grid=[1.1, 1.9], protocol=protocol)
    >>> oracle = select_sparsity(model, X, y, grid=[1.1, 1.9], protocol=protocol, how="oracle")
    >>> bool(nested.scores.mean() <= oracle.scores.mean())
    True
    """
    one_of("how", how, ("nested", "oracle"))
    points, classes = _checked(X, y)
    values = sparsity_grid(points.shape[1]) if grid is None else _checked_grid(grid)
    models = [clone(model).set_params(s=float(s)) for s in values]
    protocol = protocol or Protocol()
    num_folds = protocol.n_repeats * protocol.n_folds
    folds = counted(protocol.folds(classes), num_folds, "folds", usual_stream() if verbose else None)
    if how == "oracle":
        scores = np.array([_scores(models, points, classes, fold) for fold in folds])
        best = int(scores.mean(axis=0).argmax())
        return Selection(float(values[best]), np.full(len(scores), values[best]), scores[:, best])
    picks, found = [], []
    for number, fold in enumerate(folds):
        picks.append(best_within(models, points, classes, fold.train, protocol, n_inner_folds, number))
        found += _scores([models[picks[-1]]], points, classes, fold)
    most = int(np.bincount(picks).argmax())
    return Selection(float(values[most]), values[picks], np.array(found))


def _checked_grid(grid: ArrayLike) -> Floats:
    remedy = "give at least one value of s, such as [1.1, 1.3]"
    values = numbers(grid, "grid", remedy)
    if values.ndim != 1 or not values.size:
        raise InputError(f"grid has shape {values.shape}; {remedy}")
    return values


def best_within(
    models: Sequence[Any],
    points: Floats,
    classes: Indices,
    rows: Indices,
    protocol: Protocol,
    n_inner_folds: int,
    number: int,
) -> int:
    """Return the model with the best mean F over folds of these rows; the others are clustered, but never looked at."""
    inner = Protocol(protocol.share, protocol.kind, n_inner_folds, 1, protocol.seed + 1 + number)
    scores = [
        _scores(models, points, classes, Fold(*(rows[part] for part in fold))) for fold in inner.folds(classes[rows])
    ]
    return int(np.mean(scores, axis=0).argmax())


class SignedRanks(NamedTuple):
    """Wilcoxon's signed-rank test: how often the first was better, worse and equal, and the two-sided p-value."""

    better: int
    worse: int
    equal: int
    p_value: float


def signed_ranks(first: ArrayLike, second: ArrayLike) -> SignedRanks:
    """Compare two methods over conditions by Wilcoxon's signed-rank test; equal conditions are left out.

    Parameters
    ----------
    first, second : array-like of shape (n_conditions,)
        The mean scores of the methods under each condition.

    Examples
    --------
    >>> from pcsos.clusterers.selection import signed_ranks
    >>> signed_ranks([0.9, 0.8, 0.7, 0.6], [0.8, 0.6, 0.4, 0.6])
    SignedRanks(better=3, worse=0, equal=1, p_value=0.25)
    """
    from scipy.stats import wilcoxon

    remedy = "give one mean score per condition and method"
    own, other = (numbers(scores, name, remedy) for scores, name in ((first, "first"), (second, "second")))
    if own.ndim != 1 or own.shape != other.shape or not np.isfinite([own, other]).all():
        raise InputError(f"first and second have the shapes {own.shape} and {other.shape}, or are not finite; {remedy}")
    differences = own - other
    told = differences[differences != 0.0]
    p_value = float(wilcoxon(told).pvalue) if told.size else 1.0
    return SignedRanks(int((told > 0).sum()), int((told < 0).sum()), len(differences) - len(told), p_value)
