"""Where the long work begins that a click asks for: in a thread, or in the click itself where no thread is heard.

It knows nothing of the work. Whoever does it tells its progress to widgets, and has an interrupt end it.
"""

import sys
import threading
from collections.abc import Callable

from course_utils.ui import run_queue

HOW_TO_STOP = "To stop it, interrupt the kernel (on Colab: Runtime, Interrupt execution)."


def threads_are_heard() -> bool:
    """Whether what a thread tells a widget reaches the page while the kernel is idle.

    Colab drops it (googlecolab/colabtools#3373), and ipykernel 7.0.0 cannot send it (ipython/ipykernel#1450). What is
    sent while a message is being handled, such as a click, arrives everywhere.
    """
    ipykernel = sys.modules.get("ipykernel")
    return "google.colab" not in sys.modules and getattr(ipykernel, "__version__", "") != "7.0.0"


def begin(work: Callable[[], object], name: str) -> None:
    """Do `work` in a thread called `name`; where threads are not heard do it here and return when it is done.

    In that case the kernel is busy until then: no other click is answered, and an interrupt is what stops the work.
    """
    if threads_are_heard():
        threading.Thread(target=work, name=name, daemon=True).start()
        return
    run_queue.take_interrupts()
    work()
