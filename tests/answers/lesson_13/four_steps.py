"""Answers to four_steps."""

import torch

from answers import AnswersTo

answers = AnswersTo("four_steps")

STEPS = torch.sin, torch.exp, torch.sqrt, torch.log


def _each_result(x):
    for step in STEPS:
        x = step(x)
        yield x


answers.right("a generator")(lambda x, device: torch.stack(list(_each_result(x.to(device)))).cpu())


@answers.right("written into rows")
def into_rows(x, device):
    rows = torch.empty(4, *x.shape, dtype=x.dtype, device=device)
    x = x.to(device)
    for step, row in zip(STEPS, rows, strict=True):
        x = step(x, out=row)
    return rows.cpu()


@answers.wrong("a copy to the host after each step", "unlooped", says="transfers")
def copied_each_time(x, device):
    rows, x = [], x.to(device)
    for step in STEPS:
        x = step(x)
        rows.append(x.cpu())
    return torch.stack(rows)


answers.wrong("left on the device", "correct", says="on the host")(
    lambda x, device: torch.stack(list(_each_result(x.to(device))))
)

answers.wrong("computed on the host", "correct", says="lacks a transfer: it must compute on the device")(
    lambda x, device: torch.stack(list(_each_result(x)))
)

answers.wrong("computed on the host, then copied to the host", "correct", says="it must compute on the device")(
    lambda x, device: torch.stack(list(_each_result(x))).cpu()
)

answers.wrong("the last result alone", "correct", says="shape")(
    lambda x, device: list(_each_result(x.to(device)))[-1].cpu()
)
