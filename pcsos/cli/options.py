"""The options of all commands: in which section of the help each stands, what it says, and how its value is read."""

from collections.abc import Callable, Sequence
from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import LARGEST_EPSILON, MIN_GAP
from pcsos.cli.parser import input_file
from pcsos.problem.conditions.conditions import FAMILIES
from pcsos.problem.conditions.distances import DistanceLimit
from pcsos.problem.options import ENGINES, ILP_SOLVERS, Options
from pcsos.problem.similarity import KERNELS
from pcsos.problem.validation.texts import number, positive, whole_number


def workers(text: str) -> int:
    """Read a number of processes: -1 is one for each core."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise InputError(f"{text!r} is not a number of processes; give 1 or more, or -1 for all cores")
    return int(text)


def span(text: str) -> tuple[int, int]:
    """Read a range of numbers of clusters, the last one included: 2-5, or a single one."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise InputError(f"{text!r} is not a range of numbers of clusters; give one such as 2-5")
    return whole_number(1)(first), whole_number(1)(last or first)


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


#: The keys of :data:`pcsos.heuristics.METHODS`, without importing it.
METHODS = (
    "s-mdeclust", "ipc-kmeans", "blp-km", "sampled", "sdp-kmeans", "cop-kmeans", "post-processing", "k-means--",
    "hybrid-de",
)  # fmt: skip
#: The keys of :data:`pcsos.analysis.active.strategies.STRATEGIES`, likewise.
STRATEGIES = ("random", "mmffqs", "kmmffqs", "asc", "sdp-branch", "sdp-entropy", "certified")
#: The keys of :data:`pcsos.analysis.choice.solve_front.CRITERIA`, likewise.
CRITERIA = ("diameter", "split")
#: :data:`pcsos.heuristics.differential_evolution.landscape.CRITERIA`, and the rules of its rearrangement, likewise.
LANDSCAPES = ("TRW", "VRC")
MATCHINGS = ("greedy", "hungarian")
#: The keys of :data:`pcsos.cli.clusterers.SOFT` and :data:`pcsos.cli.clusterers.GRAPH`, likewise.
SOFT_METHODS = ("pckm", "mpckm", "pcskm")
GRAPH_METHODS = ("mcssgc", "ssgc", "mcssdbs")

STRATEGIES_HELP = (
    "how questions are chosen: kmmffqs (default; typical points far apart) or certified (pairs not proved yet; ends "
    "with a proof); for comparison: random (any pair), mmffqs (points far apart, outliers too), asc (borders between "
    "clusters), sdp-branch and sdp-entropy (pairs that the relaxation leaves open)"
)

#: What :meth:`argparse.ArgumentParser.add_argument` takes besides names.
Settings = dict[str, Any]


def value(metavar: str, purpose: str, read: Callable[[str], Any] | None = None, **more: Any) -> Settings:
    """Return the settings of an option with a value, and what reads it."""
    return {"metavar": metavar, "help": purpose, **({} if read is None else {"type": read}), **more}


def read_from(purpose: str) -> Settings:
    """Return those of one that names a file to read."""
    return value("FILE", purpose, input_file)


def written_to(purpose: str, *, is_text: bool = True) -> Settings:
    """Return those of one that names a file to write, which may be standard output where that is text."""
    return value("FILE", purpose, None if is_text else file_of_its_own, action="output")


def flag(purpose: str) -> Settings:
    """Return those of one without a value."""
    return {"action": "store_true", "help": purpose}


def one_of(choices: Sequence[str], purpose: str) -> Settings:
    """Return those of one that is the first of these unless given."""
    return {"choices": choices, "default": choices[0], "help": f"{purpose} (%(default)s)"}


def count(metavar: str, purpose: str, least: int = 1, **more: Any) -> Settings:
    """Return those of one that is a whole number."""
    return value(metavar, purpose, whole_number(least), **more)


def columns(what: str) -> Settings:
    """Return those of one that names columns of the file of points, one at a time."""
    return value("COLUMN", f"column of POINTS {what}; may be repeated", action="append", default=[])


#: Sections of the help; what stands in none is shown at once.
MATRICES, CLUSTERS = "matrices and kernels in place of coordinates", "conditions on clusters"
READING, METHOD, RUN = "how POINTS is read", "the method", "the run"

LABELS = written_to("write the labels: .npy, .parquet, otherwise CSV; - is standard output")
#: The options by section, each by its names; one without hyphens is an argument.
SECTIONS: dict[str, dict[str, Settings]] = {
    "": {
        "points": value(
            "POINTS", "benchmark text, CSV, .npy, .npz or Parquet; gzipped or not; - is standard input", input_file
        ),
        "labels_in": value("LABELS", "one label per line, or a file that solve --labels wrote", input_file, nargs="+"),
        "run_file": value("RUN_FILE", "journal of a run", input_file),
        "folder": value("FOLDER", "folder for the points, pairs and labels", nargs="?"),
        "-k": count("K", "number of clusters", dest="n_clusters", required=True),
        "--constraints": read_from("lines ML i j, CL i j, SML i j p, SCL i j p, GAMMA x, DELTA x; or JSON"),
        "--points": read_from("check that the run was about these points"),
        "--from": count("K", "least number of clusters (%(default)s)", dest="first", default=2),
        "--to": count("K", "greatest number (%(default)s)", dest="last", default=10),
        "--criterion": one_of(CRITERIA, "what is traded off against the cost"),
        "--method": {"choices": METHODS, "help": "heuristic (default: the one that suits the number of points)"},
        "--known": read_from("known labels: one whole number per line, -1 where not known; - is standard input"),
        "-o --output": written_to("the page: one HTML file; - is stdout") | {"required": True},
        "--constraints-out": written_to("write all known pairs; - is standard output") | {"required": True},
        "--show": columns("to show with the questions, but not to use as a feature"),
        "--strategy": value("NAME", STRATEGIES_HELP, choices=STRATEGIES, default="kmmffqs"),
        "--budget": count("N", "maximum number of answers (default: no limit)", 0),
        "--web": flag("ask on a page in a browser on this machine"),
        "--time-limit": value("S", "seconds of wall-clock time", seconds),
        "--gap": value("G", "relative gap to reach (%(default)g)", gap(MIN_GAP), default=Options.gap),
        "--run-file": written_to("journal of the run, to resume and to verify it", is_text=False),
        "--labels": LABELS,
        "--labels-out": LABELS | {"dest": "labels"},
        "--features": value(
            "COLUMN,...", "columns of POINTS that are the features, by name or by number from 1 (default: all others)",
            lambda text: text.split(","), default=(),
        ),
        "--ignore": columns("that is not a feature, by name or by number from 1"),
        "--id": value(
            "COLUMN", "column of POINTS with ids, which name the points in all files", dest="id_column"
        ),
        "--standardize": flag("give each feature mean 0 and standard deviation 1"),
        "--json": written_to("write the result as JSON; - is standard output"),
        "--report": written_to("write the result as an HTML page"),
        "--conflicts": flag("find contradictions among the pairs, and a smallest set of pairs to give up"),
        "--out": written_to("write the pairs that --conflicts leaves; - is standard output"),
        "--plot": written_to("plot the rows, with intervals from bound to cost: .png, .svg or .pdf", is_text=False),
        "--quiet": flag(
            "one line for the result, none if there is another output; no progress, no notes; errors are still shown"
        ),
        "--debug": flag("show where an error comes from"),
    },
    MATRICES: {
        "--gram": read_from("a matrix of inner products instead of POINTS"),
        "--distances": read_from("a matrix of squared Euclidean distances instead of POINTS"),
        "--kernel": {"choices": KERNELS, "help": "cluster the points in the feature space of this kernel"},
        "--gamma": value("G", "parameter of the kernel rbf (default: from the variance)", positive),
    },
    CLUSTERS: {
        "--weights": read_from("weights of the points, one positive number per line"),
        "--weights-column": value("COLUMN", "column of POINTS with the weights, not used as a feature"),
    },
    READING: {
        "--one-based": flag("number points from 1, not from 0, in constraints and labels"),
        "--decimal": one_of((".", ","), "decimal mark in text, comma or point") | {"metavar": "CHAR"},
    }
    | {
        name: {
            "action": "store_const", "const": is_header, "dest": "header", "help": f"the first line of POINTS {what}",
        }
        for name, is_header, what in (("--header", True, "names the columns"), ("--no-header", False, "is a point"))
    },
    METHOD: {
        "--variant": value("NAME", "variant of s-mdeclust or hybrid-de, such as b6e6rl-HG"),
        "--matching": {"choices": MATCHINGS, "help": "for hybrid-de: how centres are matched (greedy)"},
        "--use-all-time": {
            "action": "store_const", "const": True, "help": "for s-mdeclust: restart until the time limit",
        },
        "--max-stall": count("N", "for s-mdeclust: end after N offspring in a row that are no better (500)"),
        "--neighbours": count("N", "number of neighbours of a point (default: 10; for mcssdbs, 3)"),
        "--must-link": {
            "choices": ("contracted", "neighbours"), "help": "for mcssgc: how must-links are treated (contracted)",
        },
        "--split": {
            "choices": ("offending", "literal", "minimum_cut"),
            "help": "for mcssgc: what cannot-links cut (offending)",
        },
        "--leftovers": one_of(("nearest", "noise"), "where points go that share no neighbours"),
    },
    RUN: {
        "--seed": count("S", "seed of all random choices (%(default)s)", 0, default=Options.seed),
        "--node-limit": count("N", "maximum number of nodes to bound", 0),
        "--workers": value("W", "processes (default: one per core, at most 16); -1: one per core", workers),
        "--block-size": count("N", "minimum number of points in a block (default: adapted)", 2),
        "--initial-labels": read_from("a partition to start from, such as one of k-means"),
        "--initial-centers": read_from("centres to start from, one row of features per cluster"),
        "--match-to": read_from("earlier labels; clusters keep their numbers"),
        "--engine": {"choices": ENGINES, "default": ENGINES[0], "help": "solver of the relaxations"},
        "--ilp": {"choices": ILP_SOLVERS, "default": ILP_SOLVERS[0], "help": "solver of integer programs"},
        "--better-out": written_to("labels of a better partition, if the certification found one; - is standard output")
        | {"dest": "better"},
        "--log": written_to("events as JSON lines; - is standard output"),
        "--epsilon": value(
            "E", "for certified: skip pairs on which all partitions this close to the best cost agree (%(default)g)",
            epsilon, default=0.1,
        ),
        "--certain": value(
            "E", "pairs on which all partitions within this relative distance of the best cost agree", epsilon
        ),
        "--no-verify": {"action": "store_false", "dest": "verify", "help": "do not run the checker first"},
    },
}  # fmt: skip

#: The options of conditions, those of limits of distance first.
DISTANCES, BESIDE_PAIRS = (
    {
        written(own.name): value(own.metavar, own.purpose, input_file if own.file_of else own.read)
        for family in FAMILIES
        if issubclass(family, DistanceLimit) is is_of_distance
        for own in family.SPELLINGS.values()
    }
    for is_of_distance in (True, False)
)
SECTIONS[CLUSTERS] |= DISTANCES | BESIDE_PAIRS
