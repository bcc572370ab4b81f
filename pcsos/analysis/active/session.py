"""Sessions: one question after the other, what follows from the answers, and when no more are needed.

One is gone through with an oracle by :func:`collect`, until the budget is spent or nothing is left to ask.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.analysis.active.answers import Answer, Log, checked
from pcsos.analysis.active.oracles import Oracle
from pcsos.analysis.active.state import SessionState, Strategy
from pcsos.analysis.active.strategies import strategy_of
from pcsos.analysis.certainty.relaxed import Knowledge, SharedRelaxation
from pcsos.base.control.stop import Stop
from pcsos.base.control.threads import blas_threads
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Indices, Pairs
from pcsos.evidence.result import Standing
from pcsos.io.source import PathLike
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.role import Condition
from pcsos.problem.instance import Instance, instance_of
from pcsos.problem.options import Options
from pcsos.problem.validation.arrays import relative_distance, whole_number
from pcsos.problem.validation.names import Labels, positions, row_labels


class ActiveSession:
    """Questions about pairs of points, one after the other: do they belong together or not.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, whose number of clusters, pairs, limits and soft pairs then count. The
        rows of a pandas DataFrame are called by the labels of its index in :meth:`ask` and :meth:`tell`, by position
        elsewhere.
    n_clusters : int
        Number of clusters k. It is taken to be true: what it implies is never asked.
    must_link, cannot_link, conditions
        What is known from the first on, which costs no answers, as for :func:`pcsos.solve`.
    strategy : str or Strategy
        What chooses the questions: ``random``, ``mmffqs``, ``kmmffqs``, ``asc``, ``sdp-branch``, ``sdp-entropy`` or
        ``certified`` (docs/questions.md), or an object with the method ``next_pair`` of
        :class:`pcsos.analysis.active.state.Strategy`.
    budget : int, optional
        Most answers, those without knowledge included; no limit unless given.
    epsilon : float
        Within which relative distance of the least cost other partitions count as good: what all of them agree on is
        decided.
    seed : int
        Seed of all random choices.
    time_limit : float, optional
        Seconds that choosing one question may take; which one it is then depends on the machine.
    log : path, optional
        A CSV file to write the answers to, as they come. If it is there already, its answers are given first.

    Raises
    ------
    InputError
        If an argument cannot be used.
    InfeasibleError
        If the pairs that are known contradict one another.

    Notes
    -----
    What answers imply is free and never asked: must-links are transitive, and cannot-links pass over to all that is
    linked; so does what the number of clusters forces. A question depends on points, seed and answers alone.

    Examples
    --------
    >>> from pcsos import ActiveSession
    >>> session = ActiveSession([0.0, 1.0, 10.0, 11.0], 2, strategy="mmffqs", seed=1)
    >>> while pair := session.ask():
    ...     session.tell(pair, (pair[0] < 2) == (pair[1] < 2))
    >>> len(session.answers), session.knowledge.relation(0, 1)
    (3, True)
    """

    def __init__(
        self,
        points: Any,
        n_clusters: int | None = None,
        *,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        conditions: Iterable[Condition] = (),
        strategy: str | Strategy = "kmmffqs",
        budget: int | None = None,
        epsilon: float = 0.1,
        seed: int = 0,
        time_limit: float | None = None,
        log: PathLike | None = None,
    ) -> None:
        instance = instance_of(
            points, n_clusters, must_link=must_link, cannot_link=cannot_link, conditions=conditions
        )  # fmt: skip
        _refuse_weights(instance)
        Options(time_limit=time_limit, seed=seed)  # raises where one is out of its range
        self.budget = None if budget is None else whole_number("budget", budget, 0, ", or None")
        self.time_limit = time_limit
        self._shared = SharedRelaxation(Knowledge.of(instance), relative_distance("epsilon", epsilon), seed)
        self._strategy, self._labels = strategy_of(strategy, instance, seed), _checked_labels(row_labels(points))
        self._answers: list[Answer] = []
        self._surprises: dict[int, Answer] = {}
        self._next: tuple[int, int] | None = None
        self._log = None
        if log is not None:
            opened = Log(log, instance)
            self._replay(opened)
            self._log = opened

    @property
    def instance(self) -> Instance:
        """The points with the pairs that were given and answered."""
        return self.knowledge.instance

    @property
    def constraints(self) -> Constraints:
        """The pairs that were given and answered."""
        return self.instance.constraints

    @property
    def knowledge(self) -> Knowledge:
        """What is known, and what follows from it."""
        return self._shared.knowledge

    @property
    def epsilon(self) -> float:
        """Within which relative distance of the least cost other partitions count as good."""
        return self._shared.epsilon

    @property
    def seed(self) -> int:
        """Seed of all random choices."""
        return self._shared.seed

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The questions with their answers, in order."""
        return tuple(self._answers)

    @property
    def surprises(self) -> tuple[Answer, ...]:
        """Answers against what was proved when they came: all partitions within epsilon had the pair the other way.

        Where there are some, the groups that somebody has in mind are not those of least cost. Answers that are read
        from a log are not compared with anything.
        """
        return tuple(self._surprises.values())

    @property
    def questions_left(self) -> float:
        """How many answers the budget still allows; infinity without one."""
        return math.inf if self.budget is None else max(self.budget - len(self._answers), 0)

    def ask(self) -> tuple[Any, Any] | None:
        """Return the next pair of points to ask about, the same one until it is answered.

        Returns
        -------
        (point, point) or None
            Indices, or labels of the table's index; None where the budget is spent, everything is known, or the
            strategy has no further question.

        Raises
        ------
        InputError
            If a strategy of the user's returns something else than a pair of points about which nothing is known.
        """
        if self.questions_left == 0 or self.knowledge.num_open == 0:
            return None
        if self._next is None:
            with blas_threads():  # the matrices are too small for more
                state = self._state()
                pair = self._strategy.next_pair(state)
            if pair is None:
                return None
            i, j, _ = checked(pair, None, self.instance.n_points)
            if not state.is_open(i, j):
                raise InputError(f"the strategy asks about {(i, j)}, which is answered; let it ask what is open")
            self._next = i, j
        i, j = self._next
        return (i, j) if self._labels is None else (self._labels[i], self._labels[j])

    def tell(self, pair: tuple[Any, Any], same: bool | None) -> None:
        """Answer a question, or say something that was not asked.

        Parameters
        ----------
        pair : (point, point)
            Two points, called as :meth:`ask` calls them.
        same : bool or None
            Whether they belong together; None where that is not known, which counts as an answer, too. What follows
            from earlier answers counts for nothing.

        Raises
        ------
        InputError
            If it is no pair of points or no answer, or the budget is spent.
        InfeasibleError
            If it contradicts what is known; the message names the pairs that lead to the contradiction, and nothing
            is changed.
        """
        at = pair if self._labels is None else positions([pair], self._labels, "pair")[0]
        self._take(checked(at, same, self.instance.n_points))

    def _take(self, answer: Answer) -> None:
        same = answer.same
        if same is not None and self.knowledge.relation(answer.i, answer.j) == same:
            return
        if self.questions_left == 0:
            raise InputError(f"the budget of {self.budget} answers is spent; give a larger one, or take some back")
        knowledge = self.knowledge if same is None else self.knowledge.with_answers([answer])
        if self._log is not None:
            self._log.add(answer)
        if same is not None and self._state().decided(answer.i, answer.j) is (not same):
            self._surprises[len(self._answers)] = answer
        self._answers.append(answer)
        self._move_to(knowledge)

    def undo(self) -> Answer | None:
        """Take the last answer back and return it, None where there is none; what was given at first stays."""
        if not self._answers:
            return None
        if self._log is not None:
            self._log.add(self._answers[-1], is_taken_back=True)
        answer = self._answers.pop()
        self._surprises.pop(len(self._answers), None)
        self._move_to(self._shared.first.knowledge.with_answers(self._answers))
        return answer

    def standing(self) -> Standing | None:
        """Return what is proved about the partitions that agree with the answers, whatever the strategy.

        Returns
        -------
        Standing or None
            None where no partition was found in time.

        Examples
        --------
        >>> from pcsos import ActiveSession
        >>> session = ActiveSession([0.0, 1.0, 10.0, 11.0], 2)
        >>> session.is_settled, session.standing().partition.objective, session.standing().lower_bound > 1.1
        (True, 1.0, True)
        """
        with blas_threads():
            return self._state().standing

    @property
    def is_settled(self) -> bool:
        """Whether it is proved that no other partition lies within epsilon of the best one; see :meth:`standing`."""
        standing = self.standing()
        return standing is not None and standing.is_settled

    def _state(self) -> SessionState:
        return SessionState(self._shared, self.answers, Stop(time_limit=self.time_limit))

    def _move_to(self, knowledge: Knowledge) -> None:
        self._shared, self._next = self._shared.moved_to(knowledge), None

    def _replay(self, log: Log) -> None:
        """Give the answers of a log."""
        budget, self.budget = self.budget, None
        for answer, where in log.entries:
            try:
                self._take(answer)
            except InfeasibleError as error:
                raise InputError(f"{where} contradicts what is known: {error}; correct the log") from error
        self.budget = budget


def _refuse_weights(instance: Instance) -> None:
    if (instance.weights != 1.0).any():
        raise InputError("points have weights, which questions do not take into account; leave them out")
    if instance.gram is not None:
        raise InputError("questions are about points, of which a Gram matrix shows nothing; give the points alone")


def _checked_labels(labels: Labels | None) -> Labels | None:
    if labels is not None and len(set(labels)) < len(labels):
        raise InputError("points have an index with labels that occur twice; call reset_index first")
    return labels


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
