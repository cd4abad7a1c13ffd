"""A learner's function against its ``Task``: correct, unlooped, fast.

``judge`` prints nothing and records nothing: a lesson's check and a class's grader share it. In the learner's own kernel it
is advice: honest, friendly, and not fooled by accident or by a one-liner. If marks count, ``grading`` has the last word.

An answer may use whatever it knows: the sizes and dtypes of its inputs, the course's own functions, a simulated device's
attributes. A check judges only what a call returns, changes, costs and takes. It compares results at every size that it
counts or races, on random inputs, so knowing a published size gains nothing.
"""

from course_utils.judging.answer import Answer
from course_utils.judging.judge import judge
from course_utils.judging.oracle import Oracle
from course_utils.judging.verdict import Line, TaskFailed, Verdict

__all__ = ["Answer", "Line", "Oracle", "TaskFailed", "Verdict", "judge"]
