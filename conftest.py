"""How nbval compares notebooks: all outputs in the solutions, but only the outputs of tagged cells in the lessons.

Both kinds run in one pytest session, so that no process is idle while the other kind still runs. HTML is not compared,
because it is made for live pages and holds names that change from run to run.
"""

import kernel_ports
import warm_kernels


def pytest_configure(config):
    if config.option.markexpr != "not slow":  # The tests of `make check` start no kernel.
        kernel_ports.use_own_ports()


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector for a notebook
        collector.skip_compare += ("text/html",)
        collector.compare_outputs &= collector.path.parent.name != "notebooks"
        from nbval import kernel

        # nbval would spend two thirds of its own time on formatting messages for a log that is off.
        kernel.pformat = id
        warm_kernels.fork_kernel_of(collector)
