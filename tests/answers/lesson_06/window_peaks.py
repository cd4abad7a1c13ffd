"""Answers to window_peaks."""

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("window_peaks")


@answers.right()
def by_unfold(x, width):
    return x.unfold(0, width, 1).amax(1)


@answers.right()
def by_pooling(x, width):
    return F.max_pool1d(x[None], width, 1)[0]


@answers.wrong(line="correct", says="let them move on by 1")
def side_by_side(x, width):
    return x.unfold(0, width, width).amax(1)


@answers.wrong(line="correct", says="that of each window")
def over_the_windows(x, width):
    return x.unfold(0, width, 1).amax(0)


@answers.wrong("zeros that fill up", "correct")
def padded(x, width):
    return F.max_pool1d(F.pad(x, (0, width - 1))[None], width, 1)[0]


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(x, width):
    return torch.stack([x[i : i + width].max() for i in range(len(x) - width + 1)])
