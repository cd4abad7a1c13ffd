"""Answers to window_peaks."""

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("window_peaks")


@answers.right("by unfold")
def by_unfold(x, width):
    windows = x.unfold(0, width, 1)
    return windows.argmax(1) + torch.arange(len(windows), device=x.device)


answers.right("by pooling")(lambda x, width: F.max_pool1d(x[None], width, 1, return_indices=True)[1][0])


@answers.wrong("zeros that fill up", "correct")
def padded(x, width):
    return F.max_pool1d(F.pad(x, (0, width - 1))[None], width, 1, return_indices=True)[1][0]


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(x, width):
    return torch.stack([i + x[i : i + width].argmax() for i in range(len(x) - width + 1)])
