"""Parser: what reads a command line, and knows which options name files to write."""

import argparse
from typing import Any, NoReturn

from pcsos.exceptions import InputError


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, and which knows the options that name files to write.

    Attributes
    ----------
    outputs : dict
        For each of these options, the attribute that has its value.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.outputs: dict[str, str] = {}

    def add_output(self, *names: str, **settings: Any) -> None:
        """Add an option that names a file to write, which is checked before the work begins."""
        action = self.add_argument(*names, metavar="FILE", **settings)
        self.outputs[names[-1]] = action.dest

    def error(self, message: str) -> NoReturn:
        """Raise the message as an :class:`InputError`."""
        raise InputError(f"{message} (see `{self.prog} --help`)")
