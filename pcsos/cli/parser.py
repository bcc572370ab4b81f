"""Parser: what reads a command line, shows options in sections, and knows which of them name files to write."""

import argparse
from typing import Any, NoReturn

from pcsos.base.exceptions import InputError

#: Options that the short help of a command shows; those that stand in a section are left to ``--help-all``.
COMMON = frozenset(
    {
        "--help", "--help-all", "-k", "--constraints", "--constraints-out", "--features", "--ignore", "--id",
        "--standardize", "--from", "--to", "--method", "--criterion", "--known", "--strategy", "--budget", "--show",
        "--web", "--time-limit", "--gap", "--labels", "--labels-out", "--json", "--run-file", "--report", "--plot",
        "--quiet",
    }
)  # fmt: skip

#: The attribute of what is parsed that has the options given so far.
GIVEN = "given"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, and whose options stand in sections.

    Attributes
    ----------
    outputs : dict
        For each option that names a file to write, the attribute that has its value.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self._section: argparse._ArgumentGroup | None = None
        self._shows_all = False
        self.outputs: dict[str, str] = {}
        super().__init__(*arguments, **settings)
        for name in (None, "store"):
            self.register("action", name, Once)

    def section(self, title: str) -> None:
        """Put the options that are added from here on under a title, but for the common ones."""
        found = (group for group in self._action_groups if group.title == title)
        self._section = next(found, None) or self.add_argument_group(title)

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Add an argument, in the section where it belongs."""
        is_common = not names[-1].startswith("-") or names[-1] in COMMON or settings.get("required", False)
        if self._section is None or is_common:
            return super().add_argument(*names, **settings)
        return self._section.add_argument(*names, **settings)

    def add_mutually_exclusive_group(self, **settings: Any) -> argparse._MutuallyExclusiveGroup:
        """Add a group of options of which only one may be given, in the section where it belongs."""
        if self._section is None:
            return super().add_mutually_exclusive_group(**settings)
        return self._section.add_mutually_exclusive_group(**settings)

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Return the value that a text is, which is refused in the words of its reader."""
        try:
            return self._registry_get("type", action.type, action.type)(text)
        except InputError as error:
            raise argparse.ArgumentError(action, str(error)) from error

    def add_flag(self, name: str, purpose: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=purpose)

    def add_output(self, *names: str, **settings: Any) -> None:
        """Add an option that names a file to write, which is checked before the work begins."""
        action = self.add_argument(*names, metavar="FILE", **settings)
        self.outputs[names[-1]] = action.dest

    def parsed(self, values: argparse.Namespace) -> argparse.Namespace:
        """Return what was parsed with the files to read and to write, and the options that are given.

        ``inputs`` and ``outputs`` are dictionaries of paths by option or argument, ``given`` has the names of the
        options whose values are not their defaults.
        """
        own = vars(values)
        own.pop(GIVEN, None)
        inputs: dict[str, str | None] = {}
        for action in self._actions:
            if action.type is input_file:
                name, value = (*action.option_strings, str(action.metavar))[0], own[action.dest]
                several = enumerate(value, 1) if isinstance(value, list) else ()
                inputs |= {f"{name} {number}": path for number, path in several} if several else {name: value}
        values.inputs, values.outputs = inputs, {option: own[name] for option, name in self.outputs.items()}
        values.given = [
            action.option_strings[-1]
            for action in self._actions
            if action.option_strings
            and own.get(action.dest, action.default) != action.default
            and action.const in (None, own[action.dest])
        ]
        return values

    def error(self, message: str) -> NoReturn:
        """Raise the message as an :class:`InputError`."""
        raise InputError(f"{message} (see `{self.prog} --help`)")

    def refuse(self, unknown: list[str]) -> NoReturn:
        """Refuse arguments that there are not, with the option that may be meant."""
        from difflib import get_close_matches  # needed only after a mistake

        options = [option for action in self._actions for option in action.option_strings]
        near = get_close_matches(unknown[0].split("=")[0], options, n=1)
        guess = f"; did you mean {near[0]}?" if near else ""
        self.error(f"unrecognized arguments: {' '.join(unknown)}{guess}")

    def format_help(self) -> str:
        """Return the help: with the sections if all is asked for, else with the common options."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage or self._usage(), self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        sections = self._action_groups if self._shows_all else self._action_groups[:2]
        for section in sections:
            formatter.start_section(section.title)
            formatter.add_arguments(section._group_actions)
            formatter.end_section()
        hidden = [section.title for section in self._action_groups[len(sections) :] if section._group_actions]
        if hidden:
            formatter.add_text(f"more with --help-all: {', '.join(str(title) for title in hidden)}")
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _usage(self) -> str | None:
        """Return how a command is used: what has to be given, and that there are options."""
        if self._subparsers is not None:
            return None
        words = ["%(prog)s"]
        for action in self._actions:
            if not action.option_strings:
                words.append(f"[{action.metavar}]" if action.nargs == "?" else str(action.metavar))
                words += ["..."] if action.nargs == "+" else []
            elif action.required:
                words.append(f"{action.option_strings[0]} {action.metavar}")
        return " ".join([*words, "[options]"])


class Once(argparse._StoreAction):
    """Store a value of an option, which may not be given twice: the first one would be lost without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value."""
        given: set[str] = vars(namespace).setdefault(GIVEN, set())
        if option is not None and self.dest in given:
            remedy = "put all pairs into one file" if option == "--constraints" else "give it once"
            raise argparse.ArgumentError(self, f"it is given twice; {remedy}")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option)


def input_file(text: str) -> str:
    """Take the name of a file to read, which no output may overwrite."""
    return text


class HelpAll(argparse.Action):
    """Show the help with all options."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print and exit."""
        assert isinstance(parser, Parser)
        parser._shows_all = True
        parser.print_help()
        parser.exit()
