"""A timeline draws every bar, says that nothing was measured, and works on every page."""

from course_utils.ui.timeline_sketch import timeline


def test_timeline_has_its_bars_lanes_and_note(monkeypatch):
    bundles = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: bundles.append(bundle))
    timeline(
        "Two kernels, one after the other.",
        {"q": "queue", "k": "kernel"},
        {"side by side": {"Python": "qq", "GPU": "  kk|kkk"}},
    )
    (bundle,) = bundles
    page = bundle["text/html"]
    assert page.count("kernel</text>") == 2 and page.count("queue</text>") == 1
    for part in ("side by side", "Python", "GPU", "nothing in it was measured", 'aria-label="Two kernels'):
        assert part in page
    assert bundle["text/plain"] == "Two kernels, one after the other."
    assert bundle["image/png"]
