"""The instance that the arguments describe."""

import argparse

from pcsos.cli.messages import say
from pcsos.instance import Instance
from pcsos.io import read_constraints, read_table


def read_instance(arguments: argparse.Namespace) -> Instance:
    """Return the instance of ``POINTS``, ``-k``, ``--constraints`` and ``--ignore``.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    table = read_table(arguments.points, ignore=arguments.ignore)
    for name in () if getattr(arguments, "quiet", False) else table.suspects:
        say(
            f"note: the column {name!r} of {arguments.points} is used as a feature; if it is none, leave it out "
            f"with --ignore {name}"
        )
    if arguments.constraints is None:
        return Instance(table.points, arguments.n_clusters)
    constraints = read_constraints(arguments.constraints, table.points)
    return Instance(table.points, arguments.n_clusters, constraints.must_link, constraints.cannot_link)
