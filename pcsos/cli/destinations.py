"""Destinations: the files that the result of a command goes to, as its arguments name them."""

import argparse
from dataclasses import dataclass, fields
from typing import Any, Self

from pcsos.io.labels import check_labels_output
from pcsos.io.outputs import check_outputs
from pcsos.io.source import PathLike
from pcsos.problem.partition import Partition

#: Options that ask for labels; where labels are an input, the second one does.
LABELS, LABELS_OUT, BETTER = "--labels", "--labels-out", "--better-out"


@dataclass(frozen=True)
class Destinations:
    """Where results go: a file, ``-`` for standard output, or None where no option asks for it.

    Parameters
    ----------
    labels, better : str or None
        The partition, and the better one that a certification has met.
    labels_in : str or None
        The partition as the user gave it, who has it already.
    json, log, run_file : str or None
        The whole result, the events, and the journal, which holds the result, too.
    labels_option : str
        The option that asks for the partition.
    quiet : bool
        Whether one line is enough, or none beside other outputs.
    """

    labels: str | None = None
    better: str | None = None
    labels_in: str | None = None
    json: str | None = None
    log: str | None = None
    run_file: str | None = None
    labels_option: str = LABELS
    quiet: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Self:
        """Return what the arguments of a command name, whichever of these it has."""
        given: dict[str, Any] = {own.name: getattr(arguments, own.name, own.default) for own in fields(cls)}
        return cls(**given)

    @property
    def asked(self) -> set[str]:
        """The outputs that somebody has asked for."""
        return {path for path in (self.labels, self.better, self.json, self.log) if path is not None}

    @property
    def unasked(self) -> str | None:
        """The option that would keep what otherwise is gone with the process; None where nothing is."""
        if self.json is not None or self.run_file is not None:
            return None
        if self.labels is None and self.labels_in is None:
            return self.labels_option
        return BETTER if self.better is None and self.labels_option == LABELS_OUT else None

    def lost(self, partition: Partition | None, better: Partition | None) -> Partition | None:
        """Return the better one of two partitions if it would be gone with the process."""
        if self.unasked is None:
            return None
        if better is not None:
            return better if self.better is None else None
        return partition if self.unasked == self.labels_option else None


def check_destinations(arguments: argparse.Namespace, inputs: dict[str, PathLike | None]) -> None:
    """Make sure, before any work is done, that all outputs of a command can be written and overwrite no input.

    Raises
    ------
    InputError
        In one sentence with option, path and remedy.
    """
    outputs: dict[str, PathLike | None] = arguments.outputs
    check_outputs(outputs, inputs)
    for option in (LABELS, LABELS_OUT, BETTER):
        check_labels_output(option, outputs.get(option))
