"""The arguments of the command line."""

import argparse
import os
from collections.abc import Sequence
from typing import NamedTuple

from pcsos._version import __version__
from pcsos.cli.options import (
    BESIDE_PAIRS,
    DISTANCES,
    GRAPH_METHODS,
    LANDSCAPES,
    MATRICES,
    RUN,
    SECTIONS,
    SOFT_METHODS,
    Settings,
    gap,
    one_of,
    span,
    workers,
    written_to,
)
from pcsos.cli.parser import HelpAll, Parser, input_file
from pcsos.problem.options import CERTAIN_SECONDS

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
    """Return the parsed arguments with the name of the ``command``, and what :meth:`Parser.parsed` adds."""
    parser, commands = program_parser()
    if COMPLETING in os.environ:
        _complete(parser)
    values, unknown = parser.parse_known_args(arguments)
    command = commands[values.command]
    if unknown:
        command.refuse(unknown)
    return command.parsed(values)


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
    for name, command in COMMANDS.items():
        command.add_to(commands, name)
    return parser, commands.choices


def _complete(parser: Parser) -> None:
    """Answer the shell, which asks how the line that is being typed goes on, and end the process."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)


#: Names of options; of those in a tuple only one may be given.
Names = Sequence[str | tuple[str, ...]]


class Command(NamedTuple):
    """A command of the program."""

    module: str  #: the file in ``pcsos/cli`` with the function of its name
    purpose: str  #: what it does
    options: Names = ()  #: what it takes, in the order of the help
    #: settings in which options differ from those of other commands
    changes: dict[str, Settings] = {}  # noqa: RUF012

    def add_to(self, commands: "argparse._SubParsersAction[Parser]", name: str) -> None:
        """Add it to the commands of the program under a name."""
        parser = commands.add_parser(
            name, help=self.purpose, description=self.purpose, epilog=EPILOG, allow_abbrev=False
        )  # fmt: skip
        parser.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options and exit")
        known = {option: (title, own) for title, options in SECTIONS.items() for option, own in options.items()}
        groups: dict[str, argparse._ActionsContainer] = {"": parser}
        for options in ("--debug", *self.options):
            names = (options,) if isinstance(options, str) else options
            title = known[names[0]][0] if "--constraints" in self.options else ""
            if title not in groups:
                groups[title] = parser.add_argument_group(title)
            place = groups[title] if len(names) == 1 else groups[title].add_mutually_exclusive_group()
            for own in names:
                place.add_argument(*own.split(), **known[own][1] | self.changes.get(own, {}))


COLUMNS: Names = (
    *("--features", "--ignore", "--id", "--standardize", "--one-based", "--decimal"), ("--header", "--no-header"),
)  # fmt: skip
PAIRS: Names = ("--constraints", *DISTANCES)
POINTS: Names = ("points", *PAIRS, *COLUMNS)
INSTANCE: Names = ("points", *SECTIONS[MATRICES], "-k", *PAIRS, *COLUMNS)
WEIGHTS = ("--weights", "--weights-column")
CONDITIONS: Names = (WEIGHTS, *BESIDE_PAIRS)
LIMITS: Names = ("--time-limit", "--seed")
BEGINNINGS: Names = (("--initial-labels", "--initial-centers"), "--match-to")
OUTPUTS: Names = ("--labels", "--json", "--quiet")
CHOOSING: Names = (*CONDITIONS, *LIMITS, "--workers", "--gap", "--json", "--plot", "--report", "--quiet")

GIVEN_LABELS = "the partition: one label per line, or a file that solve --labels wrote"
OPTIONAL: dict[str, Settings] = {"points": {"nargs": "?"}}
FREE = OPTIONAL | {"-k": {"required": False}}
OF_CHOICES: dict[str, Settings] = {
    "--json": {"help": "write all rows and labels as JSON; - is standard output"},
    "--report": {"help": "write the rows as an HTML page"},
    "--quiet": {"help": "no progress; no table if there is another output"},
}
OF_CERTAIN = f"seconds for --certain, {CERTAIN_SECONDS:g} by default; inf for no limit"


def of_checker(purpose: str) -> Settings:
    """Return how the number of processes of the checker differs from that of a run."""
    return {"type": workers, "default": 1, "help": f"{purpose} (%(default)s)"}


COMMANDS = {
    "solve": Command(
        "runs", "find the optimal partition and prove it",
        (
            *INSTANCE, *CONDITIONS, *LIMITS, "--node-limit", "--workers", "--gap", *BEGINNINGS, "--engine", "--ilp",
            "--run-file", *OUTPUTS, "--log",
        ),
        OPTIONAL,
    ),
    "certify": Command(
        "runs", "prove how far a partition is from the best one, at any size",
        (
            *INSTANCE, *CONDITIONS, "--labels", *LIMITS, "--block-size", "--workers", "--gap", "--engine",
            "--run-file", "--labels-out", "--better-out", "--json", "--quiet", "--log",
        ),
        FREE | {
            "--labels": {"action": "store", "type": input_file, "dest": "labels_in", "help": GIVEN_LABELS},
            "--gap": {"default": 1e-3},
            "--run-file": {"help": "journal of blocks and bounds, to resume and to verify the run"},
        },
    ),
    "path": Command(
        "choosing", "prove what each of several numbers of clusters costs, to choose one",
        (*POINTS, "-k", "--from", "--to", *CHOOSING),
        OF_CHOICES | {
            "-k": {
                "metavar": "FROM-TO", "help": "numbers of clusters, such as 2-5", "required": False, "type": span,
                "dest": "numbers",
            },
        },
    ),
    "front": Command(
        "choosing", "prove all best trade-offs of cost and diameter, or of cost and split",
        (*INSTANCE, "--criterion", *CHOOSING), OPTIONAL | OF_CHOICES,
    ),
    "heuristic": Command(
        "runs", "find a good partition without a proof",
        (
            *INSTANCE, *CONDITIONS, "--method", "--variant", "--criterion", "--matching", *LIMITS, "--use-all-time",
            "--max-stall", *BEGINNINGS, *OUTPUTS, "--report",
        ),
        OPTIONAL | {
            "--criterion": {
                "choices": LANDSCAPES, "default": None,
                "help": "for hybrid-de: sum of squares (TRW, the default) or variance ratio",
            },
        },
    ),
    "soft": Command(
        "clusterers", "cluster by k-means with soft pairs, without a proof",
        (*POINTS, "-k", "--method", "--seed", *OUTPUTS),
        {"--method": one_of(SOFT_METHODS, "PCKMeans, MPCKMeans or PCSKMeans")},
    ),
    "graph": Command(
        "clusterers", "grow clusters of any shape from known labels and pairs, without a proof",
        (*POINTS, "--method", "--known", "--neighbours", "--must-link", "--split", "--leftovers", *OUTPUTS),
        {"--method": one_of(GRAPH_METHODS, "MCSSGC, SSGC or MCSSDBS")},
    ),
    "ask": Command(
        "questions", "ask about pairs of points and write the answers as constraints",
        (*INSTANCE, "--constraints-out", "--show", "--strategy", "--budget", "--epsilon", "--log", "--web", *LIMITS),
        OPTIONAL | {"--log": written_to("write the answers as CSV; an existing file is continued", is_text=False)},
    ),
    "info": Command(
        "info", "describe an instance and tell whether it is feasible",
        (*INSTANCE, "--conflicts", "--out", "--certain", "--time-limit", *CONDITIONS, "--json", "--quiet"),
        FREE | {
            "--certain": {"help": f"for a run file: {SECTIONS[RUN]['--certain']['help']}"},
            "--time-limit": {"help": OF_CERTAIN.replace("for", "for --conflicts and")},
            "--json": {"help": "write the description as JSON; - is standard output"},
            "--quiet": {"help": "no progress, no notes; errors are still shown"},
        },
    ),
    "verify": Command(
        "verification", "check the claim of a finished run from the instance alone",
        (
            "run_file", "--points", *SECTIONS[MATRICES], *PAIRS, "-k", "--gap", "--workers", "--quiet", *COLUMNS,
            *CONDITIONS,
        ),
        {
            "run_file": {"help": "journal of a finished run"},
            "--constraints": {"help": "check that the run was about these constraints"},
            "-k": {"required": False, "help": "check that the run had k clusters"},
            "--gap": {
                "type": gap(0.0), "default": None,
                "help": "require this relative gap, whatever gap the run was started with",
            },
            "--workers": of_checker("processes that check blocks"),
            "--quiet": {"help": "print only errors; see the exit status"},
        },
    ),
    "report": Command(
        "run_files", "write a page that shows a run and what it proves",
        ("run_file", "-o --output", "--no-verify", "--certain", "--time-limit", "--workers"),
        {"--time-limit": {"help": OF_CERTAIN}, "--workers": of_checker("processes of the checker")},
    ),
    "resume": Command(
        "runs", "continue a run that was stopped or killed",
        ("run_file", "--time-limit", "--node-limit", "--workers", *OUTPUTS, "--better-out", "--log"),
        {
            "--time-limit": {"help": "seconds of wall-clock time from now on"},
            "--node-limit": {"help": "maximum number of nodes to bound, in total"},
            "--log": {"help": "events as JSON lines, appended; - is standard output"},
        },
    ),
    "compare": Command(
        "comparison", "compare labels: their costs, the pairs they break, how they agree",
        ("points", "labels_in", *PAIRS, "--json", *COLUMNS, WEIGHTS, "--penalty"),
        {
            "--constraints": {"help": "pairs that the labels should satisfy"},
            "--json": {"help": "write the comparison as JSON; - is standard output"},
        },
    ),
    "demo": Command(
        "beginning", "draw an instance, solve it and show the clusters", ("folder", "--seed"),
        {"--seed": {"help": "seed of the drawn instance (%(default)s)"}},
    ),
    "warmup": Command("beginning", "compile the kernels now instead of at the first run"),
}  # fmt: skip
