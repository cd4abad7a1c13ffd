"""Answers to stack_frames."""

import torch

from answers import AnswersTo

answers = AnswersTo("stack_frames")


@answers.right()
def stacked(frames):
    return torch.stack(frames)


@answers.wrong("cat", "correct", says="one tall picture")
def joined(frames):
    return torch.cat(frames)


@answers.wrong("along the last axis", "correct", says="the last one")
def stacked_last(frames):
    return torch.stack(frames, dim=-1)


@answers.wrong("still grown", "unlooped", says="the number grows with the input")
def grown(frames):
    film = frames[0][None]
    for frame in frames[1:]:
        film = torch.cat([film, frame[None]])
    return film.clone()
