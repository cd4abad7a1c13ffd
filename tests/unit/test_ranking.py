"""The fastest contender at a size: named only if the intervals decide, and judged at the size of the guess."""

from dataclasses import replace

import pytest

from course_utils.learner import prediction_questions, progress_file, race_prediction
from course_utils.learner.prediction_questions import PredictionError, Question
from course_utils.races import Point, RaceError, RaceResult, race
from course_utils.races.result import NotInTheRace
from course_utils.timing import Ratio

NAMES = ("loop", "where", "mask")


def point(size, name, seconds, ratio=None, spread=0.05, status="measured", rounds=12):
    """Return a point with these seconds; ``ratio``: the loop's time divided by them, None if the loop was not timed."""
    compared = None if ratio is None else Ratio(ratio, ratio * (1 - spread), ratio * (1 + spread))
    interval_s = (0.99 * seconds, 1.01 * seconds) if status == "measured" and rounds >= 9 else None
    return Point(size, name, status, seconds, ratio=compared, rounds=rounds, interval_s=interval_s)


def result(*points, race="where", about=""):
    return RaceResult(
        race=race, baseline="loop", contenders=NAMES, sizes=(4, 64), points=points, device="cpu", machine="", threads=1,
        versions={}, date="", about=about,
    )  # fmt: skip


def at_4(loop=1.0, where=2.0, mask=4.0, spread=0.05):
    ratios = {"loop": loop, "where": where, "mask": mask}
    return [point(4, name, 1 / ratio, ratio, spread if name != "loop" else 0.0) for name, ratio in ratios.items()]


def test_fastest_is_named_if_its_interval_is_disjoint():
    measured = result(*at_4())
    assert measured.fastest(4) == "mask"
    assert measured.fastest(4, among=("loop", "where")) == "where"
    assert result(*at_4(where=0.2, mask=0.5)).fastest(4) == "loop"


def test_no_contender_is_the_fastest_if_intervals_overlap():
    measured = result(*at_4(where=3.9, mask=4.0))
    assert measured.fastest(4) is None
    assert measured.fastest(4, among=("loop", "mask")) == "mask"
    assert measured.fastest(64) is None
    too_few = [point(4, "loop", 1.0, 1.0, 0.0), Point(4, "where", "measured", 0.5, ratio=Ratio(2.0))]
    assert result(*too_few).fastest(4, ("loop", "where")) is None


def test_contenders_within_a_quarter_are_tied():
    measured = result(*at_4(where=3.5, mask=4.0, spread=0.01))
    assert measured.fastest(4) == "mask"
    assert measured.fastest(4, tie="about the same") == "about the same"
    assert measured.fastest(4, ("loop", "mask"), "about the same") == "mask"
    unsure = result(*at_4(where=2.0, mask=4.0, spread=0.6))
    assert unsure.fastest(4, tie="about the same") is None, "a wide interval does not make a tie"
    noisy = [point(4, "loop", 1.0, 1.0, 0.0), point(4, "mask", 0.92, 1.09, spread=0.4)]
    assert result(*noisy).fastest(4, tie="about the same") is None, "either may be faster by a quarter"
    many, few = ([point(64, name, 0.1, rounds=rounds) for name in NAMES] for rounds in (9, 8))
    assert result(*many).fastest(64, tie="about the same") == "about the same"
    assert result(*few).fastest(64, tie="about the same") is None, "too few rounds do not make a tie"


def test_times_are_compared_if_the_baseline_was_not_run():
    late = [point(64, "loop", 9.0, status="extrapolated"), point(64, "where", 0.2), point(64, "mask", 0.1)]
    assert result(*late).fastest(64) == "mask"
    assert result(*late[:1], point(64, "where", 0.1005), point(64, "mask", 0.1)).fastest(64) is None
    assert result(*late[:1], point(64, "where", 0.2, rounds=3), point(64, "mask", 0.1)).fastest(64) is None
    wrong = Point(64, "where", "wrong")
    assert result(wrong, point(64, "loop", 0.15, status="extrapolated"), late[2]).fastest(64) is None, (
        "an extrapolated time may be off by a factor of two"
    )
    assert result(wrong, point(64, "loop", 0.05, status="extrapolated"), late[2]).fastest(64) is None
    assert result(wrong, late[0], late[2]).fastest(64) == "mask"


def test_no_contender_is_the_fastest_before_each_one_was_called():
    assert result(point(64, "where", 0.1, rounds=0)).fastest(64, ("where", "mask"), "a tie") is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"at": 5}, r"The race 'where' has no size 5; choose one of \(4, 64\)\."),
        ({"at": 4, "among": ("loop", "whre")}, "has no contender 'whre'; choose one of"),
    ],
)
def test_unknown_size_or_contender_raises_one_sentence(arguments, message):
    with pytest.raises(NotInTheRace, match=message):
        result(*at_4()).fastest(**arguments)


def test_race_keeps_its_last_result():
    small = race("small", {"slow": sum, "fast": sum}, lambda size, device: (list(range(size)),), [4])
    with pytest.raises(RaceError, match="The race 'small' has no result yet; run the cell that ends with it"):
        small.result  # noqa: B018 - the access must raise
    assert small.run(budget_s=0.1) is small.result


@pytest.fixture
def guess_where(tmp_path, monkeypatch):
    """Ask a question about the race `where`, and answer it for the learner."""
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)
    monkeypatch.setattr(prediction_questions, "_asked", {})

    def ask(guess, **options):
        prediction_questions.register_question(Question("where", "How much?", **options))
        progress_file.record_guess("where", guess)

    return ask


BOTH_SIZES = (*at_4(), point(64, "loop", 1.0, 1.0, 0.0), point(64, "where", 0.01, 100.0), point(64, "mask", 0.1, 10.0))


def test_factor_is_judged_at_its_size_or_at_the_headline(guess_where):
    guess_where(100)
    assert race_prediction.judge_prediction(result(*BOTH_SIZES)) == "You guessed 100×, and it was 100×: spot on."
    guess_where(100, at=4)
    assert race_prediction.judge_prediction(result(*BOTH_SIZES)).startswith(
        "You guessed 100×, and at n = 4 it was 4.00×: too high"
    )
    assert progress_file.read()["settled"] == {"where": False}


def test_neither_headline_nor_guess_passes_over_a_faster_contender_without_an_interval(guess_where):
    late = point(64, "loop", 1.0, 1.0, 0.0), point(64, "mask", 0.1, 10.0)
    few = Point(64, "where", "measured", 0.01, ratio=Ratio(100.0))
    raced = result(*at_4(), *late, few)
    assert raced.headline() == raced.point("mask", 4), "at 64, `where` seems the fastest"
    assert result(*at_4(), *late, replace(few, ratio=Ratio(11.0))).headline().size == 64, "about as fast as `mask`"
    guess_where(10.0, at=64)
    assert race_prediction.judge_prediction(raced).startswith(
        "Your guess is about n = 64, where the times of this run don"
    )


def test_stopped_run_neither_judges_nor_draws_a_guess_about_the_headline(guess_where):
    guess_where(100.0)
    stopped = replace(result(*at_4()), cancelled=True)
    assert race_prediction.judge_prediction(stopped).startswith("This run was stopped")
    assert race_prediction.predicted_ratio(stopped) == (None, None)
    assert race_prediction.predicted_ratio(replace(result(*BOTH_SIZES), cancelled=True)) == (100.0, None)
    assert progress_file.read()["settled"] == {}
    guess_where(4.0, at=4)
    assert race_prediction.judge_prediction(stopped).endswith("spot on.")
    assert race_prediction.predicted_ratio(stopped) == (4.0, 4)


def test_factor_is_judged_once_its_size_is_measured(guess_where):
    guess_where(100, at=64)
    first_look = result(*at_4(), point(64, "loop", 9.0, status="extrapolated"), point(64, "where", 0.01))
    guess = "Your guess is about n = 64, which this run did not reach; press Run while few other programs run."
    assert race_prediction.judge_prediction(first_look) == guess
    assert progress_file.read()["settled"] == {}
    assert race_prediction.judge_prediction(result(*BOTH_SIZES)).endswith("spot on.")


def test_a_choice_is_not_judged_by_times_that_overlap(guess_where):
    guess_where("where", choices=("where", "mask"), at=64)
    close = point(64, "where", 0.01, 100.0), point(64, "mask", 0.0101, 99.0)
    assert race_prediction.judge_prediction(result(*at_4(), *close)) == (
        "Your guess is about n = 64, where the times of this run don't decide; press Run while few other programs run."
    )


def test_a_run_on_a_gpu_judges_no_guess_about_a_cpu(guess_where):
    guess_where("mask")
    prediction_questions.register_question(Question("where", "Which on a CPU?", NAMES, at=4))
    on_gpu = replace(result(*at_4()), device="cuda:0")
    assert race_prediction.judge_prediction(on_gpu).startswith("Your guess is about a CPU, so this run on cuda:0")
    assert race_prediction.judge_prediction(result(*at_4())).endswith("right.")


@pytest.mark.parametrize(
    ("guess", "choices", "at", "remark"),
    [
        ("mask", NAMES, 4, "You said “mask”, and at n = 4 it is “mask”: right."),
        ("mask", NAMES, None, "You said “mask”, and it is “where”: not this time."),
        ("loop", ("loop", "where"), 4, "You said “loop”, and at n = 4 it is “where”: not this time."),
        ("a tie", ("loop", "where", "a tie"), 64, "You said “a tie”, and at n = 64 it is “where”: not this time."),
        ("often", ("never", "often"), 4, ""),
    ],
)
def test_race_judges_choices_of_contenders_only(guess_where, guess, choices, at, remark):
    guess_where(guess, choices=choices, at=at)
    sentence = race_prediction.judge_prediction(result(*BOTH_SIZES))
    assert sentence.startswith(remark) and bool(sentence) == bool(remark)


def test_tie_is_explained_by_its_times(guess_where):
    guess_where("a tie", choices=("where", "mask", "a tie"), at=4)
    close = result(*at_4(where=3.5, mask=4.0, spread=0.01))
    assert race_prediction.judge_prediction(close) == (
        "You said “a tie”, and at n = 4 it is “a tie”: right. 'mask' took 250 ms, 'where' 286 ms: within 25 % of each "
        "other."
    )


def test_remark_is_empty_without_a_guess(guess_where):
    assert race_prediction.judge_prediction(result(*BOTH_SIZES)) == ""
    guess_where("mask")  # not an answer to a question about a factor
    assert race_prediction.judge_prediction(result(*BOTH_SIZES)) == ""
    assert race_prediction.predicted_ratio(result(*BOTH_SIZES)) == (None, None)


def test_recording_judges_a_guess_without_saving_the_outcome(guess_where):
    guess_where(100, at=64)
    assert race_prediction.judge_prediction(result(*BOTH_SIZES), keep=False).endswith("spot on.")
    assert progress_file.read()["settled"] == {}
    prediction_questions.register_question(
        Question("where", "How much?", at=1024)
    )  # the recording is from an earlier version of the race
    assert race_prediction.judge_prediction(result(*BOTH_SIZES), keep=False) == ""


def test_question_about_a_missing_size_raises(guess_where):
    guess_where(10, at=1024)
    own = race("where", {"slow": sum, "fast": sum}, lambda size, device: ([size],), [4, 2048])
    with pytest.raises(
        PredictionError, match=r"is about n = 1,024, and its race lacks that size; choose one of 4, 2,048\."
    ):
        race_prediction.require_size(own)
