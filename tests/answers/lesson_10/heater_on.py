"""Answers to heater_on."""

import torch

from answers import AnswersTo

answers = AnswersTo("heater_on")


@answers.wrong("an if on a tensor", "unlooped")
def on_tensors(readings, low, high):
    on, state = [], False
    for reading in readings:
        if reading < low:
            state = True
        elif reading > high:
            state = False
        on.append(state)
    return torch.tensor(on, dtype=torch.bool, device=readings.device)
