"""A division in short: its points and what distinguishes its clusters, as part of a page about several."""

from pcsos.evidence.result import Result
from pcsos.report.features import features_of
from pcsos.report.section import Figures, Section, counted
from pcsos.report.sections.clusters import clusters_section
from pcsos.report.sections.differences import differences_section
from pcsos.report.sections.points import picture


def division_sections(result: Result, figures: Figures) -> list[Section]:
    """Return the points and the clusters of a result that has both, otherwise nothing."""
    instance, labels = result.instance, result.labels
    if instance is None or labels is None:
        return []
    features = features_of(instance, labels)
    points = picture(instance, labels, figures, features=features, broken=result.violated or ())
    title = f"The division into {counted(result.n_clusters, 'cluster')}"
    sections = [Section("points", title, points)]
    sections += [differences_section(instance, labels, features)] if features is not None else []
    return [*sections, clusters_section(instance, labels)]
