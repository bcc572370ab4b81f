"""Every command, every ending, every output: a table that is made by walking the parser, and no cell may surprise.

Commands, their inputs, their limits and their outputs are read from the parser, and what results can be from the
enumerations that they are made of, so that a new one is in the table without being written down here.
"""

import argparse
import io
import itertools
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos import cli
from pcsos.base.control.signals import Signals
from pcsos.cli.arguments import Parser, parse, program_parser
from pcsos.cli.messages import ExitStatus
from pcsos.cli.options import file_of_its_own
from pcsos.cli.outputs import Destinations
from pcsos.cli.results import finish
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.problem.partition import Partition
from tests.slow import slow_where

COMMANDS: dict[str, Parser] = program_parser()[1]
FULL = "/dev/full"
MISSING = "no folder/file.csv"

#: Files of the working folder: an instance with proved optimum 110/3, others that end otherwise, and labels.
FILES = {
    "points.csv": "x,y\n0,0\n2,0\n3,0\n9,0\n11,0\n",
    "bad.csv": "x,y\n0,zero\n2,0\n3,0\n9,0\n11,0\n",
    "pairs.txt": "ML 0 1\nCL 1 2\n",
    "infeasible.txt": "ML 0 1\nML 1 2\nCL 0 2\n",
    "labels.csv": "0\n0\n1\n1\n1\n",
    "worse.csv": "0\n0\n0\n1\n1\n",
}
#: What stands for an argument that an instance or a run needs, by the attribute that has it.
VALUES = {"points": "points.csv", "n_clusters": "2", "labels_in": "labels.csv", "folder": "drawn"}
#: Arguments of which a command needs one or another.
EITHER = {"certify": [["--labels", "labels.csv"], ["-k", "2"]], "info": [["-k", "2"]], "path": [["--to", "3"]]}
#: Runs that have ended in some way: the labels that were certified, if it was a certification, and its arguments.
RUNS: dict[str, tuple[list[int] | None, dict[str, Any]]] = {
    "solved": (None, {}),
    "stopped": (None, {"options": pcsos.Options(node_limit=0)}),
    "interrupted": (None, {"options": pcsos.Options(should_stop=lambda: True)}),
    "infeasible": (None, {"cannot_link": [(0, 1)]}),
    "certified": ([0, 0, 1, 1, 1], {}),
    "certified better": ([0, 0, 1, 1, 1], {"cannot_link": []}),
    "certification cut short": ([0, 0, 1, 1, 1], {"time_limit": 0}),
}


@dataclass(frozen=True)
class Ending:
    """Arguments that make a command end in some way, and the statuses that it may have then."""

    name: str
    words: tuple[str, ...]
    statuses: frozenset[int]


def option_of(parser: Parser, attribute: str) -> str | None:
    """The option of a parser that sets an attribute; None where it has none, or a positional argument."""
    found = (action for action in parser._actions if action.dest == attribute and action.option_strings)
    return next((action.option_strings[-1] for action in found), None)


def lines(name: str, parser: Parser) -> Iterator[list[str]]:
    """The shortest lines that a command takes, without outputs that are asked for."""
    words = [name]
    for action in parser._actions:
        if action.dest in VALUES and (action.required or not action.option_strings):
            words += [*action.option_strings[-1:], VALUES[action.dest]]
    if "points" not in words and option_of(parser, "constraints") and name != "verify":
        words += ["--constraints", "pairs.txt"]
    yield from ([*words, *more] for more in EITHER.get(name, [[]]))


def endings(name: str, parser: Parser) -> Iterator[Ending]:
    """How a command about an instance can end."""
    yield Ending("by itself", (), frozenset({0}))
    yield Ending("killed early", (), frozenset({130}))
    yield Ending("memory", (), frozenset({1}))
    if option_of(parser, "constraints"):
        yield Ending(
            "infeasible", ("--constraints", "infeasible.txt"), frozenset({0} if name in {"compare", "soft"} else {2, 3})
        )
    for action in parser._actions:
        if action.dest.endswith("_limit") and name != "info":
            yield Ending(action.dest, (action.option_strings[-1], "0"), frozenset({0, 4}))
    if option_of(parser, "time_limit") and name != "info":
        yield Ending("interrupted", (), frozenset({0} if name == "ask" else {4, 130}))  # ask asks all the same
    yield Ending("refused", ("bad.csv",), frozenset({2}))


def outputs(parser: Parser, paths: tuple[str, ...]) -> Iterator[tuple[dict[str, str], bool]]:
    """Where the outputs of a command may be told to go, by their options, and whether quietly.

    None is asked for, all of them are, and each of them alone goes to each of the paths.
    """
    everything = {
        option: f"{at}.out.png" for at, option in enumerate(parser.outputs)
    }  # an ending that all of them take
    must = {option: path for option, path in everything.items() if action_of(parser, option).required}
    yield from ((must, False), (everything, False))
    yield from (({**must, option: path}, False) for option in everything for path in paths)
    if option_of(parser, "quiet") and paths:
        yield from ((must, True), (everything, True))
        yield from (({**must, option: "-"}, True) for option in everything)


def paths_of(ending: Ending) -> tuple[str, ...]:
    """Where each output goes alone: nowhere if there is none, and to all kinds of places where most of them are."""
    if ending.statuses <= {1, 2, 130}:
        return ()
    return ("alone.png", "-", FULL, MISSING) if ending.name in {"by itself", "solved", "certified better"} else ("-",)


def action_of(parser: Parser, option: str) -> argparse.Action:
    return parser._option_string_actions[option]


def line_of(words: list[str], ending: Ending, to: dict[str, str], is_quiet: bool) -> list[str]:
    if ending.words and not ending.words[0].startswith("-"):
        words = [ending.words[0] if word == VALUES["points"] else word for word in words]
    else:
        if ending.words[:1] == ("--constraints",):  # once
            words = [word for word in words if word not in ("--constraints", "pairs.txt")]
        words = [*words, *ending.words]
    return [*words, *itertools.chain.from_iterable(to.items()), *["--quiet"] * is_quiet]


@dataclass(frozen=True)
class Done:
    """What a call has led to."""

    status: int
    out: str
    err: str


def called(words: list[str]) -> Done:
    """Call the program in this process, with replies to all it may ask."""
    for path in [*Path().glob("*.out.png"), Path("alone.png")]:
        path.unlink(missing_ok=True)
    shutil.rmtree("drawn", ignore_errors=True)
    streams = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        patch.setattr(sys, "stdin", io.StringIO("y\nq\n"))
        status = cli.main(words)
    return Done(status, *(stream.getvalue() for stream in streams))


def complaints(parser: Parser, ending: Ending, to: dict[str, str], is_quiet: bool, done: Done) -> list[str]:
    if "unexpected error" in done.err or "Traceback" in done.err:
        return ["unexpected error"]
    own = [path for option, path in to.items() if action_of(parser, option).type is file_of_its_own]
    if MISSING in to.values() or "-" in own:
        return [] if done.status == ExitStatus.BAD_INPUT else ["a place that nothing can be written to is not refused"]
    if FULL in to.values() and done.status == ExitStatus.FAILURE:
        is_told = f"{FULL} cannot be written" in done.err or "incomplete" in done.err
        return [] if is_told else ["a full disk is not told"]
    found = [] if done.status in ending.statuses | ({2} if FULL in to.values() else set()) else ["status"]
    if done.status in {1, 2, 130} or (done.status == 3 and parser.prog.split()[-1] == "graph"):  # which has no statuses
        return [*found, *complaints_of_failure(done)]
    return [*found, *complaints_of_result(parser, to, is_quiet, done)]


def complaints_of_failure(done: Done) -> Iterator[str]:
    if done.out:
        yield "a failure with something on standard output"
    if not done.err.startswith("pcsos: ") or "\npcsos: " in done.err.strip():
        yield "a failure that is not one sentence"


def complaints_of_result(parser: Parser, to: dict[str, str], is_quiet: bool, done: Done) -> Iterator[str]:
    for option, path in to.items():
        is_right = READERS.get(parser.outputs[option])
        if is_right is None or path == FULL:
            continue
        text = done.out if path == "-" else Path(path).read_text() if Path(path).is_file() else None
        if not is_right(text, done):
            yield f"{option} holds {text!r:.60}"
    if "-" in to.values():
        return
    if is_quiet and "labels" in parser.outputs.values() and done.out.count("\n") > (not to):
        yield "not quiet on standard output"
    if is_quiet and done.status == 0 and done.err and "--better-out" not in to:
        yield "not quiet on standard error"
    if not is_quiet and not done.out and parser.prog.split()[-1] not in {"ask", "report"}:
        yield "nothing on standard output"


def is_json(text: str | None, done: Done) -> bool:
    return text is not None and isinstance(json.loads(text), dict)


def is_labels(text: str | None, done: Done) -> bool:
    """Whether an output has all labels, or no rows where there is no partition."""
    return (
        text is not None
        and text.startswith("point,label\n")
        and text.count("\n") in ({6} if done.status == 0 else {1, 6})
    )


def is_pairs(text: str | None, done: Done) -> bool:
    """Whether an output has the constraints that hold together: of three that contradict, two are left."""
    given = FILES["pairs.txt" if done.status == 0 else "infeasible.txt"].splitlines()
    return text is not None and set(text.splitlines()) <= set(given) and text.count("\n") == 2


def is_better(text: str | None, done: Done) -> bool:
    """Whether labels of a better partition are there, or it is said that there are none."""
    has_none = not text and "no better partition was met" in done.err
    return has_none or (text is not None and text.count("\n") == 6)


def is_log(text: str | None, done: Done) -> bool:
    """Whether an output is lines of JSON, or of answers, which nobody gives about what cannot be."""
    if text is None:
        return done.status == ExitStatus.INFEASIBLE
    return text.startswith("#") or all(json.loads(line) for line in text.splitlines())


#: What tells whether an output is as it should be, by its attribute.
READERS = {"json": is_json, "out": is_pairs, "labels": is_labels, "better": is_better, "log": is_log}


@contextmanager
def happening(ending: Ending) -> Iterator[None]:
    """Let it happen that no argument brings about."""
    with pytest.MonkeyPatch.context() as patch:
        if ending.name == "interrupted":
            patch.setattr(Signals, "asked", lambda self: True)
        if ending.name in {"killed early", "memory"}:
            error = KeyboardInterrupt if ending.name == "killed early" else MemoryError
            patch.setattr("pcsos.cli.inputs.read_table", raising(error))
        yield


def raising(error: type[BaseException]) -> Callable[..., None]:
    def fail(*arguments: object, **settings: object) -> None:
        raise error

    return fail


#: Commands that take long with all their endings and outputs.
LONG = {"certify", "path", "front", "heuristic", "report", "resume"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before, own = Path.cwd(), tmp_path_factory.mktemp("table")
    os.chdir(own)
    for name, text in FILES.items():
        Path(name).write_text(text)
    yield own
    os.chdir(before)


def is_about_an_instance(name: str) -> bool:
    return any(action.dest == "points" and not action.option_strings for action in COMMANDS[name]._actions)


@pytest.mark.parametrize("name", slow_where(LONG.__contains__, filter(is_about_an_instance, COMMANDS)))
def test_a_command_about_an_instance(folder: Path, name: str) -> None:
    parser, wrong = COMMANDS[name], []
    for words, ending in itertools.product(lines(name, parser), endings(name, parser)):
        for to, is_quiet in outputs(parser, paths_of(ending)):
            line = line_of(words, ending, to, is_quiet)
            with happening(ending):
                done = called(line)
            wrong += [
                f"{what}: {line} ({ending.name}): {done}" for what in complaints(parser, ending, to, is_quiet, done)
            ]
    assert not wrong, "\n".join(wrong)


def is_about_a_run(name: str) -> bool:
    return name == "info" or any(
        action.dest == "run_file" and not action.option_strings for action in COMMANDS[name]._actions
    )


@pytest.fixture(scope="module")
def runs(folder: Path) -> dict[str, int]:
    """Run files, and the status that resuming each of them ends with."""
    points, found = np.array([[0.0], [2.0], [3.0], [9.0], [11.0]]), {}
    for name, (labels, settings) in RUNS.items():
        pairs = {"must_link": [(0, 1)], "cannot_link": [(1, 2)]} | settings
        path = f"{name}.run"
        if labels is None:
            pcsos.solve(points, 2, run_file=path, **pairs)
        else:
            pcsos.certify(points, labels, run_file=path, **pairs)
        found[name] = {"infeasible": 3, "certified better": 4}.get(name, 0)
    return found


@pytest.mark.parametrize("name", slow_where(LONG.__contains__, filter(is_about_a_run, COMMANDS)))
def test_a_command_about_a_run(runs: dict[str, int], name: str) -> None:
    parser, wrong = COMMANDS[name], []
    for run, status in runs.items():
        ending = Ending(run, (), frozenset({status if name == "resume" else 0}))
        for places, is_quiet in outputs(parser, paths_of(ending)):
            to = {option: path for option, path in places.items() if option != "--out"}  # is about pairs in a file
            shutil.copy(f"{run}.run", "one.run")
            line = line_of([name, "one.run"], ending, to, is_quiet)
            done = called(line)
            wrong += [f"{what}: {line} ({run}): {done}" for what in complaints(parser, ending, to, is_quiet, done)]
    assert not wrong, "\n".join(wrong)


def results() -> Iterator[Result]:
    """Every result that the enumerations allow: without a partition, with one, with a better one."""
    labels, better = Partition(np.array([0, 0, 0, 1, 1]), 9.0), Partition(np.array([0, 0, 1, 1, 1]), 4.0)
    instance, common = pcsos.Instance(np.arange(5.0), 2), {"seconds": 0.0, "seed": 0}
    for own in itertools.product([instance], Status, Reason):
        _, status, _ = own
        if status not in {Status.OPTIMAL, Status.FEASIBLE}:
            yield Result(*own, **common)
            continue
        yield Result(*own, labels, lower_bound=1.0, **common)
        yield Certification(*own, labels, lower_bound=1.0, **common)
        yield Certification(*own, labels, lower_bound=1.0, better=better, **common)


#: Commands with labels; those of ``soft`` and ``graph`` are no result of a solver.
WITH_RESULTS = [n for n, p in COMMANDS.items() if "labels" in p.outputs.values() and n not in {"soft", "graph"}]


@pytest.mark.parametrize("name", WITH_RESULTS)
def test_whatever_a_result_is_it_goes_where_it_should(folder: Path, name: str) -> None:
    parser, wrong = COMMANDS[name], []
    words = next(lines(name, parser)) if name != "resume" else ["resume", "one.run"]
    ending = Ending("any", (), frozenset({0, 3, 4}))
    for to, is_quiet in outputs(parser, ("alone.png", "-")):
        if {"--log", "--run-file"} & {*to}:  # which are written on the way
            continue
        where = Destinations.of(parse(line_of(words, ending, to, is_quiet)))
        for result in results():
            for path in {*to.values()} - {"-"}:
                Path(path).unlink(missing_ok=True)
            out, err = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                status = finish(result, where)
            done = Done(status, out.getvalue(), err.getvalue())
            wrong += [
                f"{what}: {to} ({result.status}, {result.reason}): {done}"
                for what in complaints(parser, ending, to, is_quiet, done)
            ]
    assert not wrong, "\n".join(wrong)
