"""What the site shows from outside of ``docs/``, and a check that its reference is whole."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import pcsos

ROOT = Path(__file__).parents[1]
PICTURES = "benchmarks/results"
#: Roles of reStructuredText in docstrings, as Markdown leaves them.
ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod):<code>~?([^<]*)</code>")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog as a page, and the pictures of the benchmarks under the path they have in the repository."""
    files.append(File.generated(config, "changelog.md", abs_src_path=str(ROOT / "CHANGELOG.md")))
    for picture in sorted(ROOT.joinpath(PICTURES).glob("*.svg")):
        files.append(File.generated(config, f"{PICTURES}/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Let links out of ``docs/`` to those pictures, which work in the repository, work in the site."""
    return markdown.replace(f"](../{PICTURES}/", f"]({PICTURES}/")


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Take the roles out of docstrings, and refuse a reference that leaves out a public name."""
    if page.file.src_uri == "reference/index.md":
        missing = [name for name in pcsos.__all__ if not name.startswith("_") and not _is_described(name, html)]
        if missing:
            raise PluginError(f"docs/reference/index.md has no entry for {', '.join(missing)}")
    return ROLE.sub(r"<code>\1</code>", html)


def _is_described(name: str, html: str) -> bool:
    """Whether there is an entry, under ``pcsos`` or under the module where the name is defined."""
    return any(f'id="{module}.{name}"' in html for module in ("pcsos", getattr(pcsos, name).__module__))
