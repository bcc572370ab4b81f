"""``pcsos-verify``: the checker alone loads nothing of the solver, and says what ``pcsos verify`` says."""

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos import cli
from pcsos.base.exceptions import InputError
from pcsos.cli.messages import ExitStatus
from pcsos.io import read_constraints, read_points
from pcsos.problem.params import Params, PriceParams
from pcsos.verify import command, verify
from pcsos.verify.command.numbers import read_numbers, read_pairs, read_weights
from tests.cli.program import Call, Done
from tests.verify.certificates import edit, hand_made

ROOT = Path(__file__).parents[2]
#: What may be loaded of the package: the checker, what reads run files, errors, and what starts a program.
ALONE = re.compile(r"pcsos(\._version|\.base(\.(exceptions|loading|startup))?|\.verify(\.\w+)*)?")
SOLVERS = {"scipy", "numba", "networkx", "cvxpy", "gurobipy", "sklearn", "pandas", "pyarrow"}

POINTS, PAIRS = "x\n0\n2\n10\n12\n11\n", "# of the hand-made certificate\nML 2 3\ncl,0,2\nCL 1 4\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the hand-made run, its points, weights and pairs."""
    hand_made(tmp_path / "a.run")
    tmp_path.joinpath("points.csv").write_text(POINTS)
    tmp_path.joinpath("pairs.txt").write_text(PAIRS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """The checker's own program called in this process; it is to end with the status 0, or with that given."""

    def run(*arguments: object, status: int = 0) -> Done:
        ended = command.main([*map(str, arguments)])
        done = Done(*capsys.readouterr())
        assert ended == status, done.err
        return done

    return run


def alone(*arguments: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *python, "-m", "pcsos.verify", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, env=environment)


# What it loads


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.run"],
        ["a.run", "--points", "points.csv", "--constraints", "pairs.txt", "-k", "2"],
        ["a.run", "--points", "nowhere.csv"],
    ],
)
def test_it_loads_nothing_of_the_solver(arguments: list[str]) -> None:
    done = alone(*arguments, python=("-X", "importtime"))
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert {"pcsos.verify.evidence", "pcsos.verify.reading.database", "flint", "numpy"} <= loaded
    assert [name for name in loaded if name.partition(".")[0] == "pcsos" and not ALONE.fullmatch(name)] == []
    assert {name.partition(".")[0] for name in loaded} & SOLVERS == set()


@pytest.fixture
def parts(folder: Path) -> Path:
    """A run file with a cover of several parts."""
    points = np.random.default_rng(0).standard_normal((60, 2))
    pcsos.certify(
        points,
        pcsos.solve(points, 3, gap=0.1).labels,
        run_file=folder / "parts.run",
        options=pcsos.Options(block_size=15, params=Params(prices=PriceParams(features_up_to=0))),
    )
    return folder / "parts.run"


#: Checks a file in two processes, after ``{}``.
IN_TWO = """
import os, sys, time
from pcsos.verify import command, processes
{}
if __name__ == "__main__":
    sys.exit(command.main(["parts.run", "--workers", "2", "--quiet"]))
"""


def in_two(changes: str) -> subprocess.Popen[str]:
    """Start a program that checks ``parts.run`` in two processes, in a group of its own."""
    Path("program.py").write_text(IN_TWO.format(changes))
    return subprocess.Popen(
        [sys.executable, "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - no threads run here
    )


def heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.slow
@pytest.mark.usefixtures("parts")
def test_processes_that_check_parts_load_nothing_of_it_either() -> None:
    look = """
def look(known, check=processes._check):
    names = [name for name in sys.modules if name.partition(".")[0] in ("pcsos", "scipy", "numba")]
    os.write(1, " ".join([*names, ""]).encode())
    return check(known)
processes._check = look
"""
    with in_two(look) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert len(out.split()) > 20
    assert [name for name in set(out.split()) if not ALONE.fullmatch(name)] == []


@pytest.mark.slow
@pytest.mark.usefixtures("parts")
def test_an_interrupt_of_all_processes_is_one_sentence() -> None:
    wait = """
class Slow(processes.Proof):
    def __init__(self, *arguments, parent=os.getpid()):
        super().__init__(*arguments)
        if os.getpid() != parent:
            os.write(1, b"begun\\n")
            time.sleep(60)
processes.Proof = Slow
"""
    with in_two(wait) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
        os.killpg(process.pid, signal.SIGINT)
        err = process.communicate(timeout=30)[1]
    assert process.returncode == ExitStatus.INTERRUPTED
    assert err == "pcsos-verify: interrupted before there was a result\n"


def test_it_is_a_script_of_the_package() -> None:
    place = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]["scripts"]["pcsos-verify"]
    module, _, name = place.partition(":")
    assert getattr(importlib.import_module(module), name) is command.program


# What it says


def test_it_prints_what_the_full_command_prints(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    for given in ([], ["--points", "points.csv", "--constraints", "pairs.txt", "-k", "2", "--gap", "0"]):
        out, err = call("a.run", *given)
        assert cli.main(["verify", "a.run", *given]) == 0
        other = capsys.readouterr().out
        assert err == ""
        assert out[out.index("checked:") :] == other[other.index("checked:") :]
        assert f"\ndigest               {verify('a.run').digest}\n" in out
        assert out.startswith("read: the run file by pcsos/verify/reading; ")
        assert other.startswith("read: the run file by pcsos/verify/reading; ")
        own, solvers = " ".join(out.split()), " ".join(other.split())
        assert ("points, constraints by pcsos/verify/command" in own) is bool(given)
        assert ("by pcsos's own readers (pcsos/io, pcsos/problem), as by the run itself" in solvers) is bool(given)
        assert ("nothing was given to compare with, so compare the digest" in own) is not bool(given)


def test_info_shows_the_same_digest(capsys: pytest.CaptureFixture[str]) -> None:
    for what in (["points.csv", "-k", "2", "--constraints", "pairs.txt"], ["a.run"]):
        assert cli.main(["info", *what]) == 0
        assert re.search(rf"^digest +{verify('a.run').digest}$", capsys.readouterr().out, re.MULTILINE)


def test_several_files_are_checked_and_the_worst_counts(call: Call) -> None:
    shutil.copy("a.run", "b.run")
    out, err = call("a.run", "b.run", "--gap", "0")
    assert err == ""
    assert re.findall(r"^\w\.run$", out, re.MULTILINE) == ["a.run", "b.run"]
    edit(Path("a.run"), ("UPDATE claim SET objective = 3.0", ()))
    out, err = call("a.run", "nowhere.run", "b.run", status=ExitStatus.NOT_VERIFIED)
    assert err.startswith("pcsos-verify: a.run is not verified: the objective")
    assert "pcsos-verify: there is no run file nowhere.run" in err
    assert re.findall(r"^\w\.run$", out, re.MULTILINE) == ["b.run"]
    assert call("nowhere.run", "b.run", "--quiet", status=ExitStatus.BAD_INPUT).out == ""


def test_statuses_are_those_of_the_full_command() -> None:
    own = (command.VERIFIED, command.FAILURE, command.BAD_INPUT, command.NOT_VERIFIED, command.INTERRUPTED)
    assert own == (
        ExitStatus.OPTIMAL, ExitStatus.FAILURE, ExitStatus.BAD_INPUT, ExitStatus.NOT_VERIFIED, ExitStatus.INTERRUPTED
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--points", "other.csv"], "other points or weights; names, kernels"),
        (["--points", "points.csv"], "other constraints: [('ML', 2, 3)"),
        (["--points", "points.csv", "--weights", "weights.txt"], "other points or weights"),
        (["--gram", "other.npy"], "about points, not about a Gram matrix"),
        (["-k", "3"], "the run is about 2 clusters, not 3"),
    ],
)
def test_what_differs_is_not_verified(given: list[str], words: str, call: Call) -> None:
    Path("other.csv").write_text(POINTS.replace("11", "13"))
    Path("weights.txt").write_text("1\n" * 4 + "2\n")
    np.save("other.npy", np.eye(5))
    out, err = call("a.run", *given, status=ExitStatus.NOT_VERIFIED)
    assert out == ""
    assert words in err
    assert err.startswith("pcsos-verify: a.run is not verified: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "the following arguments are required: RUN_FILE"),
        (["a.run", "--kernel", "rbf"], "unrecognized arguments: --kernel rbf"),
        (["a.run", "--gap", "2"], "gap is 2.0"),
        (["a.run", "--workers", "0"], "workers is 0"),
        (["a.run", "--workers", "two"], "invalid int value"),
        (["a.run", "--constraints", "pairs.txt"], "--constraints says nothing without --points"),
        (["a.run", "--weights", "points.csv"], "--weights says nothing without --points"),
        (["a.run", "--points", "points.csv", "--gram", "points.csv"], "leave the other out"),
        (
            ["a.run", "--points", "nowhere.csv"],
            "nowhere.csv cannot be read (No such file or directory); check the name",
        ),
        (["points.csv"], "not a run file"),
    ],
)
def test_bad_input_is_one_sentence(given: list[str], words: str, call: Call) -> None:
    out, err = call(*given, status=ExitStatus.BAD_INPUT)
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_limits_and_weights(call: Call) -> None:
    weights = np.array([1.0, 2.0, 0.1, 1e-3, 1.0])
    Path("weights.txt").write_text("".join(f"{own!r}\n" for own in weights.tolist()))
    pcsos.solve([0.0, 2.0, 10.0, 12.0, 11.0], 2, weights=weights, run_file="weights.run")
    call("weights.run", "--points", "points.csv", "--weights", "weights.txt")
    pcsos.solve([0.0, 2.0, 10.0, 12.0, 11.0], 2, size_min=2, run_file="sizes.run")
    call("sizes.run")
    err = call("sizes.run", "--points", "points.csv", status=ExitStatus.NOT_VERIFIED).err
    assert "other limits or soft pairs than those given: its own are size_min = 2; names, kernels" in err


def test_a_gram_matrix(call: Call) -> None:
    matrix = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.25], [0.0, 0.25, 1.0]])
    np.save("K.npy", matrix)
    pcsos.solve(pcsos.Gram(matrix), 2, run_file="K.run")
    assert "the Gram matrix and the weights are those given" in call("K.run", "--gram", "K.npy").out


# How it ends


def test_whatever_fails_is_one_sentence(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr(command, "verify", fail)
    done = call("a.run", status=ExitStatus.FAILURE)
    assert done == ("", "pcsos-verify: unexpected error: ZeroDivisionError: one two\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a full disk on Linux")
def test_output_that_cannot_be_written_is_a_failure() -> None:
    words = [sys.executable, "-m", "pcsos.verify", "a.run"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with open("/dev/full", "w") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert done.returncode == ExitStatus.FAILURE
    assert done.stderr.startswith("pcsos-verify: standard output cannot be written (")
    assert done.stderr.count("\n") == 1


# What it reads


@pytest.mark.parametrize(
    "text",
    [
        "0.5,1\n2.5,-3e-2\n",
        "a b;c d\n0.5;1\n2.5;-3e-2\n",
        "# a remark\nx y\n.5 1\n\n  2.5 -3e-2  \n",
        "\ufeff0.5 , 1\r\n2.5 ,-.03\r\n",
        '"length","width"\n0.5,1.\n+2.5,-3.0E-02\n',
    ],
)
def test_numbers_are_those_that_the_solver_reads(text: str) -> None:
    Path("a.csv").write_text(text, newline="")
    assert read_numbers("a.csv")[0].tolist() == [[0.5, 1.0], [2.5, -0.03]]
    assert read_points("a.csv").tolist() == [[0.5, 1.0], [2.5, -0.03]]


@pytest.mark.parametrize("name", sorted(path.name for path in ROOT.joinpath("instances", "points").glob("*.csv")))
def test_the_instances_are_read_alike(name: str) -> None:
    path = str(ROOT / "instances" / "points" / name)
    assert np.array_equal(read_numbers(path)[0], read_points(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no numbers"),
        ("x,y\n", "has no numbers"),
        ("1,2\n3\n", "line 2: the lines before have 2 numbers, this one has 1"),
        ("1,2\n3,\n", "line 2: '' is not a number"),
        ("1,2\n3,nan\n", "line 2: 'nan' is not a number"),
        ("1,2\n3,1_0\n", "line 2: '1_0' is not a number"),
        ("1,2\n3,٣\n", "line 2: '٣' is not a number"),
        ("x,2\n3,4\n", "line 1: 'x' is not a number"),
        ("x,y\nz,t\n1,2\n", "line 2: 'z' is not a number"),
    ],
)
def test_what_is_no_number_is_refused(text: str, words: str) -> None:
    Path("a.csv").write_text(text)
    with pytest.raises(InputError, match=f"a.csv.* {re.escape(words)}" if words[0] == "h" else re.escape(words)):
        read_numbers("a.csv")


def test_arrays_are_read_and_nothing_is_unpickled() -> None:
    np.save("a.npy", np.arange(6).reshape(3, 2))
    assert read_numbers("a.npy")[0].tolist() == [[0, 1], [2, 3], [4, 5]]
    np.save("objects.npy", np.array([{}], object), allow_pickle=True)
    Path("cut.npy").write_bytes(Path("a.npy").read_bytes()[:-3])
    for name in ("objects.npy", "cut.npy"):
        with pytest.raises(InputError, match=f"{name} is not a .npy file of numbers, or is damaged"):
            read_numbers(name)
    shutil.copy("a.npy", "a.csv")
    with pytest.raises(InputError, match=r"a\.csv is not plain text"):
        read_numbers("a.csv")


def test_weights_are_one_number_a_line() -> None:
    Path("w.csv").write_text("mass\n1\n2.5\n")
    assert read_weights("w.csv").tolist() == [1.0, 2.5]
    Path("w.csv").write_text("1 2\n3 4\n")
    with pytest.raises(InputError, match="give weights as one number a line"):
        read_weights("w.csv")


def test_pairs_are_those_that_the_solver_reads() -> None:
    own, solvers = read_pairs("pairs.txt"), read_constraints("pairs.txt", read_points("points.csv"))
    assert own == ([(2, 3)], [(0, 2), (1, 4)])
    assert (solvers.must_link.tolist(), solvers.cannot_link.tolist()) == ([[2, 3]], [[0, 2], [1, 4]])


@pytest.mark.parametrize(
    "line", ["SML 0 1", "GAMMA 2.5", "ML 0", "ML 0 1 2", "ML a b", "CL 0 -1", '{"ml": [[0, 1]]}', "ML"]
)
def test_other_lines_are_refused(line: str) -> None:
    Path("pairs.txt").write_text(f"ML 2 3\n{line}\n")
    with pytest.raises(InputError, match=r"pairs.txt line 2: .* is neither ML i j nor CL i j; `pcsos verify` reads"):
        read_pairs("pairs.txt")
