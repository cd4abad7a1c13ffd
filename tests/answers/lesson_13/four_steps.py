"""Answers to four_steps."""

import torch

from answers import AnswersTo

answers = AnswersTo("four_steps")

answers.right("one line")(lambda x, device: x.to(device).sin().exp().sqrt().log().cpu())


@answers.wrong("a copy to the host after each step", "unlooped", says="transfers")
def copied_each_time(x, device):
    for step in (torch.sin, torch.exp, torch.sqrt, torch.log):
        x = step(x.to(device)).cpu()
    return x


answers.wrong("left on the device", "correct", says="on the host")(
    lambda x, device: x.to(device).sin().exp().sqrt().log()
)

answers.wrong("computed on the host", "correct", says="lacks a transfer: it must compute on the device")(
    lambda x, device: x.sin().exp().sqrt().log()
)
