"""Help: common options first, all of them under their sections with ``--help-all``."""

import re

import pytest

from pcsos.base.exceptions import InputError
from pcsos.cli.arguments import Parser, parse, program_parser
from pcsos.cli.options import SECTIONS

COMMANDS: dict[str, Parser] = program_parser()[1]


def shown(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        parse([command, option])
    assert ended.value.code == 0
    return capsys.readouterr().out


def options_in(text: str) -> set[str]:
    """Return the options that a help lists, by how its lines begin."""
    lines = re.findall(r"^  (-.*)$", text, flags=re.MULTILINE)
    return {option for line in lines for option in re.findall(r"(?<!\w)--?[a-z][a-z-]*", line.split("  ")[0])}


@pytest.mark.parametrize("command", COMMANDS)
def test_all_options_are_an_option_away(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = {option for action in COMMANDS[command]._actions for option in action.option_strings}
    short, whole = shown(command, "--help", capsys), shown(command, "--help-all", capsys)
    assert options_in(whole) == known
    assert options_in(short) <= known
    assert ("more with --help-all" in short) == (options_in(short) < known)
    assert "more with" not in whole


def test_the_first_page_of_solve_has_what_most_people_need(capsys: pytest.CaptureFixture[str]) -> None:
    found = options_in(shown("solve", "--help", capsys))
    assert (
        {"-k", "--constraints", "--gap", "--time-limit", "--labels", "--run-file"}
        <= found
        <= SECTIONS[""].keys() | {"-h", "--help", "--help-all"}
    )
    assert len(found) <= 18


def test_conditions_stand_under_their_title(capsys: pytest.CaptureFixture[str]) -> None:
    whole = shown("solve", "--help-all", capsys)
    section = whole[whole.index("conditions on clusters:") : whole.index("how POINTS is read:")]
    assert {"--size-min", "--max-diameter", "--weights", "--groups"} <= options_in(section)
    assert "--seed" not in section


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("solve a.csv -k 3 -k 4", r"argument -k: it is given twice; give it once \(see `pcsos solve --help`\)"),
        (
            "solve a.csv -k 3 --constraints a --constraints b",
            "it is given twice; put all pairs into one file",
        ),
        ("info a.csv -k 3 --weights a --weights b", "--weights: it is given twice"),
        (
            "solve a.csv -k 3 --features x --features y",
            "it is given twice; give it once, with commas between its values",
        ),
        ("solve a.csv -k 3 --lables x", r"--lables x; did you mean --labels\? \(see `pcsos solve --help`\)"),
        ("solve a.csv -k 3 --zzz red", r"unrecognized arguments: --zzz red \(see"),
    ],
)
def test_what_is_given_twice_or_mistyped_is_refused(line: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse(line.split())


def test_options_that_may_be_repeated() -> None:
    assert parse(["solve", "a.csv", "-k", "3", "--ignore", "x", "--ignore", "y"]).ignore == ["x", "y"]


def test_usage_says_what_has_to_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown("solve", "--help", capsys).startswith("usage: pcsos solve [POINTS] -k K [options]\n")
    assert shown("report", "--help", capsys).startswith("usage: pcsos report RUN_FILE -o FILE [options]\n")
