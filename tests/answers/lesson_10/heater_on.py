"""Answers to heater_on."""

import torch

from answers import AnswersTo

answers = AnswersTo("heater_on")


@answers.wrong("no memory", "correct", says="it goes off")
def without_memory(readings, low, high):
    return readings < low


@answers.wrong("on and off mixed up", "correct", says="off at first")
def mixed_up(readings, low, high):
    on, state = [], True
    for reading in readings.tolist():
        state = False if reading < low else True if reading > high else state
        on.append(state)
    return torch.tensor(on, dtype=torch.bool, device=readings.device)


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
