"""Pages: what shows results and certain pairs to people, handed in like :mod:`pcsos.result.views`."""

from collections.abc import Callable
from typing import Protocol


class Pages(Protocol):
    """Whoever writes pages, and what notebooks show."""

    @property
    def write_report(self) -> Callable[..., None]:
        """Writes the page of a result; see :func:`pcsos.report.write_report`."""

    @property
    def write_certain_pairs(self) -> Callable[..., None]:
        """Writes the page of certain pairs; see :func:`pcsos.report.write.write_certain_pairs`."""

    @property
    def result_html(self) -> Callable[..., str]:
        """Returns what a notebook shows of a result; see :func:`pcsos.report.notebook.result_html`."""

    @property
    def certain_html(self) -> Callable[..., str]:
        """Returns what a notebook shows of certain pairs; see :func:`pcsos.report.notebook.certain_html`."""
