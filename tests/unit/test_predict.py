"""predict() and reveal(): a guess is asked for, kept, judged where the question says, and spoken of kindly."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_utils.learner import predictions, progress_file
from course_utils.learner.predictions import PredictionError, Question
from course_utils.timing import Ratio
from course_utils.ui import predict as module
from course_utils.ui.predict import predict
from course_utils.ui.reveal import reveal

WAYS = ("the loop", "where", "about the same")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(predictions, "_asked", {})


@pytest.fixture
def published(monkeypatch):
    """What was displayed: one dictionary from mime type to content an output."""
    bundles = []
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell.display_pub, "publish", lambda data, metadata=None, **_: bundles.append(data))
    return bundles


def card(**options):
    box = module._card(Question("where", "How much?", **options))
    *field, button = box.children[1].children
    return *field, button, box.children[2]


def test_it_is_a_widget_and_a_text_that_never_varies(published):
    predict("where", "How many times faster is one operation?")
    progress_file.record_guess("where", 7)
    predict("where", "How many times faster is one operation?")
    live, first, _, second = published
    assert set(live) == {"application/vnd.jupyter.widget-view+json"}
    assert first["text/plain"] == second["text/plain"] == "Your guess: How many times faster is one operation?"


def test_a_question_about_a_size_or_with_choices_says_so(published):
    predict("where", at=4096)
    predict("tiny", "Which is faster?", choices=WAYS)
    assert published[1]["text/plain"].endswith("the fastest contender be at n = 4,096?")
    assert published[3]["text/plain"] == "Your guess: Which is faster? (the loop, where, about the same)"


def test_code_in_a_question_looks_like_code_and_nothing_in_it_breaks_the_page(published):
    predict("tiny", "Is `a < b` fast?", choices=("yes", "no"))
    reveal("tiny", "yes")
    assert "Is <code>a &lt; b</code> fast?" in published[-1]["text/html"]
    assert "Is <code>a &lt; b</code> fast?" in module.question_html(predictions.require_question("tiny"))


def test_the_slider_is_logarithmic_and_begins_in_the_middle():
    slider, reading, _, _ = card(low=1, high=10_000)
    assert slider.value == pytest.approx(100)
    assert "100×" in reading.value
    slider.value = 10**0.7
    assert "5×" in reading.value


def test_what_is_no_factor_has_its_unit():
    slider, reading, button, answer = card(low=1, high=100, unit="operations")
    slider.value = 30
    assert "30\N{NO-BREAK SPACE}operations" in reading.value and "×" not in reading.value
    button.click()
    assert "Locked in: 30\N{NO-BREAK SPACE}operations." in answer.value


def test_locking_in_keeps_the_guess():
    slider, _, button, answer = card()
    slider.value = 10**1.7  # 50.1
    button.click()
    assert progress_file.guess("where") == 50
    assert "Locked in: 50×" in answer.value
    assert slider.disabled and button.disabled


def test_none_of_the_choices_is_chosen_before_the_learner_has():
    radio, button, answer = card(choices=WAYS)
    assert (radio.options, radio.value) == (WAYS, None)
    button.click()
    assert "Choose one" in answer.value and progress_file.guess("where") is None and not button.disabled
    radio.value = "about the same"
    button.click()
    assert "Locked in: “about the same”" in answer.value and progress_file.guess("where") == "about the same"
    assert radio.disabled and button.disabled


def test_a_kept_guess_is_shown_and_can_be_replaced():
    progress_file.record_guess("where", 300)
    slider, _, button, answer = card()
    assert slider.value == pytest.approx(300)
    assert "You said 300×" in answer.value
    slider.value = 1000
    button.click()
    assert progress_file.guess("where") == 1000
    progress_file.record_guess("where", "where")
    radio, _, answer = card(choices=WAYS)
    assert radio.value == "where" and "You said “where”" in answer.value


def test_what_was_said_to_another_question_of_that_name_is_no_guess():
    progress_file.record_guess("where", "a mask")
    assert Question("where", "How much?").guess is None
    assert Question("where", "Which?", choices=WAYS).guess is None
    assert Question("where", "Which?", choices=("a mask", "where")).guess == "a mask"


@pytest.mark.parametrize(("low", "high"), [(0, 10), (10, 1), (5, 5), (-1, 1), (1, float("inf")), ("1", 2)])
def test_a_range_that_no_slider_can_show_is_refused_in_a_sentence(low, high):
    with pytest.raises(PredictionError, match="give low and high with 0 < low < high"):
        predict("where", low=low, high=high)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"choices": "yes or no"}, r"has choices=\('yes or no',\); give two different texts or more, as in choices=\("),
        ({"choices": ("yes",)}, r"has choices=\('yes',\); give two"),
        ({"choices": ("yes", "yes")}, "give two different texts"),
        ({"choices": ("a", "b", "a")}, "give two different texts"),
        ({"choices": (1, 2)}, "give two different texts"),
        ({"choices": ("yes", "no"), "question": None}, "asks nothing; give the question"),
        ({"at": "4"}, "has at='4'; give a size of the race"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(wrong, says):
    with pytest.raises(PredictionError, match=f"The prediction 'where' .*{says}"):
        predict("where", **{"question": "Which?"} | wrong)


@pytest.mark.parametrize(
    ("guess", "ratio", "right", "verdict"),
    [
        (400, 412, True, "spot on."),
        (300, 412, True, "close."),
        (50, 412, False, "too low by a factor of 8.2, within one order of magnitude."),
        (5, 412, False, "too low by a factor of 82. Surprises like this one are what races are for."),
        (40_000, 412, False, "too high by a factor of 97. Surprises like this one are what races are for."),
    ],
)
def test_the_remark_says_how_far_off_the_guess_was(guess, ratio, right, verdict):
    told = f"You guessed {guess:,}× and it was {ratio}×: {verdict}"
    assert predictions.judge(Question("where", "How much?"), float(guess), float(ratio)) == (right, told)


def settled(published, *given):
    """What `reveal` shows, as a page shows it and as text."""
    published.clear()
    reveal(*given)
    (shown,) = published
    return shown["text/html"], shown["text/plain"]


def test_a_choice_is_settled_with_a_kind_word_and_a_text_that_never_varies(published):
    predict("tiny", "Which is faster?", choices=WAYS)
    page, text = settled(published, "tiny", "where")
    assert "The answer: “where”. (You made no guess: " in page
    progress_file.record_guess("tiny", "where")
    right, same = settled(published, "tiny", "where")
    assert "✓ You said “where”, and it is “where”: right." in right
    assert progress_file.read()["settled"] == {"tiny": True}
    wrong, other = settled(published, "tiny", "the loop")
    assert "✗ You said “where”, and it is “the loop”: not this time." in wrong
    assert progress_file.read()["settled"] == {"tiny": False}
    assert text == same == other == "Revealed: Which is faster?"


def test_what_could_not_be_measured_is_said_and_costs_nothing(published):
    predict("tiny", "Which is faster?", choices=WAYS)
    progress_file.record_guess("tiny", "where")
    page, _ = settled(published, "tiny", None)
    assert "could not tell" in page and progress_file.read()["settled"] == {}


@pytest.mark.parametrize("truth", [12, 12.0, Ratio(12.0, 11.0, 13.0)])
def test_a_number_is_settled_by_a_number_or_a_ratio(published, truth):
    predict("waits", "How many waits?", low=1, high=100, unit="waits")
    progress_file.record_guess("waits", 10)
    page, _ = settled(published, "waits", truth)
    assert "You guessed 10\N{NO-BREAK SPACE}waits and it was 12\N{NO-BREAK SPACE}waits: spot on." in page


@pytest.mark.parametrize(
    ("id", "truth", "says"),
    [
        (
            "tiny",
            "a mask",
            "'a mask' is no answer to the prediction 'tiny'; the choices are: 'the loop', 'where', 'about",
        ),
        ("tiny", 3, "3 is no answer to the prediction 'tiny'; the choices are: "),
        ("many", "where", "'where' is no answer to the prediction 'many'; give a number above 0."),
        ("many", True, "True is no answer"),
        ("many", float("nan"), "nan is no answer"),
        ("many", 0, "0 is no answer"),
        ("tini", "where", "No prediction called 'tini' was made here; did you mean 'tiny'?"),
        ("launch", 1, "No prediction called 'launch' was made here; execute the cell with predict('launch', …) first."),
    ],
)
def test_an_answer_that_cannot_be_is_one_sentence(published, id, truth, says):
    predict("tiny", "Which is faster?", choices=WAYS)
    predict("many", "How many?")
    with pytest.raises(PredictionError) as told:
        reveal(id, truth)
    assert str(told.value).startswith(says)


def test_a_new_guess_is_not_judged_yet(published):
    predict("tiny", "Which is faster?", choices=WAYS)
    progress_file.record_guess("tiny", "where")
    reveal("tiny", "where")
    progress_file.record_guess("tiny", "the loop")
    assert progress_file.read()["settled"] == {}
