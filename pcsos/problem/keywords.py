"""Keywords of a problem: what a partition is asked for, in families, each beside what it means."""

from typing import Annotated, TypedDict

from numpy.typing import ArrayLike

from pcsos.problem.conditions.distances import DistanceKeywords
from pcsos.problem.conditions.groups import GroupKeywords, GroupLimitKeywords
from pcsos.problem.conditions.pairs import PairKeywords
from pcsos.problem.conditions.penalties import PenaltyKeywords, SoftPairKeywords
from pcsos.problem.conditions.sizes import SizeKeywords
from pcsos.problem.gram import Gram
from pcsos.problem.similarity import KERNELS, Kernel
from pcsos.problem.validation.signatures import Option, family
from pcsos.problem.validation.texts import positive


@family
class WeightKeywords(TypedDict, total=False):
    """What points count.

    Parameters
    ----------
    weights : array_like, shape (n,), optional
        Positive finite weights w_i of the objective ``sum_i w_i ||p_i - centre||^2``; 1 unless given.
    """

    weights: ArrayLike | None


@family
class KernelKeywords(TypedDict, total=False):
    """What makes inner products of coordinates.

    Parameters
    ----------
    kernel : {"linear", "rbf"} or callable, optional
        What computes the inner products from the coordinates (:func:`pcsos.problem.similarity.kernel_matrix`).
    gamma : float, optional
        Of the kernel ``rbf``; by default 1 / (d times the variance of all coordinates).
    """

    kernel: Annotated[Kernel | None, Option("cluster the points in the feature space of this kernel", choices=KERNELS)]
    gamma: Annotated[float | None, Option("parameter of the kernel rbf (default: from the variance)", positive, "G")]


@family
class MatrixKeywords(TypedDict, total=False):
    """What stands in place of coordinates.

    Parameters
    ----------
    gram : array_like, shape (n, n), optional
        Inner products of the points, instead of their coordinates.
    distances : {"sqeuclidean"}, optional
        What ``points`` holds instead of coordinates: squared Euclidean distances, shape (n, n).
    """

    gram: ArrayLike | Gram | None
    distances: str | None


class ConditionKeywords(SizeKeywords, GroupLimitKeywords, PenaltyKeywords, total=False):
    """What clusters have to be like, whatever their points are: the list to which a family of conditions is added.

    From here they come into every signature, the parameters of the estimators and the options of the command line.
    """


class PointKeywords(GroupKeywords, total=False):
    """What is known of each point, one label per point: the list to which a family of such labels is added.

    From here they come into every signature, and as files of labels into the command line.
    """


class ParameterKeywords(ConditionKeywords, DistanceKeywords, KernelKeywords, total=False):
    """All that names no point: the parameters of an estimator."""


class InstanceKeywords(SoftPairKeywords, PointKeywords, ParameterKeywords, MatrixKeywords, total=False):
    """All that an instance takes by its name alone."""


class ProblemKeywords(PairKeywords, WeightKeywords, InstanceKeywords, total=False):
    """All that a problem has besides points and the number of clusters."""
