"""Options that several commands have, by section, and how their values are read."""

from collections.abc import Callable, Iterable

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import LARGEST_EPSILON, MIN_GAP
from pcsos.cli.parser import Parser, input_file
from pcsos.problem.conditions.conditions import LIMITS
from pcsos.problem.conditions.distances import Diameter, Split
from pcsos.problem.conditions.role import Condition
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.options import CERTAIN_SECONDS, Options
from pcsos.problem.similarity import KERNELS
from pcsos.problem.validation.texts import number, positive, whole_number


def workers(text: str) -> int:
    """Read a number of processes: -1 is one for each core."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise InputError(f"{text!r} is not a number of processes; give 1 or more, or -1 for all cores")
    return int(text)


def file_of_its_own(text: str) -> str:
    """Read the name of a file that is more than text, or is read again: not standard output."""
    if text == "-":
        raise InputError("'-' is standard output, which cannot take it; give a file")
    return text


def number_that(is_right: Callable[[float], bool], what: str) -> Callable[[str], float]:
    """Return what reads a number of some range, which is said in words."""

    def read(text: str) -> float:
        value = number(text)
        if not is_right(value):
            raise InputError(f"{text!r} is not {what}")
        return value

    return read


seconds = number_that(lambda value: value >= 0.0, "a number of seconds; give 0 or more")
epsilon = number_that(
    lambda value: 0.0 <= value <= LARGEST_EPSILON, f"a relative distance; give a number from 0 to {LARGEST_EPSILON:g}"
)


def gap(least: float) -> Callable[[str], float]:
    """Return what reads a relative gap that is not below the least one."""
    return number_that(lambda value: least <= value < 1.0, f"a gap; give a number from {least:g} to less than 1")


def written(name: str) -> str:
    """Return how the option that a keyword is, is written."""
    return f"--{name.replace('_', '-')}"


#: Sections of the help.
CLUSTERS, RUN = "conditions on clusters", "the run"

QUIET_HELP = "one line for the result, none if there is another output; no progress, no notes; errors are still shown"


class Command(Parser):
    """The parser of a command, with the options that several commands have."""

    def add_fields(self, families: Iterable[type[Condition]]) -> None:
        """Add an option for each field of these families."""
        for family in families:
            for own in family.SPELLINGS.values():
                read = input_file if own.labels_of else own.read
                self.add_argument(written(own.name), type=read, metavar=own.metavar, help=own.purpose)

    def add_pairs(self, purpose: str = "") -> None:
        """Add constraints and limits of distance."""
        lines = "lines ML i j, CL i j, SML i j p, SCL i j p, GAMMA x, DELTA x; or JSON"
        self.add_argument("--constraints", type=input_file, metavar="FILE", help=purpose or lines)
        self.section(CLUSTERS)
        self.add_fields([Diameter, Split])

    def add_file(self, nargs: str | None = None) -> None:
        """Add the file of the points."""
        purpose = "benchmark text, CSV, .npy, .npz or Parquet; gzipped or not; - is standard input"
        self.add_argument("points", nargs=nargs, type=input_file, metavar="POINTS", help=purpose)

    def add_points(self) -> None:
        """Add points and constraints."""
        self.add_file()
        self.add_pairs()
        self.add_columns()

    def add_instance(self, *, is_required: bool = True) -> None:
        """Add points or matrices, the number of clusters, and constraints."""
        self.add_file("?")
        self.add_matrices()
        self.add_number(is_required=is_required)
        self.add_pairs()
        self.add_columns()

    def add_number(self, *, is_required: bool = True, purpose: str = "number of clusters") -> None:
        """Add the number of clusters."""
        self.add_argument(
            "-k", type=whole_number(1), required=is_required, metavar="K", dest="n_clusters", help=purpose
        )

    def add_matrices(self) -> None:
        """Add what stands in place of coordinates."""
        self.section("matrices and kernels in place of coordinates")
        for name, what in (("--gram", "inner products"), ("--distances", "squared Euclidean distances")):
            self.add_argument(name, type=input_file, metavar="FILE", help=f"a matrix of {what} instead of POINTS")
        self.add_argument("--kernel", choices=KERNELS, help="cluster the points in the feature space of this kernel")
        self.add_argument(
            "--gamma", type=positive, metavar="G", help="parameter of the kernel rbf (default: from the variance)"
        )

    def add_columns(self) -> None:
        """Add how the file of points is read."""
        self.section("how POINTS is read")
        self.add_argument(
            "--features",
            type=lambda text: text.split(","),
            default=(),
            metavar="COLUMN,...",
            help="columns of POINTS that are the features, by name or by number from 1 (default: all others)",
        )
        self.add_columns_of("--ignore", "that is not a feature, by name or by number from 1")
        self.add_argument(
            "--id",
            metavar="COLUMN",
            dest="id_column",
            help="column of POINTS with ids, which name the points in all files",
        )
        self.add_flag("--standardize", "give each feature mean 0 and standard deviation 1")
        self.add_flag("--one-based", "number points from 1, not from 0, in constraints and labels")
        mark = "decimal mark in text, comma or point (%(default)s)"
        self.add_argument("--decimal", choices=(".", ","), default=".", metavar="CHAR", help=mark)
        first_line = self.add_mutually_exclusive_group()
        for name, is_header, what in (("--header", True, "names the columns"), ("--no-header", False, "is a point")):
            first_line.add_argument(
                name, action="store_const", const=is_header, dest="header", help=f"the first line of POINTS {what}"
            )

    def add_columns_of(self, name: str, what: str) -> None:
        """Add an option that names columns of the file of points, one at a time."""
        purpose = f"column of POINTS {what}; may be repeated"
        self.add_argument(name, action="append", default=[], metavar="COLUMN", help=purpose)

    def add_conditions(self) -> None:
        """Add what clusters have to be like, and what is known of the points for that."""
        self.section(CLUSTERS)
        self.add_weights()
        self.add_fields([*LIMITS, SoftPairs])

    def add_weights(self) -> None:
        """Add what points count."""
        either, lines = self.add_mutually_exclusive_group(), "weights of the points, one positive number per line"
        either.add_argument("--weights", type=input_file, metavar="FILE", help=lines)
        either.add_argument(
            "--weights-column", metavar="COLUMN", help="column of POINTS with the weights, not used as a feature"
        )

    def add_beginnings(self) -> None:
        """Add what a run starts from, and the labels that clusters keep."""
        either = self.add_mutually_exclusive_group()
        for group, name, purpose in (
            (either, "--initial-labels", "a partition to start from, such as one of k-means"),
            (either, "--initial-centers", "centres to start from, one row of features per cluster"),
            (self, "--match-to", "earlier labels; clusters keep their numbers"),
        ):
            group.add_argument(name, type=input_file, metavar="FILE", help=purpose)

    def add_limits(self) -> None:
        """Add the time limit and the seed."""
        self.section(RUN)
        self.add_time_limit("seconds of wall-clock time")
        self.add_seed()

    def add_time_limit(self, purpose: str) -> None:
        """Add the time limit."""
        self.add_argument("--time-limit", type=seconds, metavar="S", help=purpose)

    def add_certain(self, condition: str = "") -> None:
        """Add the question what is certain, and its time limit."""
        pairs = f"{condition}pairs on which all partitions within this relative distance of the best cost agree"
        self.add_argument("--certain", type=epsilon, metavar="E", help=pairs)
        self.add_time_limit(f"seconds for --certain, {CERTAIN_SECONDS:g} by default; inf for no limit")

    def add_seed(self, purpose: str = "seed of all random choices") -> None:
        """Add the seed."""
        purpose = f"{purpose} (%(default)s)"
        self.add_argument("--seed", type=whole_number(0), default=Options.seed, metavar="S", help=purpose)

    def add_node_limit(self, more: str = "") -> None:
        """Add the limit of nodes."""
        purpose = f"maximum number of nodes to bound{more}"
        self.add_argument("--node-limit", type=whole_number(0), metavar="N", help=purpose)

    def add_workers(self) -> None:
        """Add the number of processes of a run."""
        purpose = "processes (default: one per core, at most 16); -1: one per core"
        self.add_argument("--workers", type=workers, metavar="W", help=purpose)

    def add_workers_of_checker(self, purpose: str) -> None:
        """Add the number of processes of the checker."""
        self.add_argument("--workers", type=workers, default=1, metavar="W", help=f"{purpose} (%(default)s)")

    def add_gap(self, default: float = Options.gap) -> None:
        """Add the gap."""
        purpose = "relative gap to reach (%(default)g)"
        self.add_argument("--gap", type=gap(MIN_GAP), default=default, metavar="G", help=purpose)

    def add_labels_output(self, name: str = "--labels") -> None:
        """Add where labels go."""
        purpose = "write the labels: .npy, .parquet, otherwise CSV; - is standard output"
        self.add_output(name, dest="labels", help=purpose)

    def add_better_output(self) -> None:
        """Add where the labels of a better partition go."""
        purpose = "labels of a better partition, if the certification found one; - is standard output"
        self.add_output("--better-out", dest="better", help=purpose)

    def add_json(self, what: str = "the result") -> None:
        """Add where JSON goes."""
        self.add_output("--json", help=f"write {what} as JSON; - is standard output")

    def add_log(self, more: str = "") -> None:
        """Add where events go."""
        self.add_output("--log", help=f"events as JSON lines{more}; - is standard output")

    def add_outputs(self) -> None:
        """Add where a result goes."""
        self.add_labels_output()
        self.add_json()
        self.add_flag("--quiet", QUIET_HELP)
