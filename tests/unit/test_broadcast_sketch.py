"""The picture of a broadcast: every number stands in it, what is repeated is dashed, and every page can show it."""

import numpy as np
import pytest

from course_utils.ui.broadcast_sketch import SketchError, show_broadcast

IMAGE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def shown(monkeypatch, one, other):
    pages = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw, metadata: pages.append(bundle))
    show_broadcast(one, other, one * other)
    (page,) = pages
    return page


@pytest.mark.parametrize(
    ("other", "repeated", "told"),
    [
        (np.array([1.0, 10.0, 100.0]), 3, "of shape (3,), repeated down 2 times"),
        (np.array([[1.0], [10.0]]), 4, "of shape (2, 1), repeated across 3 times"),
        (np.array([[10.0]]), 5, "repeated down 2 times and across 3 times"),
        (IMAGE, 0, "of shape (2, 3); ="),
    ],
)
def test_what_is_repeated_is_dashed_and_told(monkeypatch, other, repeated, told):
    page = shown(monkeypatch, IMAGE, other)
    assert page["text/html"].count("stroke-dasharray") == repeated
    assert told in page["text/plain"] and 'aria-label="Three grids' in page["text/html"]
    for number in (IMAGE * other).flat:
        assert f">{number:g}</text>" in page["text/html"]
    assert page["image/png"]


@pytest.mark.parametrize(
    ("shapes", "says"),
    [
        (((2, 3), (2,), (2, 3)), "The shapes (2, 3) and (2,) do not fit"),
        (((1, 2, 3), (3,), (1, 2, 3)), "Shapes of one or two dimensions"),
        (((2, 3), (3,), (3,)), "Shapes of one or two dimensions"),
        (((2, 30), (30,), (2, 30)), "does not fit on a page"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(shapes, says):
    with pytest.raises(SketchError) as refused:
        show_broadcast(*map(np.ones, shapes))
    assert says in str(refused.value)
