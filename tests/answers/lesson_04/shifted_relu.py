"""Answers to shifted_relu."""

import torch

from answers import AnswersTo

answers = AnswersTo("shifted_relu")

answers.right("relu in place")(lambda x, shift: (x + shift).relu_())
answers.right("relu with inplace=True")(lambda x, shift: torch.nn.functional.relu(torch.add(x, shift), inplace=True))


@answers.wrong("x changed in place", "correct", says="x")
def change_x(x, shift):
    x += shift
    x[x < 0] = 0
    return x


answers.wrong("two tensors", "unlooped", says="intermediate tensors")(lambda x, shift: torch.relu(x + shift))


@answers.wrong("masked_fill_", "unlooped", says="intermediate tensors")
def through_a_mask(x, shift):
    y = x + shift
    return y.masked_fill_(y <= 0, 0)


@answers.wrong("changed through .data", "correct", says="gradient")
def through_data(x, shift):
    y = x + shift
    y.data.clamp_(min=0)
    return y


@answers.wrong("without the graph", "correct", says="gradient")
def without_the_graph(x, shift):
    with torch.no_grad():
        return (x + shift).relu_()


answers.wrong("a loop over rows", "unlooped")(lambda x, shift: torch.stack([(row + shift).relu_() for row in x]))


@answers.wrong("a loop over columns", "correct", says="a later operation writes into it")
def one_column_at_a_time(x, shift):
    y = x + shift
    for column in range(y.shape[1]):
        y[:, column].relu_()
    return y


@answers.wrong("at most 1,000 rows", "correct", says="4,100 rows")
def of_1000_rows(x, shift):
    return torch.cat([(x[:1000] + shift).relu_(), x[1000:]]) if len(x) > 1000 else (x + shift).relu_()
