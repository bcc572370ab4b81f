"""Options that several commands have, by section, and how their values are read."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any, TypeVar

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import LARGEST_EPSILON
from pcsos.cli.parser import Parser
from pcsos.io.source import PathLike
from pcsos.problem.conditions.conditions import FAMILIES, LIMITS
from pcsos.problem.conditions.distances import Diameter, Split
from pcsos.problem.conditions.role import Condition, Spelling
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.options import Options
from pcsos.problem.similarity import KERNELS
from pcsos.problem.validation import texts
from pcsos.problem.validation.texts import number, positive

Value = TypeVar("Value")


def typed(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a reader whose refusals the command line shows in their own words."""

    def read_argument(text: str) -> Value:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument


def written(name: str) -> str:
    """Return how the option that a keyword is, is written."""
    return f"--{name.replace('_', '-')}"


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not below the least one."""
    return typed(texts.whole_number(least))


def workers(text: str) -> int:
    """Read a number of processes: -1 is one for each core."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes; give 1 or more, or -1 for all cores")
    return int(text)


def file_of_its_own(text: str) -> str:
    """Read the name of a file that is more than text, or is read again: not standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-' is standard output, which cannot take it; give a file")
    return text


def seconds(text: str) -> float:
    """Read a number of seconds."""
    value = number(text)
    if not value >= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds; give 0 or more")
    return value


def epsilon(text: str) -> float:
    """Read a relative distance of the least cost."""
    value = number(text)
    if not 0.0 <= value <= LARGEST_EPSILON:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a relative distance; give a number from 0 to {LARGEST_EPSILON:g}"
        )
    return value


def gap(least: float) -> Callable[[str], float]:
    """Return what reads a relative gap that is not below the least one."""

    def read(text: str) -> float:
        value = number(text)
        if not least <= value < 1.0:
            raise argparse.ArgumentTypeError(f"{text!r} is not a gap; give a number from {least:g} to less than 1")
        return value

    return read


Families = Iterable[type[Condition]]


def add_fields(parser: Parser, families: Families) -> None:
    """Add an option for each field of these families."""
    for own in _spellings(families):
        parser.add_argument(written(own.name), type=typed(own.read), metavar=own.metavar, help=own.purpose)


def given_fields(arguments: argparse.Namespace, families: Families) -> dict[str, Any]:
    """Return the fields that are given, by how their options are written."""
    values = {own.name: getattr(arguments, own.name, None) for own in _spellings(families)}
    return {written(name): value for name, value in values.items() if value is not None}


def label_files(arguments: argparse.Namespace) -> dict[str, PathLike]:
    """Return the files of labels of points that are given, likewise."""
    names = {written(own.name) for own in _spellings(FAMILIES) if own.labels_of}
    return {option: path for option, path in given_fields(arguments, FAMILIES).items() if option in names}


def read_conditions(arguments: argparse.Namespace, read_labels: Callable[..., Any]) -> list[Condition]:
    """Return the conditions that the arguments ask for, but for soft pairs, which a file has.

    Parameters
    ----------
    read_labels : callable
        Returns the labels of points, given a file and ``what`` they are labels of.
    """
    found = []
    for family in (own for own in FAMILIES if own is not SoftPairs):
        values = {field: getattr(arguments, own.name, None) for field, own in family.SPELLINGS.items()}
        for field, own in family.SPELLINGS.items():
            if own.labels_of and values[field] is not None:
                values[field] = read_labels(values[field], what=own.labels_of)
        found += [family(**values)] if any(value is not None for value in values.values()) else []
    return found


def _spellings(families: Families) -> Iterator[Spelling]:
    return (own for family in families for own in family.SPELLINGS.values())


#: Sections of the help.
CLUSTERS, RUN = "conditions on clusters", "the run"

POINTS_HELP = "benchmark text, CSV, .npy, .npz or Parquet; gzipped or not; - is standard input"
PAIRS_HELP = "lines ML i j, CL i j, SML i j p, SCL i j p, GAMMA x, DELTA x; or JSON"
LABELS_HELP = "write the labels: .npy, .parquet, otherwise CSV; - is standard output"
QUIET_HELP = "one line for the result, none if there is another output; no progress, no notes; errors are still shown"

DEFAULTS = {field.name: field.default for field in fields(Options)}


def add_pairs(parser: Parser, purpose: str = PAIRS_HELP) -> None:
    """Add constraints and limits of distance."""
    parser.add_argument("--constraints", metavar="FILE", help=purpose)
    parser.section(CLUSTERS)
    add_fields(parser, [Diameter, Split])


def add_instance(parser: Parser, *, is_required: bool = True) -> None:
    """Add points or matrices, the number of clusters, and constraints."""
    parser.add_argument("points", nargs="?", metavar="POINTS", help=POINTS_HELP)
    add_matrices(parser)
    add_number(parser, is_required=is_required)
    add_pairs_and_columns(parser)


def add_number(parser: Parser, *, is_required: bool = True, purpose: str = "number of clusters") -> None:
    """Add the number of clusters."""
    parser.add_argument("-k", type=whole_number(1), required=is_required, metavar="K", dest="n_clusters", help=purpose)


def add_points(parser: Parser) -> None:
    """Add points and constraints."""
    parser.add_argument("points", metavar="POINTS", help=POINTS_HELP)
    add_pairs_and_columns(parser)


def add_pairs_and_columns(parser: Parser) -> None:
    """Add constraints, and how points are read."""
    add_pairs(parser)
    add_columns(parser)


def add_matrices(parser: Parser) -> None:
    """Add what stands in place of coordinates."""
    parser.section("matrices and kernels in place of coordinates")
    parser.add_argument("--gram", metavar="FILE", help="a matrix of inner products instead of POINTS")
    parser.add_argument("--distances", metavar="FILE", help="a matrix of squared Euclidean distances instead of POINTS")
    parser.add_argument("--kernel", choices=KERNELS, help="cluster the points in the feature space of this kernel")
    parser.add_argument(
        "--gamma", type=typed(positive), metavar="G", help="parameter of the kernel rbf (default: from the variance)"
    )


def add_columns(parser: Parser) -> None:
    """Add how the file of points is read."""
    parser.section("how POINTS is read")
    parser.add_argument(
        "--features",
        type=lambda text: text.split(","),
        default=(),
        metavar="COLUMN,...",
        help="columns of POINTS that are the features, by name or by number from 1 (default: all others)",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="COLUMN",
        help="column of POINTS that is not a feature, by name or by number from 1; may be repeated",
    )
    parser.add_argument(
        "--id", metavar="COLUMN", dest="id_column", help="column of POINTS with ids, which name the points in all files"
    )
    parser.add_argument("--standardize", action="store_true", help="give each feature mean 0 and standard deviation 1")
    parser.add_argument(
        "--one-based", action="store_true", help="number points from 1, not from 0, in constraints and labels"
    )
    parser.add_argument(
        "--decimal",
        choices=(".", ","),
        default=".",
        metavar="CHAR",
        help="decimal mark in text, comma or point (%(default)s)",
    )
    first_line = parser.add_mutually_exclusive_group()
    first_line.add_argument(
        "--header", action="store_true", default=None, dest="header", help="the first line of POINTS names the columns"
    )
    first_line.add_argument(
        "--no-header", action="store_false", default=None, dest="header", help="the first line of POINTS is a point"
    )


def add_conditions(parser: Parser) -> None:
    """Add what clusters have to be like, and what is known of the points for that."""
    parser.section(CLUSTERS)
    add_weights(parser)
    add_fields(parser, [*LIMITS, SoftPairs])


def add_weights(parser: Parser) -> None:
    """Add what points count."""
    weights = parser.add_mutually_exclusive_group()
    weights.add_argument("--weights", metavar="FILE", help="weights of the points, one positive number per line")
    weights.add_argument(
        "--weights-column", metavar="COLUMN", help="column of POINTS with the weights, not used as a feature"
    )


def add_limits(parser: Parser) -> None:
    """Add the time limit and the seed."""
    parser.section(RUN)
    parser.add_argument("--time-limit", type=seconds, metavar="S", help="seconds of wall-clock time")
    add_seed(parser)


def add_seed(parser: Parser) -> None:
    """Add the seed."""
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        default=DEFAULTS["seed"],
        metavar="S",
        help="seed of all random choices (%(default)s)",
    )


def add_outputs(parser: Parser) -> None:
    """Add where a result goes."""
    parser.add_output("--labels", help=LABELS_HELP)
    parser.add_output("--json", help="write the result as JSON; - is standard output")
    parser.add_argument("--quiet", action="store_true", help=QUIET_HELP)
