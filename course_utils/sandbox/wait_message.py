"""Tells whoever waits what for, and for how long already."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

_EVERY_S = 1.0


@contextmanager
def said_with_seconds(sentence: str) -> Iterator[None]:
    """In a notebook, show a sentence and the seconds that the block has lasted, from one second on; it goes with the block.

    It is HTML alone, which no comparison of outputs sees.
    """
    if "IPython" not in sys.modules or sys.modules["IPython"].get_ipython() is None:
        yield
        return
    from IPython.display import display

    handle = display({"text/html": ""}, raw=True, display_id=True)
    done, start = threading.Event(), perf_counter()

    def tell() -> None:
        while not done.wait(_EVERY_S):
            handle.update({"text/html": f"<p>{sentence} ({perf_counter() - start:.0f} s)</p>"}, raw=True)

    teller = threading.Thread(target=tell, name="unloop-waiting", daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        handle.update({"text/html": ""}, raw=True)
