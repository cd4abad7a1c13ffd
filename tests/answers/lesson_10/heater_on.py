"""Answers to heater_on."""

import torch

from answers import AnswersTo

answers = AnswersTo("heater_on")


@answers.wrong("a Python branch on a tensor", "unlooped")
def on_tensors(readings, low, high):
    on, state = [], False
    for reading in readings:
        if reading < low:
            state = True
        elif reading > high:
            state = False
        on.append(state)
    return torch.tensor(on, dtype=torch.bool, device=readings.device)


def _on_numbers(readings, low, high):
    on, state = [], False
    for reading in readings.tolist():
        state = reading < low or (state and reading <= high)
        on.append(state)
    return torch.tensor(on, dtype=torch.bool, device=readings.device)


answers.wrong("fixed thresholds", "correct")(lambda readings, low, high: _on_numbers(readings, 18.0, 22.0))
answers.wrong("a fixed gap between the thresholds", "correct")(lambda r, low, high: _on_numbers(r, low, low + 4))
answers.wrong("a tolerance of a thousandth at each threshold", "correct")(
    lambda readings, low, high: _on_numbers(readings, low - 1e-3, high + 1e-3)
)
answers.wrong("thresholds as integers", "correct", says="other thresholds")(
    lambda readings, low, high: _on_numbers(readings, int(low), int(high))
)


answers.wrong("readings in float32", "correct", says="float64 readings")(
    lambda readings, low, high: _on_numbers(readings.float(), low, high)
)
answers.wrong("defaults instead of thresholds of 0", "correct", says="thresholds of -1 and 0")(
    lambda readings, low, high: _on_numbers(readings, low or 18.0, high or 22.0)
)


_HEATER = {"on": False}


@answers.wrong("the state of the call before", "correct")
def with_the_last_state(readings, low, high):
    on = []
    for reading in readings.tolist():
        _HEATER["on"] = reading < low or (_HEATER["on"] and reading <= high)
        on.append(_HEATER["on"])
    return torch.tensor(on, dtype=torch.bool, device=readings.device)
