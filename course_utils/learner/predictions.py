"""What a lesson asks its reader to predict, and how a guess is judged: a factor, another number, or one of several choices.

A question lives as long as the kernel that asked it; the guess, and whether it was right, are kept with the progress.
Nothing is shown here.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course_utils.core.errors import CourseError
from course_utils.core.wording import format_rough_ratio, significant
from course_utils.learner import progress_file
from course_utils.timing import Ratio

Guess = float | str
"""What a learner says, or what is so: a number, or one of the choices."""

# By which factor a number may be off. Within ``_CLOSE`` it is right: a guess is about the order of magnitude.
_SPOT_ON, _CLOSE, _SAME_ORDER = 1.25, 2.0, 10.0


class PredictionError(CourseError):
    """A question that cannot be asked, or an answer that it cannot have."""


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        id: its name, unique in the course; a race of that name judges the guess by itself.
        text: the question in words.
        choices: the answers to choose from, none where a number is asked for.
        low, high: between which the number is guessed.
        at: the size of the race at which the guess is judged; None where that is the race's headline.
        unit: what the number counts, "×" for a factor.

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

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise PredictionError(f"The prediction {self.id!r} {fault}")

    @property
    def guess(self) -> Guess | None:
        """What the learner said; None before, and where it was said to another question of this name."""
        said = progress_file.guess(self.id)
        fits = said in self.choices if self.choices else isinstance(said, float)
        return said if fits else None

    def phrase(self, guess: Guess) -> str:
        """A guess in words: "50×", "1,200 bytes", or the choice itself."""
        return f"“{guess}”" if isinstance(guess, str) else self._with_unit(format_rough_ratio(guess).rstrip("×"))

    def answer_phrase(self, truth: Guess) -> str:
        """An answer in words; a number is whole, or has three significant figures."""
        if isinstance(truth, str):
            return f"“{truth}”"
        return self._with_unit(f"{truth:,.0f}" if truth.is_integer() and self.unit != "×" else significant(truth))

    def _with_unit(self, number: str) -> str:
        return f"{number}×" if self.unit == "×" else f"{number}\N{NO-BREAK SPACE}{self.unit}"

    def check_answer(self, given: Any) -> Guess:
        """What is given as the answer, as one that this question can have.

        Raises:
            PredictionError: for anything but one of the choices, or a number above 0.
        """
        if self.choices:
            if not (isinstance(given, str) and given in self.choices):
                choices = ", ".join(map(repr, self.choices))
                raise PredictionError(
                    f"{given!r} is no answer to the prediction {self.id!r}; the choices are: {choices}."
                )
            return given
        value = given.value if isinstance(given, Ratio) else given
        try:
            number = math.nan if isinstance(value, (str, bool)) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 < number < math.inf:
            raise PredictionError(f"{given!r} is no answer to the prediction {self.id!r}; give a number above 0.")
        return number


_asked: dict[str, Question] = {}


def register_question(question: Question) -> None:
    """Remember what was asked; a question of the same name is replaced."""
    _asked[question.id] = question


def find_question(id: str) -> Question | None:
    """The question of that name, None where this kernel has not asked it."""
    return _asked.get(id)


def require_question(id: str) -> Question:
    """The question of that name.

    Raises:
        PredictionError: where this kernel has not asked it.
    """
    if id in _asked:
        return _asked[id]
    near = difflib.get_close_matches(str(id), _asked, n=1)
    remedy = f"did you mean {near[0]!r}?" if near else f"execute the cell with predict({id!r}, …) first."
    raise PredictionError(f"No prediction called {id!r} was made here; {remedy}")


def judge(question: Question, said: Guess, truth: Guess) -> tuple[bool, str]:
    """Whether a guess was right, and how near it came, in a kind sentence."""
    at = "" if question.at is None else f"at n = {question.at:,} "
    if isinstance(said, str) or isinstance(truth, str):
        right = said == truth
        told = f"You said {question.phrase(said)}, and {at}it is {question.answer_phrase(truth)}"
        remark = "right." if right else "not this time. Surprises like this one are what predictions are for."
    else:
        right = _factor(said, truth) < _CLOSE
        told = f"You guessed {question.phrase(said)} and {at}it was {question.answer_phrase(truth)}"
        remark = _how_far_off(said, truth)
    return right, f"{told}: {remark}"


def _factor(said: float, truth: float) -> float:
    return max(said / truth, truth / said)


def _how_far_off(said: float, truth: float) -> str:
    factor = _factor(said, truth)
    if factor < _SPOT_ON:
        return "spot on."
    if factor < _CLOSE:
        return "close."
    off = f"too {'low' if truth > said else 'high'} by a factor of {format_rough_ratio(factor).rstrip('×')}"
    if factor < _SAME_ORDER:
        return f"{off}, within one order of magnitude."
    return f"{off}. Surprises like this one are what races are for."


def _faults(question: Question) -> Iterator[str]:
    """What an author can have written wrong, each as the end of a sentence that begins with the question's name."""
    choices, low, high = question.choices, question.low, question.high
    are_texts = all(isinstance(each, str) for each in choices)
    if choices and not (are_texts and len(choices) == len(set(choices)) > 1):
        yield f'has choices={choices!r}; give two different texts or more, as in choices=("yes", "no").'
    if not all(isinstance(end, (int, float)) for end in (low, high)) or not 0 < low < high < math.inf:
        yield f"asks for a number between {low!r} and {high!r}; give low and high with 0 < low < high."
    if question.at is not None and type(question.at) is not int:
        yield f"has at={question.at!r}; give a size of the race, a whole number."
    if not question.text:
        yield "asks nothing; give the question as the second argument."
