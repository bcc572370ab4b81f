"""The report: pages for people, what notebooks show, and a picture; loaded when it is first asked for."""

from typing import TYPE_CHECKING

from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.report.picture import draw
    from pcsos.report.plot import require_plotly
    from pcsos.report.write import report_run, write_report
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.report.plot": ("require_plotly",),
            "pcsos.report.picture": ("draw",),
            "pcsos.report.write": ("report_run", "write_report"),
        },
    )

__all__ = ["draw", "report_run", "require_plotly", "write_report"]
