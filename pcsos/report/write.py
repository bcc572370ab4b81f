"""The pages of results, of run files and of certain pairs: what is on each, and how it is written."""

from collections.abc import Iterable

from pcsos.base.events import Event
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import CertainPairs, Certainty, Result, Status
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.outputs import check_outputs
from pcsos.io.source import PathLike
from pcsos.report.blocks import blocks_section, prices_section
from pcsos.report.certain import certain_section, doubts_of, doubts_section
from pcsos.report.clusters import clusters_section
from pcsos.report.contents import Contents, Source, of_run_file
from pcsos.report.course import Course, course_section
from pcsos.report.features import differences_section, features_of
from pcsos.report.markup import Figures, Section
from pcsos.report.page import Page, write_page
from pcsos.report.plane import Scene
from pcsos.report.plot import require_plotly
from pcsos.report.points import picture
from pcsos.report.summary import asked_section, check_section, contradiction_section, data_section, found_section
from pcsos.report.tree import line_section, tree_section
from pcsos.report.words import PROVED, SAID, certainty, headline, measure

TITLE = "A clustering, and what is proved of it"
KINDS = {Status.OPTIMAL: "good", Status.INFEASIBLE: "bad"}
NOT_ENDED = "This run has not ended: it was killed, or it still goes on. What it has found so far is shown below."


def result_page(contents: Contents) -> Page:
    """Return the page: what is proved, the points, then the clusters, then the proof."""
    instance, result = contents.instance, contents.result
    figures: Figures = {}
    labels = result.labels
    features = features_of(instance, labels)
    doubts = () if labels is None else doubts_of(instance, labels, contents.certain)
    scene = Scene(instance, labels, result.violated or (), result.conflict)
    points = picture(scene, figures, features, doubts)
    sections = []
    if result.status is Status.INFEASIBLE:
        sections.append(contradiction_section(contents))
    sections.append(data_section(instance, contents.source))
    if labels is not None:
        sections += [differences_section(instance, labels, features)] if features is not None else []
        sections.append(clusters_section(instance, labels))
        sections += [doubts_section(instance, labels, doubts)] if doubts else []
        if contents.certain is not None:
            sections.append(certain_section(contents.certain, labels, instance.names, figures))
    sections += [asked_section(contents), found_section(contents), *_proof(contents, figures)]
    return Page(TITLE, *_opening(contents), points, measure(result), tuple(sections), figures)


def _proof(contents: Contents, figures: Figures) -> list[Section]:
    """Return how the run went, what proves its bound, and what the checker says of it."""
    instance, cover, found = contents.instance, contents.cover, []
    is_last = not contents.nodes
    if contents.course.incumbents or contents.course.bounds:
        found.append(course_section(contents.course, figures))
    if contents.is_on_line:
        found.append(line_section(is_all=instance.is_line))
    if contents.prices is not None:
        found.append(prices_section(contents.prices, instance, figures, is_last=is_last and not cover))
    if cover:
        found.append(blocks_section(cover, contents.result.objective, figures, is_last=is_last))
    if contents.nodes:
        found.append(tree_section(contents.nodes, figures))
    return [*found, check_section(contents)]


def _opening(contents: Contents) -> tuple[str, str, str]:
    """Return the first sentence, how it is marked, and the second one: why to believe it."""
    check, kind = contents.check, KINDS.get(contents.result.status, "open")
    known = headline(contents.result) if contents.has_ended else NOT_ENDED
    if check is not None and check.verdict is None:
        refused = f"Do not rely on this page: the checker refuses the file, because {check.refusal}."
        return refused, "bad", known.replace(PROVED, SAID)
    return known, kind, _trust(contents)


def _trust(contents: Contents) -> str:
    result = contents.result
    if contents.check is not None:
        return "An independent checker has confirmed this from the points, the constraints and the file of the run."
    if result.status in (Status.OPTIMAL, Status.INFEASIBLE) or result.lower_bound:
        return "The checker was not asked; “pcsos verify” on the file of the run repeats the proof."
    return ""


TITLE_OF_PAIRS = "Which pairs of points are certain"


def certain_page(certain: CertainPairs, source: Source) -> Page:
    """Return the page: the points with those in doubt, the pairs as a square, and the groups."""
    instance = certain.instance
    figures: Figures = {}
    labels = certain.doubts.labels[certain.doubts.component]
    features = features_of(instance, labels)
    doubts = doubts_of(instance, labels, certain)
    points = picture(Scene(instance, labels), figures, features, doubts)
    sections = [certain_section(certain, labels, instance.names, figures)]
    sections += [doubts_section(instance, labels, doubts)] if doubts else []
    sections.append(data_section(instance, source))
    kind = "open" if certain.status is Certainty.PARTIAL else "good"
    return Page(TITLE_OF_PAIRS, certainty(certain), kind, picture=points, sections=tuple(sections), figures=figures)


def write_report(
    path: PathLike, result: Result, *, run_file: PathLike | None = None, events: Iterable[Event] = (), data: str = ""
) -> None:
    """Write the page of a result; see :meth:`pcsos.evidence.result.Result.report`.

    Events are what happened during the run, where there is no file of it.
    """
    require_plotly()
    check_outputs({"path": path}, {"run_file": run_file})
    contents = Contents(result.instance, result, Course.of(events), source=Source(data))
    if run_file is not None:
        contents = of_run_file(run_file, data=data)
        if instance_digest(contents.instance) != instance_digest(result.instance):
            raise InputError(f"the run file {run_file} is about another instance than the result; give that of its run")
    write_page(path, result_page(contents))


def write_certain_pairs(path: PathLike, certain: CertainPairs, *, data: str = "") -> None:
    """Write the page of certain pairs; see :meth:`pcsos.evidence.result.CertainPairs.report`."""
    write_page(path, certain_page(certain, Source(data)))
