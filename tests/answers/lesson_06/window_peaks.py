"""Answers to window_peaks."""

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("window_peaks")

answers.right("by unfold")(lambda x, width: x.unfold(0, width, 1).amax(1))
answers.right("by pooling")(lambda x, width: F.max_pool1d(x[None], width, 1)[0])


@answers.wrong("zeros that fill up", "correct")
def padded(x, width):
    return F.max_pool1d(F.pad(x, (0, width - 1))[None], width, 1)[0]


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(x, width):
    return torch.stack([x[i : i + width].max() for i in range(len(x) - width + 1)])
