"""``PageLinks``: where the relative links of a notebook or a guide lead on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_RELATIVE_LINK = re.compile(r"(?<=\]\()(?!https?:|#)(?P<target>[^)\s#]+)")


@dataclass(frozen=True)
class PageLinks:
    """The targets of links.

    Attributes:
        root: the repository.
        pages: the paths in it that are pages of the site.
        address: the repository's address on the web.
    """

    root: Path
    pages: Collection[str]
    address: str

    def rewrite(self, text: str, folder: str) -> str:
        """Return the Markdown, with links to the repository for files that are not pages of the site.

        A link to a file that does not exist stays as it is, and Sphinx then reports it.

        Args:
            text: Markdown.
            folder: the folder of its file, such as ``"notebooks"``.
        """

        def target(link: re.Match) -> str:
            path = posixpath.normpath(posixpath.join(folder, link["target"]))
            is_elsewhere = path not in self.pages and (self.root / path).exists()
            return f"{self.address}/blob/main/{path}" if is_elsewhere else link["target"]

        return _RELATIVE_LINK.sub(target, text)
