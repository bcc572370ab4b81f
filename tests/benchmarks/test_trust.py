"""The suites of trust ask what they say, and what went wrong, failed or was lost comes out as what it is."""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pcsos
from benchmarks import growth, page, runner
from benchmarks.case import Tier
from benchmarks.instances import build
from benchmarks.rows import NOT_MEASURED
from benchmarks.solving import found_labels
from benchmarks.suites import memory, robustness, trust
from tests.judgement import Judgement
from tests.slow import first_few
from tests.verify.bombs import BOMBS
from tests.verify.certificates import hand_made

Row = dict[str, Any]
DONE = {"outcome": "done", "load_beside": 0.0, "wall_seconds": 1.0, "peak_mb": 100.0}


def figures(suite: str, *rows: Row) -> dict[str, str]:
    return page.figures_of(suite, {suite: list(rows)})


def seeds(trial: str = "forged", **changes: Any) -> Row:
    counts = {"counts": json.dumps({"files": 30, "false claims": 20}), "kinds_wrong": "{}", "num_wrong": 0}
    return {"name": f"{trial}/seeds-0", "trial": trial, "num_seeds": 10, **counts, **DONE} | changes


def killed(**changes: Any) -> Row:
    return {"name": "forged/seeds-9", "trial": "forged", "outcome": "killed", "wall_seconds": 200.0} | changes


def tried(*rows: Row) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in figures("trust", *rows)["tried"].splitlines()]


def judge_parity(seed: int) -> Judgement:
    return Judgement(seed, "number", {"seen": 1}, (("odd", "not even"),) if seed % 2 else ())


def test_every_seed_is_judged_and_the_wrong_ones_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "ProcessPoolExecutor", lambda number, _: ThreadPoolExecutor(number))
    row = trust.judge_seeds(judge_parity, range(10, 21), 2)
    assert (row["num_wrong"], row["seeds_wrong"]) == (5, "11 13 15 17 19")
    assert row["first_wrong"] == "seed 11 (number): odd: not even"
    assert json.loads(row["counts"]) == {"seen": 11}


@pytest.mark.parametrize("name", trust.TRIALS)
def test_a_trial_has_a_judge_and_seeds_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[tuple[str, range]] = []
    monkeypatch.setattr(trust, "judge_seeds", lambda judge, seeds, _: judged.append((judge.__module__, seeds)) or {})
    cases = [case for case in trust.cases(None) if case.columns["trial"] == name]
    for case in cases:
        trust.run(**case.arguments, gap=1e-4, time_limit=60.0, workers=None)
    trial = trust.TRIALS[name]
    assert {module for module, _ in judged} == {trial.judge.partition(":")[0]}
    every = sorted(seed for _, seeds in judged for seed in seeds)
    assert every == list(range(trial.first, trial.first + trial.seeds * trial.cases))


def test_seeds_that_are_all_sound_are_told_without_a_wrong_one() -> None:
    found = figures("trust", seeds())
    assert found["forged"] == tried(seeds())[2][1] == "none of 20 accepted (10 seeds)"
    assert (found["wrong"], found["accepted"]) == ("nothing", NOT_MEASURED)
    assert figures("trust", seeds(), seeds("forged-prices"))["forged"] == "none of 40 accepted (20 seeds)"


def test_wrong_seeds_come_with_their_kind_and_what_did_not_end_is_counted() -> None:
    wrong = seeds(num_wrong=2, kinds_wrong=json.dumps({"accepted": 3}))
    said = "1 of 3 cases failed or did not end; of the others, WRONG in 2 of 20 seeds: accepted"
    found = figures("trust", wrong, seeds(name="forged/seeds-10"), killed())
    assert (found["forged"], found["wrong"]) == (said, f"`forged`: {said}")
    assert figures("trust", killed())["forged"] == "1 of 1 case failed or did not end"
    oracle = seeds("oracle", num_wrong=1, kinds_wrong=json.dumps({"verify refuses": 1}))
    assert figures("trust", oracle)["wrong"] == (
        "`oracle`: WRONG in 1 of 10 seeds: the checker refuses the run file that a solve has written"
    )


def test_checkers_that_disagree_are_named() -> None:
    seconds = {"first_process_seconds": 0.5, "first_seconds": 0.08, "second_seconds": 0.02}
    alike = {"name": "checkers/a", "difference": None, **seconds, **DONE}
    found = figures("trust", alike)
    assert (
        found["checkers"] == "all 1 judged alike; the one in Python takes 25 times as long, 4.0 times without its start"
    )
    other = alike | {"name": "checkers/b", "difference": "status"}
    found = figures("trust", alike, other, {"name": "checkers/c", "outcome": "failed"})
    assert found["checkers"].startswith("1 of 2 judged alike")
    assert found["wrong"] == "checkers/b; checkers/c"


def test_a_checker_that_crashed_has_not_accepted_and_only_proofs_have_a_share() -> None:
    row = {"name": "a", "status": "OPTIMAL", "seconds": 2.0, "verified": "OPTIMAL", "verify_seconds": 0.5, **DONE}
    lost = row | {"name": "b", "verified": "CRASHED", "verify_seconds": None}
    open_row = row | {"name": "c", "status": "FEASIBLE", "verify_seconds": 9.0}
    found = page.figures_of("trust", {"constrained": [row, lost], "large": [open_row]})
    assert (found["accepted"], found["share"]) == ("2 of 3 (b: CRASHED)", "25 %")


@pytest.mark.slow
def test_the_record_has_a_certificate_in_blocks_for_both_checkers() -> None:
    (case,) = (case for case in trust.cases(None) if "blocks" in case.arguments)
    assert case.tier == Tier.RECORD
    instance = build(spread=case.arguments["blocks"])
    labels = found_labels(instance, 600.0)
    result = pcsos.certify(instance, labels, gap=0.1, workers=1, options=pcsos.Options(params=trust.IN_BLOCKS))
    assert result.to_dict()["n_blocks"] > 1


def kill(**changes: Any) -> Row:
    same = dict.fromkeys(("same_objective", "same_bound", "same_status"), "True")
    return {"name": "kill/0000", "kills": 3, "kills_in_tree": 2, "left_running": None, **same, **DONE} | changes


def test_objective_status_and_bound_of_killed_runs_stand_apart() -> None:
    found = figures("robustness", kill(), kill(name="kill/0001", same_bound="False"))
    same = "the same objective in all 2, the same bound in 1 of 2, the same status in all 2 runs"
    assert found["kill"] == f"6 kills, 4 within the tree: {same}"
    assert found["wrong"] == "nothing"
    wrong = [kill(name="a", same_objective="False"), kill(name="b", outcome="failed")]
    assert figures("robustness", kill(), *wrong)["wrong"] == "a, b"


def test_a_process_left_behind_is_counted() -> None:
    ended = kill(name="interrupt/a", ended_seconds=0.5, left_running="True")
    found = figures("robustness", ended, ended | {"name": "interrupt/b", "left_running": "False"})
    assert found["interrupt"] == "2 runs ended within 0.50 seconds, 1 LEFT a process behind"
    assert found["wrong"] == "interrupt/a"


@pytest.mark.parametrize("lost", [{1}, {2}, set()])
def test_a_run_whose_file_lacks_a_closed_node_fails(monkeypatch: pytest.MonkeyPatch, lost: set[int]) -> None:
    lives = iter([(True, {0, 1}), (False, {2})])
    held: set[int] = set()

    def live(*_: object) -> tuple[bool, set[int]]:
        has_been_killed, closed = next(lives)
        held.update(closed - lost)
        return has_been_killed, closed

    result = SimpleNamespace(nodes=3, objective=1.0, lower_bound=1.0, status="OPTIMAL")
    monkeypatch.setattr(robustness, "solve", lambda *_: result)
    monkeypatch.setattr(robustness.pcsos, "resume", lambda _: result)
    monkeypatch.setattr(robustness, "_live", live)
    monkeypatch.setattr(robustness, "_nodes_in", lambda _: set(held) or None)
    found = pytest.raises(RuntimeError, match=re.escape(f"closed nodes are not in the run file: {sorted(lost)}"))
    with found if lost else nullcontext():
        assert robustness.run(0)["kills"] == 1


def test_only_a_file_that_holds_nothing_was_killed_before_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "killed.run"
    assert robustness._nodes_in(path) is None
    path.touch()
    assert robustness._nodes_in(path) is None
    path.write_bytes(b"half of a database")
    with pytest.raises(pcsos.RunFileError):
        robustness._nodes_in(path)
    assert path.exists()


def test_what_only_waits_for_its_parent_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robustness.time, "sleep", lambda _: None)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as child:
        assert robustness._is_alive(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not robustness._is_alive(child.pid), "nobody has waited for it yet"
    assert not robustness._is_alive(child.pid)


CASES = {case.arguments.get("bomb"): case for case in memory.cases(None)}


@pytest.mark.parametrize("bomb", first_few(1, BOMBS))
def test_a_bomb_does_no_harm(bomb: str) -> None:
    row = runner.run_case("memory", CASES[bomb])
    assert memory.is_harmless(row), row


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_small(bomb: str, tmp_path: Path) -> None:
    sound = hand_made(tmp_path / "sound").stat().st_size
    assert BOMBS[bomb](tmp_path / "run") < 500
    assert (tmp_path / "run").stat().st_size <= sound + 8192


def test_what_does_harm_is_noticed() -> None:
    row = {"name": "bomb-a", "sentence": "refused: too large", "seconds": 0.1, **DONE}
    assert figures("memory", row)["harmless"] == "all 1"
    for change in ({"outcome": "failed"}, {"sentence": "MemoryError()"}, {"peak_mb": 501.0}, {"seconds": 21.0}):
        assert figures("memory", row, row | change)["harmless"] == "1 of 2"


def test_the_memory_in_use_is_seen_to_grow_and_to_be_given_back() -> None:
    before = growth.used_kb()
    kept = [bytes(2**22), bytes(2**10)]
    assert growth.used_kb() - before == pytest.approx(2**12, rel=0.1)
    kept.clear()
    assert growth.used_kb() - before == pytest.approx(0.0, abs=400.0)


@pytest.mark.slow
def test_the_memory_of_many_solves_is_measured() -> None:
    found = growth.grown(0, 14)
    assert (found["outcome"], found["solves"]) == ("done", 7)
    assert abs(found["kb_a_solve"]) < 10_000.0
