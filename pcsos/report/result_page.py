"""The page of a result, or of the file of a run."""

from pcsos.evidence.result import Status
from pcsos.report.contents import Contents
from pcsos.report.doubt import doubts_of
from pcsos.report.features import features_of
from pcsos.report.page import Page
from pcsos.report.section import Figures, Section
from pcsos.report.sections.blocks import blocks_section
from pcsos.report.sections.certain import certain_section
from pcsos.report.sections.check import check_section
from pcsos.report.sections.clusters import clusters_section
from pcsos.report.sections.course import course_section
from pcsos.report.sections.data import data_section
from pcsos.report.sections.differences import differences_section
from pcsos.report.sections.doubts import doubts_section
from pcsos.report.sections.points import picture
from pcsos.report.sections.prices import is_by_prices, prices_section
from pcsos.report.sections.task import asked_section, contradiction_section, found_section
from pcsos.report.sections.tree import is_a_line, line_section, tree_section
from pcsos.report.words import PROVED, SAID, headline, measure

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
    points = picture(
        instance, labels, figures, features=features, conflict=result.conflict, broken=result.violated or (),
        doubts=doubts,
    )  # fmt: skip
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
    if contents.course.incumbents or contents.course.bounds:
        found.append(course_section(contents.course, figures))
    if is_by_prices(cover, instance):
        found.append(prices_section(cover[0], instance, figures, is_last=not contents.nodes))
    elif len(cover) == 1 and cover[0].size == instance.n_points and is_a_line(cover[0].nodes):
        found.append(line_section(is_all=instance.is_free))
    elif cover:
        found.append(blocks_section(cover, contents.result.objective, figures, is_last=not contents.nodes))
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
