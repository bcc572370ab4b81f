"""The command ``ask``: pairs of points are shown side by side, and the answers become constraints."""

import argparse
import math
import os
import shlex
import sys
from enum import Enum, auto
from typing import TYPE_CHECKING

from pcsos.analysis import active
from pcsos.analysis.active.oracles import REPLIES
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import read_hard_inputs
from pcsos.cli.messages import ExitStatus, say, show, telling
from pcsos.cli.outputs import check_files, write_or_rescue
from pcsos.evidence.result.words import whole_percent
from pcsos.io.constraints import constraints_text
from pcsos.io.outputs import STDOUT
from pcsos.io.source import STDIN
from pcsos.verify.reading.text import number_of, write

if TYPE_CHECKING:
    from pcsos.cli.question_page import QuestionPage

PROMPT = "same cluster? y (yes) / n (no) / u (unknown) / b (back) / q (quit) "


def ask(arguments: argparse.Namespace) -> int:
    """Ask about pairs of points and write what is known as constraints."""
    check_files(arguments, {} if arguments.web else {"the answers": STDIN})
    inputs = read_hard_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    session = active.ActiveSession(
        instance,
        strategy=arguments.strategy,
        budget=arguments.budget,
        epsilon=arguments.epsilon,
        seed=arguments.seed,
        time_limit=arguments.time_limit,
        log=arguments.log,
    )
    to = arguments.constraints_out
    if not session.answers and to != STDOUT and os.path.isfile(to) and os.path.getsize(to) > 0:
        raise InputError(
            f"--constraints-out {to} holds something already, which would be replaced; give "
            "another file, or --log with the answers that led to it"
        )
    if session.answers:
        say(f"{arguments.log} has {number_of(len(session.answers), 'answer')} already; going on from there")
    comparison = active.SideBySide(instance, shown=inputs.table.shown, originals=inputs.originals)
    page = _opened_page(session, comparison) if arguments.web else None
    dialogue = _Dialogue(session, arguments.strategy, comparison, page)
    ending = dialogue.run()
    if arguments.strategy == "certified" and ending is Ending.COMPLETE and session.questions_left > 0:
        dialogue.say(str(session.standing()))
    text = constraints_text(session.constraints, inputs.names)
    is_written = write_or_rescue(to, text)
    is_kept = is_written and to != STDOUT
    command = _next_command(arguments, arguments.id_column or inputs.table.unnamed) if is_kept else ""
    dialogue.close(to, command, is_written=is_written)
    if not is_written:
        return ExitStatus.FAILURE
    return {Ending.STOPPED: ExitStatus.STOPPED, Ending.FAILED: ExitStatus.FAILURE}.get(ending, ExitStatus.OPTIMAL)


class Ending(Enum):
    """Why there are no more questions."""

    COMPLETE = auto()  #: nothing is left to ask, or the budget is spent
    QUIT = auto()  #: somebody said so
    STOPPED = auto()  #: the input ended, or Ctrl-C came
    FAILED = auto()  #: the log cannot be written any more


class _Dialogue:
    """Questions and replies, until one ends it."""

    def __init__(
        self, session: "active.ActiveSession", strategy: str, show: active.SideBySide, page: "QuestionPage | None"
    ) -> None:
        self.session, self.strategy, self.show, self.page = session, strategy, show, page
        self.said: list[str] = []

    def run(self) -> Ending:
        """Ask until there is an end to it, say how much is known then, and return why it ended."""
        try:
            while (pair := self._next()) is not None and self._reply_to(pair):
                pass
            ending = Ending.COMPLETE if pair is None else Ending.QUIT
            if pair is None:
                self.say(self._reason())
        except (KeyboardInterrupt, EOFError):
            write("\n")
            ending = Ending.STOPPED
        except InputError as error:
            self.say(str(error))
            ending = Ending.FAILED
        known = self.session.constraints
        pairs = f"{number_of(len(known.must_link), 'must-link')} and {number_of(len(known.cannot_link), 'cannot-link')}"
        say(f"{number_of(len(self.session.answers), 'answer')}; {pairs} in all")
        return ending

    def close(self, path: str, command: str, *, is_written: bool) -> None:
        """Say where the pairs are and what comes next, and show the last page."""
        if not is_written:
            self.said.append("the pairs could not be written; the terminal says where they are")
        elif command:
            self.said.append(f"the pairs are in {path}")
            say(f"next: {command}")
        if self.page is not None:
            self.page.end(self.said, command)

    def say(self, sentence: str) -> None:
        """Say something, and keep it for the next page."""
        say(sentence)
        self.said.append(sentence)

    def _next(self) -> tuple[int, int] | None:
        with telling(lambda: "choosing the next question"):
            return self.session.ask()

    def _reason(self) -> str:
        """Return why there is no further question."""
        session = self.session
        if session.questions_left == 0:
            return f"the budget of {number_of(session.budget or 0, 'answer')} is spent"
        if session.knowledge.num_open == 0:
            return "nothing is left to ask: all other pairs follow from what is known"
        if self.strategy == "certified" and session.is_settled:
            return "nothing is left to ask: all pairs are decided within epsilon, as the last answers were foretold"
        return f"nothing is left to ask: {self.strategy} has no question about the pairs that are open"

    def _reply_to(self, pair: tuple[int, int]) -> bool:
        """Show a pair, take a reply, and tell whether to go on."""
        if self.page is None:
            show(f"\n{self._title()}\n{self.show(*pair)}\n")
            reply = self._reply()
        else:
            reply = self.page.reply(pair, self.said)
        self.said.clear()
        if reply == "b":
            if self.session.undo() is None:
                self.say("there is no answer to take back")
        elif reply != "q":
            try:
                self._tell(pair, REPLIES[reply])
            except InfeasibleError as error:
                self.say(f"that contradicts earlier answers: {error}")
                self.say("answer u, or take answers back with b")
        return reply != "q"

    def _title(self) -> str:
        number, left = len(self.session.answers) + 1, self.session.questions_left
        of = "" if math.isinf(left) else f" of {number - 1 + int(left)}"
        return f"question {number}{of}; {self.session.knowledge.num_open} pairs are not known yet"

    def _tell(self, pair: tuple[int, int], same: bool | None) -> None:
        """Pass an answer on, and say where it is against what is proved."""
        before = len(self.session.surprises)
        self.session.tell(pair, same)
        if len(self.session.surprises) > before:
            share, other = whole_percent(self.session.epsilon), "apart" if same else "together"
            self.say(
                f"that is against what was proved: all partitions within {share} of the least cost have the two "
                f"{other}, so you have something else in mind than least squares"
            )

    def _reply(self) -> str:
        """Return the first reply that is understood."""
        while True:
            write(PROMPT)
            line = "" if sys.stdin is None else sys.stdin.readline()
            if not line:
                raise EOFError
            reply = line.strip().lower()
            if reply in {*REPLIES, "b", "back", "q", "quit"}:
                return reply if reply in REPLIES else reply[0]
            say("give one of y, n, u, b and q")


def _opened_page(session: "active.ActiveSession", show: active.SideBySide) -> "QuestionPage":
    """Return a page that waits for somebody to open it, and say where it is."""
    from pcsos.cli.question_page import QuestionPage

    page = QuestionPage(session, show)
    say(f"open {page.address} in a browser on this machine; Ctrl-C here or Finish there ends the questions")
    return page


def _next_command(arguments: argparse.Namespace, id_column: str) -> str:
    """Return the command that clusters the same points, with these ids, under the pairs that were written."""
    words = ["pcsos", "solve", arguments.points, "-k", str(arguments.n_clusters)]
    words += ["--features", ",".join(arguments.features)] if arguments.features else []
    left_out = dict.fromkeys((*arguments.ignore, *(() if arguments.features else arguments.show)))
    words += [word for column in left_out for word in ("--ignore", column)]
    words += ["--id", id_column] if id_column else []
    words += ["--standardize"] if arguments.standardize else []
    words += ["--one-based"] if arguments.one_based else []
    words += ["--decimal", ","] if arguments.decimal == "," else []
    words += ["--header" if arguments.header else "--no-header"] if arguments.header is not None else []
    return shlex.join([*words, "--constraints", arguments.constraints_out])
