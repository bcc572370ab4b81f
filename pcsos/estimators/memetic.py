"""MemeticKMeans: very good clusterings of any size, without proof."""

from dataclasses import dataclass
from typing import Any

from pcsos import heuristics
from pcsos.base.control.signals import Signals, acknowledged
from pcsos.base.events import notices
from pcsos.estimators.base import ConstrainedKMeans
from pcsos.evidence.result import Result
from pcsos.problem.instance import Instance
from pcsos.problem.options import in_familiar_words
from pcsos.report.progress import listener


@dataclass(eq=False, repr=False, kw_only=True)
class MemeticKMeans(ConstrainedKMeans):
    """A very good clustering under must-links and cannot-links, of data of any size: S-MDEClust.

    Differential evolution over centres, whose offspring are improved by a local search that keeps to the constraints.
    Beyond 200,000 samples times clusters without any conditions it evolves samples of a few thousand, whose centres a
    local search refines on ever larger ones; ``max_stall``, ``population`` and ``use_all_time`` are then not used.

    Parameters
    ----------
    n_clusters, size_min, size_max, conditions, kernel, gamma, random_state, verbose
        As in :class:`CertifiedKMeans`.
    max_stall : int or None
        Offspring in a row without a better partition after which the search ends; None: 500.
    population : int
        Number of solutions that evolve, at least 4.
    time_limit : float or None
        Seconds, after which the best partition so far is kept if the search has not ended before.
    use_all_time : bool
        Whether the search begins anew where it would end, until the time limit.

    Attributes
    ----------
    labels_, cluster_centers_, inertia_, penalty_, violated_, reason_, n_features_in_, feature_names_in_, result_
        As in :class:`CertifiedKMeans`.
    lower_bound_, gap_ : None
        Nothing is proved; :func:`pcsos.certify` tells how far from optimal the labels are.
    status_ : pcsos.Status
        ``FEASIBLE``.
    n_iter_ : int
        Local searches.

    See Also
    --------
    CertifiedKMeans : the best clustering, with proof.
    pcsos.heuristics.run : the same without scikit-learn, and other heuristics.

    Notes
    -----
    Ctrl-C ends a fit with the best partition so far.

    References
    ----------
    Mansueto and Schoen, Memetic differential evolution methods for semi-supervised clustering.

    Examples
    --------
    >>> from pcsos import MemeticKMeans
    >>> model = MemeticKMeans(2, random_state=0).fit([[0.0], [1.0], [5.0], [6.0]], partial_labels=[-1, 7, 7, 3])
    >>> model.labels_.tolist(), str(model.status_)
    ([0, 0, 0, 1], 'FEASIBLE')
    """

    max_stall: int | None = None
    population: int = 20
    time_limit: float | None = None
    use_all_time: bool = False

    def _find(self, instance: Instance, seed: int, **beginning: Any) -> tuple[Result, int]:
        notify = notices(listener(None, verbose=bool(self.verbose)))
        suited = heuristics.suited_method(instance)
        is_other = heuristics.METHODS[suited].leaves_out or (suited == "sampled" and not beginning)
        method = suited if is_other else "s-mdeclust"
        heuristics.warm_up(instance, notify, method)
        rule: dict[str, Any] = {} if self.max_stall is None else {"max_stall": self.max_stall}
        rule |= {"population": self.population, "use_all_time": self.use_all_time}
        with Signals() as signals:
            found = heuristics.run(
                instance,
                method,
                seed=seed,
                time_limit=self.time_limit,
                should_stop=acknowledged(signals, notify),
                urgent=signals.urgent,
                verbose=bool(self.verbose),
                **({} if is_other else rule),
                **beginning,
            )
        result = found.result(instance, seed, was_interrupted=signals.asked())
        return result, found.record.local_search_calls


setattr(MemeticKMeans, "__init__", in_familiar_words(MemeticKMeans.__init__))  # noqa: B010
