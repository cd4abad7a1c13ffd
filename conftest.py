"""What nbval compares: the text of outputs. Their HTML is made for live pages, and names what lives only there."""


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of a notebook
        collector.skip_compare += ("text/html",)
