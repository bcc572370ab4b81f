"""The arguments of the command line."""

import argparse
import os
from collections.abc import Sequence

from pcsos._version import __version__
from pcsos.cli.options import QUIET_HELP, RUN, Command, epsilon, file_of_its_own, gap
from pcsos.cli.parser import HelpAll, Parser, input_file
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.options import ENGINES, ILP_SOLVERS
from pcsos.problem.validation.texts import whole_number

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
    """Return the parsed arguments with the name of the ``command``, and what :meth:`Parser.parsed` adds.

    Raises
    ------
    InputError
        If they are not understood.
    """
    parser, commands = program_parser()
    if COMPLETING in os.environ:
        _complete(parser)
    values, unknown = parser.parse_known_args(arguments)
    command = commands[values.command]
    if unknown:
        command.refuse(unknown)
    return command.parsed(values)


def program_parser() -> tuple[Parser, dict[str, Command]]:
    """Return the parser of the program, and those of its commands."""
    parser = Parser(
        prog="pcsos",
        description="Clustering of least sum of squares under must-links and cannot-links, with proof.",
        epilog=f"{EPILOG}. {COMPLETION}",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pcsos {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Command)
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


def _command(commands: "argparse._SubParsersAction[Command]", name: str, purpose: str) -> Command:
    parser = commands.add_parser(name, help=purpose, description=purpose, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options and exit")
    parser.add_flag("--debug", "show where an error comes from")
    return parser


def _add_solve(parser: Command) -> None:
    parser.add_instance()
    parser.add_conditions()
    parser.add_limits()
    parser.add_node_limit()
    parser.add_workers()
    parser.add_gap()
    parser.add_beginnings()
    _add_engine(parser)
    parser.add_argument("--ilp", choices=ILP_SOLVERS, default=ILP_SOLVERS[0], help="solver of integer programs")
    parser.add_output("--run-file", type=file_of_its_own, help="journal of the run, to resume and to verify it")
    parser.add_outputs()
    parser.add_log()


def _add_engine(parser: Command) -> None:
    parser.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help="solver of the relaxations")


def _add_certify(parser: Command) -> None:
    parser.add_instance(is_required=False)
    parser.add_conditions()
    purpose = "the partition: one label per line, or a file that solve --labels wrote"
    parser.add_argument("--labels", type=input_file, metavar="FILE", dest="labels_in", help=purpose)
    parser.add_limits()
    parser.add_argument(
        "--block-size", type=whole_number(2), metavar="N", help="minimum number of points in a block (default: adapted)"
    )
    parser.add_workers()
    parser.add_gap(1e-3)
    _add_engine(parser)
    journal = "journal of blocks and bounds, to resume and to verify the run"
    parser.add_output("--run-file", type=file_of_its_own, help=journal)
    parser.set_defaults(labels_option="--labels-out")
    parser.add_labels_output("--labels-out")
    parser.add_better_output()
    parser.add_json()
    parser.add_flag("--quiet", QUIET_HELP)
    parser.add_log()


def _add_path(parser: Command) -> None:
    parser.add_points()
    for name, attribute, default, which in (
        ("--from", "first", 2, "least number of clusters"),
        ("--to", "last", 10, "greatest number"),
    ):
        parser.add_argument(
            name, type=whole_number(1), default=default, metavar="K", dest=attribute, help=f"{which} (%(default)s)"
        )
    _add_choosing(parser)


def _add_front(parser: Command) -> None:
    parser.add_instance()
    _add_one_of(parser, "--criterion", CRITERIA, "what is traded off against the cost")
    _add_choosing(parser)


def _add_one_of(parser: Command, name: str, choices: Sequence[str], purpose: str) -> None:
    """Add an option that is the first of these unless given."""
    parser.add_argument(name, choices=choices, default=choices[0], help=f"{purpose} (%(default)s)")


def _add_choosing(parser: Command) -> None:
    parser.add_conditions()
    parser.add_limits()
    parser.add_workers()
    parser.add_gap()
    parser.add_json("all rows and labels")
    parser.add_output(
        "--plot", type=file_of_its_own, help="plot the rows, with intervals from bound to cost: .png, .svg or .pdf"
    )
    parser.add_output("--report", help="write the rows as an HTML page")
    parser.add_flag("--quiet", "no progress; no table if there is another output")


def _add_heuristic(parser: Command) -> None:
    parser.add_instance()
    parser.add_conditions()
    parser.section("the method")
    _add_one_of(parser, "--method", METHODS, "heuristic")
    parser.add_argument("--variant", metavar="NAME", help="variant of s-mdeclust or hybrid-de, such as b6e6rl-HG")
    parser.add_argument(
        "--criterion", choices=LANDSCAPES, help="for hybrid-de: sum of squares (TRW, the default) or variance ratio"
    )
    parser.add_argument("--matching", choices=MATCHINGS, help="for hybrid-de: how centres are matched (greedy)")
    parser.add_limits()
    parser.section("the method")
    all_time, stall = "restart until the time limit", "end after N offspring in a row that are no better (500)"
    parser.add_argument("--use-all-time", action="store_const", const=True, help=f"for s-mdeclust: {all_time}")
    parser.add_argument("--max-stall", type=whole_number(1), metavar="N", help=f"for s-mdeclust: {stall}")
    parser.section(RUN)
    parser.add_beginnings()
    parser.add_outputs()
    parser.add_output("--report", help="write the result as an HTML page")


def _add_soft(parser: Command) -> None:
    parser.add_points()
    parser.add_number()
    _add_one_of(parser, "--method", SOFT_METHODS, "PCKMeans, MPCKMeans or PCSKMeans")
    parser.add_seed()
    parser.add_outputs()


def _add_graph(parser: Command) -> None:
    parser.add_points()
    _add_one_of(parser, "--method", GRAPH_METHODS, "MCSSGC, SSGC or MCSSDBS")
    known = "known labels: one whole number per line, -1 where not known; - is standard input"
    parser.add_argument("--known", type=input_file, metavar="FILE", help=known)
    parser.section("the method")
    neighbours = "number of neighbours of a point (default: 10; for mcssdbs, 3)"
    parser.add_argument("--neighbours", type=whole_number(1), metavar="N", help=neighbours)
    for name, choices, purpose in (
        ("--must-link", ("contracted", "neighbours"), "how must-links are treated"),
        ("--split", ("offending", "literal", "minimum_cut"), "what cannot-links cut"),
    ):
        parser.add_argument(name, choices=choices, help=f"for mcssgc: {purpose} ({choices[0]})")
    _add_one_of(parser, "--leftovers", ("nearest", "noise"), "where points go that share no neighbours")
    parser.add_outputs()


def _add_ask(parser: Command) -> None:
    parser.add_instance()
    parser.add_output("--constraints-out", required=True, help="write all known pairs; - is standard output")
    parser.add_columns_of("--show", "to show with the questions, but not to use as a feature")
    parser.add_argument("--strategy", choices=STRATEGIES, default="kmmffqs", metavar="NAME", help=STRATEGIES_HELP)
    budget = "maximum number of answers (default: no limit)"
    parser.add_argument("--budget", type=whole_number(0), metavar="N", help=budget)
    parser.section(RUN)
    purpose = "for certified: skip pairs on which all partitions this close to the best cost agree (%(default)g)"
    parser.add_argument("--epsilon", type=epsilon, default=0.1, metavar="E", help=purpose)
    parser.add_output("--log", type=file_of_its_own, help="write the answers as CSV; an existing file is continued")
    parser.add_flag("--web", "ask on a page in a browser on this machine")
    parser.add_limits()


def _add_info(parser: Command) -> None:
    parser.add_instance(is_required=False)
    parser.add_certain("for a run file: ")
    parser.add_conditions()
    parser.add_json("the description")
    parser.add_flag("--quiet", "no progress, no notes; errors are still shown")


def _add_verify(parser: Command) -> None:
    _add_run_file(parser, "journal of a finished run")
    parser.add_argument("--points", type=input_file, metavar="FILE", help="check that the run was about these points")
    parser.add_matrices()
    parser.add_pairs("check that the run was about these constraints")
    parser.add_number(is_required=False, purpose="check that the run had k clusters")
    required = "require this relative gap, whatever gap the run was started with"
    parser.add_argument("--gap", type=gap(0.0), metavar="G", help=required)
    parser.section(RUN)
    parser.add_workers_of_checker("processes that check blocks")
    parser.add_flag("--quiet", "print only errors; see the exit status")
    parser.add_columns()
    parser.add_conditions()


def _add_run_file(parser: Command, purpose: str = "journal of a run") -> None:
    parser.add_argument("run_file", type=input_file, metavar="RUN_FILE", help=purpose)


def _add_report(parser: Command) -> None:
    _add_run_file(parser)
    parser.add_output("-o", "--output", required=True, help="the page: one HTML file; - is stdout")
    parser.add_argument("--no-verify", action="store_false", dest="verify", help="do not run the checker first")
    parser.add_certain()
    parser.add_workers_of_checker("processes of the checker")


def _add_resume(parser: Command) -> None:
    _add_run_file(parser)
    parser.add_time_limit("seconds of wall-clock time from now on")
    parser.add_node_limit(", in total")
    parser.add_workers()
    parser.add_outputs()
    parser.add_better_output()
    parser.add_log(", appended")


def _add_compare(parser: Command) -> None:
    parser.add_file()
    labels = "one label per line, or a file that solve --labels wrote"
    parser.add_argument("labels_in", nargs="+", type=input_file, metavar="LABELS", help=labels)
    parser.add_pairs("pairs that the labels should satisfy")
    parser.add_json("the comparison")
    parser.add_columns()
    parser.add_weights()
    parser.add_fields([SoftPairs])


def _add_demo(parser: Command) -> None:
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="folder for the points, pairs and labels")
    parser.add_seed("seed of the drawn instance")
