"""A sketch of who does what when: every bar is drawn, it says that nothing was measured, and every page can show it."""

from course_utils.ui.timeline import timeline


def test_a_sketch_has_its_bars_its_lanes_and_its_warning(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: shown.append(bundle))
    timeline(
        "Two kernels, one after the other.",
        {"q": "queue", "k": "kernel"},
        {"side by side": {"Python": "qq", "GPU": "  kk|kkk"}},
    )
    (bundle,) = shown
    page = bundle["text/html"]
    assert page.count("kernel</text>") == 2 and page.count("queue</text>") == 1
    for part in ("side by side", "Python", "GPU", "nothing in it was measured", 'aria-label="Two kernels'):
        assert part in page
    assert bundle["text/plain"] == "Two kernels, one after the other."
    assert bundle["image/png"]
