"""``build``: the site from the repository's files, with Sphinx, in a folder that git ignores."""

from __future__ import annotations

import re
import shutil
import tarfile
from functools import cache
from pathlib import Path
from unittest.mock import patch

import nbformat

from course_utils.authoring import lesson_metadata, stored_css
from course_utils.authoring.address import read_address
from course_utils.authoring.website import listings, notebook_pages
from course_utils.authoring.website.page_links import PageLinks
from course_utils.core.errors import CourseError
from course_utils.ui import card, explanation_view, theme

_ICON_SCRIPT = re.compile(r'\s*<script [^>]*src="[^"]*/fontawesome\.js[^"]*"></script>')
_CHAPTERS = ("lessons", "exercises", "claims", "results", "measuring/index")


class SiteIncomplete(CourseError):
    """Sphinx reported problems, such as a broken link."""


def build(root: Path, into: Path) -> Path:
    """Build the site and return the folder with its pages.

    Args:
        root: the repository.
        into: a folder for the sources, Sphinx's own files and the pages.

    Raises:
        SiteIncomplete: if Sphinx warns of anything: a link that leads nowhere is a warning.
    """
    pages = into / "html"
    if _run_sphinx(root, into, pages, "--fail-on-warning", "--keep-going", "--nitpicky") != 0:
        raise SiteIncomplete("The site has the problems that Sphinx lists above; mend them and build again.")
    _lighten(pages)
    return pages


def check_links(root: Path, into: Path) -> None:
    """Check every external link of the site with Sphinx's builder ``linkcheck``.

    Args:
        root: the repository.
        into: a folder for the sources, Sphinx's own files and its report, ``links/output.txt``.

    Raises:
        SiteIncomplete: if an address does not answer.
    """
    report = into / "links"
    if _run_sphinx(root, into, report, "-b", "linkcheck") != 0:
        raise SiteIncomplete(f"Some links lead nowhere; {report / 'output.txt'} lists them.")


def _run_sphinx(root: Path, into: Path, result: Path, *options: str) -> int:
    """Run Sphinx and return its exit code."""
    from sphinx.cmd.build import main as sphinx_build
    from sphinx.search.en import SearchEnglish

    source = into / "source"
    _write_source(root, source)
    folders = ["-c", str(root / "site"), "-d", str(into / "doctrees"), str(source), str(result)]
    # Sphinx would reduce a word to its stem again on each page: a tenth of the time of a build.
    with patch.object(SearchEnglish, "stem", cache(SearchEnglish.stem)):
        return sphinx_build(["--quiet", *options, *folders])


def _lighten(pages: Path) -> None:
    """Delete what the pages don't need: source maps, translations, and the script that draws the theme's icons.

    The theme's fonts have the same icons. The script has 1.5 MB, which each page would load.
    """
    for path in {*(pages / "_static").rglob("*.map"), *(pages / "_static" / "scripts").glob("fontawesome.*")}:
        path.unlink()
    shutil.rmtree(pages / "_static" / "locales", ignore_errors=True)
    for path in pages.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        lighter = _ICON_SCRIPT.sub("", text)
        if lighter != text:
            path.write_text(lighter, encoding="utf-8")


def _write_source(root: Path, source: Path) -> None:
    """Write the site's sources; a file that is already there with the same text stays, so that Sphinx skips it."""
    written = {path.relative_to(root / "site"): path.read_bytes() for path in (root / "site").rglob("*.md")}
    lessons = list(lesson_metadata.lessons(root))
    names = [each.path.name for each in lessons]
    exercises = [name for name in names if (root / "exercises" / name).exists()]
    pages = [f"notebooks/{name}" for name in names] + [f"exercises/{name}" for name in exercises]
    links = PageLinks(root, set(pages), read_address(root))
    texts = {
        "lessons.md": listings.lessons_page(lessons),
        "exercises.md": listings.exercises_page(root, exercises),
        "claims.md": listings.claims_page(lessons),
        **dict(listings.results_pages(root)),
    }
    sheets = [
        each.removeprefix("<style>").removesuffix("</style>") for each in (theme.STYLE, card.CSS, explanation_view.CSS)
    ]
    for page in pages:
        notebook = nbformat.read(root / page, as_version=4)
        shown, more = notebook_pages.page(notebook, Path(page).parent.name, links)
        texts[page] = nbformat.writes(shown)
        sheets += sorted(more)
    # The site's theme names its dark pages in an attribute of its own.
    css = stored_css.union(sheets).replace('html[theme="dark"] .unloop', 'html[data-theme="dark"] .unloop')
    written |= {Path(name): text.encode() for name, text in texts.items()} | {Path("static/outputs.css"): css.encode()}
    # The scripts that draw the charts, and their licenses; packed together, they need less than a third of their bytes.
    with tarfile.open(root / "site" / "vega.tar.xz") as scripts:
        packed = ((name, scripts.extractfile(name)) for name in scripts.getnames())
        written |= {Path("static/vega", name): file.read() for name, file in packed if file is not None}
    guides = list((root / "docs").glob("instructors.md"))
    for guide in guides:
        text = links.rewrite(guide.read_text(encoding="utf-8"), "docs")
        written[guide.relative_to(root)] = text.encode()
    chapters = [*_CHAPTERS, *(f"docs/{guide.stem}" for guide in guides)]
    written[Path("index.md")] += f"\n{listings.contents(chapters)}".encode()
    for path, content in written.items():
        target = source / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for path in [each for each in source.rglob("*") if each.is_file() and each.relative_to(source) not in written]:
        path.unlink()
