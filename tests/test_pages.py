"""Every block of code in the README and the documentation runs, page by page, and every picture is there."""

import re
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, furnish, run_command, run_page
from tests.slow import slow_where

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
CODE = [page for page in PAGES if any(block.language in {"python", "sh"} for block in blocks(page))]

#: Pages that take longer than a second or two.
LONG = {"choosing-k", "clusters", "estimators", "gallery", "kernels", "questions", "soft-pairs"}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", slow_where(lambda page: page.stem in LONG, CODE), ids=name_of)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in re.findall(r"^(?:from|import) (sklearn|pandas|matplotlib|dask)\b", page.read_text(), re.MULTILINE):
        pytest.importorskip(module)
    furnish(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_page(page)
    drawn = re.findall(r"\"(pictures/[^\"]+)\"", "".join(block.text for block in blocks(page)))
    assert [name for name in drawn if not Path(name).exists() or not (DOCS / name).exists()] == []


def test_the_home_page_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = list(blocks(DOCS / "index.md"))
    code = next(at for at, block in enumerate(page) if block.language == "python")
    exec(page[code].text, {})
    assert page[code + 1].language == "text"
    assert capsys.readouterr().out == page[code + 1].text


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
    shown = [(page, name) for page in PAGES for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text())]
    assert shown
    assert [name for page, name in shown if not page.parent.joinpath(name).exists()] == []
    assert all(text for page in PAGES for text in re.findall(r"!\[([^\]]*)\]", page.read_text()))
