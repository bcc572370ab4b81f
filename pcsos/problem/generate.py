"""Seeded synthetic instances: mixtures of Gaussians, and constraints drawn from class labels."""

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.pairs import unique_pairs
from pcsos.problem.validation.arrays import number_between, seeded, whole_number
from pcsos.problem.validation.cluster_names import sorted_classes

#: Greater separations would leave no digit of the points within their components.
MOST_APART = 1e12

Seed = int | np.random.Generator


def gaussian_mixture(
    n_points: int, n_features: int, n_clusters: int, *, separation: float = 4.0, seed: Seed = 0
) -> tuple[Floats, Indices]:
    """Draw points from spherical unit Gaussians whose centres are ``separation`` apart on average.

    Parameters
    ----------
    n_points, n_features, n_clusters : int
        Number of points n, features d and components k, ``1 <= k <= n``.
    separation : float
        Root mean square of the expected distance between two centres, in standard deviations of a component;
        around 2 the components overlap heavily, from 6 they hardly touch.
    seed : int or numpy.random.Generator
        The same seed gives the same mixture.

    Returns
    -------
    points : ndarray, shape (n, d)
        Coordinates.
    labels : ndarray of int, shape (n,)
        Component that each point was drawn from, ``0..k-1``; every component has at least one point.

    Raises
    ------
    InputError
        If a size is no positive whole number, there are fewer points than components, or the separation is no number.
    """
    n_points, n_features = whole_number("n_points", n_points, 1), whole_number("n_features", n_features, 1)
    if whole_number("n_clusters", n_clusters, 1) > n_points:
        raise InputError(f"cannot draw {n_points} points from {n_clusters} components; give one point a component")
    separation = number_between("separation", separation, 0.0, MOST_APART)
    rng = seeded(seed)
    centres = separation / np.sqrt(2.0 * n_features) * rng.standard_normal((n_clusters, n_features))
    labels = rng.permutation(
        np.concatenate([np.arange(n_clusters), rng.integers(n_clusters, size=n_points - n_clusters)])
    )
    points = centres[labels] + rng.standard_normal((n_points, n_features))
    return points, labels.astype(np.intp)


def sparse_groups(
    n_informative: int, n_noise: int, *, group_size: int = 40, n_groups: int = 3, seed: Seed = 0
) -> tuple[Floats, Indices]:
    """Draw groups that some features tell apart and others do not (Brodinova et al. 2019, without outliers).

    In group g the informative feature j has mean mu if j = g modulo the number of groups, else 0; mu is one draw from
    3 to 6, of either sign. The covariance of the informative features is ``Q R Q'`` with a random rotation Q and 1 on
    the diagonal of R, elsewhere one draw from 0.1 to 0.9 a group. The other features are standard normal.

    Parameters
    ----------
    n_informative, n_noise : int
        Number of features of either sort.
    group_size, n_groups : int
        Number of points in each group, and number of groups.
    seed : int or numpy.random.Generator
        The same seed gives the same points.

    Returns
    -------
    points : ndarray, shape (n_groups * group_size, n_informative + n_noise)
        Coordinates, informative features first.
    labels : ndarray of int, shape (n_groups * group_size,)
        Group of each point.

    Raises
    ------
    InputError
        If a number is no whole one, or there are no informative features, no groups or no points.
    """
    n_informative, n_noise = whole_number("n_informative", n_informative, 1), whole_number("n_noise", n_noise, 0)
    group_size, n_groups = whole_number("group_size", group_size, 1), whole_number("n_groups", n_groups, 1)
    rng = seeded(seed)
    mean = float(rng.uniform(3.0, 6.0) * rng.choice([-1.0, 1.0]))
    labels = np.repeat(np.arange(n_groups), group_size)
    points = rng.standard_normal((labels.size, n_informative + n_noise))
    for group in range(n_groups):
        rotation, triangle = np.linalg.qr(rng.standard_normal((n_informative, n_informative)))
        rotation *= np.sign(np.diag(triangle))
        correlation = np.full((n_informative, n_informative), rng.uniform(0.1, 0.9))
        np.fill_diagonal(correlation, 1.0)
        factor = np.linalg.cholesky(rotation @ correlation @ rotation.T)
        own = labels == group
        points[own, :n_informative] = points[own, :n_informative] @ factor.T
        points[own, :n_informative] += mean * (np.arange(n_informative) % n_groups == group)
    return points, labels


def constraints_from_labels(
    labels: ArrayLike, *, n_must_link: int = 0, n_cannot_link: int = 0, seed: Seed = 0
) -> tuple[Indices, Indices]:
    """Draw must-links among pairs with equal labels and cannot-links among pairs with different labels.

    This is the distribution of the usual recipe (Wagstaff et al. 2001; Paper 4.2): random pairs are drawn,
    each becomes a must-link or a cannot-link by its labels, and surplus ones of a kind that is complete are
    dropped. The pairs of a kind are then a uniform sample without repetition, which is drawn here directly.

    Parameters
    ----------
    labels : array_like, shape (n,)
        Class of each point; any values that can be compared.
    n_must_link, n_cannot_link : int
        How many pairs of each kind to draw.
    seed : int or numpy.random.Generator
        The same seed gives the same constraints.

    Returns
    -------
    must_link, cannot_link : ndarray of int, shape (m, 2)
        Pairs of point indices, each with the smaller index first, sorted.

    Raises
    ------
    InputError
        If labels cannot be compared, or do not have that many pairs of a kind.
    """
    rng = seeded(seed)
    n_must_link = whole_number("n_must_link", n_must_link, 0)
    n_cannot_link = whole_number("n_cannot_link", n_cannot_link, 0)
    classes = sorted_classes(labels, "labels")
    order = np.argsort(classes, kind="stable")
    position = np.arange(classes.size)
    end = np.cumsum(np.bincount(classes))[classes[order]]
    must_link = _sample_pairs(position + 1, end, n_must_link, "equal", rng)
    cannot_link = _sample_pairs(end, np.full_like(end, classes.size), n_cannot_link, "different", rng)
    return unique_pairs(order[must_link]), unique_pairs(order[cannot_link])


def _sample_pairs(start: Indices, stop: Indices, size: int, kind: str, rng: np.random.Generator) -> Indices:
    """Return a uniform sample without repetition of the pairs (i, j) with ``start[i] <= j < stop[i]``."""
    ends = np.cumsum(stop - start)
    total = int(ends[-1]) if ends.size else 0
    if size > total:
        raise InputError(
            f"cannot draw {size} pairs: there are {total} pairs of points with {kind} labels; ask for fewer"
        )
    ordinal = np.sort(rng.choice(total, size=size, replace=False)) if size else np.empty(0, np.intp)
    first = np.searchsorted(ends, ordinal, side="right")
    second = stop[first] - (ends[first] - ordinal)
    return np.stack([first, second], axis=1).astype(np.intp)
