"""Collecting pairs: a session and an oracle, until the budget is spent or nothing is left to ask."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.analysis.active.answers import Answer
from pcsos.analysis.active.oracles import Oracle
from pcsos.analysis.active.session import ActiveSession
from pcsos.analysis.active.state import Strategy
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Indices, Pairs
from pcsos.io.source import PathLike
from pcsos.problem.conditions.role import Condition
from pcsos.problem.instance import instance_of
from pcsos.problem.validation.names import Labels, row_labels


@dataclass(frozen=True, eq=False)
class Collected:
    """Pairs that were asked for.

    Parameters
    ----------
    must_link, cannot_link : ndarray, shape (m, 2)
        The pairs that were given and answered, as :func:`pcsos.solve` takes them with the same points: by position, or
        by the labels of a pandas table's index; what follows from them is left to the solver.
    questions : tuple of Answer
        The questions with their answers ``(i, j, same)``, in order; i and j are positions.
    contradictions : tuple of str
        Answers that contradict earlier ones, each with the pairs that show it. They count as unknown.
    surprises : tuple of Answer
        Answers against what was proved when they came; see :attr:`ActiveSession.surprises`.
    """

    must_link: NDArray[Any]
    cannot_link: NDArray[Any]
    questions: tuple[Answer, ...]
    contradictions: tuple[str, ...]
    surprises: tuple[Answer, ...]


def collect(
    points: Any,
    oracle: Oracle,
    *,
    budget: int,
    n_clusters: int | None = None,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    conditions: Iterable[Condition] = (),
    strategy: str | Strategy = "kmmffqs",
    epsilon: float = 0.1,
    seed: int = 0,
    time_limit: float | None = None,
    log: PathLike | None = None,
) -> Collected:
    """Ask an oracle about pairs of points and return what it says as must-links and cannot-links.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, whose number of clusters and pairs then count.
    oracle : callable
        Called with the positions of two points, whatever a table calls them; returns True (together), False (apart) or
        None (unknown), such as a :class:`pcsos.analysis.active.LabelOracle`. Ctrl-C in it ends the questions, and what
        was answered is returned.
    budget : int
        Most questions.
    n_clusters : int
        Number of clusters k.
    must_link, cannot_link, conditions, strategy, epsilon, seed, time_limit, log
        As for :class:`ActiveSession`.

    Raises
    ------
    InputError
        If an argument cannot be used, or the oracle returns something else.

    Examples
    --------
    >>> import pcsos
    >>> from pcsos.analysis.active import LabelOracle
    >>> points = [0.0, 1.0, 4.0, 6.0, 10.0, 11.0]
    >>> got = pcsos.collect(points, LabelOracle([0, 0, 0, 1, 1, 1]), strategy="certified", budget=10, n_clusters=2)
    >>> len(got.questions), got.questions[2], got.surprises
    (5, Answer(i=2, j=3, same=False), ())
    >>> got = pcsos.collect(points, LabelOracle([0, 0, 0, 1, 1, 1]), strategy="mmffqs", budget=3, n_clusters=2)
    >>> len(got.must_link) + len(got.cannot_link)
    3
    """
    if not callable(oracle):
        raise InputError(f"oracle is of type {type(oracle).__name__}; give a function of two points")
    instance = instance_of(points, n_clusters, must_link=must_link, cannot_link=cannot_link, conditions=conditions)
    session = ActiveSession(
        instance, strategy=strategy, budget=budget, epsilon=epsilon, seed=seed, time_limit=time_limit, log=log
    )
    contradictions = []
    try:
        while (pair := session.ask()) is not None:
            same = oracle(*pair)
            try:
                session.tell(pair, same)
            except InfeasibleError as error:
                contradictions.append(str(error))
                session.tell(pair, None)
    except KeyboardInterrupt:
        if not session.answers:
            raise
    known, labels = session.constraints, row_labels(points)
    together, apart = (_called(pairs, labels) for pairs in (known.must_link, known.cannot_link))
    return Collected(together, apart, session.answers, tuple(contradictions), session.surprises)


def _called(pairs: Indices, labels: Labels | None) -> NDArray[Any]:
    """Return pairs by the labels of rows, where these have some."""
    if labels is None:
        return pairs
    names = np.empty(len(labels), object)
    names[:] = labels
    return names[pairs]
