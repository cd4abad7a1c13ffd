"""Answers to viterbi."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_10_truly_sequential.task_4_viterbi import batched

answers = AnswersTo("viterbi")


def _path(best, origins):
    path = [best.argmax(1, keepdim=True)]
    for origin in reversed(origins):
        path.append(origin.gather(1, path[-1]))
    return torch.cat(path[::-1], 1)


answers.right("max with indices")(lambda scores, transitions: batched(scores, transitions))


@answers.right("argmax and gather, into a preallocated table")
def by_argmax(scores, transitions):
    sequences, steps, states = scores.shape
    origins = torch.empty(steps, sequences, states, dtype=torch.int64, device=scores.device)
    best = scores[:, 0]
    for t in range(1, steps):
        candidates = best.unsqueeze(1) + transitions.T  # (sequences, to, from)
        origins[t] = candidates.argmax(2)
        best = candidates.amax(2) + scores[:, t]
    path = torch.empty(sequences, steps, dtype=torch.int64, device=scores.device)
    path[:, -1] = best.argmax(1)
    for t in range(steps - 1, 0, -1):
        path[:, t - 1] = origins[t].gather(1, path[:, t, None])[:, 0]
    return path


@answers.right("scores added to the transitions")
def added_to_the_transitions(scores, transitions):
    best, origins = scores[:, 0], []
    for row in scores.unbind(1)[1:]:
        best, origin = (best[:, :, None] + (transitions + row[:, None])).max(1)
        origins.append(origin)
    return _path(best, origins)


@answers.wrong("scores added to the previous state", "correct")
def scores_too_early(scores, transitions):
    best, origins = torch.zeros_like(scores[:, 0]), []
    for row in scores.unbind(1)[1:]:
        best, origin = ((best + row)[:, :, None] + transitions).max(1)
        origins.append(origin)
    return _path(best, origins)


answers.wrong("int32 indices", "correct", says="dtype")(lambda scores, transitions: batched(scores, transitions).int())


@answers.wrong("a loop over sequences", "unlooped", says="the number grows with the input")
def one_by_one(scores, transitions):
    if not len(scores):
        return batched(scores, transitions)
    return torch.cat([batched(one, transitions) for one in scores.split(1)])


@answers.wrong("a loop over states", "unlooped")
def state_by_state(scores, transitions):
    best, origins = scores[:, 0], []
    for row in scores.unbind(1)[1:]:
        found = [(best + column).max(1) for column in transitions.unbind(1)]
        best = torch.stack([each.values for each in found], 1) + row
        origins.append(torch.stack([each.indices for each in found], 1))
    return _path(best, origins)


@answers.wrong("the best origin in a loop over states", "unlooped", says="the number grows with the input")
def best_origin_by_state(scores, transitions):
    best, origins = scores[:, 0], []
    for row in scores.unbind(1)[1:]:
        found = [to.max(1) for to in (best[:, :, None] + transitions).unbind(2)]
        best = torch.stack([each.values for each in found], 1) + row
        origins.append(torch.stack([each.indices for each in found], 1))
    return _path(best, origins)


@answers.wrong("the path traced back in Python", "unlooped")
def back_in_python(scores, transitions):
    best, *rest = scores.unbind(1)
    origins = []
    for row in rest:
        best, origin = (best[:, :, None] + transitions).max(1)
        best = best + row
        origins.append(origin.tolist())
    paths = []
    for k, state in enumerate(best.argmax(1).tolist()):
        path = [state]
        for origin in reversed(origins):
            path.append(origin[k][path[-1]])
        paths.append(path[::-1])
    return torch.tensor(paths, dtype=torch.int64, device=scores.device).reshape(scores.shape[:2])


@answers.wrong("uint8 origins", "correct", says="300 states")
def origins_of_8_bits(scores, transitions):
    return batched(scores, transitions).to(torch.uint8).long()


def _path_with_change(scores, transitions, change):
    """Return the path if ``change`` replaces the best scores after each step."""
    best, origins = change(scores[:, 0]), []
    for row in scores.unbind(1)[1:]:
        values, origin = (best[:, :, None] + transitions).max(1)
        best = change(values + row)
        origins.append(origin)
    return _path(best, origins)


@answers.wrong("log probabilities, whose rounding breaks ties", "correct")
def normalized(scores, transitions):
    return _path_with_change(scores, transitions, lambda best: best.log_softmax(1))


@answers.wrong("scores minus their mean, which is −∞ next to a forbidden state", "correct", says="forbids")
def less_their_mean(scores, transitions):
    return _path_with_change(scores, transitions, lambda best: best - best.mean(1, keepdim=True))


@answers.wrong("−10³⁸ instead of −∞", "correct", says="−2 · 10³⁸")
def finite_in_place_of_infinity(scores, transitions):
    return batched(*(each.nan_to_num(neginf=-1e38) for each in (scores, transitions)))


@answers.wrong("a beam of 16 states", "correct", says="300 states")
def in_a_beam(scores, transitions):
    def beam(best):
        least = best.topk(min(16, best.shape[1]), 1).values[:, -1:]
        return best.masked_fill(best < least, -torch.inf)

    return _path_with_change(scores, transitions, beam)


@answers.wrong("the last 200 steps only", "correct", says="all 300 before it")
def of_200_steps(scores, transitions):
    path = batched(scores[:, -200:], transitions)
    return torch.cat([path[:, :1].expand(-1, scores.shape[1] - path.shape[1]) * 0, path], 1)
