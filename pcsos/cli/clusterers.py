"""The commands ``soft`` and ``graph``: clusterers of the literature, which may break pairs and prove nothing."""

import argparse
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.instance_files import Inputs, input_files, read_inputs
from pcsos.cli.messages import say, telling
from pcsos.cli.rescue import write_or_rescue
from pcsos.constraints import broken_pairs
from pcsos.control.signals import Signals
from pcsos.exceptions import InfeasibleError, InputError, quoted
from pcsos.instance import Instance
from pcsos.io.labels import check_labels_output, labels_data, labels_text, read_labels
from pcsos.io.outputs import STDOUT, check_outputs, json_text
from pcsos.io.source import name_of
from pcsos.partition import sum_of_squares
from pcsos.reduction import reduce_instance
from pcsos.typing import Indices

#: The classes of the methods of ``soft``, by name.
SOFT = {"pckm": "PCKMeans", "mpckm": "MPCKMeans", "pcskm": "PCSKMeans"}
#: The classes of the methods of ``graph``, and what each calls the number of neighbours.
GRAPH = {"mcssgc": ("MCSSGC", "n_neighbors"), "ssgc": ("SSGC", "n_neighbors"), "mcssdbs": ("MCSSDBS", "min_samples")}
#: The label of a point in no cluster, or whose label nobody knows.
NOBODY = -1
#: Contradictions are told by this program, which knows what the user calls the points.
TOLD_BEFORE = "some pairs are broken whatever the clusters are"


@dataclass(frozen=True, eq=False)
class Clusters:
    """Labels that a method has found, and what may be said of them.

    Parameters
    ----------
    method : str
        Its name.
    labels : ndarray of int, shape (n,)
        Labels, -1 for noise.
    objective : float
        Sum of squares of all points but noise, in the features as they were given.
    must_link, cannot_link : ndarray of int, shape (m, 2)
        The pairs that are broken.
    n_must_link, n_cannot_link : int
        How many there are.
    seconds : float
        Wall-clock time.
    more : dict
        Further figures of the method, for JSON.
    """

    method: str
    labels: Indices
    objective: float
    must_link: Indices
    cannot_link: Indices
    n_must_link: int
    n_cannot_link: int
    seconds: float
    more: dict[str, Any]

    @classmethod
    def of(cls, method: str, labels: Indices, inputs: Inputs, seconds: float, more: dict[str, Any]) -> "Clusters":
        """Return labels with what they cost and break."""
        is_in, pairs = labels != NOBODY, inputs.constraints
        is_apart, is_together = broken_pairs(pairs.must_link, pairs.cannot_link, labels)
        is_together &= is_in[pairs.cannot_link[:, 0]]
        objective = 0.0
        if is_in.any():
            names, own = np.unique(labels[is_in], return_inverse=True)
            objective = sum_of_squares(Instance(inputs.table.points[is_in], names.size), own.astype(np.intp))
        return cls(
            method, labels, objective, pairs.must_link[is_apart], pairs.cannot_link[is_together],
            len(pairs.must_link), len(pairs.cannot_link), seconds, more,
        )  # fmt: skip

    @property
    def sizes(self) -> list[int]:
        """Number of points of each cluster, by its label."""
        return list(map(int, np.unique(self.labels[self.labels != NOBODY], return_counts=True)[1]))

    @property
    def n_noise(self) -> int:
        """Number of points in no cluster."""
        return int((self.labels == NOBODY).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "method": self.method,
            "n_points": self.labels.size,
            "n_clusters": len(self.sizes),
            "n_noise": self.n_noise,
            "objective": self.objective,
            "n_must_link": self.n_must_link,
            "n_cannot_link": self.n_cannot_link,
            "violated_must_link": self.must_link.tolist(),
            "violated_cannot_link": self.cannot_link.tolist(),
            "seconds": self.seconds,
            **self.more,
            "labels": self.labels.tolist(),
        }

    def __str__(self) -> str:
        rows = [
            ["method", self.method],
            ["clusters", f"{len(self.sizes)} of {', '.join(map(str, self.sizes))} points" if self.sizes else "0"],
            ["noise", f"{self.n_noise} points, which the objective leaves out" if self.n_noise else "none"],
            ["objective", f"{self.objective:.10g} (sum of squares)"],
            ["broken ML", f"{len(self.must_link)} of {self.n_must_link}"],
            ["broken CL", f"{len(self.cannot_link)} of {self.n_cannot_link}"],
            ["seconds", f"{self.seconds:.2f}"],
        ]
        return "".join(f"{name:12} {value}\n" for name, value in rows)

    @property
    def sentence(self) -> str:
        """The figures that matter most in one line."""
        broken = len(self.must_link) + len(self.cannot_link)
        of = self.n_must_link + self.n_cannot_link
        return (
            f"{self.method}: {len(self.sizes)} clusters, objective {self.objective:.10g}, {broken} of {of} pairs broken"
        )


def soft(arguments: argparse.Namespace) -> int:
    """Cluster by k-means that pays for pairs which it breaks."""
    check_outputs({"--labels": arguments.labels, "--json": arguments.json}, input_files(arguments))
    check_labels_output("--labels", arguments.labels)
    family = _family()
    inputs = _inputs(arguments)
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
    return _finish(arguments, Clusters.of(arguments.method, model.labels_, inputs, seconds, more), inputs)


def graph(arguments: argparse.Namespace) -> int:
    """Grow clusters of any shape from known labels and pairs."""
    check_outputs(
        {"--labels": arguments.labels, "--json": arguments.json}, input_files(arguments) | {"--known": arguments.known}
    )
    check_labels_output("--labels", arguments.labels)
    options = _options(arguments)
    family = _family()
    inputs = _inputs(arguments)
    pairs = inputs.constraints
    if arguments.method == "ssgc" and len(pairs.must_link) + len(pairs.cannot_link):
        raise InputError("--method ssgc knows no pairs; leave them out, or take mcssgc or mcssdbs")
    known = _known_labels(arguments.known, inputs)
    if arguments.method == "mcssdbs" and (known == NOBODY).all():
        raise InputError("--method mcssdbs grows clusters from known labels; give some by --known FILE, or take mcssgc")
    from pcsos.semisupervised.graph.side_information import SideInformation

    SideInformation.of(pairs, known, inputs.names.__getitem__)  # contradictions, as the user calls the points
    model = getattr(family, GRAPH[arguments.method][0])(**options)
    given = {} if arguments.method == "ssgc" else {"must_link": pairs.must_link, "cannot_link": pairs.cannot_link}
    seconds = _fit(arguments, model, inputs, known, **given)
    return _finish(arguments, Clusters.of(arguments.method, model.labels_, inputs, seconds, options), inputs)


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of the method that are given.

    Raises
    ------
    InputError
        If the method does not have one of them.
    """
    given = {name: getattr(arguments, name) for name in ("must_link", "split") if getattr(arguments, name) is not None}
    if given and arguments.method != "mcssgc":
        option = f"--{next(iter(given)).replace('_', '-')}"
        raise InputError(
            f"{option} is for the method mcssgc, but the method is {arguments.method}; leave one of them out"
        )
    neighbours = {} if arguments.neighbours is None else {GRAPH[arguments.method][1]: arguments.neighbours}
    return {**neighbours, **given, "leftovers": arguments.leftovers}


def _family() -> Any:
    """Return the module of the methods.

    Raises
    ------
    InputError
        If scikit-learn is missing.
    """
    try:
        from pcsos import semisupervised
    except ImportError as error:
        raise InputError('soft and graph need scikit-learn 1.6 or newer; pip install "pcsos[sklearn]"') from error
    return semisupervised


def _inputs(arguments: argparse.Namespace) -> Inputs:
    """Return what the files hold, which must not say what pairs cost."""
    inputs = read_inputs(arguments)
    if inputs.pairs.has_soft_pairs:
        raise InputError(
            f"{name_of(arguments.constraints)} has soft pairs, whose penalties mean nothing to {arguments.command}; "
            "give must-links and cannot-links (ML and CL), or take solve or heuristic"
        )
    return inputs


def _known_labels(path: str | None, inputs: Inputs) -> Indices:
    """Return the label of each point, shape (n,), -1 where nobody knows."""
    n = len(inputs.table.points)
    if path is None:
        return np.full(n, NOBODY)
    texts = read_labels(path, n, inputs.names)
    labels = np.empty(n, np.intp)
    for point, text in enumerate(texts.tolist()):
        try:
            labels[point] = int(text)
        except (ValueError, OverflowError):
            raise InputError(
                f"{name_of(path)} has {quoted(text)} for the label of point {inputs.names[point]}; give whole numbers, "
                f"{NOBODY} where nobody knows"
            ) from None
    return labels


def _fit(arguments: argparse.Namespace, model: Any, inputs: Inputs, *known: Indices, **pairs: Indices) -> float:
    """Fit a model, tell its warnings as notes, and return how long it took."""
    begun = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if arguments.quiet:
            model.fit(inputs.table.points, *known, **pairs)
        else:
            with telling(lambda: f"{arguments.method} clusters {len(inputs.table.points)} points"):
                model.fit(inputs.table.points, *known, **pairs)
    messages = dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, UserWarning))
    for message in messages:
        if not message.startswith(TOLD_BEFORE):
            _note(arguments, message)
    return time.perf_counter() - begun


def _note(arguments: argparse.Namespace, sentence: str) -> None:
    if not arguments.quiet:
        say(f"note: {sentence}")


def _finish(arguments: argparse.Namespace, found: Clusters, inputs: Inputs) -> int:
    """Write the outputs that are asked for, whatever signals come, and return the exit status."""
    labels, json, names = found.labels.tolist(), arguments.json, inputs.names
    written = []
    with Signals():
        if arguments.labels is not None:
            text, data = labels_text(labels, names), labels_data(arguments.labels, labels, names)
            written.append(write_or_rescue(arguments.labels, text, data=data, suffix=".labels.csv"))
        if json is not None:
            written.append(write_or_rescue(json, json_text(found.to_dict()) + "\n", suffix=".result.json"))
        asked = {arguments.labels, json} - {None}
        if STDOUT not in asked and not (arguments.quiet and asked):
            hint = "" if asked else f"{'labels':12} with --labels FILE\n"
            is_shown = write_or_rescue(STDOUT, f"{found.sentence}\n" if arguments.quiet else f"{found}{hint}")
            written.append(is_shown or any(written))  # what is in a file is not lost with the summary
    return ExitStatus.OPTIMAL if all(written) else ExitStatus.FAILURE
