"""What the checker said."""

from pcsos.evidence.result import Status
from pcsos.report.contents import Contents
from pcsos.report.markup import element, join
from pcsos.report.section import Section

TITLE = "What the checker said"


def check_section(contents: Contents) -> Section:
    """Return what the checker has checked, or why it has not."""
    check = contents.check
    if check is None:
        return Section("check", TITLE, element("p", _why_unchecked(contents)))
    parts = []
    if check.verdict is None:
        parts.append(element("p", f"It refuses the file: {check.refusal}."))
    else:
        parts.append(element("p", "Every check passed, in exact arithmetic and with no code of the solver."))
    if check.steps:
        parts.append(element("ul", *(element("li", step) for step in check.steps)))
    return Section("check", TITLE, join(parts))


def _why_unchecked(contents: Contents) -> str:
    if not contents.has_ended:
        return "The run has not ended, so there is nothing to check yet."
    is_proof = contents.result.lower_bound is not None or contents.result.status is Status.INFEASIBLE
    return "It was not asked." if is_proof else "Nothing is proved, so there was nothing to check."
