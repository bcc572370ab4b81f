"""How the run went."""

from pcsos.report.course import Course
from pcsos.report.figures.course import course_figure
from pcsos.report.markup import join
from pcsos.report.section import Figures, Section, cut_table, drawing, folded

TITLE = "Bound and best division over time"


def course_section(course: Course, figures: Figures) -> Section:
    """Return how bound and best partition went."""
    figures["course-figure"] = course_figure(course)
    note = (
        "The sum of squares of the best division known falls, the bound that is proved rises; no division costs less "
        "than the bound. Where they meet, the best division is found and proved. This is how the run told "
        "it; the checker proves where it ends."
    )
    rows = [
        (f"{step.seconds:.1f}", kind, f"{step.value:.10g}", step.source)
        for kind, steps in (("best division", course.incumbents), ("bound", course.bounds))
        for step in steps
    ]
    steps = cut_table("Steps", ("seconds", "what", "sum of squares", "found by"), rows)
    content = [drawing("course-figure", TITLE, note), folded("As a table", steps)]
    return Section("course", TITLE, join(content))
