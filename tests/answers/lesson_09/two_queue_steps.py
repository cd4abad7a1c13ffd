"""Answers to two_queue_steps."""

from answers import AnswersTo

answers = AnswersTo("two_queue_steps")

answers.wrong("Python's max", "correct", says="torch.maximum")(lambda a, b, c, d: (a + c, max(b + c, d)))
