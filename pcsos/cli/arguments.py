"""The arguments of the command line."""

import argparse
import os
from collections.abc import Sequence

from pcsos._version import __version__
from pcsos.base.tolerances import MIN_GAP
from pcsos.cli.options import (
    DEFAULTS,
    LABELS_HELP,
    POINTS_HELP,
    QUIET_HELP,
    RUN,
    add_columns,
    add_conditions,
    add_fields,
    add_instance,
    add_limits,
    add_matrices,
    add_number,
    add_outputs,
    add_pairs,
    add_points,
    add_seed,
    add_weights,
    epsilon,
    file_of_its_own,
    gap,
    seconds,
    whole_number,
    workers,
)
from pcsos.cli.parser import GIVEN, HelpAll, Parser
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.options import CERTAIN_SECONDS, ENGINES, ILP_SOLVERS

#: The keys of :data:`pcsos.heuristics.METHODS`, without importing it.
METHODS = ("s-mdeclust", "ipc-kmeans", "blp-km", "sampled", "sdp-kmeans", "cop-kmeans", "post-processing", "hybrid-de")
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
CERTAIN_HELP = "pairs on which all partitions within this relative distance of the best cost agree"
CERTAIN_SECONDS_HELP = f"seconds for --certain, {CERTAIN_SECONDS:g} by default; inf for no limit"
WORKERS_HELP = "processes (default: one per core, at most 16); -1: one per core"
BETTER_HELP = "labels of a better partition, if the certification found one; - is standard output"

#: What the shell sets when it asks for completions.
COMPLETING = "_ARGCOMPLETE"

EPILOG = (
    "exit status: 0 proved optimal within the gap (heuristic: ended by itself); 1 failure; 2 bad input or "
    "usage; 3 infeasible; 4 stopped without a proof, with the best partition found; 5 a check failed; 130 interrupted "
    "before a result"
)

COMPLETION = (
    'completion in the shell: pip install "pcsos[completion]", then eval "$(register-python-argcomplete pcsos)" in the '
    "file that the shell reads when it starts"
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments: ``command`` is the name of the command, ``outputs`` has the files that it writes.

    Raises
    ------
    InputError
        If they are not understood.
    """
    parser, commands = program_parser()
    if COMPLETING in os.environ:
        _complete(parser)
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        commands[parsed.command].refuse(unknown)
    vars(parsed).pop(GIVEN, None)
    outputs = commands[parsed.command].outputs
    parsed.outputs = {option: getattr(parsed, attribute) for option, attribute in outputs.items()}
    return parsed


def program_parser() -> tuple[Parser, dict[str, Parser]]:
    """Return the parser of the program, and those of its commands."""
    parser = Parser(
        prog="pcsos",
        description="Clustering of least sum of squares under must-links and cannot-links, with proof.",
        epilog=f"{EPILOG}. {COMPLETION}",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pcsos {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    _add_solve(_command(commands, "solve", "find the optimal partition and prove it"))
    _add_certify(_command(commands, "certify", "prove how far a partition is from the best one, at any size"))
    _add_path(_command(commands, "path", "prove what each of several numbers of clusters costs, to choose one"))
    _add_front(_command(commands, "front", "prove all best trade-offs of cost and diameter, or of cost and split"))
    _add_heuristic(_command(commands, "heuristic", "find a good partition without a proof"))
    _add_soft(_command(commands, "soft", "cluster by k-means with soft pairs, without a proof"))
    _add_graph(_command(commands, "graph", "grow clusters of any shape from known labels and pairs, without a proof"))
    _add_ask(_command(commands, "ask", "ask about pairs of points and write the answers as constraints"))
    _add_info(_command(commands, "info", "describe an instance and tell whether it is feasible"))
    _add_verify(_command(commands, "verify", "check the claim of a finished run from the instance alone"))
    _add_report(_command(commands, "report", "write a page that shows a run and what it proves"))
    _add_resume(_command(commands, "resume", "continue a run that was stopped or killed"))
    _add_compare(_command(commands, "compare", "compare labels: their costs, the pairs they break, how they agree"))
    _add_demo(_command(commands, "demo", "draw an instance, solve it and show the clusters"))
    _command(commands, "warmup", "compile the kernels now instead of at the first run")
    return parser, commands.choices


def _complete(parser: Parser) -> None:
    """Answer the shell, which asks how the line that is being typed goes on, and end the process."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)


def _command(commands: "argparse._SubParsersAction[Parser]", name: str, purpose: str) -> Parser:
    parser = commands.add_parser(name, help=purpose, description=purpose, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options and exit")
    parser.add_argument("--debug", action="store_true", help="show where an error comes from")
    return parser


def _add_solve(parser: Parser) -> None:
    add_instance(parser)
    add_conditions(parser)
    add_limits(parser)
    parser.add_argument("--node-limit", type=whole_number(0), metavar="N", help="maximum number of nodes to bound")
    parser.add_argument("--workers", type=workers, metavar="W", help=WORKERS_HELP)
    parser.add_argument(
        "--gap", type=gap(MIN_GAP), default=DEFAULTS["gap"], metavar="G", help="relative gap to reach (%(default)g)"
    )
    _add_beginnings(parser)
    parser.add_argument("--engine", choices=ENGINES, default=DEFAULTS["engine"], help="solver of the relaxations")
    parser.add_argument("--ilp", choices=ILP_SOLVERS, default=DEFAULTS["ilp"], help="solver of integer programs")
    parser.add_output("--run-file", type=file_of_its_own, help="journal of the run, to resume and to verify it")
    add_outputs(parser)
    parser.add_output("--log", help="events as JSON lines; - is standard output")


def _add_beginnings(parser: Parser) -> None:
    beginnings = parser.add_mutually_exclusive_group()
    beginnings.add_argument(
        "--initial-labels", metavar="FILE", help="a partition to start from, such as one of k-means"
    )
    beginnings.add_argument(
        "--initial-centers", metavar="FILE", help="centres to start from, one row of features per cluster"
    )
    parser.add_argument("--match-to", metavar="FILE", help="earlier labels; clusters keep their numbers")


def _add_certify(parser: Parser) -> None:
    add_instance(parser, is_required=False)
    add_conditions(parser)
    parser.add_argument(
        "--labels",
        metavar="FILE",
        dest="labels_in",
        help="the partition: one label per line, or a file that solve --labels wrote",
    )
    add_limits(parser)
    parser.add_argument(
        "--block-size", type=whole_number(2), metavar="N", help="minimum number of points in a block (default: adapted)"
    )
    parser.add_argument("--workers", type=workers, metavar="W", help=WORKERS_HELP)
    parser.add_argument(
        "--gap", type=gap(MIN_GAP), default=1e-3, metavar="G", help="relative gap to reach (%(default)g)"
    )
    parser.add_output(
        "--run-file", type=file_of_its_own, help="journal of blocks and bounds, to resume and to verify the run"
    )
    parser.set_defaults(labels_option="--labels-out")
    parser.add_output("--labels-out", dest="labels", help=LABELS_HELP)
    parser.add_output("--better-out", dest="better", help=BETTER_HELP)
    parser.add_output("--json", help="write the result as JSON; - is standard output")
    parser.add_argument("--quiet", action="store_true", help=QUIET_HELP)
    parser.add_output("--log", help="events as JSON lines; - is standard output")


def _add_path(parser: Parser) -> None:
    add_points(parser)
    parser.add_argument(
        "--from",
        type=whole_number(1),
        default=2,
        metavar="K",
        dest="first",
        help="least number of clusters (%(default)s)",
    )
    parser.add_argument(
        "--to", type=whole_number(1), default=10, metavar="K", dest="last", help="greatest number (%(default)s)"
    )
    _add_choosing(parser)


def _add_front(parser: Parser) -> None:
    add_instance(parser)
    parser.add_argument(
        "--criterion", choices=CRITERIA, default=CRITERIA[0], help="what is traded off against the cost (%(default)s)"
    )
    _add_choosing(parser)


def _add_choosing(parser: Parser) -> None:
    add_conditions(parser)
    add_limits(parser)
    parser.add_argument("--workers", type=workers, metavar="W", help=WORKERS_HELP)
    parser.add_argument(
        "--gap", type=gap(MIN_GAP), default=DEFAULTS["gap"], metavar="G", help="relative gap to reach (%(default)g)"
    )
    parser.add_output("--json", help="write all rows and labels as JSON; - is standard output")
    parser.add_output(
        "--plot", type=file_of_its_own, help="plot the rows, with intervals from bound to cost: .png, .svg or .pdf"
    )
    parser.add_output("--report", help="write the rows as an HTML page")
    parser.add_argument("--quiet", action="store_true", help="no progress; no table if there is another output")


def _add_heuristic(parser: Parser) -> None:
    add_instance(parser)
    add_conditions(parser)
    parser.section("the method")
    parser.add_argument("--method", choices=METHODS, default=METHODS[0], help="heuristic (%(default)s)")
    parser.add_argument("--variant", metavar="NAME", help="variant of s-mdeclust or hybrid-de, such as b6e6rl-HG")
    parser.add_argument(
        "--criterion", choices=LANDSCAPES, help="for hybrid-de: sum of squares (TRW, the default) or variance ratio"
    )
    parser.add_argument("--matching", choices=MATCHINGS, help="for hybrid-de: how centres are matched (greedy)")
    add_limits(parser)
    parser.section("the method")
    parser.add_argument(
        "--use-all-time",
        action="store_true",
        default=None,
        help="for s-mdeclust: restart until the time limit",
    )
    parser.add_argument(
        "--max-stall",
        type=whole_number(1),
        metavar="N",
        help="for s-mdeclust: end after N offspring in a row that are no better (500)",
    )
    parser.section(RUN)
    _add_beginnings(parser)
    add_outputs(parser)
    parser.add_output("--report", help="write the result as an HTML page")


def _add_soft(parser: Parser) -> None:
    add_points(parser)
    add_number(parser)
    parser.add_argument(
        "--method", choices=SOFT_METHODS, default=SOFT_METHODS[0], help="PCKMeans, MPCKMeans or PCSKMeans (%(default)s)"
    )
    add_seed(parser)
    add_outputs(parser)
    parser.set_defaults(weights=None, weights_column=None)


def _add_graph(parser: Parser) -> None:
    add_points(parser)
    parser.add_argument(
        "--method", choices=GRAPH_METHODS, default=GRAPH_METHODS[0], help="MCSSGC, SSGC or MCSSDBS (%(default)s)"
    )
    parser.add_argument(
        "--known",
        metavar="FILE",
        help="known labels: one whole number per line, -1 where not known; - is standard input",
    )
    parser.section("the method")
    parser.add_argument(
        "--neighbours",
        type=whole_number(1),
        metavar="N",
        help="number of neighbours of a point (default: 10; for mcssdbs, 3)",
    )
    parser.add_argument(
        "--must-link", choices=("contracted", "neighbours"), help="for mcssgc: how must-links are treated (contracted)"
    )
    parser.add_argument(
        "--split", choices=("offending", "literal", "minimum_cut"), help="for mcssgc: what cannot-links cut (offending)"
    )
    parser.add_argument(
        "--leftovers",
        choices=("nearest", "noise"),
        default="nearest",
        help="where points go that share no neighbours (%(default)s)",
    )
    add_outputs(parser)
    parser.set_defaults(weights=None, weights_column=None)


def _add_ask(parser: Parser) -> None:
    add_instance(parser)
    parser.add_output("--constraints-out", required=True, help="write all known pairs; - is standard output")
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="COLUMN",
        help="column of POINTS to show with the questions, but not to use as a feature; may be repeated",
    )
    parser.add_argument("--strategy", choices=STRATEGIES, default="kmmffqs", metavar="NAME", help=STRATEGIES_HELP)
    parser.add_argument(
        "--budget", type=whole_number(0), metavar="N", help="maximum number of answers (default: no limit)"
    )
    parser.section(RUN)
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        default=0.1,
        metavar="E",
        help="for certified: skip pairs on which all partitions this close to the best cost agree (%(default)g)",
    )
    parser.add_output("--log", type=file_of_its_own, help="write the answers as CSV; an existing file is continued")
    parser.add_argument("--web", action="store_true", help="ask on a page in a browser on this machine")
    add_limits(parser)
    parser.set_defaults(weights=None, weights_column=None)


def _add_info(parser: Parser) -> None:
    add_instance(parser, is_required=False)
    parser.add_argument("--certain", type=epsilon, metavar="E", help=f"for a run file: {CERTAIN_HELP}")
    parser.add_argument("--time-limit", type=seconds, metavar="S", help=CERTAIN_SECONDS_HELP)
    add_conditions(parser)
    parser.add_output("--json", help="write the description as JSON; - is standard output")
    parser.add_argument("--quiet", action="store_true", help="no progress, no notes; errors are still shown")


def _add_verify(parser: Parser) -> None:
    parser.add_argument("run_file", metavar="RUN_FILE", help="journal of a finished run")
    parser.add_argument("--points", metavar="FILE", help="check that the run was about these points")
    add_matrices(parser)
    add_pairs(parser, "check that the run was about these constraints")
    parser.add_argument(
        "-k", type=whole_number(1), metavar="K", dest="n_clusters", help="check that the run had k clusters"
    )
    parser.add_argument(
        "--gap", type=gap(0.0), metavar="G", help="require this relative gap, whatever gap the run was started with"
    )
    parser.section(RUN)
    parser.add_argument(
        "--workers", type=workers, default=1, metavar="W", help="processes that check blocks (%(default)s)"
    )
    parser.add_argument("--quiet", action="store_true", help="print only errors; see the exit status")
    add_columns(parser)
    add_conditions(parser)


def _add_report(parser: Parser) -> None:
    parser.add_argument("run_file", metavar="RUN_FILE", help="journal of a run")
    parser.add_output("-o", "--output", required=True, help="the page: one HTML file; - is stdout")
    parser.add_argument("--no-verify", action="store_false", dest="verify", help="do not run the checker first")
    parser.add_argument("--certain", type=epsilon, metavar="E", help=CERTAIN_HELP)
    parser.add_argument("--time-limit", type=seconds, metavar="S", help=CERTAIN_SECONDS_HELP)
    parser.add_argument(
        "--workers", type=workers, default=1, metavar="W", help="processes of the checker (%(default)s)"
    )


def _add_resume(parser: Parser) -> None:
    parser.add_argument("run_file", metavar="RUN_FILE", help="journal of a run")
    parser.add_argument("--time-limit", type=seconds, metavar="S", help="seconds of wall-clock time from now on")
    parser.add_argument(
        "--node-limit", type=whole_number(0), metavar="N", help="maximum number of nodes to bound, in total"
    )
    parser.add_argument("--workers", type=workers, metavar="W", help=WORKERS_HELP)
    add_outputs(parser)
    parser.add_output("--better-out", dest="better", help=BETTER_HELP)
    parser.add_output("--log", help="events as JSON lines, appended; - is standard output")


def _add_compare(parser: Parser) -> None:
    parser.add_argument("points", metavar="POINTS", help=POINTS_HELP)
    parser.add_argument(
        "labels_in", nargs="+", metavar="LABELS", help="one label per line, or a file that solve --labels wrote"
    )
    add_pairs(parser, "pairs that the labels should satisfy")
    parser.add_output("--json", help="write the comparison as JSON; - is standard output")
    add_columns(parser)
    add_weights(parser)
    add_fields(parser, [SoftPairs])


def _add_demo(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="folder for the points, pairs and labels")
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="S", help="seed of the drawn instance (%(default)s)"
    )
