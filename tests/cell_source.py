"""The Python code of a notebook's cell: lessons use one magic, ``%%writefile``, which writes the cell to a file."""

import re


def python_source(source):
    """Return the cell without a first line ``%%writefile NAME``; every other magic stays, and does not parse."""
    return re.sub(r"\A%%writefile [\w/]+\.py\n", "\n", source)
