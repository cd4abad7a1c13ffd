"""The questions that a lesson asks its reader to predict, and how a guess is judged: a ratio, another number, or a
choice.

A question lives as long as the kernel that asked it; the guess and its outcome are saved with the progress.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_rough_ratio, significant
from course_utils.learner import progress_file
from course_utils.races.ranking import TIE_WORDS
from course_utils.timing import Ratio

Guess = float | str
"""A guess or an answer: a number, or one of the choices."""

_SPOT_ON, _CLOSE, _SAME_ORDER = 1.25, 2.0, 10.0
"""Factors by which a guess may be off. A guess within ``_CLOSE`` is right, because it is about the order of magnitude.
"""
_EXACT = 1.1
"""Factor by which a guess of an exact count may be off, because a reader can work it out."""


class PredictionError(CourseError):
    """A question that cannot be asked, or an answer that it cannot have."""


@dataclass(frozen=True)
class Question:
    """A question that a lesson asks its reader.

    Attributes:
        id: its name, unique in the course; a race of that name judges the guess.
        text: the question in words.
        choices: the answers to choose from, empty if it asks for a number.
        low, high: the range of the number.
        at: the size of the race at which the guess is judged; None for the size of the race's headline, and for choices the
            largest size.
        unit: what the number counts, "×" for a ratio.
        exact: whether a reader can work out the number, as a count of operations.

    Raises:
        PredictionError: for a question that cannot be asked.
    """

    id: str
    text: str
    choices: tuple[str, ...] = ()
    low: float = 1
    high: float = 10_000
    at: int | None = None
    unit: str = "×"
    exact: bool = False

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise PredictionError(f"The prediction {self.id!r} {fault}")

    @property
    def guess(self) -> Guess | None:
        """Return the learner's guess; None if there is none yet, or if it answers another question of this name."""
        guess = progress_file.guess(self.id)
        fits = guess in self.choices if self.choices else isinstance(guess, float)
        return guess if fits else None

    @property
    def margin_note(self) -> str:
        """Return how far off a right guess may be, and what "about the same" means if it is one of the choices; else
        ''.
        """
        if not self.choices:
            exact_margin = f"{_EXACT - 1:.0%}".replace("%", " %")
            return (
                f"You can work out the answer: a guess is right within {exact_margin}."
                if self.exact
                else f"A guess is right within a factor of {_CLOSE:g}."
            )
        tie = next((choice for choice in self.choices if "about the same" in choice), None)
        means = "means that the top two are" if len(self.choices) > 3 else "means"  # Others may be far behind a tie.
        return f"“{tie}” {means} {TIE_WORDS} of each other." if tie else ""

    def guess_phrase(self, guess: Guess) -> str:
        """Return a guess in words, exactly as it was made: "50×", "1,200 bytes", or the choice in quotes."""
        return f"“{guess}”" if isinstance(guess, str) else self._with_unit(f"{guess:,.10g}")

    def answer_phrase(self, answer: Guess) -> str:
        """Return an answer in words: an exact count, any other number with three digits, or the choice in quotes."""
        if isinstance(answer, str):
            return f"“{answer}”"
        is_whole = isinstance(answer, int) or (self.unit != "×" and answer.is_integer())
        return self._with_unit(f"{answer:,.0f}" if is_whole else significant(answer))

    def _with_unit(self, digits: str) -> str:
        if self.unit == "×":
            return f"{digits}×"
        plural = len(self.unit) > 2 and self.unit.endswith("s") and not self.unit.endswith("ss")
        return f"{digits}\N{NO-BREAK SPACE}{self.unit[:-1] if digits == '1' and plural else self.unit}"

    def check_answer(self, answer: Any) -> Guess:
        """Return the answer in a form that this question can have.

        Raises:
            PredictionError: the answer is neither one of the choices nor a number above 0.
        """
        if self.choices:
            if not (isinstance(answer, str) and answer in self.choices):
                choices = ", ".join(map(repr, self.choices))
                raise PredictionError(
                    f"{answer!r} cannot answer the prediction {self.id!r}; the choices are: {choices}."
                )
            return answer
        value = answer.value if isinstance(answer, Ratio) else answer
        try:
            number = math.nan if isinstance(value, (str, bool)) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 < number < math.inf:
            raise PredictionError(f"{answer!r} cannot answer the prediction {self.id!r}; pass a number above 0.")
        return int(value) if isinstance(value, Integral) else number

    def parse_guess(self, text: str) -> float | None:
        """Return the number that a learner typed, with or without commas; None unless it is in the range.

        >>> Question("loads", "How many?", low=1, high=5000, unit="loads").parse_guess("1,200")
        1200.0
        """
        try:
            number = float(text.replace(",", "").strip())
        except ValueError:
            return None
        return number if self.low <= number <= self.high else None


_asked: dict[str, Question] = {}


def register_question(question: Question) -> None:
    """Remember a question; it replaces an earlier one of the same name."""
    _asked[question.id] = question


def find_question(id: str) -> Question | None:
    """Return the question of that name, None if this kernel has not asked it."""
    return _asked.get(id)


def require_question(id: str) -> Question:
    """Return the question of that name.

    Raises:
        PredictionError: if this kernel has not asked it.
    """
    if id in _asked:
        return _asked[id]
    raise PredictionError(f"This kernel has asked no prediction {id!r}; run the cell with predict({id!r}, …) first.")


def judge(question: Question, guess: Guess, answer: Guess) -> tuple[bool, str]:
    """Return whether a guess is right, and a friendly sentence on how near it is."""
    at = "" if question.at is None else f"at n = {question.at:,} "
    if isinstance(guess, str) or isinstance(answer, str):
        right = guess == answer
        outcome = f"You said {question.guess_phrase(guess)}, and {at}it is {question.answer_phrase(answer)}"
        remark = "right." if right else "not this time. Predictions exist for surprises like this one."
    elif question.exact:
        right = round(_factor(guess, answer), 3) <= _EXACT
        outcome = f"You guessed {question.guess_phrase(guess)}, and {at}it is {question.answer_phrase(answer)}"
        remark = ("exactly right." if guess == answer else "close.") if right else _distance(guess, answer)
    else:
        right = round(_factor(guess, answer), 1) <= _CLOSE  # as the sentence rounds it
        outcome = f"You guessed {question.guess_phrase(guess)}, and {at}it was {question.answer_phrase(answer)}"
        remark = ("spot on." if _factor(guess, answer) < _SPOT_ON else "close.") if right else _distance(guess, answer)
    return right, f"{outcome}: {remark}"


def _factor(guess: float, answer: float) -> float:
    return max(guess / answer, answer / guess)


def _distance(guess: float, answer: float) -> str:
    factor = _factor(guess, answer)
    off = f"too {'low' if answer > guess else 'high'} by a factor of {format_rough_ratio(factor).rstrip('×')}"
    if factor < _CLOSE:
        return f"too {'low' if answer > guess else 'high'}, but near."
    if factor < _SAME_ORDER:
        return f"{off}, within one order of magnitude."
    return f"{off}. Predictions exist for surprises like this one."


def _faults(question: Question) -> Iterator[str]:
    """Yield an author's mistakes, each as the end of a sentence that begins with the question's name."""
    choices, low, high = question.choices, question.low, question.high
    are_texts = all(isinstance(each, str) for each in choices)
    if choices and not (are_texts and len(choices) == len(set(choices)) > 1):
        yield f'has choices={choices!r}; pass two different texts or more, as in choices=("yes", "no").'
    if not all(isinstance(end, (int, float)) for end in (low, high)) or not 0 < low < high < math.inf:
        yield f"asks for a number between {low!r} and {high!r}; pass low and high with 0 < low < high."
    if question.at is not None and type(question.at) is not int:
        yield f"has at={question.at!r}; pass a size of the race, an integer."
    if not question.text:
        yield "asks nothing; pass the question as the second argument."
