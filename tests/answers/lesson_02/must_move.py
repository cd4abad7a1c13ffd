"""Answers to must_move."""

from answers import AnswersTo

answers = AnswersTo("must_move")


@answers.right()
def by_nbytes(inputs, outputs):
    return sum(tensor.nbytes for tensor in [*inputs, *outputs])


@answers.right()
def by_hand(inputs, outputs):
    total = 0
    for tensors in (inputs, outputs):
        for tensor in tensors:
            total += tensor.numel() * tensor.element_size()
    return total


@answers.wrong(line="correct", says="not bytes")
def numbers(inputs, outputs):
    return sum(tensor.numel() for tensor in [*inputs, *outputs])


@answers.wrong(line="correct", says="element_size")
def four_bytes_each(inputs, outputs):
    return sum(4 * tensor.numel() for tensor in [*inputs, *outputs])


@answers.wrong(line="correct", says="written, too")
def what_is_read(inputs, outputs):
    return sum(tensor.nbytes for tensor in inputs)
