"""Who was the fastest at a size: said only where the intervals say it, and judged at the very size that a guess is about."""

import pytest

from course_utils.learner import predictions, progress_file, race_guess
from course_utils.learner.predictions import PredictionError, Question
from course_utils.races import Point, RaceError, RaceResult, race
from course_utils.races.result import NotInTheRace
from course_utils.timing import Ratio

SAMPLES = (1.0, 1.01, 0.99)
NAMES = ("loop", "where", "mask")


def point(size, name, seconds, ratio=None, spread=0.05, status="measured", rounds=12):
    """A point with these seconds; ``ratio`` to the loop with its interval, none where the loop was not timed."""
    interval = None if ratio is None else Ratio(ratio, ratio * (1 - spread), ratio * (1 + spread))
    samples = tuple(seconds * SAMPLES[each % 3] for each in range(rounds))
    return Point(size, name, status, seconds, ratio=interval, samples=samples if status == "measured" else ())


def result(*points, race="where", about=""):
    return RaceResult(
        race=race, baseline="loop", contenders=NAMES, sizes=(4, 64), points=points, device="cpu", machine="", threads=1,
        versions={}, date="", about=about,
    )  # fmt: skip


def at_4(loop=1.0, where=2.0, mask=4.0, spread=0.05):
    ratios = {"loop": loop, "where": where, "mask": mask}
    return [point(4, name, 1 / ratio, ratio, spread if name != "loop" else 0.0) for name, ratio in ratios.items()]


def test_the_fastest_is_named_where_its_interval_lies_apart():
    found = result(*at_4())
    assert found.fastest(4) == "mask"
    assert found.fastest(4, among=("loop", "where")) == "where"
    assert result(*at_4(where=0.2, mask=0.5)).fastest(4) == "loop"


def test_nobody_is_the_fastest_where_intervals_overlap_or_nothing_was_measured():
    found = result(*at_4(where=3.9, mask=4.0))
    assert found.fastest(4) is None
    assert found.fastest(4, among=("loop", "mask")) == "mask"
    assert found.fastest(64) is None
    too_few = [point(4, "loop", 1.0, 1.0, 0.0), Point(4, "where", "measured", 0.5, ratio=Ratio(2.0))]
    assert result(*too_few).fastest(4) is None


def test_a_tie_is_what_lies_within_a_quarter_however_sure_the_lead():
    found = result(*at_4(where=3.5, mask=4.0, spread=0.01))
    assert found.fastest(4) == "mask"
    assert found.fastest(4, tie="about the same") == "about the same"
    assert found.fastest(4, ("loop", "mask"), "about the same") == "mask"
    unsure = result(*at_4(where=2.0, mask=4.0, spread=0.6))
    assert unsure.fastest(4, tie="about the same") is None, "a wide interval is no tie"


def test_where_the_loop_was_not_run_times_are_compared_and_it_is_in_nobodys_way():
    late = [point(64, "loop", 9.0, status="extrapolated"), point(64, "where", 0.2), point(64, "mask", 0.1)]
    assert result(*late).fastest(64) == "mask"
    assert result(*late[:1], point(64, "where", 0.1005), point(64, "mask", 0.1)).fastest(64) is None
    assert result(*late[:1], point(64, "where", 0.2, rounds=3), point(64, "mask", 0.1)).fastest(64) is None
    assert result(point(64, "loop", 0.15, status="extrapolated"), late[2]).fastest(64) is None, (
        "it may be off by so much"
    )
    assert result(point(64, "loop", 0.05, status="extrapolated"), late[2]).fastest(64) is None
    wrong = Point(64, "where", "wrong")
    assert result(wrong, late[0], late[2]).fastest(64) == "mask"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"at": 5}, r"The race 'where' has no size 5; choose one of \(4, 64\)\."),
        ({"at": 4, "among": ("loop", "whre")}, "has no contender 'whre'; choose one of"),
    ],
)
def test_what_the_race_does_not_have_is_one_sentence(asked, says):
    with pytest.raises(NotInTheRace, match=says):
        result(*at_4()).fastest(**asked)


def test_a_race_keeps_what_it_found_and_says_when_there_is_nothing_yet():
    small = race("small", {"slow": sum, "fast": sum}, lambda size, device: (list(range(size)),), [4])
    with pytest.raises(RaceError, match="The race 'small' has not been run yet; execute the cell that ends with it"):
        small.result  # noqa: B018 - asking is what must raise
    assert small.run(budget_s=0.1) is small.result


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Ask a question about the race `where`, and answer it for the learner."""
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)
    monkeypatch.setattr(predictions, "_asked", {})

    def ask(said, **options):
        predictions.ask(Question("where", "How much?", **options))
        progress_file.record_guess("where", said)

    return ask


BOTH_SIZES = (*at_4(), point(64, "loop", 1.0, 1.0, 0.0), point(64, "where", 0.01, 100.0), point(64, "mask", 0.1, 10.0))


def test_a_factor_is_judged_at_the_size_it_is_about_and_else_at_the_headline(asked):
    asked(100)
    assert race_guess.remark(result(*BOTH_SIZES)) == "You guessed 100× and it was 100×: spot on."
    asked(100, at=4)
    assert race_guess.remark(result(*BOTH_SIZES)).startswith("You guessed 100× and at n = 4 it was 4.00×: too high")
    assert progress_file.read()["settled"] == {"where": False}


def test_a_factor_is_judged_as_soon_as_its_size_is_measured(asked):
    asked(100, at=64)
    first_look = result(*at_4(), point(64, "loop", 9.0, status="extrapolated"), point(64, "where", 0.01))
    said = "Your guess is about n = 64, which this run had no time for: press Run while little else runs here."
    assert race_guess.remark(first_look) == said
    assert progress_file.read()["settled"] == {}
    assert race_guess.remark(result(*BOTH_SIZES)).endswith("spot on.")


@pytest.mark.parametrize(
    ("said", "choices", "at", "remark"),
    [
        ("mask", NAMES, 4, "You said “mask”, and at n = 4 it is “mask”: right."),
        ("mask", NAMES, None, "You said “mask”, and it is “where”: not this time."),
        ("loop", ("loop", "where"), 4, "You said “loop”, and at n = 4 it is “where”: not this time."),
        ("a tie", ("loop", "where", "a tie"), 64, "You said “a tie”, and at n = 64 it is “where”: not this time."),
        ("often", ("never", "often"), 4, ""),
    ],
)
def test_a_choice_of_contenders_is_judged_by_the_race_and_others_are_not(asked, said, choices, at, remark):
    asked(said, choices=choices, at=at)
    told = race_guess.remark(result(*BOTH_SIZES))
    assert told.startswith(remark) and bool(told) == bool(remark)


def test_without_a_guess_or_a_question_nothing_is_said(asked):
    assert race_guess.remark(result(*BOTH_SIZES)) == ""
    asked("mask")  # no answer to a question about a factor
    assert race_guess.remark(result(*BOTH_SIZES)) == ""
    assert race_guess.factor("where") == (None, None)


def test_a_recording_judges_what_it_has_and_keeps_no_outcome(asked):
    asked(100, at=64)
    assert race_guess.remark(result(*BOTH_SIZES), keep=False).endswith("spot on.")
    assert progress_file.read()["settled"] == {}
    predictions.ask(Question("where", "How much?", at=1024))  # the recording is of an earlier version of the race
    assert race_guess.remark(result(*BOTH_SIZES), keep=False) == ""


def test_a_question_about_a_size_that_the_race_lacks_is_an_authors_error(asked):
    asked(10, at=1024)
    own = race("where", {"slow": sum, "fast": sum}, lambda size, device: ([size],), [4, 2048])
    with pytest.raises(
        PredictionError, match=r"is about n = 1,024, and its race has no such size; choose one of 4, 2,048\."
    ):
        race_guess.require_size(own)
