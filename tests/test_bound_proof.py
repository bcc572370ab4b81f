"""The proof of the bound in Coq (``docs/proofs``): it is complete, and wrong bounds have none."""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "docs" / "proofs" / "bound.v"
#: A lemma of Mathematical Components, under the name by which the proof calls it; later versions have another one.
PROBE = "From mathcomp Require Import all_algebra. Check Num.Theory.ler_addl.\n"
#: What Coq says of each of the three theorems in the end.
COMPLETE = 3 * "Closed under the global context\n"

#: What stands in the file, and what would be wrong in its place.
WRONG = {
    "a lower end is twice as large": ("then e i / M i else", "then e i / M i *+ 2 else"),
    "an upper end is half as large": ("/ (e i + e j).", "/ (e i + e j) / 2%:R."),
    "stars have no pairs": ("+ pair J i j - arm c J i j", "- arm c J i j"),
    "cliques of k super-points will do": ("(k < #|J|)%N else true", "(k <= #|J|)%N else true"),
    "multipliers may be negative": ("relaxed -> (forall l, 0 <= mu l)", "relaxed -> (forall l, 0 <= mu l + 1)"),
    "deflation leaves the direction u": ("deflated := G + w *m u^T + u *m w^T", "deflated := G + w *m w^T"),
    "the trace of R is k": ("(t * (k%:R - 1) - \\sum", "(t * k%:R - \\sum"),
    "the error costs nothing": ("'<row i F, row i F> - c)\n", "'<row i F, row i F>)\n"),
    "pair cuts charge twice": ("(M c)^-1 else 0", "(M c)^-1 *+ 2 else 0"),
}


def compiled(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "bound.v").write_text(source, encoding="utf-8")
    command = ["coqc", "-w", "none", "bound.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which Coq works, if it is installed."""
    if shutil.which("coqc") is None or compiled(PROBE, tmp_path).returncode != 0:
        pytest.skip("needs Coq with Mathematical Components 1.15")
    return tmp_path


def test_every_theorem_is_proved_without_axioms(folder: Path) -> None:
    said = compiled(SOURCE.read_text(encoding="utf-8"), folder)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == COMPLETE


@pytest.mark.slow
def test_what_is_admitted_is_seen(folder: Path) -> None:
    source = SOURCE.read_text(encoding="utf-8")
    proof = "Proof. exact: cost_ge partition_box cut_ge. Qed."
    assert source.count(proof) == 1
    said = compiled(source.replace(proof, "Admitted."), folder)
    assert said.returncode == 0
    assert said.stdout.startswith("Axioms:\ncost_ge_bound")


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_has_no_proof(wrong: str, folder: Path) -> None:
    source = SOURCE.read_text(encoding="utf-8")
    right, other = WRONG[wrong]
    assert source.count(right) == 1
    said = compiled(source.replace(right, other), folder)
    assert said.returncode != 0
    assert "Syntax error" not in said.stderr
    assert "not found in the current environment" not in said.stderr
