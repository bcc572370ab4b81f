"""Results go where they should whatever happens meanwhile, and what went wrong is said."""

import json
import signal

import pytest

from pcsos.cli.outputs import Destinations
from pcsos.cli.results import finish
from pcsos.evidence.result import Reason, Status
from pcsos.io.outputs import write_text
from tests.results import some_result


class TestFinish:
    OUTPUTS = Destinations(json="-", quiet=True)

    def test_signal_while_writing_is_put_off(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def write_slowly(path: str, text: str | bytes) -> None:
            signal.raise_signal(signal.SIGINT)
            write_text(path, text)

        monkeypatch.setattr("pcsos.cli.outputs.write_text", write_slowly)
        before = signal.getsignal(signal.SIGINT)
        assert finish(some_result(), self.OUTPUTS) == 4
        assert json.loads(capsys.readouterr().out)["labels"] == [0, 1]
        assert signal.getsignal(signal.SIGINT) is before

    @pytest.mark.parametrize(
        ("fields", "status", "words"),
        [
            ({"message": "the run file cannot be written"}, 4, "pcsos: the run file cannot be written"),
            ({"status": Status.UNKNOWN, "partition": None}, 4, "pcsos: no partition was found: INTERRUPTED"),
            (
                {"status": Status.UNKNOWN, "partition": None, "message": "all runs failed"},
                4,
                "pcsos: no partition was found: all runs failed",
            ),
            (
                {"status": Status.INFEASIBLE, "reason": Reason.INFEASIBLE, "partition": None},
                3,
                "pcsos: the instance is infeasible: every node of the tree is closed without a partition",
            ),
            ({"status": Status.OPTIMAL, "reason": Reason.GAP_REACHED}, 0, ""),
            ({"reason": Reason.HEURISTIC_FINISHED}, 0, ""),
            (
                {"reason": Reason.HEURISTIC_FINISHED, "status": Status.UNKNOWN, "partition": None},
                4,
                "pcsos: no partition was found: HEURISTIC_FINISHED",
            ),
        ],
    )
    def test_what_went_wrong_is_said_even_if_quiet(
        self, capsys: pytest.CaptureFixture[str], fields: dict[str, object], status: int, words: str
    ) -> None:
        assert finish(some_result(**fields), self.OUTPUTS) == status
        assert capsys.readouterr().err.strip() == words
