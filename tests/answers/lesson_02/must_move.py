"""Answers to must_move."""

import torch

from answers import AnswersTo

answers = AnswersTo("must_move")

answers.right("by nbytes")(lambda inputs, outputs: sum(tensor.nbytes for tensor in [*inputs, *outputs]))


@answers.right()
def by_hand(inputs, outputs):
    total = 0
    for tensors in (inputs, outputs):
        for tensor in tensors:
            total += tensor.numel() * tensor.element_size()
    return total


@answers.wrong("the first output only", "correct", says="two outputs")
def of_the_first_output(inputs, outputs):
    return sum(tensor.nbytes for tensor in inputs) + outputs[0].nbytes


@answers.wrong("the first two inputs only", "correct", says="three inputs")
def of_two_inputs(inputs, outputs):
    return sum(tensor.nbytes for tensor in [*inputs[:2], *outputs])


@answers.wrong("equal sizes counted once", "correct", says="of one size")
def each_size_once(inputs, outputs):
    return sum({each.nbytes for each in inputs}) + sum({each.nbytes for each in outputs})


@answers.wrong("each memory counted once", "correct", says="in place")
def each_memory_once(inputs, outputs):
    return sum({each.data_ptr(): each.nbytes for each in [*inputs, *outputs]}.values())


@answers.wrong("the outputs appended to the inputs", "correct", says="leave inputs as they are and work on a copy")
def appended(inputs, outputs):
    inputs += outputs
    return sum(tensor.nbytes for tensor in inputs)


@answers.wrong("the size of four dtypes", "correct", says="many dtypes and shapes")
def by_a_table(inputs, outputs):
    sizes = {torch.float64: 8, torch.float16: 2, torch.bool: 1}
    return sum(each.numel() * sizes.get(each.dtype, 4) for each in [*inputs, *outputs])


@answers.wrong("a total in float32", "correct", says="more bytes than float32 can count")
def counted_in_float32(inputs, outputs):
    total = torch.zeros(())
    for tensor in [*inputs, *outputs]:
        total += tensor.nbytes
    return int(total)
