"""Errors keep what they say on their way between processes."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pcsos import cli
from pcsos.base.exceptions import InfeasibleError, is_interrupt
from pcsos.evidence.kinds import Clique, Forced
from pcsos.evidence.node import Decision
from pcsos.verify import checker, command
from tests.verify.certificates import hand_made


def test_an_infeasible_error_survives_pickling() -> None:
    step = Forced((Clique(Decision("ML", 0, 1), (2,)),))
    error = InfeasibleError("two clusters are too few", {"kind": "clique", "points": [0, 1, 2]}, step)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.witness, again.step.cliques) == (str(error), error.witness, step.cliques)


class Interrupted:
    """An attribute during whose naming Ctrl-C comes, as while a module is imported."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def define_a_class(*_: object, **__: object) -> Any:
    return type("Owner", (), {"attribute": Interrupted()})


def test_an_interrupt_in_the_midst_of_a_class_is_one() -> None:
    with pytest.raises((KeyboardInterrupt, RuntimeError)) as caught:  # in Python 3.11 the latter
        define_a_class()
    assert isinstance(caught.value, KeyboardInterrupt) or is_interrupt(caught.value)
    assert not is_interrupt(RuntimeError("something else"))


@pytest.mark.parametrize(
    ("module", "name", "main", "words"),
    [
        (cli, "parse", cli.main, ["demo"]),
        (command, "_given", command.main, ["no.run"]),
        (checker, "only_row", command.main, None),
    ],
)
def test_programs_end_as_interrupted(
    module: Any,
    name: str,
    main: Callable[[list[str]], int],
    words: list[str] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = words or [str(hand_made(tmp_path / "run"))]
    monkeypatch.setattr(module, name, define_a_class)
    assert main(words) == 130
    assert capsys.readouterr().err.endswith(": interrupted before there was a result\n")
