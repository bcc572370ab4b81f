"""What the data are: their file, the day of the run, rows, and columns with their names."""

from pcsos.problem.instance import Instance
from pcsos.report.features import averages
from pcsos.report.markup import Markup, join, table
from pcsos.report.page import day
from pcsos.report.section import Section, counted, cut_table, folded
from pcsos.report.source import Source

#: Columns that are named in a line.
MOST_NAMED = 12


def data_section(instance: Instance, source: Source) -> Section:
    """Return what a page is about."""
    rows = [
        *([("data", source.data)] if source.data else []),
        *([("file of the run", source.run_file)] if source.run_file else []),
        *([("date of the run", f"{day(source.begun)}, {source.begun:%H:%M} UTC")] if source.begun else []),
        ("rows", f"{counted(instance.n_points, 'point')}{_weights(instance)}"),
        ("columns", _columns(instance)),
    ]
    figures = [] if instance.gram is not None else [folded("Columns in figures", _figures(instance))]
    return Section("data", "What the data are", join([table("The data", (), rows), *figures]))


def _weights(instance: Instance) -> str:
    weights = instance.weights
    return f", which weigh from {weights.min():g} to {weights.max():g}" if (weights != 1.0).any() else ""


def _columns(instance: Instance) -> str:
    """Return the names of the features, as far as there are any."""
    if instance.gram is not None:
        return f"none: there are inner products of points, nearly of rank {instance.gram.rank:,}"
    number, names = f"{instance.n_features:,}", instance.feature_names
    if names is None:
        return f"{number}, without names"
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"{number}: {', '.join(names[:MOST_NAMED])}{more}"


def _figures(instance: Instance) -> Markup:
    points, (average, deviation) = instance.points, averages(instance)
    columns = (points.min(axis=0), average, points.max(axis=0), deviation)
    rows = [
        (title, *(f"{value:.6g}" for value in values))
        for title, *values in zip(instance.feature_titles, *columns, strict=True)
    ]
    return cut_table("Columns", ("column", "least", "average", "greatest", "standard deviation"), rows)
