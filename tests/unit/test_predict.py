"""predict() asks for a guess and saves it; reveal() judges it kindly."""

import math

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_utils.learner import prediction_questions, progress_file
from course_utils.learner.prediction_questions import PredictionError, Question
from course_utils.timing import Ratio
from course_utils.ui import predict as module
from course_utils.ui.predict import predict
from course_utils.ui.reveal import reveal

CHOICES = ("the loop", "where", "about the same")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(prediction_questions, "_asked", {})


@pytest.fixture
def published_outputs(monkeypatch):
    """Return the displayed outputs, each a dictionary from MIME type to content."""
    bundles = []
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell.display_pub, "publish", lambda data, metadata=None, **_: bundles.append(data))
    return bundles


def card(**options):
    box = module._card(Question("where", "How much?", **options))
    *field, button = box.children[1].children
    return *field, button, box.children[2]


def test_prediction_is_a_widget_and_a_text_that_never_varies(published_outputs):
    predict("where", "How many times faster is one operation?")
    progress_file.record_guess("where", 7)
    predict("where", "How many times faster is one operation?")
    live, first, _, second = published_outputs
    assert set(live) == {"application/vnd.jupyter.widget-view+json"}
    assert first["text/plain"] == second["text/plain"] == "Your guess: How many times faster is one operation?"


def test_question_names_its_size_or_its_choices(published_outputs):
    predict("where", at=4096)
    predict("tiny", "Which is faster?", choices=CHOICES)
    assert published_outputs[1]["text/plain"].endswith("the fastest contender be at n = 4,096?")
    assert published_outputs[3]["text/plain"] == "Your guess: Which is faster? (the loop · where · about the same)"


def test_code_in_a_question_is_marked_and_escaped(published_outputs):
    predict("tiny", "Is `a < b` fast?", choices=("yes", "no"))
    reveal("tiny", "yes")
    assert "Is <code>a &lt; b</code> fast?" in published_outputs[-1]["text/html"]
    assert "Is <code>a &lt; b</code> fast?" in module.question_html(prediction_questions.require_question("tiny"))


def test_code_in_a_choice_is_marked(published_outputs):
    buttons, button, answer = card(choices=("returns `x`", "copies"))
    assert [label for label, _ in buttons.options] == ["returns x", "copies"]
    buttons.value = "returns `x`"
    button.click()
    assert "returns <code>x</code>" in answer.value
    predict("where", "What does it do?", choices=("returns `x`", "copies"))
    reveal("where", "returns `x`")
    assert "returns <code>x</code>" in published_outputs[-1]["text/html"]


def test_slider_is_logarithmic_and_shows_its_value_once_moved():
    slider, reading, _, _ = card(low=1, high=10_000)
    assert slider.value == pytest.approx(100)
    assert ">…<" in reading.value
    slider.value = 10**0.7
    assert "5×" in reading.value


def test_untouched_slider_is_no_guess():
    slider, _, button, answer = card()
    button.click()
    assert "Move the slider first." in answer.value
    assert progress_file.guess("where") is None and not button.disabled and not slider.disabled
    slider.value = 10
    assert "Move the slider first." not in answer.value


def test_first_value_that_the_page_rounds_is_no_guess():
    slider, reading, _, _ = card(low=0.5, high=50)
    slider.value = math.nextafter(slider.value, 50)
    assert ">…<" in reading.value
    slider.value *= 10**0.05
    assert ">5.6×<" in reading.value


def test_long_question_breaks_between_words(published_outputs):
    predict(
        "where", "How many times as long as the second side does the first side take if both are timed once, in order?"
    )
    assert published_outputs[1]["text/plain"].endswith("timed\nonce, in order?")


def test_number_with_a_unit_is_typed_exactly():
    field, unit, button, answer = card(low=1, high=1000, unit="operations")
    assert field.placeholder == "1 to 1,000" and "operations" in unit.value
    for text in ("", "many", "0", "1,001"):
        field.value = text
        button.click()
        assert "Type a number from 1 to 1,000." in answer.value and progress_file.guess("where") is None
    field.value = " 127"
    button.click()
    assert "Locked in: 127\N{NO-BREAK SPACE}operations." in answer.value
    assert progress_file.guess("where") == 127 and field.disabled


def test_one_of_a_unit_is_singular():
    question = Question("sent", "How many?", unit="transfers")
    assert question.answer_phrase(1) == "1\N{NO-BREAK SPACE}transfer"
    assert question.guess_phrase(2.0) == "2\N{NO-BREAK SPACE}transfers"
    assert Question("wait", "How long?", unit="µs").answer_phrase(1.0) == "1\N{NO-BREAK SPACE}µs"


def test_margin_of_about_the_same_is_stated():
    assert "“about the same” means within 25 % of each other." in module.question_html(
        Question("where", "Which?", choices=CHOICES)
    )
    assert "“about the same” means that the top two are within 25 % of each other." in module.question_html(
        Question("where", "Which?", choices=("list", *CHOICES))
    )
    assert "means" not in module.question_html(Question("where", "Which?", choices=("yes", "no")))


def test_margin_of_a_number_is_stated():
    assert module.question_html(Question("where", "How many?")).endswith("A guess is right within a factor of 2.</div>")
    count = module.question_html(Question("where", "How many?", unit="waits", exact=True))
    assert count.endswith("You can work out the answer: a guess is right within 10 %.</div>")


def test_locked_in_guess_is_saved():
    slider, _, button, answer = card()
    slider.value = 10**1.7  # 50.1
    button.click()
    assert progress_file.guess("where") == 50
    assert "Locked in: 50×" in answer.value
    assert slider.disabled and button.disabled


def test_value_that_arrives_after_the_click_is_the_guess():
    slider, _, button, answer = card()
    slider.value = 10**1.6
    button.click()
    slider.value = 10**1.7  # The page held it back while the kernel was busy.
    assert progress_file.guess("where") == 50 and "Locked in: 50×" in answer.value


def test_ratio_that_readers_can_work_out_is_typed_exactly():
    field, unit, button, answer = card(low=1, high=1000, exact=True)
    field.value = "48"
    button.click()
    assert "×" in unit.value and "Locked in: 48×" in answer.value and progress_file.guess("where") == 48


def test_no_choice_is_chosen_at_first():
    radio, button, answer = card(choices=CHOICES)
    assert (radio.options, radio.value) == (tuple(zip(CHOICES, CHOICES)), None)
    button.click()
    assert "Choose an answer first." in answer.value and progress_file.guess("where") is None and not button.disabled
    radio.value = "about the same"
    button.click()
    assert "Locked in: “about the same”" in answer.value and progress_file.guess("where") == "about the same"
    assert radio.disabled and button.disabled


def test_saved_guess_is_shown_and_can_be_replaced():
    progress_file.record_guess("where", 300)
    slider, _, button, answer = card()
    assert slider.value == pytest.approx(300)
    assert "You said 300×" in answer.value
    slider.value = 1000
    button.click()
    assert progress_file.guess("where") == 1000
    progress_file.record_guess("where", "where")
    radio, _, answer = card(choices=CHOICES)
    assert radio.value == "where" and "You said “where”" in answer.value


def test_guess_of_another_question_of_that_name_is_ignored():
    progress_file.record_guess("where", "a mask")
    assert Question("where", "How much?").guess is None
    assert Question("where", "Which?", choices=CHOICES).guess is None
    assert Question("where", "Which?", choices=("a mask", "where")).guess == "a mask"


@pytest.mark.parametrize(("low", "high"), [(0, 10), (10, 1), (5, 5), (-1, 1), (1, float("inf")), ("1", 2)])
def test_impossible_range_raises_one_sentence(low, high):
    with pytest.raises(PredictionError, match="pass low and high with 0 < low < high"):
        predict("where", low=low, high=high)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choices": "yes or no"}, r"has choices=\('yes or no',\); pass two different texts or more, as in choices=\("),
        ({"choices": ("yes",)}, r"has choices=\('yes',\); pass two"),
        ({"choices": ("yes", "yes")}, "pass two different texts"),
        ({"choices": ("a", "b", "a")}, "pass two different texts"),
        ({"choices": (1, 2)}, "pass two different texts"),
        ({"choices": ("yes", "no"), "question": None}, "asks nothing; pass the question"),
        ({"at": "4"}, "has at='4'; pass a size of the race"),
    ],
)
def test_impossible_question_raises_one_sentence(options, message):
    with pytest.raises(PredictionError, match=f"The prediction 'where' .*{message}"):
        predict("where", **{"question": "Which?"} | options)


@pytest.mark.parametrize(
    ("guess", "ratio", "right", "verdict"),
    [
        (400, 412, True, "spot on."),
        (300, 412, True, "close."),
        (200, 402, True, "close."),
        (200, 412, False, "too low by a factor of 2.1, within one order of magnitude."),
        (50, 412, False, "too low by a factor of 8.2, within one order of magnitude."),
        (5, 412, False, "too low by a factor of 82. Predictions exist for surprises like this one."),
        (40_000, 412, False, "too high by a factor of 97. Predictions exist for surprises like this one."),
    ],
)
def test_remark_says_how_far_off_the_guess_is(guess, ratio, right, verdict):
    sentence = f"You guessed {guess:,}×, and it was {ratio}×: {verdict}"
    assert prediction_questions.judge(Question("where", "How much?"), float(guess), float(ratio)) == (right, sentence)


def revealed_texts(published_outputs, *arguments):
    """Return the HTML and the text that `reveal` shows."""
    published_outputs.clear()
    reveal(*arguments)
    (shown,) = published_outputs
    return shown["text/html"], shown["text/plain"]


def test_choice_is_judged_kindly_with_a_text_that_never_varies(published_outputs):
    predict("tiny", "Which is faster?", choices=CHOICES)
    page, text = revealed_texts(published_outputs, "tiny", "where")
    assert "The answer: “where”. (You made no guess: " in page
    progress_file.record_guess("tiny", "where")
    right, same = revealed_texts(published_outputs, "tiny", "where")
    assert "✓ You said “where”, and it is “where”: right." in right
    assert progress_file.read()["settled"] == {"tiny": True}
    wrong, other = revealed_texts(published_outputs, "tiny", "the loop")
    assert "✗ You said “where”, and it is “the loop”: not this time." in wrong
    assert progress_file.read()["settled"] == {"tiny": False}
    assert text == same == other == "Revealed: Which is faster?"


@pytest.mark.parametrize("truth", [None, math.nan, Ratio(math.nan, None, None)])
def test_undecided_measurement_is_reported_and_not_recorded(published_outputs, truth):
    predict("waits", "How many waits?", low=1, high=100, unit="waits")
    progress_file.record_guess("waits", 10)
    page, _ = revealed_texts(published_outputs, "waits", truth)
    assert "cannot decide" in page and progress_file.read()["settled"] == {}


@pytest.mark.parametrize("truth", [12.0, Ratio(12.0, 11.0, 13.0)])
def test_number_is_judged_by_a_number_or_a_ratio(published_outputs, truth):
    predict("waits", "How many waits?", low=1, high=100, unit="waits")
    progress_file.record_guess("waits", 10)
    page, _ = revealed_texts(published_outputs, "waits", truth)
    assert "You guessed 10\N{NO-BREAK SPACE}waits, and it was 12\N{NO-BREAK SPACE}waits: spot on." in page


@pytest.mark.parametrize(
    ("guess", "right", "verdict"),
    [
        (127, True, "exactly right."),
        (130, True, "close."),
        (100, False, "too low, but near."),
        (20, False, "too low by a factor of 6.3, within one order of magnitude."),
    ],
)
def test_exact_count_is_shown_exactly_and_judged_within_a_tenth(published_outputs, guess, right, verdict):
    predict("chain", "How long is it?", low=1, high=1000, unit="steps", exact=True)
    progress_file.record_guess("chain", guess)
    page, _ = revealed_texts(published_outputs, "chain", 127)
    assert f"You guessed {guess}\N{NO-BREAK SPACE}steps, and it is 127\N{NO-BREAK SPACE}steps: {verdict}" in page
    assert progress_file.read()["settled"] == {"chain": right}


@pytest.mark.parametrize(
    ("id", "truth", "message"),
    [
        (
            "tiny",
            "a mask",
            "'a mask' cannot answer the prediction 'tiny'; the choices are: 'the loop', 'where', 'about",
        ),
        ("tiny", 3, "3 cannot answer the prediction 'tiny'; the choices are: "),
        ("many", "where", "'where' cannot answer the prediction 'many'; pass a number above 0."),
        ("many", True, "True cannot answer"),
        ("many", 0, "0 cannot answer"),
        ("tiny-2", 1, "This kernel has asked no prediction 'tiny-2'; run the cell with predict('tiny-2', …) first."),
    ],
)
def test_impossible_answer_raises_one_sentence(published_outputs, id, truth, message):
    predict("tiny", "Which is faster?", choices=CHOICES)
    predict("many", "How many?")
    with pytest.raises(PredictionError) as error:
        reveal(id, truth)
    assert str(error.value).startswith(message)


def test_new_guess_is_not_judged_yet(published_outputs):
    predict("tiny", "Which is faster?", choices=CHOICES)
    progress_file.record_guess("tiny", "where")
    reveal("tiny", "where")
    progress_file.record_guess("tiny", "the loop")
    assert progress_file.read()["settled"] == {}
