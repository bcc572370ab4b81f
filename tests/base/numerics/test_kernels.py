"""Compiled kernels: announced and ready before any clock starts, and kept where nobody else can write."""

import errno
import logging
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest

import pcsos
from pcsos import heuristics
from pcsos.base.control import subprocess as aside
from pcsos.base.control.subprocess import interruptibly
from pcsos.base.events import Event, Notice
from pcsos.base.numerics import kernels
from pcsos.heuristics import registry
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.presolve.colouring.conflict_regions import grow_regions
from pcsos.search import warm_up as composition
from tests.clocks import Ticking
from tests.slow import first_few

POINTS = [[0.0], [1.0], [5.0]]
ROOT = Path(pcsos.__file__).parents[1]


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing seems to be compiled; the list tells what was compiled."""
    calls: list[str] = []
    monkeypatch.setattr(kernels, "is_compiled", lambda dispatcher: False)
    pretend(monkeypatch, composition, lambda: calls.append("solve"))
    pretend(monkeypatch, registry, lambda: calls.append("heuristic"))
    return calls


def pretend(monkeypatch: pytest.MonkeyPatch, module: ModuleType, call: Callable[[], object]) -> None:
    """Have a module compile something else."""
    warm_up = kernels.WarmUp("all", call, grow_regions)
    monkeypatch.setattr(module, "warm_ups_for", lambda instance: [warm_up])


def output_of(script: str, *arguments: str, **how: Any) -> str:
    """What a script prints in an interpreter of its own."""
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, **how).stdout


def told_by_a_solve() -> list[str]:
    told: list[Event] = []
    pcsos.solve(POINTS, 2, cannot_link=[(0, 1)], workers=1, options=pcsos.Options(on_event=told.append))
    return [event.message for event in told if isinstance(event, Notice)]


@pytest.mark.slow
def test_an_empty_cache_is_seen_without_compiling(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    script = (
        "from pcsos.base.numerics.kernels import is_compiled; from pcsos.heuristics.moves import descend; "
        "print(is_compiled(descend))"
    )
    assert output_of(script, env=environment) == "False\n"


@pytest.mark.slow
def test_what_an_earlier_run_has_compiled_is_seen() -> None:
    composition.warm_up()
    script = "from pcsos.base.numerics import kernels; from pcsos.heuristics.moves import descend; "
    script += "print(descend.signatures, kernels.is_compiled(descend))"
    assert output_of(script) == "[] True\n"


@pytest.mark.slow
def test_a_kernel_that_is_kept_does_not_wait_for_the_compiler_to_be_loaded(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    script = (
        "import sys; from pcsos.base.numerics.kernels import integer; "
        "print(integer(3), integer.stats.cache_hits.total(), 'numba.np.linalg' in sys.modules)"
    )
    assert [output_of(script, env=environment) for _ in range(2)] == ["3 0 True\n", "3 1 False\n"]


@pytest.mark.slow
def test_a_kernel_is_compiled_beside_one_that_is_kept(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    script = (
        "import numba; from pcsos.base.numerics.kernels import integer\n"
        "first = integer(3)\n@numba.njit\ndef both(a): return integer(a) + integer(2.0) + a.real\n"
        "print(first, both(4), integer.stats.cache_hits.total())"
    )
    assert [output_of(script, env=environment) for _ in range(2)] == ["3 10 0\n", "3 10 2\n"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Cache._guard_against_spurious_io_errors", "IndexDataCacheFile._load_index"])
def test_a_version_of_numba_without_these_private_names_keeps_nothing(tmp_path: Path, name: str) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    script = (
        f"from numba.core import caching\ndel caching.{name}\n"
        "from pcsos.base.numerics import kernels\n"
        "print(kernels.integer(3), kernels.is_compiled(kernels.copy_to), *kernels._notes)"
    )
    assert output_of(script, env=environment) == f"3 False {kernels.UNKNOWN.format(version=numba.__version__)}\n"
    assert not list(tmp_path.rglob("*.nb?"))


def test_a_first_run_says_that_it_compiles_and_does(nothing_compiled: list[str]) -> None:
    assert told_by_a_solve() == [kernels.FIRST_RUN, "compiled for all, 1 of 2"]
    assert nothing_compiled == ["solve"]
    said: list[str] = []
    heuristics.run(pcsos.Instance(POINTS, 2), on_notice=said.append)
    assert said == [kernels.FIRST_RUN]
    assert nothing_compiled == ["solve", "heuristic"]


def test_a_later_run_says_nothing() -> None:
    told_by_a_solve()
    assert told_by_a_solve() == []


def test_without_a_listener_the_log_tells(nothing_compiled: list[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="pcsos"):
        pcsos.solve(POINTS, 2, workers=1)
        heuristics.run(pcsos.Instance(POINTS, 2))
    told = [(record.levelno, record.message) for record in caplog.records]
    assert told == [(30, each) for each in (kernels.FIRST_RUN, "compiled for all, 1 of 2", kernels.FIRST_RUN)]
    assert nothing_compiled == ["solve", "heuristic"]


def test_compiling_is_over_when_the_clock_starts(nothing_compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Ticking(monkeypatch)

    def compile_long() -> None:
        clock.now += 1000.0

    pretend(monkeypatch, composition, compile_long)
    result = pcsos.solve(POINTS, 2, workers=1, time_limit=900.0)
    assert (result.status, result.seconds, clock.now) == (pcsos.Status.OPTIMAL, 0.0, 1000.0)


#: Programs that ask which kernels are loaded begin with this.
LOADED = (
    "import gc\nfrom numba.core.dispatcher import Dispatcher\n"
    "def loaded():\n"
    "    found = [o for o in gc.get_objects() if isinstance(o, Dispatcher)]\n"
    "    return {(kernel.py_func, signature) for kernel in found for signature in kernel.signatures}\n"
)


IRIS = (
    "from pcsos.io import read_constraints, read_points\npoints = read_points('instances/points/iris.csv')\n"
    "pairs = read_constraints('instances/constraints/iris-both.txt', points)\n"
)
README = f"{IRIS}pcsos.solve(points, 3, must_link=pairs.must_link, cannot_link=pairs.cannot_link, workers=1)\n"
EVOLUTION = (
    f"{IRIS}instance = pcsos.Instance(points, 3, [(0, 1)])\n"
    "for name in ('rand/1/bin-NG', 'jDE-HN', 'b6e6rl-HG'): run(instance, 'hybrid-de', variant=name)\n"
)
#: Many clusters and cannot-links.
MANY = (
    "rng = np.random.default_rng(0)\ni, j = np.triu_indices(90, 1)\n"
    "apart = (i % 12 != j % 12) & (rng.random(i.size) < 0.2)\n"
    "instance = pcsos.Instance(rng.normal(size=(90, 2)), 12, (), np.column_stack([i, j])[apart])\n"
    "run(instance, max_generations=2)\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepared", "run", "least"),
    [
        ("SEARCH, PAIRS, RELAXATION, PRICES", README, 10),
        ("SEARCH, PAIRS, *METHODS['hybrid-de'].warm_ups", EVOLUTION, 5),
        ("SEARCH, PAIRS, HARD_PAIRS, GRAFTS", MANY, 10),
    ],
    ids=["readme", "differential evolution", "many clusters"],
)
def test_a_run_finds_all_its_kernels_prepared(prepared: str, run: str, least: int) -> None:
    """What was loaded before the run is what is loaded after it."""
    script = (
        f"{LOADED}import numpy as np, pcsos\nfrom pcsos.search.warm_up import PRICES\n"
        "from pcsos.heuristics import METHODS, run\n"
        "from pcsos.heuristics.warm_ups import GRAFTS, HARD_PAIRS, PAIRS, SEARCH\n"
        "from pcsos.bounds.relaxation.cutting_plane import RELAXATION\n"
        f"for warm_up in ({prepared}): warm_up.call()\nbefore = loaded()\n{run}"
        f"print(len(before) > {least}, [f.__name__ for f, _ in loaded() - before])"
    )
    assert output_of(script, cwd=ROOT) == "True []\n"


def test_kernels_are_prepared_for_what_an_instance_asks() -> None:
    free, pair = pcsos.Instance(POINTS, 2), pcsos.Instance(POINTS, 2, cannot_link=[(0, 1)])
    sizes, many = pcsos.Instance(POINTS, 2, size_max=2), pcsos.Instance([[float(i)] for i in range(12)], 10)
    all_apart = pcsos.Instance(many.points, 10, cannot_link=[(i, j) for i in range(12) for j in range(i)])
    prepared = [len(list(warm_ups_for(instance))) for instance in (free, sizes, pair, many, all_apart, None)]
    assert prepared == [1, 2, 2, 2, 4, 5]


class TestWhereNothingCanBeWritten:
    @pytest.fixture
    def read_only(self, tmp_path: Path) -> list[str]:
        """A command that runs Python with a package that cannot be written, and without a home."""
        shutil.copytree(ROOT / "pcsos", tmp_path / "lib" / "pcsos", ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / "tmp").mkdir()
        for folder, _, _ in os.walk(tmp_path / "lib"):
            os.chmod(folder, 0o555)
        powerless = []
        if os.getuid() == 0:  # who may write everywhere all the same
            setpriv = shutil.which("setpriv")
            if setpriv is None:
                pytest.skip("needs setpriv where root runs the tests")
            powerless = [setpriv, "--bounding-set=-all", "--inh-caps=-all"]
        kept = ["PATH", "LD_LIBRARY_PATH"]
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"HOME": "/proc/nowhere", "TMPDIR": str(tmp_path / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONPATH"] = str(tmp_path / "lib")
        settings = [f"{name}={value}" for name, value in environment.items()]
        return [*powerless, "env", "-i", *settings, sys.executable, "-c"]

    def run(self, command: list[str], script: str) -> str:
        done = subprocess.run([*command, script], capture_output=True, text=True, check=False, cwd="/")
        assert done.returncode == 0, done.stderr
        return done.stdout

    @pytest.mark.slow
    def test_kernels_are_kept_in_a_private_folder(self, tmp_path: Path, read_only: list[str]) -> None:
        script = "from pcsos.base.numerics import kernels; kernels.integer(1); print(*kernels._notes)"
        folder = tmp_path / "tmp" / f"pcsos-{os.getuid()}"
        assert self.run(read_only, script) == kernels.ELSEWHERE.format(folder=folder) + "\n"
        assert folder.stat().st_mode & 0o777 == 0o700
        assert list(folder.rglob("*.nbi"))

    @pytest.mark.slow
    def test_a_folder_that_others_can_write_to_is_not_used(self, tmp_path: Path, read_only: list[str]) -> None:
        folder = tmp_path / "tmp" / f"pcsos-{os.getuid()}"
        folder.mkdir()
        folder.chmod(0o777)
        script = "from pcsos.base.numerics import kernels; print(kernels._private_folder())"
        used = Path(self.run(read_only, script).strip())
        assert used.parent == folder.parent
        assert used != folder
        assert not used.exists()  # it is gone with its process

    @pytest.mark.slow
    def test_without_any_place_kernels_work_all_the_same(self, tmp_path: Path, read_only: list[str]) -> None:
        script = "import tempfile; tempfile.tempdir = '/proc'; from pcsos.base.numerics import kernels; "
        script += "print(kernels.integer(1), *kernels._notes)"
        assert self.run(read_only, script) == f"1 {kernels.NOWHERE}\n"


@pytest.mark.slow
def test_what_is_compiled_counts_only_for_these_sources_of_all_kernels(tmp_path: Path) -> None:
    """A copy of the package where a kernel changes that another one, in another file, has compiled into it."""
    shutil.copytree(ROOT / "pcsos", tmp_path / "pcsos", ignore=shutil.ignore_patterns("__pycache__"))
    script = (
        "from pcsos.heuristics import grafting, moves; from pcsos.base.numerics.kernels import is_compiled; "
        "import numpy as np; x = np.zeros(2, np.int64); before = is_compiled(grafting.take_over); "
        "grafting.take_over(x, x, x == 1, x.copy(), x == 1); print(before)"
    )

    def was_compiled() -> str:
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        environment.pop("NUMBA_CACHE_DIR", None)
        return output_of(script, env=environment, cwd=tmp_path).strip()

    assert [was_compiled(), was_compiled()] == ["False", "True"]
    other = tmp_path / "pcsos" / "heuristics" / "conditioned_moves.py"
    other.write_text(other.read_text() + "# changed\n")
    assert was_compiled() == "False"
    for index in tmp_path.rglob("*.nbi"):  # that names a class which has gone since
        version = pickle.dumps(pickle.loads(index.read_bytes()))
        index.write_bytes(version + b"cpcsos.heuristics.moves\nGone\n.")
    assert [was_compiled(), was_compiled()] == ["False", "True"]


class TestWhereNotAllCanBeWritten:
    """Files of at most so many bytes stand for a full disk: of 100 none, of 2000 the index, but not the code."""

    RUN = (
        "import resource, signal, sys; from pcsos.base.numerics import kernels; told = []; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); most = int(sys.argv[1]); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)); "
        "warm_up = kernels.WarmUp('all', lambda: kernels.integer(3), kernels.integer); "
        "kernels.prepare([warm_up], aside=lambda *calls: [call() for call in calls], notify=told.append); "
        "print(kernels.integer(3), told)"
    )

    @pytest.fixture
    def run(self, tmp_path: Path) -> Callable[..., str]:
        """Runs a script with a cache of its own, and a package that may be another one."""
        pytest.importorskip("resource", reason="there is no limit of the size of files here")

        def run(script: str, *arguments: str, package: Path = ROOT) -> str:
            own = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(package)}
            return output_of(script, *arguments, env=os.environ | own, cwd=package)

        return run

    @pytest.mark.parametrize("most", first_few(1, ["2000", "100"]))
    def test_it_serves_each_run_and_the_reason_is_told(
        self, tmp_path: Path, run: Callable[..., str], most: str
    ) -> None:
        told = kernels.NOT_KEPT.format(folder=tmp_path / "cache", reason=os.strerror(errno.EFBIG))
        for _ in range(2):
            assert run(self.RUN, most) == f"3 {[kernels.FIRST_RUN, told]}\n"

    @pytest.mark.slow
    def test_the_code_of_another_version_does_not_count(self, tmp_path: Path, run: Callable[..., str]) -> None:
        shutil.copytree(ROOT / "pcsos", tmp_path / "pcsos", ignore=shutil.ignore_patterns("__pycache__"))
        own = tmp_path / "pcsos" / "base" / "numerics" / "kernels.py"
        source, ask = own.read_text(), "from pcsos.base.numerics.kernels import integer; print(integer(3))"
        own.write_text(source.replace("return np.intp(value)", "return np.intp(value + 1)"))
        assert run(ask, package=tmp_path) == "4\n"
        own.write_text(source)
        assert run(self.RUN, "2000", package=tmp_path).startswith("3 ")
        assert run(ask, package=tmp_path) == "3\n"

    @pytest.mark.slow
    def test_code_for_other_types_or_of_other_sources_does_not_count(
        self, tmp_path: Path, run: Callable[..., str]
    ) -> None:
        """As two first runs leave it, both of which have read the index before either wrote it."""
        run("from pcsos.base.numerics.kernels import integer; integer(3)")
        run("from pcsos.base.numerics.kernels import integer; integer(3.0)")
        first, second = sorted((tmp_path / "cache").rglob("*integer*.nbc"))
        first.write_bytes(second.read_bytes())
        ask = (
            "from pcsos.base.numerics.kernels import integer; print(integer(3), sum(integer.stats.cache_hits.values()))"
        )
        assert [run(ask), run(ask)] == ["3 0\n", "3 1\n"]
        named = pickle.loads(first.read_bytes())
        first.write_bytes(pickle.dumps((b"other sources", *named[1:])))
        assert [run(ask), run(ask)] == ["3 0\n", "3 1\n"]


def test_constants_of_other_modules_count_as_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compiled in, and may be the only thing that a new version changes."""
    kernels.fingerprint.cache_clear()
    known, read = kernels.fingerprint(), Path.read_bytes
    changed = {}
    for name in ("base/tolerances.py", "reading/text.py", "bounds/prices/axes.py", "cli/warmup.py"):
        monkeypatch.setattr(Path, "read_bytes", lambda file, name=name: read(file) + name.encode() * file.match(name))
        kernels.fingerprint.cache_clear()
        changed[name] = kernels.fingerprint() != known
    kernels.fingerprint.cache_clear()
    assert changed == {
        "base/tolerances.py": True,
        "reading/text.py": True,
        "bounds/prices/axes.py": True,
        "cli/warmup.py": False,
    }


def test_notes_are_told_beside_the_first_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "is_compiled", lambda dispatcher: False)
    monkeypatch.setattr(kernels, "_notes", {"kept elsewhere"})
    said: list[Any] = []
    kernels.prepare(
        [kernels.WarmUp("all", lambda: said.append(None), grow_regions)],
        aside=lambda call: said.append(call) or (),
        notify=said.append,
    )
    assert said[:2] == [kernels.FIRST_RUN, "kept elsewhere"]
    assert callable(said[2])  # handed to where Ctrl-C is heard, and called here because nothing came of it there
    assert said[3:] == [None]


def test_what_is_compiled_and_how_far_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "is_compiled", lambda dispatcher: False)
    monkeypatch.setattr(aside, "cores", lambda: 1)
    said: list[str] = []
    each = [kernels.WarmUp(what, lambda: None, grow_regions) for what in ("pairs", "prices", "relaxations")]
    kernels.prepare(each, aside=interruptibly, notify=said.append)
    assert said == [kernels.FIRST_RUN, "compiled for pairs, 1 of 3", "compiled for prices, 2 of 3"]


def test_an_interrupt_ends_the_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "is_compiled", lambda dispatcher: False)
    pretend(monkeypatch, composition, lambda: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            pcsos.solve(POINTS, 2, workers=1, options=pcsos.Options(on_event=lambda event: None))
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_compiler_is_set_up_where_no_interrupt_gets_into_its_callbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "is_compiled", lambda dispatcher: False)
    threads: list[threading.Thread] = []
    monkeypatch.setattr(kernels, "integer", lambda value: threads.append(threading.current_thread()))
    kernels.prepare(
        [kernels.WarmUp("all", lambda: None, grow_regions)], aside=lambda *calls: (), notify=lambda text: None
    )
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


@pytest.mark.parametrize("place", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"])
def test_an_interrupt_while_the_program_is_loaded_ends_it_with_one_sentence(place: str, tmp_path: Path) -> None:
    """Imports are full of ``exec``, after which ``python -m`` would end by the signal, whatever is made of it."""
    script = f"from pcsos import cli\ndef load(arguments):\n    {place}\ncli._run = load\ncli.program()"
    tmp_path.joinpath("loaded.py").write_text(script)
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "loaded"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == "pcsos: interrupted before there was a result\n"
    assert done.returncode == 130


@pytest.mark.slow
def test_no_kernel_that_a_run_calls_waits_for_it() -> None:
    """What ``pcsos warmup`` compiles is all that Python calls in a run; what kernels call is compiled with them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.base.numerics.called_kernels"], capture_output=True, text=True, check=True,
        cwd=Path(pcsos.__file__).parents[1],
    )  # fmt: skip
    number, *missing = done.stdout.splitlines()
    assert int(number) > 50
    assert not missing
