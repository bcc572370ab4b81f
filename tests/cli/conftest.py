"""What tests of the command line have in common: files of a small instance, and the program called in this process."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pcsos import cli
from tests.cli.program import Call, Done, write_line


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """The program called in this process, for all that is the same in one of its own, which takes a second to start."""

    def called(*arguments: object, status: int | tuple[int, ...] = 0) -> Done:
        capsys.readouterr()
        ended = cli.main([*map(str, arguments)])
        done = Done(*capsys.readouterr())
        assert ended in (status if isinstance(status, tuple) else (status,)), done.err
        assert isinstance(ended, int)
        assert "Traceback" not in done.err or "PCSOS_DEBUG" in os.environ
        return done

    return called


@pytest.fixture
def refused(call: Call) -> Callable[..., str]:
    """The one sentence in which the program refuses a line with exit status 2."""

    def sentence(*arguments: object) -> str:
        out, err = call(*arguments, status=2)
        assert out == ""
        assert err.startswith("pcsos: ")
        assert err.count("\n") == 1
        return err

    return sentence


@pytest.fixture
def line_files(tmp_path: Path) -> list[object]:
    """Arguments for the instance to check by hand: points 0, 2, 3, 9, 11, ML 0 1, CL 1 2."""
    write_line(tmp_path)
    return [tmp_path / "line.csv", "-k", 2, "--constraints", tmp_path / "pairs.txt"]


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run file of that instance, not to be changed."""
    folder = tmp_path_factory.mktemp("run")
    write_line(folder)
    pairs = ["--constraints", folder / "pairs.txt"]
    arguments = ["solve", folder / "line.csv", "-k", 2, *pairs, "--run-file", folder / "line.run", "--quiet"]
    assert cli.main([*map(str, arguments)]) == 0
    return folder / "line.run"
