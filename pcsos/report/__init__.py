"""The report: a result as one page for people, and as a picture."""

from pcsos.report.figures import require_plotly
from pcsos.report.picture import draw
from pcsos.report.write import report_run, write_report

__all__ = ["draw", "report_run", "require_plotly", "write_report"]
