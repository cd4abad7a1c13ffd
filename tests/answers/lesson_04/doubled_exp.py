"""Answers to doubled_exp."""

import torch

from answers import AnswersTo

answers = AnswersTo("doubled_exp")

answers.right("the factor inside")(lambda x: (x + torch.log(torch.tensor(2.0, dtype=x.dtype, device=x.device))).exp_())


@answers.wrong("as it was given", "correct")
def in_place(x):
    y = torch.exp(x)
    y.mul_(2)
    return y


@answers.wrong("out of autograd's sight", "correct", says="gradient")
def behind_the_back(x):
    y = torch.exp(x)
    y.data.mul_(2)
    return y.detach() + 0 * x
