"""The command ``ask``: pairs of points are shown side by side, and the answers become constraints."""

import argparse
import math
import os
import sys
from enum import Enum, auto
from typing import TYPE_CHECKING

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.instance_files import input_files, read_inputs
from pcsos.cli.messages import say, write
from pcsos.cli.rescue import write_or_rescue
from pcsos.exceptions import InfeasibleError, InputError
from pcsos.io.constraint_lines import constraints_text
from pcsos.io.outputs import STDOUT, check_outputs

if TYPE_CHECKING:
    from pcsos.active import ActiveSession

PROMPT = "same cluster? y (yes) / n (no) / u (unknown) / b (back) / q (quit) "


def ask(arguments: argparse.Namespace) -> int:
    """Ask about pairs of points and write what is known as constraints."""
    if arguments.log == STDOUT:
        raise InputError("--log is -, but a log has to be read again; give a file")
    outputs = {"--constraints-out": arguments.constraints_out, "--log": arguments.log}
    check_outputs(outputs, input_files(arguments) | {"the answers": "-"})
    inputs = read_inputs(arguments)
    if inputs.pairs.has_soft_pairs:
        raise InputError(f"{inputs.pairs.path} has soft pairs, which ask cannot weigh; leave its SML and SCL out")
    instance = inputs.instance(arguments.n_clusters)
    from pcsos.active import ActiveSession

    session = ActiveSession(
        instance,
        strategy=arguments.strategy,
        budget=arguments.budget,
        epsilon=arguments.epsilon,
        seed=arguments.seed,
        time_limit=arguments.time_limit,
        log=arguments.log,
    )
    if not session.answers and _holds_something(arguments.constraints_out):
        raise InputError(
            f"--constraints-out {arguments.constraints_out} holds something already, which would be replaced; give "
            "another file, or --log with the answers that led to it"
        )
    if session.answers:
        say(f"{arguments.log} has {_counted(len(session.answers), 'answer')} already; going on from there")
    ending = _Dialogue(session).run()
    text = constraints_text(session.constraints, inputs.names)
    if not write_or_rescue(arguments.constraints_out, text):
        return ExitStatus.FAILURE
    if arguments.strategy == "certified" and ending is Ending.COMPLETE and session.questions_left > 0:
        say(str(session.standing()))
    return {Ending.STOPPED: ExitStatus.STOPPED, Ending.FAILED: ExitStatus.FAILURE}.get(ending, ExitStatus.OPTIMAL)


class Ending(Enum):
    """Why there are no more questions."""

    COMPLETE = auto()  #: nothing is left to ask, or the budget is spent
    QUIT = auto()  #: somebody said so
    STOPPED = auto()  #: the input ended, or Ctrl-C came
    FAILED = auto()  #: the log cannot be written any more


class _Dialogue:
    """Questions and replies, until one ends it."""

    def __init__(self, session: "ActiveSession") -> None:
        from pcsos.active import SideBySide
        from pcsos.active.oracles import REPLIES

        self.session, self.show, self.replies = session, SideBySide(session.instance), REPLIES

    def run(self) -> Ending:
        """Ask until there is an end to it, say how much is known then, and return why it ended."""
        try:
            while (pair := self.session.ask()) is not None and self._reply_to(pair):
                pass
            ending = Ending.COMPLETE if pair is None else Ending.QUIT
        except (KeyboardInterrupt, EOFError):
            write("\n")
            ending = Ending.STOPPED
        except InputError as error:
            say(str(error))
            ending = Ending.FAILED
        known = self.session.constraints
        pairs = f"{_counted(len(known.must_link), 'must-link')} and {_counted(len(known.cannot_link), 'cannot-link')}"
        say(f"{_counted(len(self.session.answers), 'answer')}; {pairs} in all")
        return ending

    def _reply_to(self, pair: tuple[int, int]) -> bool:
        """Show a pair, take a reply, and tell whether to go on."""
        number, left = len(self.session.answers) + 1, self.session.questions_left
        of = "" if math.isinf(left) else f" of {number - 1 + int(left)}"
        write(f"\nquestion {number}{of}; nothing is known about {self.session.knowledge.num_open} pairs\n")
        write(f"{self.show(*pair)}\n")
        reply = self._reply()
        if reply == "b":
            if self.session.undo() is None:
                say("there is no answer to take back")
        elif reply != "q":
            try:
                self.session.tell(pair, self.replies[reply])
            except InfeasibleError as error:
                say(f"that contradicts earlier answers: {error}")
                say("answer u, or take answers back with b")
        return reply != "q"

    def _reply(self) -> str:
        """Return the first reply that is understood."""
        while True:
            write(PROMPT)
            line = "" if sys.stdin is None else sys.stdin.readline()
            if not line:
                raise EOFError
            reply = line.strip().lower()
            if reply in {*self.replies, "b", "back", "q", "quit"}:
                return reply if reply in self.replies else reply[0]
            say("give one of y, n, u, b and q")


def _holds_something(path: str) -> bool:
    """Tell whether there is a file with content at a path."""
    return path != STDOUT and os.path.isfile(path) and os.path.getsize(path) > 0


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
