"""What runs aside ends when the run has to, and what was found before that is not lost."""

import itertools
import math
import multiprocessing
import os
import signal
import struct
import sys
import time
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos import heuristics
from pcsos.base.control import subprocess
from pcsos.base.control.stop import NEVER, Interrupted, ProgramLostError, Stop
from pcsos.base.control.subprocess import Channel, interruptibly, run_job, run_killable, try_job
from pcsos.heuristics import ipc_kmeans, local_search
from pcsos.heuristics.assignment import exact
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import Budget
from pcsos.search.warm_up import warm_up
from tests.clocks import wait_until

#: A random graph whose colouring with 16 colours nobody decides: its chromatic number is 16 or 17.
SIZE, COLOURS = 125, 16
#: Seconds for which no test goes on: what should end before ends it, or pytest does.
LONG = 3600.0


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compile the kernels first, so that what is timed is the end of a run."""
    warm_up()


@pytest.fixture(params=["forked", "spawned"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Start processes as on Linux, and as elsewhere."""
    monkeypatch.setattr(subprocess, "_is_forked", lambda: request.param == "forked")
    return str(request.param)


@pytest.fixture(scope="module")
def hard_edges() -> list[tuple[int, int]]:
    rng = np.random.default_rng(1)
    return [(j, i) for i, j in itertools.combinations(range(SIZE), 2) if rng.random() < 0.5]


@pytest.mark.slow
@pytest.mark.parametrize("ilp", ["gurobi", "highs"])
def test_a_solver_is_left_when_the_run_has_to_end(ilp: str, hard_edges: list[tuple[int, int]]) -> None:
    with pytest.raises(Interrupted):
        solve_colouring(np.zeros((SIZE, COLOURS)), hard_edges, budget=Budget(Stop(time_limit=0.5), ilp))


@pytest.mark.slow
def test_a_run_obeys_its_time_limit_while_it_is_not_known_whether_there_is_a_partition(
    hard_edges: list[tuple[int, int]],
) -> None:
    points = np.random.default_rng(0).standard_normal((SIZE, 2))
    result = pcsos.solve(points, COLOURS, cannot_link=hard_edges, time_limit=1.0, workers=1)
    assert (result.status, result.reason) == (pcsos.Status.UNKNOWN, pcsos.Reason.TIME_LIMIT)
    found = heuristics.run(pcsos.Instance(points, COLOURS, cannot_link=hard_edges), time_limit=1.0)
    assert found.partition is None
    assert found.record.message == "time limit reached"


@pytest.mark.usefixtures("start")
def test_results_and_errors_come_back_from_aside() -> None:
    stop = Stop(lambda: False)
    assert run_killable(os.getpid, stop=stop) != os.getpid()
    with pytest.raises(ZeroDivisionError):
        run_killable(divmod, 1, 0, stop=stop)


@pytest.mark.usefixtures("start")
def test_a_job_in_a_subprocess_hears_of_the_end(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    assert run_job(wait_until_asked, begun, stop=Stop(begun.exists), grace=math.inf) == "asked"
    assert run_job(wait_until_asked, begun, stop=NEVER) == "nobody will ask"


def wait_until_asked(channel: Channel, begun: Path) -> str:
    if channel.stop.is_idle:
        return "nobody will ask"
    begun.touch()
    wait_until(channel.stop.asked)
    return "asked"


def test_what_is_aside_is_killed_when_the_run_has_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, children = os.fork, []

    def forked() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(os, "fork", forked)
    with pytest.raises(Interrupted):
        run_killable(time.sleep, LONG, stop=Stop(lambda: True))
    (child,) = children
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.slow
@pytest.mark.usefixtures("start")
def test_what_is_aside_is_left_after_the_grace() -> None:
    begun = time.perf_counter()
    with pytest.raises(Interrupted):
        run_job(sleep, LONG, stop=Stop(lambda: True), grace=0.5)
    assert time.perf_counter() - begun >= 0.5
    assert multiprocessing.active_children() == []


def sleep(channel: Channel, seconds: float) -> None:
    time.sleep(seconds)


def test_what_is_urgent_is_left_without_any_grace() -> None:
    with pytest.raises(Interrupted):
        run_job(sleep, LONG, stop=Stop(lambda: True, urgent=lambda: True), grace=LONG)


@pytest.mark.slow
@pytest.mark.usefixtures("start")
def test_an_integer_program_ends_where_processes_are_spawned(hard_edges: list[tuple[int, int]]) -> None:
    with pytest.raises(Interrupted):
        solve_colouring(np.zeros((SIZE, COLOURS)), hard_edges, budget=Budget(Stop(time_limit=1.5), "highs"))


@pytest.mark.usefixtures("start")
def test_who_waits_hears_messages_and_answers_and_is_heard() -> None:
    heard: list[int] = []
    idle: list[bool] = []

    def on_message(message: int) -> int:
        heard.append(message)
        return 2 * message

    stop = Stop(lambda: len(heard) == 3)
    answers = run_job(
        tell_until_stopped, 5, stop=stop, grace=LONG, on_message=on_message, meanwhile=lambda: idle.append(True)
    )
    assert heard == [5, 6, 7]
    assert answers == [10, 12, 14]
    assert idle


def tell_until_stopped(channel: Channel, first: int) -> list[int]:
    """Tell three numbers, then wait to be stopped."""
    answers = [channel.send(first + more) for more in range(3)]
    wait_until(channel.stop.asked)
    return answers


def test_what_who_waits_raises_ends_the_process() -> None:
    def on_message(message: int) -> None:
        raise ConnectionError("not that of the line")

    with pytest.raises(ConnectionError, match="not that of the line"):
        run_job(tell_until_stopped, 5, stop=Stop(lambda: False), grace=0.0, on_message=on_message)


def test_daemons_that_cannot_have_children_do_it_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "_may_start", lambda: False)
    assert run_killable(os.getpid, stop=Stop(lambda: False)) == os.getpid()
    assert run_job(told_and_stopped, stop=Stop(lambda: True), grace=0.0, on_message=str) == ("5", True)


def told_and_stopped(channel: Channel) -> tuple[str, bool]:
    return channel.send(5), channel.stop.asked()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that holds the lock is not ended")
def test_a_process_goes_with_its_parent_even_while_it_holds_the_lock(tmp_path: Path) -> None:
    """A call through ctypes.PyDLL keeps the interpreter's lock, as some of SciPy's decompositions do."""
    script = (
        "import ctypes, os, sys\nfrom pcsos.base.control.subprocess import run_killable\n"
        "from pcsos.base.control.stop import Stop\n"
        "def hold():\n    print(os.getpid(), flush=True)\n    ctypes.PyDLL(None).sleep(3600)\n"
        "run_killable(hold, stop=Stop(lambda: False))\n"
    )
    with Popen([sys.executable, "-c", script], stdout=PIPE, text=True) as process:
        child = int(process.stdout.readline())
        process.kill()
    wait_until(lambda: not is_running(child))


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_process_that_dies_is_an_error() -> None:
    with pytest.raises(ProgramLostError, match="memory"):
        run_killable(os._exit, 1, stop=Stop(lambda: False))


def test_who_can_do_without_hears_why_there_is_nothing() -> None:
    why: list[str] = []
    assert try_job(die, stop=Stop(lambda: False), on_lost=why.append) is None
    assert why == [subprocess.KILLED]
    assert try_job(sleep, LONG, stop=Stop(lambda: True), grace=0.0, on_lost=why.append) is None
    assert len(why) == 1


def die(channel: Channel) -> None:
    os._exit(1)


def test_a_process_that_is_killed_in_the_middle_of_a_message_is_an_error() -> None:
    with pytest.raises(ProgramLostError, match="memory"):
        run_job(die_in_a_message, stop=Stop(lambda: False), grace=0.0, on_message=print)


def die_in_a_message(channel: Any) -> None:
    os.write(channel._connection.fileno(), struct.pack("!i", 100) + b"half")
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_is_done_meanwhile_has_errors_of_its_own() -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        run_job(wait_long, stop=Stop(lambda: False), grace=0.0, on_message=print, meanwhile=fail)


def wait_long(channel: Any) -> None:
    time.sleep(LONG)


def test_processes_for_each_core_take_functions_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def note(number: int) -> None:
        if number == 0:
            wait_until((tmp_path / "3").exists)
        (tmp_path / str(number)).write_text(str(os.getpid()))

    monkeypatch.setattr(subprocess, "cores", lambda: 2)
    assert list(interruptibly(*(partial(note, number) for number in range(4)))) == [1, 2, 3, 0]
    processes = [(tmp_path / str(number)).read_text() for number in range(4)]
    assert processes[1:] == 3 * [processes[1]]
    assert os.getpid() not in map(int, processes)
    assert len(set(processes)) == 2
    assert not any(map(is_running, map(int, processes)))


def test_others_go_on_where_a_function_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "cores", lambda: 2)
    assert list(interruptibly(lambda: 1 // 0, *3 * [lambda: None])) == [1, 2, 3]
    assert list(interruptibly(partial(os._exit, 1))) == []


@pytest.mark.slow
def test_a_daemon_ends_integer_programs_too(hard_edges: list[tuple[int, int]]) -> None:
    points = np.random.default_rng(0).standard_normal((SIZE, 2))
    arguments = {"cannot_link": hard_edges, "time_limit": 1.0}
    with multiprocessing.get_context("fork").Pool(1) as pool:
        result = pool.apply_async(pcsos.solve, (points, COLOURS), arguments).get()
    assert result.reason is pcsos.Reason.TIME_LIMIT


@pytest.mark.parametrize("reason", ["stopped on request", "a process was killed"])
def test_what_was_found_before_an_integer_program_is_kept(reason: str, monkeypatch: Any) -> None:
    calls = itertools.count()

    def assign_twice(*arguments: Any, **options: Any) -> object:
        return Unassigned(reason) if next(calls) >= 2 else assign(*arguments, **options)

    for module in (ipc_kmeans, local_search):
        monkeypatch.setattr(module, "assign", assign_twice)
    points = np.random.default_rng(0).standard_normal((30, 2))
    result = pcsos.solve(points, 3, cannot_link=[(0, 1)], workers=1, options=pcsos.Options(node_limit=0))
    assert result.status is pcsos.Status.FEASIBLE
    found = heuristics.run(pcsos.Instance(points, 3, cannot_link=[(0, 1)]), "ipc-kmeans", time_limit=60.0)
    assert found.partition is None  # the very first assignment is lost here
    assert found.record.message == reason


@pytest.mark.parametrize("error", [Interrupted, ProgramLostError("a process was killed")])
def test_an_assignment_that_is_not_finished_says_why(error: Any, monkeypatch: Any) -> None:
    def unfinished(*_: object, **__: object) -> object:
        raise error

    monkeypatch.setattr(exact, "cheapest_colouring", unfinished)
    stop = Stop(lambda: True)
    stop.asked()
    found = assign(np.zeros((3, 2)), ConflictGraph.build(3, [(0, 1)]), budget=Budget(stop))
    assert found == Unassigned(stop.reason if error is Interrupted else "a process was killed")


def test_without_anybody_to_ask_the_caller_waits() -> None:
    assert run_killable(os.getpid, stop=NEVER) == os.getpid()


def test_what_takes_a_moment_runs_here() -> None:
    assert run_job(lambda channel: os.getpid(), stop=Stop(lambda: False), is_long=False) == os.getpid()
