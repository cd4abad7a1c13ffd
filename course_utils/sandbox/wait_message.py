"""Shows in a notebook what a learner is waiting for, and for how many seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

_UPDATE_S = 1.0


@contextmanager
def show_status(sentence: str, count_seconds: bool = False) -> Iterator[Callable[[str], None]]:
    """In a notebook, show ``sentence`` while the block runs. It is HTML only, which comparisons of outputs ignore.

    Yields a function that takes a last sentence, which replaces the first one and stays on the page.

    Args:
        sentence: what is shown.
        count_seconds: show the sentence only after one second, followed by the seconds so far. A thread updates them,
            so leave it off if the block measures time.
    """
    if "IPython" not in sys.modules or sys.modules["IPython"].get_ipython() is None:
        yield lambda last: None
        return
    from IPython.display import display

    def html(text: str) -> dict[str, str]:
        return {"text/html": f"<p>{text}</p>" if text else ""}

    handle = display(html("" if count_seconds else sentence), raw=True, display_id=True)
    done, start = threading.Event(), perf_counter()
    last_sentence = ""

    def leave(last: str) -> None:
        nonlocal last_sentence
        last_sentence = last

    def update() -> None:
        while not done.wait(_UPDATE_S):
            handle.update(html(f"{sentence} ({perf_counter() - start:.0f} s)"), raw=True)

    updater = threading.Thread(target=update, name="unloop-status", daemon=True)
    if count_seconds:
        updater.start()
    try:
        yield leave
    finally:
        done.set()
        if count_seconds:
            updater.join()
        handle.update(html(last_sentence), raw=True)
