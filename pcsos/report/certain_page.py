"""The page of certain pairs."""

from pcsos.base.exceptions import InputError
from pcsos.evidence.result import CertainPairs, Certainty
from pcsos.report.doubt import doubts_of
from pcsos.report.features import features_of
from pcsos.report.page import Page
from pcsos.report.section import Figures
from pcsos.report.sections.certain import certain_section
from pcsos.report.sections.data import data_section
from pcsos.report.sections.doubts import doubts_section
from pcsos.report.sections.points import picture
from pcsos.report.source import Source
from pcsos.report.words import certainty

TITLE = "Which pairs of points are certain"
KINDS = {Certainty.UNIQUE: "good", Certainty.COMPLETE: "good"}


def certain_page(certain: CertainPairs, source: Source) -> Page:
    """Return the page: the points with those in doubt, the pairs as a square, and the groups."""
    instance = certain.instance
    if instance is None:
        raise InputError("the certain pairs were made by hand and know no points; give them their instance")
    figures: Figures = {}
    labels = certain.doubts.labels[certain.doubts.component]
    features = features_of(instance, labels)
    doubts = doubts_of(instance, labels, certain)
    points = picture(instance, labels, figures, features=features, doubts=doubts)
    sections = [certain_section(certain, labels, instance.names, figures)]
    sections += [doubts_section(instance, labels, doubts)] if doubts else []
    sections.append(data_section(instance, source))
    kind = KINDS.get(certain.status, "open")
    return Page(TITLE, certainty(certain), kind, picture=points, sections=tuple(sections), figures=figures)
