"""The commands ``soft`` and ``graph``: clusterers of the literature, which may break pairs and prove nothing."""

import argparse
import time
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.base.exceptions import InfeasibleError, InputError, PcsosError, quoted
from pcsos.base.typing import Indices
from pcsos.cli.inputs import Inputs, read_hard_inputs, refuse_unless_method
from pcsos.cli.messages import ExitStatus, say, telling
from pcsos.cli.outputs import Destinations, check_files
from pcsos.cli.results import write_outputs
from pcsos.evidence.result.words import listed_sizes, summary_of
from pcsos.io.labels import read_labels
from pcsos.io.source import name_of
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.cost import partition_cost
from pcsos.problem.partition import canonical_labels
from pcsos.problem.reduction import reduce_instance
from pcsos.verify.reading.text import number_of

#: The label of a point in no cluster, or whose label is not known.
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class FoundClusters:
    """Labels that a method has found, and what may be said of them."""

    method: str  #: its name
    labels: Indices  #: shape (n,): labels, -1 for noise
    inputs: Inputs  #: the points and pairs
    seconds: float  #: wall-clock time
    more: dict[str, Any]  #: further figures of the method, for JSON

    @cached_property
    def broken(self) -> tuple[Indices, Indices]:
        """The must-links and the cannot-links that are broken; points in no cluster are not together."""
        pairs = self.inputs.constraints
        is_apart, is_together = broken_pairs(pairs.must_link, pairs.cannot_link, self.labels)
        is_together &= self.labels[pairs.cannot_link[:, 0]] != UNLABELLED
        return pairs.must_link[is_apart], pairs.cannot_link[is_together]

    @cached_property
    def clusters(self) -> list[Indices]:
        """The points of each cluster, by its label."""
        return [np.flatnonzero(self.labels == name) for name in np.unique(self.labels) if name != UNLABELLED]

    @property
    def objective(self) -> float:
        """Sum of squares of all points but noise, in the features as they were given."""
        return partition_cost(self.inputs.table.points, np.ones(self.labels.size), self.clusters)

    @property
    def n_noise(self) -> int:
        """Number of points in no cluster."""
        return int((self.labels == UNLABELLED).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        pairs, (must_link, cannot_link) = self.inputs.constraints, self.broken
        return {
            "method": self.method,
            "n_points": self.labels.size,
            "n_clusters": len(self.clusters),
            "n_noise": self.n_noise,
            "objective": self.objective,
            "n_must_link": len(pairs.must_link),
            "n_cannot_link": len(pairs.cannot_link),
            "violated_must_link": must_link.tolist(),
            "violated_cannot_link": cannot_link.tolist(),
            "seconds": self.seconds,
            **self.more,
            "labels": self.labels.tolist(),
        }

    def __str__(self) -> str:
        pairs, (must_link, cannot_link) = self.inputs.constraints, self.broken
        noise = f"{self.n_noise} of {self.labels.size} points, which the objective leaves out"
        rows = {
            "method": self.method,
            "objective": f"{self.objective:.10g} (sum of squares)",
            "broken ML": f"{len(must_link)} of {len(pairs.must_link)}",
            "broken CL": f"{len(cannot_link)} of {len(pairs.cannot_link)}",
            "clusters": listed_sizes(list(map(len, self.clusters))) if self.clusters else "none",
            "noise": noise if self.n_noise else "",
            "time": f"{self.seconds:.2f} s",
        }
        return summary_of(rows)

    @property
    def sentence(self) -> str:
        """The figures that matter most in one line."""
        pairs = self.inputs.constraints
        broken, of = sum(map(len, self.broken)), len(pairs.must_link) + len(pairs.cannot_link)
        clusters = number_of(len(self.clusters), "cluster")
        return f"{self.method}: {clusters}, objective {self.objective:.10g}, {broken} of {of} pairs broken"


#: The classes of the methods of ``soft``, by name.
SOFT = {"pckm": "PCKMeans", "mpckm": "MPCKMeans", "pcskm": "PCSKMeans"}
#: The classes of the methods of ``graph``, and what each calls the number of neighbours.
GRAPH = {"mcssgc": ("MCSSGC", "n_neighbors"), "ssgc": ("SSGC", "n_neighbors"), "mcssdbs": ("MCSSDBS", "min_samples")}
#: Contradictions are explained by this program, which knows what the user calls the points.
TOLD_BEFORE = "some pairs are broken whatever the clusters are"


def soft(arguments: argparse.Namespace) -> int:
    """Cluster by k-means that pays for pairs which it breaks."""
    check_files(arguments)
    family = _family()
    inputs = read_hard_inputs(arguments)
    instance, pairs = inputs.instance(arguments.n_clusters), inputs.constraints
    try:
        reduce_instance(instance)
    except InfeasibleError as error:
        _note(arguments, f"{TOLD_BEFORE}: {error}")
    model = getattr(family, SOFT[arguments.method])(arguments.n_clusters, random_state=arguments.seed)
    seconds = _fit(arguments, model, inputs, must_link=pairs.must_link, cannot_link=pairs.cannot_link)
    more = {
        "seed": arguments.seed,
        "criterion": float(model.objective_),
        "feature_weights": model.feature_weights_.tolist(),
    }
    labels = canonical_labels(model.labels_)
    return _finish(arguments, FoundClusters(arguments.method, labels, inputs, seconds, more))


def graph(arguments: argparse.Namespace) -> int:
    """Grow clusters of any shape from known labels and pairs."""
    check_files(arguments)
    options = _options(arguments)
    family = _family()
    inputs = read_hard_inputs(arguments)
    inputs.instance(1)  # says what may not be meant
    pairs = inputs.constraints
    if arguments.method == "ssgc" and len(pairs.must_link) + len(pairs.cannot_link):
        raise InputError("--method ssgc knows no pairs; leave them out, or take mcssgc or mcssdbs")
    known = _known_labels(arguments.known, inputs)
    if arguments.method == "mcssdbs" and (known == UNLABELLED).all():
        raise InputError("--method mcssdbs grows clusters from known labels; give some by --known FILE, or take mcssgc")
    from pcsos.clusterers.graph.side_information import SideInformation

    SideInformation.of(pairs, known, inputs.names.__getitem__)  # contradictions, as the user calls the points
    model = getattr(family, GRAPH[arguments.method][0])(**options)
    given = {} if arguments.method == "ssgc" else {"must_link": pairs.must_link, "cannot_link": pairs.cannot_link}
    seconds = _fit(arguments, model, inputs, known, **given)
    return _finish(arguments, FoundClusters(arguments.method, model.labels_, inputs, seconds, options))


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of the method that are given; those that it does not have are refused."""
    given = {name: getattr(arguments, name) for name in ("must_link", "split") if getattr(arguments, name) is not None}
    for name in given:
        refuse_unless_method(arguments, name, ["mcssgc"])
    neighbours = {} if arguments.neighbours is None else {GRAPH[arguments.method][1]: arguments.neighbours}
    return {**neighbours, **given, "leftovers": arguments.leftovers}


def _family() -> Any:
    """Return the module of the methods, or refuse where scikit-learn, or what it needs, cannot be loaded."""
    try:
        from pcsos import clusterers as semisupervised
    except (ImportError, OSError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "sklearn":
            raise InputError('soft and graph need scikit-learn 1.6 or newer; pip install "pcsos[sklearn]"') from error
        raise PcsosError(f"soft and graph cannot be loaded: {' '.join(str(error).split())}") from error
    return semisupervised


def _known_labels(path: str | None, inputs: Inputs) -> Indices:
    """Return the label of each point, shape (n,), -1 where not known."""
    n = len(inputs.table.points)
    if path is None:
        return np.full(n, UNLABELLED)
    texts = read_labels(path, n, inputs.names, may_lack=True)
    labels = np.empty(n, np.intp)
    for point, text in enumerate(texts.tolist()):
        try:
            labels[point] = int(text)
        except (ValueError, OverflowError):
            raise InputError(
                f"{name_of(path)} has {quoted(text)} for the label of point {inputs.names[point]}; give whole numbers, "
                f"{UNLABELLED} where not known"
            ) from None
    return labels


def _fit(arguments: argparse.Namespace, model: Any, inputs: Inputs, *known: Indices, **pairs: Indices) -> float:
    """Fit a model, tell its warnings as notes, and return how long it took."""
    begun, points = time.perf_counter(), inputs.table.points
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with nullcontext() if arguments.quiet else telling(lambda: f"{arguments.method} clusters {len(points)} points"):
            model.fit(points, *known, **pairs)
    messages = dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, UserWarning))
    for message in messages:
        if not message.startswith(TOLD_BEFORE):
            _note(arguments, message)
    return time.perf_counter() - begun


def _note(arguments: argparse.Namespace, sentence: str) -> None:
    if not arguments.quiet:
        say(f"note: {sentence}")


def _finish(arguments: argparse.Namespace, found: FoundClusters) -> int:
    """Write the outputs that are asked for, whatever signals come, and return the exit status."""
    to, names = Destinations.of(arguments), found.inputs.names
    with Signals(SIGNALS):
        is_written = write_outputs(found.to_dict(), str(found), found.sentence, to, names)
    return ExitStatus.OPTIMAL if is_written else ExitStatus.FAILURE
