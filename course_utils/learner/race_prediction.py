"""How a race judges the prediction of the same name: a ratio by the measured one, a choice by the fastest contender."""

from __future__ import annotations

from course_utils.core.wording import format_duration
from course_utils.learner import activity_listeners, prediction_questions, progress_file
from course_utils.learner.prediction_questions import Guess, Question
from course_utils.races import Race, RaceResult
from course_utils.races.ranking import TIE_WORDS


def require_size(race: Race) -> None:
    """Check that the race has the size that its question is about.

    Raises:
        PredictionError: if it lacks the size.
    """
    question = prediction_questions.find_question(race.id)
    if question is not None and question.at not in (None, *race.sizes):
        raise prediction_questions.PredictionError(
            f"The prediction {race.id!r} is about n = {question.at:,}, and its race lacks that size; choose one of "
            f"{', '.join(f'{size:,}' for size in race.sizes)}."
        )


def judge_prediction(result: RaceResult, keep: bool = True) -> str:
    """Return a sentence on the guess once its size is measured; "" if there is no guess to judge.

    Args:
        result: the race's result so far.
        keep: whether the outcome is saved with the learner's progress.
    """
    question = prediction_questions.find_question(result.race)
    guess = None if question is None else question.guess
    if question is None or guess is None or not _can_judge(question, result):
        return ""
    if "on a CPU" in question.text and result.device != "cpu":
        return f"Your guess is about a CPU, so this run on {result.device} doesn't judge it."
    if _ended_too_soon(question, result):
        return "This run was stopped, so it doesn't judge your guess; press Run."
    answer = _answer(question, result)
    if answer is None:
        return "" if question.at is None else _why_undecided(question, result, question.at)
    right, sentence = prediction_questions.judge(question, guess, answer)
    if keep:
        activity_listeners.announce("truth", question.id, answer)
        progress_file.record_outcome(question.id, right)
    return f"{sentence}{_tie_reason(question, result, answer)}"


def answer(question: Question, result: RaceResult) -> Guess | None:
    """Return the race's answer to the question of its name; None if the race cannot judge it or does not decide."""
    return _answer(question, result) if _can_judge(question, result) else None


def predicted_ratio(result: RaceResult) -> tuple[float | None, int | None]:
    """Return the guessed ratio, for the race's chart, and the guess's size, None for the headline's size.

    A run that was stopped too soon to judge the guess has none in its chart.
    """
    question = prediction_questions.find_question(result.race)
    if question is None or question.choices or _ended_too_soon(question, result):
        return None, None
    guess = question.guess
    return (guess, question.at) if isinstance(guess, float) else (None, None)


def _ended_too_soon(question: Question, result: RaceResult) -> bool:
    """Return whether the run was stopped before the last size, so that its headline is about another size than the guess."""
    return result.cancelled and question.at is None and all(point.size != result.sizes[-1] for point in result.points)


def _can_judge(question: Question, result: RaceResult) -> bool:
    """Return whether all choices but one are contenders, and the result has the question's size, as a recording may not."""
    others = set(question.choices) - set(result.contenders)
    return len(others) < 2 and question.at in (None, *result.sizes)


def _why_undecided(question: Question, result: RaceResult, size: int) -> str:
    """Return why a run doesn't judge the guess: it ended before the question's size, as a first look may, or its times
    overlap."""
    contenders = _contenders_and_tie(question, result)[0] or result.contenders
    points = [result.point(name, size) for name in contenders]
    reached = all(point is not None and point.status == "measured" for point in points)
    why = "where the times of this run don't decide" if reached else "which this run did not reach"
    return f"Your guess is about n = {size:,}, {why}; press Run while few other programs run."


def _answer(question: Question, result: RaceResult) -> Guess | None:
    if not question.choices:
        best = result.headline(question.at)
        return best.ratio.value if best is not None and best.ratio is not None else None
    contenders, tie = _contenders_and_tie(question, result)
    return result.fastest(_size(question, result), contenders, tie)


def _contenders_and_tie(question: Question, result: RaceResult) -> tuple[tuple[str, ...], str | None]:
    """Return the choices that are contenders, and the one that stands for a tie."""
    contenders = tuple(each for each in question.choices if each in result.contenders)
    return contenders, next((each for each in question.choices if each not in contenders), None)


def _size(question: Question, result: RaceResult) -> int:
    return result.sizes[-1] if question.at is None else question.at


def _tie_reason(question: Question, result: RaceResult, answer: Guess) -> str:
    """Return the times behind the answer that the two fastest are about the same; "" for any other answer."""
    contenders, tie = _contenders_and_tie(question, result)
    if tie is None or answer != tie:
        return ""
    points = [result.point(name, _size(question, result)) for name in contenders]
    (first_s, first), (second_s, second), *_ = sorted(
        (each.seconds, each.contender) for each in points if each is not None and each.seconds is not None
    )
    return (
        f" {first!r} took {format_duration(first_s)}, {second!r} {format_duration(second_s)}: {TIE_WORDS} of each "
        "other."
    )
