"""What the site shows from outside of ``docs/``, and a check that its reference is whole."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import pcsos

ROOT = Path(__file__).parents[1]
#: Roles of reStructuredText in docstrings, as Markdown leaves them.
ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod):<code>~?([^<]*)</code>")

#: Public names with an entry.
DESCRIBED: set[str] = set()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog as a page."""
    files.append(File.generated(config, "changelog.md", abs_src_path=str(ROOT / "CHANGELOG.md")))
    return files


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Take the roles out of docstrings, and note which public names a page of the reference describes."""
    if page.file.src_uri.startswith("reference/"):
        DESCRIBED.update(name for name in _public_names() if _is_described(name, html))
    return ROLE.sub(r"<code>\1</code>", html)


def on_env(env: object, **_: object) -> None:
    """Refuse a reference that leaves out a public name."""
    missing = [name for name in _public_names() if name not in DESCRIBED]
    if missing:
        raise PluginError(f"docs/reference/ has no entry for {', '.join(missing)}")


def _public_names() -> list[str]:
    return [name for name in dir(pcsos) if not name.startswith("_")]


def _is_described(name: str, html: str) -> bool:
    """Whether there is an entry, under whichever module."""
    return re.search(rf'id="pcsos(\.\w+)*\.{name}"', html) is not None
