"""The proofs in Coq (``docs/proofs``): they are complete, and what is wrong has none."""

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
PROOFS = Path(__file__).parents[1] / "docs" / "proofs"
#: A lemma of Mathematical Components, under the name by which the proof calls it; later versions have another one.
PROBE = "From mathcomp Require Import all_algebra. Check Num.Theory.ler_addl.\n"
#: How many theorems each file ends with, and the last step of the one that Coq is told to believe.
THEOREMS = {
    "bound.v": (3, "cost_ge_bound", "Proof. exact: cost_ge partition_box cut_ge. Qed."),
    "recursion.v": (2, "costs_trans", "Proof. by case: b => //= v; apply: le_trans. Qed."),
}

#: In which file what stands there would be wrong as what.
WRONG = {
    "a lower end is twice as large": ("bound.v", "then e i / M i else", "then e i / M i *+ 2 else"),
    "an upper end is half as large": ("bound.v", "/ (e i + e j).", "/ (e i + e j) / 2%:R."),
    "stars have no pairs": ("bound.v", "+ pair J i j - arm c J i j", "- arm c J i j"),
    "cliques of k super-points will do": ("bound.v", "(k < #|J|)%N else true", "(k <= #|J|)%N else true"),
    "multipliers may be negative": (
        "bound.v",
        "relaxed -> (forall l, 0 <= mu l)",
        "relaxed -> (forall l, 0 <= mu l + 1)",
    ),
    "deflation leaves the direction u": (
        "bound.v",
        "deflated := G + w *m u^T + u *m w^T",
        "deflated := G + w *m w^T",
    ),
    "the trace of R is k": ("bound.v", "(t * (k%:R - 1) - \\sum", "(t * k%:R - \\sum"),
    "the error costs nothing": ("bound.v", "'<row i F, row i F> - c)\n", "'<row i F, row i F>)\n"),
    "pair cuts charge twice": ("bound.v", "(M c)^-1 else 0", "(M c)^-1 *+ 2 else 0"),
    "the dearer child counts": ("recursion.v", "(lesser (proved together", "(greater (proved together"),
    "both children are of the same kind": ("recursion.v", "holds apart (CL i j :: s)", "holds apart (ML i j :: s)"),
    "what is set aside counts only beyond b": ("recursion.v", "(lesser c (least_aside b ds))", "c"),
    "an opposite costs what the dearest costs": ("recursion.v", "=> lesser (greater d.2 b) c)", "=> greater d.2 c)"),
    "a decision may cost something": ("recursion.v", "/\\ cost y <= cost x) /\\", "/\\ 0 <= cost x) /\\"),
    "parts may cost more than the whole": ("recursion.v", "/\\ sum_cost ps x <= cost x,", "/\\ 0 <= cost x,"),
    "evidence behind decisions may use less": ("recursion.v", "/\\ holds p' (after s ds)", "/\\ holds p' [::]"),
}


def source_of(name: str) -> str:
    """One of the files."""
    return (PROOFS / name).read_text(encoding="utf-8")


def compiled(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What Coq says of a file."""
    (folder / "proof.v").write_text(source, encoding="utf-8")
    command = ["coqc", "-w", "none", "proof.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Coq works, if it is installed."""
    own: Path = tmp_path_factory.mktemp("coq")
    if shutil.which("coqc") is None or compiled(PROBE, own).returncode != 0:
        pytest.skip("needs Coq with Mathematical Components 1.15")
    return own


@pytest.mark.parametrize("name", THEOREMS)
def test_every_theorem_is_proved_without_axioms(name: str, folder: Path) -> None:
    said = compiled(source_of(name), folder)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == THEOREMS[name][0] * "Closed under the global context\n"


@pytest.mark.parametrize("name", THEOREMS)
def test_what_is_admitted_is_seen(name: str, folder: Path) -> None:
    source = source_of(name)
    _, lemma, proof = THEOREMS[name]
    assert source.count(proof) == 1
    said = compiled(source.replace(proof, "Admitted."), folder)
    assert said.returncode == 0
    assert said.stdout.startswith(f"Axioms:\n{lemma}")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_has_no_proof(wrong: str, folder: Path) -> None:
    name, right, other = WRONG[wrong]
    source = source_of(name)
    assert source.count(right) == 1
    said = compiled(source.replace(right, other), folder)
    assert said.returncode != 0
    assert "Syntax error" not in said.stderr
    assert "not found in the current environment" not in said.stderr
