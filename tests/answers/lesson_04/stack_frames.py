"""Answers to stack_frames."""

import torch

from answers import AnswersTo

answers = AnswersTo("stack_frames")

answers.right("stacked")(lambda frames: torch.stack(frames))


@answers.wrong("still grown", "unlooped", says="the number grows with the input")
def grown(frames):
    film = frames[0][None]
    for frame in frames[1:]:
        film = torch.cat([film, frame[None]])
    return film.clone()
