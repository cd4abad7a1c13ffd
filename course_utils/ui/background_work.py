"""Starts the long work that a click asks for: in a thread, or if a thread's messages are lost, in the click itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from course_utils.ui import run_queue

HOW_TO_STOP = "To stop it, interrupt the kernel (on Colab: Runtime, Interrupt execution)."


def threads_reach_page() -> bool:
    """Return whether a widget that a thread changes also changes on the page while the kernel is idle.

    Colab drops such messages (googlecolab/colabtools#3373), and ipykernel 7.0.0 cannot send them
    (ipython/ipykernel#1450). Messages that are sent while the kernel handles another one, such as a click, arrive
    everywhere.
    """
    ipykernel = sys.modules.get("ipykernel")
    return "google.colab" not in sys.modules and getattr(ipykernel, "__version__", "") != "7.0.0"


def start(work: Callable[[], object], name: str) -> None:
    """Do ``work`` in a thread of this name; if threads don't reach the page, do it here and return when it is done.

    In the second case the kernel is busy until then: it answers no other click, and only an interrupt stops the work.
    """
    if threads_reach_page():
        threading.Thread(target=work, name=name, daemon=True).start()
        return
    run_queue.install_interrupt_handler()
    work()
