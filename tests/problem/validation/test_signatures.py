"""Signatures: keywords that are spelled once are shown, described and refused as if each stood in its place."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack, get_type_hints

import pytest

import pcsos
from pcsos.problem.keywords import ParameterKeywords, ProblemKeywords
from pcsos.problem.validation.signatures import Default, Option, family, full_signature, options_of, part_of


@family
class Wood(TypedDict, total=False):
    """What it is made of.

    Parameters
    ----------
    species, grain : str, optional
        Of the tree.

        A second paragraph.
    age : int
        Years.

    Notes
    -----
    age : not this one
    """

    species: str | None
    grain: str | None
    age: Annotated[int, Default(100), Option("years", int, "N")]


@family
class Finish(TypedDict, total=False):
    """What is on it.

    Parameters
    ----------
    oil : bool
        Whether it is oiled.
    """

    oil: Annotated[bool, Default(False)]


class Furniture(Wood, Finish, total=False):
    """Both."""


@full_signature
def table(legs: int = 4, top: str = "round", *, price: float = 1.0, **keywords: Unpack[Furniture]) -> dict[str, Any]:
    """Build a table.

    Parameters
    ----------
    legs : int
        How many.
    **keywords
        What it is like.
    oil : bool
        Whether its top is oiled.
    """
    return {"legs": legs, "top": top, "price": price, **keywords}


@full_signature
class Chair:
    """A chair.

    Parameters
    ----------
    **keywords
    """

    def __init__(self, **keywords: Unpack[Wood]) -> None:
        self.keywords = keywords


def test_a_signature_shows_each_keyword_with_its_type_and_default() -> None:
    parameters = inspect.signature(table).parameters
    assert list(parameters) == ["legs", "top", "species", "grain", "age", "oil", "price"]
    assert {name: own.default for name, own in parameters.items()} == {
        "legs": 4, "top": "round", "species": None, "grain": None, "age": 100, "oil": False, "price": 1.0,
    }  # fmt: skip
    assert (parameters["age"].annotation, parameters["species"].annotation) == (int, str | None)
    assert {own.kind for own in list(parameters.values())[2:]} == {inspect.Parameter.KEYWORD_ONLY}
    assert list(inspect.signature(Chair).parameters) == ["species", "grain", "age"]


def test_a_docstring_holds_what_families_say_but_for_what_it_says_itself() -> None:
    assert inspect.getdoc(table) == (
        "Build a table.\n\nParameters\n----------\nlegs : int\n    How many.\nspecies, grain : str, optional\n"
        "    Of the tree.\n\n    A second paragraph.\nage : int\n    Years.\noil : bool\n    Whether its top is oiled."
    )
    assert (inspect.getdoc(Chair) or "").endswith("age : int\n    Years.")
    assert "not this one" not in f"{table.__doc__}{Chair.__doc__}"


def test_keywords_that_are_not_given_have_their_defaults() -> None:
    assert table(3, oil=True) == {
        "legs": 3, "top": "round", "price": 1.0, "species": None, "grain": None, "age": 100, "oil": True,
    }  # fmt: skip
    assert Chair(age=3).keywords == {"species": None, "grain": None, "age": 3}


def test_another_keyword_is_refused_as_python_does() -> None:
    with pytest.raises(
        TypeError, match=r"^table\(\) got an unexpected keyword argument 'spices'. Did you mean 'species'\?$"
    ):
        table(spices="oak")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Chair.__init__\(\) got an unexpected keyword argument 'qqq'$"):
        Chair(qqq=1)  # type: ignore[call-arg]


def test_families_are_taken_apart_and_have_options() -> None:
    assert part_of({"age": 1, "oil": True, "price": 2.0}, Wood) == {"age": 1}
    assert options_of(Furniture) == {"age": Option("years", int, "N")}


def test_a_keyword_is_described_once() -> None:
    class Metal(TypedDict, total=False):
        """Something else.

        Parameters
        ----------
        age : int
            Days.
        """

        age: int

    with pytest.raises(ValueError, match="Metal describes age, which another family has described already"):
        family(Metal)
    assert "Years." in (Chair.__doc__ or "")


TAKERS = [
    pcsos.solve, pcsos.certify, pcsos.path, pcsos.front, pcsos.Instance, pcsos.ActiveSession, pcsos.collect,
    pcsos.CertifiedKMeans, pcsos.MemeticKMeans, pcsos.resume,
]  # fmt: skip


@pytest.mark.parametrize("taker", TAKERS, ids=lambda taker: taker.__name__)
def test_all_keywords_are_seen_and_described_wherever_they_are_taken(taker: Any) -> None:
    parameters, said = inspect.signature(taker).parameters, inspect.getdoc(taker) or ""
    assert not any(own.kind is own.VAR_KEYWORD for own in parameters.values())
    described = said.split("Parameters\n----------\n")[1].split("\n\n")[0]
    heads = [line.split(" : ")[0].split(", ") for line in described.splitlines() if not line.startswith(" ")]
    assert sorted(name for head in heads for name in head) == sorted(parameters)
    if taker is not pcsos.resume:
        kind = ParameterKeywords if taker in TAKERS[-3:-1] else ProblemKeywords
        assert set(get_type_hints(kind)) <= set(parameters)


def test_help_says_what_a_keyword_means() -> None:
    shown = subprocess.run(
        [sys.executable, "-c", "import pcsos; help(pcsos.solve)"], capture_output=True, text=True, check=True
    ).stdout
    for words in (
        "size_min: int | None = None",
        "Least number of points of a cluster.",
        "gap: float = 0.0001",
    ):
        assert words in shown


@pytest.mark.slow
def test_type_checkers_read_the_keywords(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    path = tmp_path / "used.py"
    path.write_text(
        "import pcsos\n"
        "pcsos.solve([0.0, 1.0], 2, size_min=1, time_limit=2.0, verbose=True, kernel='rbf')\n"
        "pcsos.solve([0.0, 1.0], 2, size_min='a')\n"
        "pcsos.certify([0.0, 1.0], [0, 1], block_sizes=2)\n"
        "pcsos.Instance([0.0, 1.0], 2, [], [], None, max_diameter='x')\n"
        "pcsos.path([0.0, 1.0], [1], workers='two')\n"
    )
    found, _, _ = api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(path)])
    lines = [line.split(":")[1] for line in found.splitlines() if ": error:" in line and "used.py" in line]
    assert lines == ["3", "4", "5", "6"]
