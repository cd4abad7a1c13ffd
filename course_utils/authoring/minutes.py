"""How long a lesson takes by estimate: reading, predicting, racing and practice, without the exercises.

Most adults read English non-fiction at 175 to 300 words per minute (M. Brysbaert, "How many words do we read per
minute?", Journal of Memory and Language 109, 2019). The estimate takes the slow end, because the text is technical and
many readers are not native speakers. The other constants are the authors' judgment.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

from course_utils.authoring import task_cell_ids

_WORDS_PER_MINUTE = 175
_LINES_PER_MINUTE = 15  # of code
_PREDICTION_MIN = 1.0
_OUTPUT_MIN = 0.5  # to run a cell and look at its race, chart or table
_PRACTICE_MIN = 4.0  # to write and check a line or two

_NOT_READ = re.compile(r"<details>.*?</details>|(?<=\])\([^)]*\)", re.DOTALL)  # folded solutions, targets of links


def estimate(notebook: NotebookNode) -> int:
    """Return the minutes that the lesson takes, from its words, lines of code, predictions, outputs and practice tasks."""
    minutes = 0.0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            minutes += len(re.findall(r"\S*\w\S*", _NOT_READ.sub("", cell.source))) / _WORDS_PER_MINUTE
        elif task_cell_ids.is_practice(cell.id):
            minutes += _PRACTICE_MIN
        elif not cell.metadata.get("jupyter", {}).get("source_hidden"):
            predictions = len(re.findall(r"\bpredict\(", cell.source))
            minutes += len(re.findall(r"^\s*\S", cell.source, re.MULTILINE)) / _LINES_PER_MINUTE
            minutes += predictions * _PREDICTION_MIN or bool(cell.outputs) * _OUTPUT_MIN
    return round(minutes)
