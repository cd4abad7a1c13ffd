"""``read_sender``: the student who handed in a file, from the path that a learning platform or nbgrader gives it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# The parts of a name by Canvas (lib/content_zipper.rb): the student's sortable name in lower case, LATE, the user's number,
# the attachment's number, the file's own name. Anonymous: anon_ and a code in place of the student and the number.
_CANVAS = re.compile(
    r"(?:(?P<name>[^/]+?)_)??(?:(?P<late>LATE)_)?(?P<user>\d+|anon_[0-9A-Za-z]+)_(?P<attachment>\d+)_(?P<file>[^/]+)"
)
# The parts of a name by Moodle (mod/assign/classes/downloader.php): the full name or "Participant", the number that the
# worksheet calls Identifier, the plugin. Old versions end the folder's name with an underscore, or have no folder.
_MOODLE = re.compile(r"(?P<name>[^/]+?)_(?P<user>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")


@dataclass(frozen=True)
class Sender:
    """Who handed in a file.

    Attributes:
        student: the name that the reports show, unique in a class, because it includes the platform's number, if any.
        number: the platform's number of the student, "" if there is none.
        attempt: the number of the upload on the platform, which grows with time; 0 if there is none.
        late: whether the platform calls the file late.
    """

    student: str
    number: str = ""
    attempt: int = 0
    late: bool = False


def read_sender(path: str) -> Sender | None:
    """Return the sender of the file at ``path``, which is relative to the class's folder; None if the path names
    nobody.

    In a folder of students, a zip directly in the class's folder has the student's name.

    >>> read_sender("doejane_LATE_1234_5678_03_element_loops-1.ipynb")
    Sender(student='doejane (1234)', number='1234', attempt=5678, late=True)
    >>> read_sender("Jörg Müller_98_assignsubmission_file/03_element_loops.ipynb").student
    'Jörg Müller (98)'
    >>> read_sender("Doe, Jane/week1/03_element_loops.ipynb").student
    'Doe, Jane'
    """
    # Only the first part counts: the rest, as in jane/bob_1_2_answer.ipynb, is the student's own choice.
    first, _, rest = normalize_name(path).partition("/")
    if moodle := _MOODLE.fullmatch(first):
        return Sender(f"{moodle['name']} ({moodle['user']})", moodle["user"])
    if canvas := _CANVAS.fullmatch(first):
        user = canvas["user"]
        student = f"{canvas['name']} ({user})" if canvas["name"] else user
        return Sender(student, user, int(canvas["attachment"]), bool(canvas["late"]))
    return Sender(first.removesuffix(".zip")) if rest else None


def normalize_name(text: str) -> str:
    """Return ``text`` in composed Unicode, because macOS splits letters and accents, without unprintable characters."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in unicodedata.normalize("NFC", text)
    )
