"""Words: what was read by which code, what was checked, and what it proves, for people."""

import math
import textwrap
import time
from collections.abc import Callable

from pcsos.verify.verdict import Verdict

WIDTH = 80
#: Seconds before progress is shown, and between two times it is.
SHOW_AFTER = 2.0
SHOW_EVERY = 0.5

NOTHING_GIVEN = "nothing was given to compare with, so compare the digest"


class Checks:
    """What was checked: a text for the end, and a count that is shown, if that can be, while it takes long."""

    def __init__(self, show: Callable[[str], object] | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.text = ""
        self._show = show
        self._clock = clock
        self._num_problems = 0
        self._num_parts = 0
        self._begun = clock()
        self._shown_at = -math.inf

    def __call__(self, sentence: str) -> None:
        """Take note of a check; those of single problems and parts are only counted."""
        if sentence.startswith("problem "):
            self._num_problems += 1
        elif sentence.startswith("part "):
            self._num_parts += 1
        elif not sentence.startswith("multipliers "):
            self.text += _filled("checked: ", sentence)
        elif self._show:
            self._shown_at = self._clock()
            self._show(f"\rpcsos: {sentence}")
        now = self._clock()
        if self._show and now - self._begun >= SHOW_AFTER and now - self._shown_at >= SHOW_EVERY:
            self._shown_at = now
            parts = f", {self._num_parts} parts" if self._num_parts else ""
            self._show(f"\rpcsos: {self._num_problems} nodes{parts} checked, {now - self._begun:.0f} s")

    def clear(self) -> None:
        """Make room where the count stood."""
        if self._show and self._shown_at > -math.inf:
            self._show("\r\x1b[K")
            self._shown_at = -math.inf


def read_by(others: str) -> str:
    """Return by which code the run file was read, and what was given besides."""
    return _filled("read: ", f"the run file by pcsos/verify/reading; {others}")


def summary(verdict: Verdict) -> str:
    """Return what a verdict says, a line each."""
    figures = {
        "status": verdict.status,
        "points, clusters": f"{verdict.n_points}, {verdict.n_clusters}",
        "objective": _shown(verdict.objective),
        "verified lower bound": _shown(verdict.lower_bound),
        "gap asked for": f"{100.0 * verdict.gap_asked:.6g} %",
        "verified gap": "-" if verdict.gap is None else f"{100.0 * verdict.gap:.6f} %",
        "nodes": f"{verdict.num_nodes} ({verdict.num_open} left open)",
        "digest": verdict.digest,
    }
    return "".join(f"{name:21}{value}\n" for name, value in figures.items())


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.10g}"


def _filled(title: str, sentence: str) -> str:
    return textwrap.fill(title + sentence, WIDTH, subsequent_indent=" " * len(title), break_on_hyphens=False) + "\n"
