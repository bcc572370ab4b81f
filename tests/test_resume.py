"""Going on with a run: what was left open, and finished runs whose nodes do not lead to their claim."""

import contextlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.events import BlockBounded, CutRound, Event, NodeClosed
from pcsos.base.exceptions import RunFileError
from pcsos.cli import main
from pcsos.cli.messages import ExitStatus
from pcsos.evidence.kinds import Bound, Branching, Fixed, Infeasible, Open
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Reason, Status
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import instance_digest, row_digest
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.params import Params, PriceParams, TreeParams
from pcsos.search import run
from pcsos.verify import verify
from tests.second_checker.second import Answer, first_answers, second_answers, why_not
from tests.slow import first_few
from tests.verify.certificates import HAND_MADE, HAND_MADE_LABELS, hand_made_records, write

POINTS = np.random.default_rng(4).standard_normal((60, 8))


def interrupt_after(rounds: int) -> Callable[[Event], None]:
    """A listener that sends this process Ctrl-C after so many rounds of cuts."""
    heard = count(1)

    def listen(event: Event) -> None:
        if isinstance(event, CutRound) and next(heard) == rounds:
            os.kill(os.getpid(), signal.SIGINT)

    return listen


@pytest.mark.slow
def test_an_interrupted_run_states_the_bound_that_is_verified(tmp_path: Path) -> None:
    path, seen = tmp_path / "run", []
    result = pcsos.solve(POINTS, 6, workers=1, run_file=path, options=pcsos.Options(on_event=interrupt_after(4)))
    for rounds in (2, 6, 30):
        assert result.reason is Reason.INTERRUPTED
        seen.append(result.lower_bound)
        verdict = verify(path, POINTS, ((), ()), n_clusters=6)
        assert result.lower_bound == pytest.approx(verdict.lower_bound, rel=1e-9)
        assert result.lower_bound <= verdict.lower_bound
        result = pcsos.resume(path, workers=1, options=pcsos.Options(on_event=interrupt_after(rounds)))
    assert 0.0 < seen[0] == seen[1] < seen[2]  # what was proved once is not lost


def kinds_of_root(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT kind FROM evidence WHERE problem = 0 ORDER BY position")
        return [kind for (kind,) in rows]


Answers = Callable[[list[Path]], Iterator[Answer]]
#: The second checker takes long to build.
CHECKERS = pytest.mark.parametrize("answers", first_few(1, [first_answers, second_answers]))


def accepted(path: Path, answers: Answers) -> Answer:
    """What a checker says of a file that it accepts; it is skipped where it cannot be built."""
    if answers is second_answers and why_not() is not None:
        pytest.skip(str(why_not()))
    (answer,) = answers([path])
    assert answer.status is not None, answer.reason
    return answer


def rough_instance() -> dict[str, Any]:
    """An instance that is branched on with multipliers written down more roughly than those that it is left with."""
    rng = np.random.default_rng(11)
    n, k, d = int(rng.integers(12, 30)), int(rng.integers(3, 6)), int(rng.choice([2, 5, 10]))
    points, weights = rng.standard_normal((n, d)), 10.0 ** rng.uniform(-1, 1, n)
    apart = [rng.choice(n, 2, replace=False).tolist() for _ in range(int(rng.integers(0, n)))]
    return {"points": points, "n_clusters": k, "cannot_link": apart, "weights": weights, "gap": 1e-7}


ONE = pcsos.Options(workers=1, node_limit=1)


@pytest.mark.parametrize("rounds", [20, 24, 26, 28])
def test_what_an_open_node_proved_is_not_lost_when_it_is_processed(tmp_path: Path, rounds: int) -> None:
    path, given = tmp_path / "run", rough_instance()
    first = pcsos.solve(**given, run_file=path, options=replace(ONE, on_event=interrupt_after(rounds)))
    again = pcsos.resume(path, options=ONE)
    assert again.lower_bound >= first.lower_bound > 0.0
    verdict = verify(path, given["points"], ((), given["cannot_link"]), weights=given["weights"])
    assert verdict.lower_bound >= again.lower_bound


@CHECKERS
def test_what_follows_an_open_root_is_appended_behind_it(tmp_path: Path, answers: Answers) -> None:
    """It is left open twice, and then branched on."""
    path, bounds, kinds = tmp_path / "run", [0.0], [Fixed.kind]
    result = pcsos.solve(**rough_instance(), run_file=path, options=replace(ONE, on_event=interrupt_after(20)))
    for options, added in (
        (replace(ONE, on_event=interrupt_after(15)), [Open.kind]),
        (replace(ONE, node_limit=3), [Open.kind]),
        (None, [Bound.kind, Branching.kind]),
    ):
        kinds += added
        assert kinds_of_root(path) == kinds
        assert accepted(path, answers).lower_bound >= result.lower_bound >= bounds[-1]
        bounds.append(result.lower_bound)
        result = result if options is None else pcsos.resume(path, options=options)
    assert 0.0 < bounds[1] < bounds[2] <= bounds[3]
    with RunFile.open(path) as file:
        numbers = [record.node for record in file.records()]
    assert len(numbers) == len(set(numbers)) == result.nodes == 3


def branching_instance() -> dict[str, Any]:
    """An instance whose tree has 17 nodes, with few rounds of cutting planes each."""
    points, labels = gaussian_mixture(40, 8, 4, separation=0.7, seed=6)
    pairs = constraints_from_labels(labels, n_must_link=2, n_cannot_link=6, seed=6)
    return {"points": points, "n_clusters": 4, "must_link": pairs[0], "cannot_link": pairs[1]}


FEW_ROUNDS = Params(tree=TreeParams(root_rounds=2, node_rounds=2))
ONE_ROUND = Params(tree=TreeParams(root_rounds=1, node_rounds=1))


@pytest.mark.parametrize("closed", first_few(1, [2, 5, 9]))
def test_a_run_with_nodes_in_flight_is_ended_and_gone_on_with(tmp_path: Path, closed: int) -> None:
    """What was in flight is open in the file, or there with its parent; both parts together are a whole tree."""
    path, heard = tmp_path / "run", count(1)

    def listen(event: Event) -> None:
        if isinstance(event, NodeClosed) and next(heard) == closed:
            os.kill(os.getpid(), signal.SIGINT)

    first = pcsos.solve(
        **branching_instance(),
        gap=1e-6,
        workers=2,
        run_file=path,
        options=pcsos.Options(params=FEW_ROUNDS, on_event=listen),
    )
    assert (first.reason, first.status) == (Reason.INTERRUPTED, Status.FEASIBLE)
    assert closed <= first.nodes <= closed + 3
    with RunFile.open(path) as file:
        done = [record.node for record in file.records() if not isinstance(record.end, Open)]
    assert len(done) == len(set(done)) == first.nodes
    verdict = verify(path)
    assert verdict.num_open > 0
    assert verdict.lower_bound >= first.lower_bound > 0.0
    result = pcsos.resume(path, workers=2)
    assert result.status is Status.OPTIMAL
    assert result.nodes > first.nodes
    assert verify(path).num_open == 0
    assert result.objective == pcsos.solve(**branching_instance(), gap=1e-6, workers=1).objective


@pytest.fixture(scope="module")
def branched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pcsos.Result]:
    """The file of a finished run whose tree has 17 nodes, and what it found."""
    path: Path = tmp_path_factory.mktemp("branched") / "run"
    options = pcsos.Options(params=FEW_ROUNDS)
    return path, pcsos.solve(**branching_instance(), gap=1e-6, workers=1, run_file=path, options=options)


@pytest.mark.parametrize("number", range(1, 13))
@CHECKERS
def test_a_run_that_has_lost_its_last_evidence_and_its_claim_is_gone_on_with(
    branched: tuple[Path, pcsos.Result], tmp_path: Path, answers: Answers, number: int
) -> None:
    """Also within what is proved of a node, unless a branching is lost whose problems are there."""
    path, whole = tmp_path / "run", branched[1]
    assert whole.status is Status.OPTIMAL
    shutil.copy(branched[0], path)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        kept = connection.execute("SELECT max(position) - ? FROM evidence", (number,)).fetchone()[0]
        lost = [kind for (kind,) in connection.execute("SELECT kind FROM evidence WHERE position > ?", (kept,))]
        connection.execute("DELETE FROM evidence WHERE position > ?", (kept,))
        connection.execute("DELETE FROM claim")
    assert len(lost) == number
    if Branching.kind in lost:
        with pytest.raises(RunFileError, match=r"damaged \(no branching leads to problem [0-9]+\); start the run anew"):
            pcsos.resume(path, workers=1)
        return
    again = pcsos.resume(path, workers=1)
    assert (again.status, again.objective) == (Status.OPTIMAL, whole.objective)
    assert accepted(path, answers).status == Status.OPTIMAL


IN_PARTS = pcsos.Options(params=Params(prices=PriceParams(features_up_to=0)))


@pytest.fixture(scope="module")
def whole() -> pcsos.Certification:
    """A certification in parts."""
    points, labels = gaussian_mixture(600, 5, 3, separation=8.0, seed=1)
    return pcsos.certify(points, labels, gap=1e-2, workers=1, options=IN_PARTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["add_cover", "set_claim"])
@CHECKERS
def test_parts_that_were_bounded_before_a_kill_are_not_bounded_again(
    whole: pcsos.Certification, tmp_path: Path, answers: Answers, name: str
) -> None:
    """The process ends behind the transactions of parts, before that of their cover, or before the claim."""
    assert whole.n_blocks > 1
    path = tmp_path / "run"

    def certify_and_die() -> None:
        setattr(RunFile, name, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        pcsos.certify(whole.instance, whole.labels, gap=1e-2, workers=1, options=IN_PARTS, run_file=path)

    process = multiprocessing.get_context("fork").Process(target=certify_and_die)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with RunFile.open(path) as file:
        assert len(list(file.parts())) == whole.n_blocks
        assert len(file.cover()) == (whole.n_blocks if name == "set_claim" else 0)
        assert file.stated_bound() == (whole.lower_bound if name == "set_claim" else 0.0)
    bounded: list[Event] = []
    result = pcsos.resume(path, workers=1, options=pcsos.Options(on_event=bounded.append))
    assert not any(isinstance(event, BlockBounded) for event in bounded)
    assert (result.status, result.lower_bound, result.n_blocks) == (whole.status, whole.lower_bound, whole.n_blocks)
    answer = accepted(path, answers)
    assert answer.status == whole.status
    assert answer.lower_bound >= whole.lower_bound


@pytest.mark.parametrize("missing", [0, 2, 4])
def test_a_finished_run_without_some_of_its_nodes_is_refused(tmp_path: Path, missing: int) -> None:
    records = [record for record in hand_made_records() if record.node != missing]
    records = [] if missing == 0 else records
    write(tmp_path / "run", HAND_MADE, records, HAND_MADE_LABELS, 4.0)
    with pytest.raises(RunFileError, match=r"claims a lower bound of 4, but its evidence states only"):
        pcsos.resume(tmp_path / "run")


def test_a_finished_run_that_is_called_infeasible_needs_its_proof(tmp_path: Path) -> None:
    write(tmp_path / "a", HAND_MADE, [], None, None, status=Status.INFEASIBLE)
    with pytest.raises(RunFileError, match="claims a lower bound of inf"):
        pcsos.resume(tmp_path / "a")
    root = NodeRecord(0, None, None, (Infeasible(np.empty(0, np.int64)),))
    write(tmp_path / "b", HAND_MADE, [root], None, None, status=Status.INFEASIBLE)
    assert pcsos.resume(tmp_path / "b").status is Status.INFEASIBLE  # taken at its word; verify does not


def claim_changed(path: Path, **changes: object) -> None:
    """Change what a file claims, or its details, and give it the digest that goes with that."""
    with RunFile.read(path) as file:
        digest = instance_digest(file.instance)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.row_factory = sqlite3.Row
        row = dict(connection.execute("SELECT * FROM claim").fetchone())
        details = json.loads(row["details"])
        for name, value in changes.items():
            (row if name in row else details)[name] = value
        row |= {"details": json.dumps(details)}
        del row["digest"]
        values = [*row.values(), row_digest(digest, row)]
        connection.execute("DELETE FROM claim")
        connection.execute(
            f"INSERT INTO claim ({', '.join(row)}, digest) VALUES ({', '.join('?' * len(values))})", values
        )


UNFOUNDED: list[tuple[dict[str, object], str]] = [
    ({"lower_bound": 197.0}, "claims a lower bound of 197, but its evidence states only"),
    ({"lower_bound": 197.0, "reason": "RUN_FILE_FAILED"}, "claims a lower bound of 197, but its evidence states only"),
    ({"lower_bound": 197.0, "n_blocks": 1}, "claims a lower bound of 197, but its evidence states only"),
    (
        {"status": "UNKNOWN", "labels": None, "objective": None, "lower_bound": 1e9},
        "claims a lower bound of 1000000000, but its evidence states only",
    ),
    ({"status": "OPTIMAL"}, "the claim is OPTIMAL, but its reason NODE_LIMIT"),
    ({"status": "OPTIMAL", "reason": "GAP_REACHED"}, "the claim is OPTIMAL with a gap of 0.[0-9]+, but 0.0001 was"),
    (
        {"status": "OPTIMAL", "reason": "GAP_REACHED", "lower_bound": None},
        "the claim is OPTIMAL with a gap of inf, but 0.0001 was asked for",
    ),
    ({"reason": "GAP_REACHED"}, "the claim is FEASIBLE, but its reason GAP_REACHED"),
    ({"reason": "INFEASIBLE"}, "the claim is FEASIBLE, but its reason INFEASIBLE"),
    ({"status": "INFEASIBLE", "labels": None}, "the claim is INFEASIBLE, but its reason NODE_LIMIT"),
    ({"status": "INFEASIBLE", "reason": "INFEASIBLE"}, "the claim is INFEASIBLE with labels"),
    (
        {"status": "INFEASIBLE", "reason": "INFEASIBLE", "labels": None},
        "claims a lower bound of inf, but its evidence states",
    ),
    ({"status": "UNKNOWN"}, "the claim is UNKNOWN with labels"),
    ({"labels": None}, "the claim is FEASIBLE without labels"),
]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run that was stopped early, which costs some 200 and has a bound of some 192."""
    path: Path = tmp_path_factory.mktemp("stopped") / "run"
    result = pcsos.solve(
        POINTS[:40], 4, run_file=path, workers=1, options=pcsos.Options(node_limit=1, params=ONE_ROUND)
    )
    assert result.objective is not None
    assert result.lower_bound is not None
    assert 0.0 < result.lower_bound < 197.0 < result.objective
    return path


@pytest.mark.parametrize(("changes", "sentence"), UNFOUNDED)
def test_what_is_claimed_without_ground_is_refused(
    stopped: Path, tmp_path: Path, changes: dict[str, object], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run"
    shutil.copy(stopped, path)
    assert main(["info", str(path)]) == ExitStatus.OPTIMAL
    claim_changed(path, **changes)
    capsys.readouterr()
    for command in (["info", str(path)], ["report", "--no-verify", str(path), "-o", str(tmp_path / "report.html")]):
        assert main(command) == ExitStatus.BAD_INPUT
        printed, error = capsys.readouterr()
        assert re.search(sentence, error), error
        assert not printed
    assert not (tmp_path / "report.html").exists()


def test_a_run_that_is_said_to_have_stalled_goes_on(stopped: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    shutil.copy(stopped, path)
    claim_changed(path, reason="STALLED")
    assert pcsos.resume(path, workers=1, options=pcsos.Options(node_limit=3)).nodes == 3


def test_a_bound_on_costs_of_inner_products_allows_for_their_rounding(tmp_path: Path) -> None:
    """Its records bound the costs of points, which are those of the matrix but for rounding."""
    path, gram = tmp_path / "run", POINTS[:12] @ POINTS[:12].T + 1e12
    result = pcsos.solve(pcsos.Gram(gram), 4, run_file=path, gap=1e-6, workers=1)
    assert result.reason is Reason.STALLED
    with RunFile.read(path) as file:
        stated = file.stated_bound()
    assert stated > result.lower_bound
    claim_changed(path, lower_bound=stated)
    with RunFile.read(path) as file, pytest.raises(RunFileError, match="claims a lower bound of"):
        file.refuse_unfounded(file.claim())


@pytest.mark.parametrize("seed", first_few(2, range(12)))
def test_what_a_stopped_run_claims_is_founded(tmp_path: Path, seed: int) -> None:
    """However often it is stopped, and wherever, what it says itself is never refused."""
    rng = np.random.default_rng(seed)
    points, k = rng.standard_normal((30, 6)), int(rng.integers(3, 6))
    result = pcsos.solve(
        points, k, run_file=tmp_path / "run", workers=1, options=pcsos.Options(node_limit=0, params=ONE_ROUND)
    )
    for limit in rng.integers(1, 12, 5).cumsum():
        with RunFile.read(tmp_path / "run") as file:
            claim = file.claim()
            assert claim is not None
            assert (claim.status, claim.lower_bound) == (result.status, result.lower_bound)
            file.refuse_unfounded(claim)
        result = pcsos.resume(tmp_path / "run", workers=1, options=pcsos.Options(node_limit=int(limit)))
    assert result.lower_bound is not None
    assert result.lower_bound > 0.0


def test_what_happened_is_journaled(tmp_path: Path) -> None:
    path = tmp_path / "run"
    heard: list[str] = []
    pcsos.solve(
        POINTS,
        6,
        workers=1,
        run_file=path,
        options=pcsos.Options(node_limit=1, on_event=lambda e: heard.append(type(e).__name__)),
    )
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, data FROM events ORDER BY position").fetchall()
    assert [name for name, _ in rows] == heard
    assert {"RunStarted", "IncumbentFound", "CutRound", "NodeClosed"} <= set(heard)
    found = [json.loads(data)["objective"] for name, data in rows if name == "IncumbentFound"]
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("nodes", [0, 1, 2, 5, 9])
def test_a_run_that_is_ended_before_its_search_says_what_its_file_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: int
) -> None:
    path = tmp_path / "run"
    first = pcsos.solve(
        POINTS[:40, :4],
        6,
        gap=1e-9,
        workers=1,
        run_file=path,
        options=pcsos.Options(node_limit=nodes, params=ONE_ROUND),
    )
    assert first.nodes == nodes

    with monkeypatch.context() as patch:
        patch.setattr(run, "presolve_root", lambda *_, **__: None)
        ended = pcsos.resume(path, workers=1)
    assert (ended.status, ended.reason) == (Status.FEASIBLE, Reason.INTERRUPTED)
    assert (ended.objective, ended.lower_bound) == (first.objective, first.lower_bound)
    np.testing.assert_array_equal(ended.labels, first.labels)
    again = pcsos.resume(path, workers=1, options=pcsos.Options(node_limit=0))
    assert (again.objective, again.lower_bound) == (first.objective, first.lower_bound)
