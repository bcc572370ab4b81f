"""What all tests share: one BLAS thread, files in memory, kernels, a hypothesis profile, markers, a small instance."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pcsos.base.control.threads import blas_threads
from pcsos.bounds.relaxation.gpu import device
from pcsos.problem.instance import Instance
from pcsos.search.run import warm_up
from pcsos.verify import checker
from tests import slow

if hasattr(signal, "SIGHUP"):  # ignored by whoever was started with nohup, and by all that it starts
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")

#: The checker looks for libraries of BLAS in each call, which takes longer than most files of tests: here once.
checker.threadpool_limits = blas_threads

#: Where files are held in memory, on Linux; a run file is synced to where it lies many times.
MEMORY = Path("/dev/shm")
#: Room there that is enough for everything that tests write.
ENOUGH = 2**30


def is_roomy(folder: Path) -> bool:
    """Tell whether a folder can take all files of the tests, also programs to run."""
    if not folder.is_dir() or not os.access(folder, os.W_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(folder).free >= ENOUGH


if "TMPDIR" not in os.environ and is_roomy(MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that are marked slow")


def has_slow(config: pytest.Config) -> bool:
    return bool(config.getoption("--slow") or "slow" in config.getoption("-m"))


def pytest_configure(config: pytest.Config) -> None:
    slow.is_asked = has_slow(config)


def pytest_report_header(config: pytest.Config) -> str | None:
    return None if has_slow(config) else "without the slow tests; --slow runs them too"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once, before the processes start that share them, where all tests are to run."""
    config = session.config
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.getoption("collectonly")
    if is_whole and config.getoption("numprocesses", None):
        warm_up(config.get_terminal_writer().line)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not has_slow(config):
        left_out = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        if item.get_closest_marker("shared") and not os.environ.get("PCSOS_SHARED"):
            item.add_marker(pytest.mark.skip(reason="PCSOS_SHARED does not name a folder with the published instances"))
        if item.get_closest_marker("gpu") and (lacking := device.lacking()):
            item.add_marker(pytest.mark.skip(reason=f"the engine of an accelerator {lacking}"))


@pytest.fixture
def shared_folder() -> Path:
    """Folder with the published instances, for tests marked ``shared``."""
    return Path(os.environ["PCSOS_SHARED"])


@pytest.fixture
def line() -> Instance:
    """Points 0, 2, 3, 9, 11 on a line, k = 2, points 0 and 1 together, points 1 and 2 apart.

    The only sensible clusters are {0, 2} and {3, 9, 11}: costs 2 and 9 + 81 + 121 - 23^2/3, in total 110/3.
    """
    return Instance([0.0, 2.0, 3.0, 9.0, 11.0], 2, [(0, 1)], [(1, 2)])


LINE_OPTIMUM = 2.0 + (9.0 + 81.0 + 121.0 - 23.0**2 / 3.0)
