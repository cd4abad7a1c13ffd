"""The sketch of a broadcast shows every value, dashes the repeated ones, and works on every page."""

import numpy as np
import pytest

from course_utils.ui.broadcast_sketch import SketchError, show_broadcast

IMAGE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def displayed_page(monkeypatch, one, other):
    pages = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: pages.append(bundle))
    show_broadcast(one, other, one * other)
    (page,) = pages
    return page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "repeated", "words"),
    [
        (np.array([1.0, 10.0, 100.0]), 3, "of shape (3,), repeated down 2 times"),
        (np.array([[1.0], [10.0]]), 4, "of shape (2, 1), repeated across 3 times"),
        (np.array([[10.0]]), 5, "repeated down 2 times and across 3 times"),
        (IMAGE, 0, "of shape (2, 3); ="),
    ],
)
def test_repeated_values_are_dashed_and_described(monkeypatch, other, repeated, words):
    page = displayed_page(monkeypatch, IMAGE, other)
    assert page["text/html"].count("stroke-dasharray") == repeated
    assert words in page["text/plain"] and 'aria-label="Three grids' in page["text/html"]
    for value in (IMAGE * other).flat:
        assert f">{value:g}</text>" in page["text/html"]
    assert page["image/png"]


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 3), (2,), (2, 3)), "The shapes (2, 3) and (2,) do not broadcast"),
        (((1, 2, 3), (3,), (1, 2, 3)), "Pass two tensors of one or two dimensions"),
        (((2, 3), (3,), (3,)), "Pass two tensors of one or two dimensions"),
        (((2, 30), (30,), (2, 30)), "does not fit on a page"),
    ],
)
def test_shapes_that_cannot_be_drawn_raise_one_sentence(shapes, message):
    with pytest.raises(SketchError) as error:
        show_broadcast(*map(np.ones, shapes))
    assert message in str(error.value)
