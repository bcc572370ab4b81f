"""Options that several commands have, by section."""

from dataclasses import fields

from pcsos.cli.conditions import add_fields
from pcsos.cli.parser import Parser
from pcsos.cli.values import seconds, typed, whole_number
from pcsos.problem.conditions.conditions import LIMITS
from pcsos.problem.conditions.distances import Diameter, Split
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.options import Options
from pcsos.problem.similarity import KERNELS
from pcsos.problem.validation.texts import positive

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
