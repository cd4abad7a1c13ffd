"""Answers to log_running_sum."""

import torch

from answers import AnswersTo

answers = AnswersTo("log_running_sum")

answers.right("in place")(lambda x: x.exp().cumsum_(0).log_())


@answers.right("one tensor with out=")
def into_one(x):
    result = torch.exp(x)
    torch.cumsum(result, 0, out=result)
    return torch.log(result, out=result)


answers.right("logcumsumexp")(lambda x: torch.logcumsumexp(x, 0))
answers.wrong("a new tensor per step", "unlooped", says="are alive at one time")(lambda x: x.exp().cumsum(0).log())


@answers.wrong("names that keep tensors alive", "unlooped", says="a name, a list")
def with_names(x):
    grown = x.exp()
    total = grown.cumsum(0)
    return total.log_()


answers.wrong("x changed in place", "correct", says="changed its input x")(lambda x: x.exp_().cumsum_(0).log_())
answers.wrong("sums clamped to 1e-12", "correct")(lambda x: x.exp().cumsum_(0).clamp_(min=1e-12).log_())


@answers.wrong("relative to the largest row of all", "correct", says="from -80 to 80")
def relative_to_the_largest(x):
    largest = x.amax(0)
    return (x - largest).exp_().cumsum_(0).log_().add_(largest)


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(x):
    result = torch.empty_like(x)
    for column, sums in zip(x.T, result.T):
        torch.logcumsumexp(column, 0, out=sums)
    return result


answers.wrong("a column without its axis", "correct", says="a single column")(
    lambda x: x.exp().cumsum_(0).log_().squeeze(1)
)
