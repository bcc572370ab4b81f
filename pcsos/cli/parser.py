"""Parser: what reads a command line, shows options in sections, and knows which of them name files to write."""

import argparse
from typing import Any, NoReturn

from pcsos.base.exceptions import InputError

#: The attribute of what is parsed that has the options given so far.
GIVEN = "given"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, and whose short help leaves sections out."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        self._shows_all = False
        super().__init__(*arguments, **settings)
        for name in (None, "store"):
            self.register("action", name, Once)
        self.register("action", "output", Output)

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Return the value that a text is, which is refused in the words of its reader."""
        try:
            return self._registry_get("type", action.type, action.type)(text)
        except InputError as error:
            raise argparse.ArgumentError(action, str(error)) from error

    @property
    def outputs(self) -> dict[str, str]:
        """For each option that names a file to write, the attribute that has its value."""
        return {action.option_strings[-1]: action.dest for action in self._actions if isinstance(action, Output)}

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
            commas = ", with commas between its values" if str(self.metavar).endswith(",...") else ""
            remedy = "put all pairs into one file" if option == "--constraints" else f"give it once{commas}"
            raise argparse.ArgumentError(self, f"it is given twice; {remedy}")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option)


class Output(Once):
    """Store the name of a file to write, which is checked before the work begins."""


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
