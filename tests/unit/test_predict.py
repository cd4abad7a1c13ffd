"""predict(): a guess is asked for, kept, and spoken of kindly."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_utils.learner import store
from course_utils.ui import predict as module
from course_utils.ui.predict import GuessRangeError, predict, remark


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))


@pytest.fixture
def published(monkeypatch):
    """What was displayed: one dictionary from mime type to content an output."""
    bundles = []
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell.display_pub, "publish", lambda data, metadata=None, **_: bundles.append(data))
    return bundles


def card(**options):
    box = module._card("where", "How much?", options.get("low", 1), options.get("high", 10_000))
    slider, reading, button = box.children[1].children
    return slider, reading, button, box.children[2]


def test_it_is_a_widget_and_a_text_that_never_varies(published):
    predict("where", "How many times faster is one operation?")
    store.record_guess("where", 7)
    predict("where", "How many times faster is one operation?")
    live, first, _, second = published
    assert set(live) == {"application/vnd.jupyter.widget-view+json"}
    assert first["text/plain"] == second["text/plain"] == "Your guess: How many times faster is one operation?"


def test_the_slider_is_logarithmic_and_begins_in_the_middle():
    slider, reading, _, _ = card(low=1, high=10_000)
    assert slider.value == pytest.approx(100)
    assert "100×" in reading.value
    slider.value = 10**0.7
    assert "5×" in reading.value


def test_locking_in_keeps_the_guess():
    slider, _, button, answer = card()
    slider.value = 10**1.7  # 50.1
    button.click()
    assert store.guess("where") == 50
    assert "Locked in: 50×" in answer.value
    assert slider.disabled and button.disabled


def test_a_kept_guess_is_shown_and_can_be_replaced():
    store.record_guess("where", 300)
    slider, _, button, answer = card()
    assert slider.value == pytest.approx(300)
    assert "You said 300×" in answer.value
    slider.value = 1000
    button.click()
    assert store.guess("where") == 1000


@pytest.mark.parametrize(("low", "high"), [(0, 10), (10, 1), (5, 5), (-1, 1), (1, float("inf"))])
def test_a_range_that_no_slider_can_show_is_refused_in_a_sentence(low, high):
    with pytest.raises(GuessRangeError, match="give low and high with 0 < low < high"):
        predict("where", low=low, high=high)


@pytest.mark.parametrize(
    ("guess", "ratio", "verdict"),
    [
        (400, 412, "spot on."),
        (300, 412, "close."),
        (50, 412, "too low by a factor of 8.2, about the right order of magnitude."),
        (5, 412, "too low by a factor of 82. Surprises like this one are what races are for."),
        (40_000, 412, "too high by a factor of 97. Surprises like this one are what races are for."),
    ],
)
def test_the_remark_says_how_far_off_the_guess_was(guess, ratio, verdict):
    assert remark(guess, ratio) == f"You guessed {guess:,}× and it was {ratio}×: {verdict}"
