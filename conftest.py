"""How nbval compares notebooks: solutions output by output, lessons only in the cells that ask for it (nbval's *lax*).

Both in one run, so that no process waits for the end of the other kind. Of an output nbval compares the text: its HTML is
made for live pages, and names what lives only there.
"""


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of a notebook
        collector.skip_compare += ("text/html",)
        collector.compare_outputs &= collector.path.parent.name != "notebooks"
