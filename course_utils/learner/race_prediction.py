"""How a race judges the guess of its name: a factor against what it measured, a choice against who was the fastest there."""

from __future__ import annotations

from course_utils.learner import predictions, progress_file
from course_utils.learner.predictions import Guess, Question
from course_utils.races import Race, RaceResult


def require_size(race: Race) -> None:
    """Refuse a question about a size that the race does not have.

    Raises:
        PredictionError: when it is one.
    """
    question = predictions.find_question(race.id)
    if question is not None and question.at not in (None, *race.sizes):
        raise predictions.PredictionError(
            f"The prediction {race.id!r} is about n = {question.at:,}, and its race has no such size; choose one of "
            f"{', '.join(f'{size:,}' for size in race.sizes)}."
        )


def judge_prediction(result: RaceResult, keep: bool = True) -> str:
    """What to say of the guess, once the size that it is about is measured; "" where there is none to judge.

    Args:
        result: what the race has found so far.
        keep: whether the outcome is kept with the learner's progress.
    """
    question = predictions.find_question(result.race)
    said = None if question is None else question.guess
    if question is None or said is None or not _is_about(question, result):
        return ""
    truth = _truth(question, result)
    if truth is None:
        return "" if question.at is None else _not_reached(question.at)
    right, sentence = predictions.judge(question, said, truth)
    if keep:
        progress_file.record_outcome(question.id, right)
    return sentence


def predicted_ratio(race: str) -> tuple[float | None, int | None]:
    """The factor that was guessed for a race, for its chart, and the size that it is about, None for the headline's."""
    question = predictions.find_question(race)
    if question is None or question.choices:
        return None, None
    said = question.guess
    return (said, question.at) if isinstance(said, float) else (None, None)


def _is_about(question: Question, result: RaceResult) -> bool:
    """Whether the race can judge: not where two choices are none of its contenders, nor at a size that a recording lacks."""
    others = set(question.choices) - set(result.contenders)
    return len(others) < 2 and question.at in (None, *result.sizes)


def _not_reached(size: int) -> str:
    """Said after the first look, and after a whole run on a busy machine as well."""
    return f"Your guess is about n = {size:,}, which this run had no time for: press Run while little else runs here."


def _truth(question: Question, result: RaceResult) -> Guess | None:
    if not question.choices:
        best = result.headline(question.at)
        return best.ratio.value if best is not None and best.ratio is not None else None
    at = result.sizes[-1] if question.at is None else question.at
    racing = tuple(each for each in question.choices if each in result.contenders)
    tie = next((each for each in question.choices if each not in racing), None)
    return result.fastest(at, racing, tie)
