"""Every block of code in the README and the documentation runs, page by page, and every picture is there."""

import re
from pathlib import Path

import pytest

from pcsos.evidence.result import Reason, Status
from tests.pages import ROOT, blocks, draw, furnish, pictures, run_command, run_page
from tests.slow import slow_where

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
CODE = [page for page in PAGES if any(block.language in {"python", "sh"} for block in blocks(page))]

GALLERY = [page for page in CODE if page.parent == DOCS / "gallery"]
#: Pages that show what they print, after each block of Python or at the end.
PRINTED = [*GALLERY, DOCS / "howto" / "kinds.md"]
SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")

#: Pages whose code always runs; that of the others, which takes longer together, does with the slow tests.
QUICK = {"README.md", "docs/tutorial.md", "docs/guide.md", "docs/cli.md", "docs/soft-pairs.md", "docs/index.md"}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", slow_where(lambda page: name_of(page) not in QUICK, CODE), ids=name_of)
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in re.findall(r"^(?:from|import) (sklearn|pandas|matplotlib|dask)\b", page.read_text(), re.MULTILINE):
        pytest.importorskip(module)
    furnish(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_page(page)
    assert [name for name, shown in pictures(page).items() if not (Path(name).exists() and shown.exists())] == []
    if page in PRINTED:
        said = [block.text for block in blocks(page) if block.language == "text"]
        assert "".join(said) == capsys.readouterr().out


def test_a_picture_is_the_same_each_time_and_has_no_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    code = 'from matplotlib import pyplot\npyplot.subplots()[0].savefig("picture.svg")\n'
    tmp_path.joinpath("page.md").write_text(f"```python\n{code}```\n![A picture](picture.svg)\n")
    drawn = []
    for _ in range(2):
        draw(tmp_path / "page.md")
        drawn.append(tmp_path.joinpath("picture.svg").read_text())
    assert drawn[0] == drawn[1]
    assert "1970-01-01" in drawn[0]
    assert "#ffffff" not in drawn[0]


@pytest.mark.parametrize("shown", ["picture.svg", "pictures/picture.svg"])
def test_a_picture_is_put_where_the_page_shows_it(shown: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    code = 'from matplotlib import pyplot\npyplot.subplots()[0].savefig("picture.svg")\n'
    tmp_path.joinpath("page.md").write_text(f"```python\n{code}```\n![A picture]({shown})\n")
    tmp_path.joinpath("pictures").mkdir()
    draw(tmp_path / "page.md")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.svg")] == [shown]


def test_every_example_has_a_card_and_one_small_picture() -> None:
    cards = DOCS.joinpath("gallery", "index.md").read_text()
    named = re.findall(r"^    \*\*\[([^\]]+)\]\(([^)]+)\)\*\*$", cards, re.MULTILINE)
    assert sorted(name for _, name in named) == sorted(page.name for page in GALLERY)
    assert len(named) >= 12
    for title, name in named:
        page = DOCS / "gallery" / name
        ((words, picture),) = SHOWN.findall(page.read_text())
        assert page.read_text().startswith(f"# {title}\n")
        assert f"[![{words}]({picture})]({name})" in cards
        assert pictures(page) == {picture: page.with_name(picture)}
        assert page.with_name(picture).stat().st_size < 60_000
        assert max(block.text.count("\n") for block in blocks(page) if block.language == "python") <= 25


def test_the_site_lists_the_examples_in_the_order_of_their_cards() -> None:
    listed = re.findall(r"- gallery/([\w-]+\.md)", ROOT.joinpath("mkdocs.yml").read_text())
    cards = re.findall(r"\*\*\[[^\]]+\]\(([^)]+)\)", DOCS.joinpath("gallery", "index.md").read_text())
    assert listed == ["index.md", *cards]


def test_the_home_page_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = list(blocks(DOCS / "index.md"))
    code = next(at for at, block in enumerate(page) if block.language == "python")
    exec(page[code].text, {})
    assert page[code + 1].language == "text"
    assert capsys.readouterr().out == page[code + 1].text


def test_the_guide_says_what_each_status_and_each_reason_means() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", DOCS.joinpath("guide.md").read_text(), re.MULTILINE)
    assert rows == [*Status, *Reason]


def test_no_block_hides_from_the_tests() -> None:
    known = {"python", "sh", "text", "json", "yaml", "dockerfile", "bibtex"}
    assert {block.language for page in PAGES for block in blocks(page)} <= known
    assert all(page.read_text().count("```") % 2 == 0 for page in PAGES)


def test_a_command_that_ends_otherwise_than_its_comment_says_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    missing = "pcsos info nothing.csv -k 3"
    run_command(f"{missing}  # exits with 2: there is no such file", "here")
    with pytest.raises(AssertionError, match=r"here: .* has exited with 2"):
        run_command(missing, "here")
    with pytest.raises(AssertionError, match="curl is unknown"):
        run_command("curl somewhere", "here")
    assert "nothing.csv" in capsys.readouterr().err


def test_every_picture_that_a_page_shows_is_there() -> None:
    shown = [(page, words, name) for page in PAGES for words, name in SHOWN.findall(page.read_text())]
    assert shown
    assert [name for page, _, name in shown if not page.parent.joinpath(name).exists()] == []
    assert all(words for _, words, _ in shown)
