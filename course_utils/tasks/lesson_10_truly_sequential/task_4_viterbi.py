"""The best path through the states of a hidden Markov model, for a batch of sequences: forward step by step, then back.

The lowest state wins a tie in both directions. Ties come from integers, so that rounding neither creates nor hides one.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import integers, normal

COUNT_SIZES = 4, 8
STEPS = 10  # In counts and in the race.


def viterbi_slow(scores, transitions):
    """Return the best path of each sequence, one state per step; from the end back, the lower state wins a tie."""
    sequences, steps, states = scores.shape
    paths = torch.zeros(sequences, steps, dtype=torch.int64, device=scores.device)
    for k in range(sequences):
        best, origins = scores[k, 0], []
        for t in range(1, steps):
            reached, origin = torch.empty_like(best), []
            for state in range(states):
                candidates = best + transitions[:, state]
                origin.append(int(candidates.argmax()))  # the first maximum
                reached[state] = candidates[origin[-1]] + scores[k, t, state]
            best = reached
            origins.append(origin)
        paths[k, -1] = best.argmax()
        for t in range(steps - 2, -1, -1):
            paths[k, t] = origins[t][int(paths[k, t + 1])]
    return paths


def _states(size):
    """Return a number of states that grows with the sequences, so that a loop over either exceeds the limit on operations."""
    return 2 * size


def _inputs(size, generator):
    steps, states = (
        (STEPS, _states(size))
        if size in COUNT_SIZES
        else (3 + int(generator.integers(4)), 2 + int(generator.integers(3)))
    )
    return normal(generator, size, steps, states), normal(generator, states, states)


def _with_forbidden_states(generator):
    """Return transitions in which state 1 can't follow state 0, and two sequences that each forbid one state at one step."""
    scores = normal(generator, 2, 4, 2)
    scores[0, 0, 0] = scores[1, 2, 1] = -torch.inf
    return scores, torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])


def _with_forbidden_steps(generator):
    """Return transitions in which state 0 can only follow state 1, and each other step costs about 2 · 10³⁸, more than a
    finite score that stands in for −∞.

    All scores are multiples of 2¹⁰⁹, so that all sums are exact. A second step would exceed float32.
    """
    scores, transitions = (normal(generator, *shape, scale=8).round() / 8 for shape in ((2, 2, 3), (3, 3)))
    transitions -= 40_000
    transitions[0, 0] = transitions[2, 0] = -torch.inf
    return 2.0**112 * scores, 2.0**112 * transitions


def batched(scores, transitions, lowest=True):
    """Run the loops over the steps, forward and back, for all sequences and states together."""
    best, *rest = scores.unbind(1)
    origins = []
    for row in rest:
        candidates = best[:, :, None] + transitions
        if lowest:
            best, origin = candidates.max(1)
        else:
            best, origin = candidates.max(1).values, candidates.shape[1] - 1 - candidates.flip(1).argmax(1)
        best = best + row
        origins.append(origin)
    path = [best.argmax(1, keepdim=True)]
    for origin in reversed(origins):
        path.append(origin.gather(1, path[-1]))
    return torch.cat(path[::-1], 1)


def _per_step_maximum(scores, transitions):
    return scores.argmax(2)


def _greedy(scores, transitions):
    """Take the best state after the state before, without backtracking."""
    path = [scores[:, 0].argmax(1)]
    for t in range(1, scores.shape[1]):
        path.append((transitions[path[-1]] + scores[:, t]).argmax(1))
    return torch.stack(path, 1)


_WITHOUT_BACKTRACKING = (
    "Each state was chosen on the way forward, without backtracking: a worse start can lead to a better end. "
    "Go back from the best end to find the states that lead to it."
)


def _best_so_far(scores, transitions):
    """Return for each step the state with the best score up to that step, without backtracking."""
    best = scores[:, 0]
    path = [best.argmax(1)]
    for t in range(1, scores.shape[1]):
        best = (best[:, :, None] + transitions).max(1).values + scores[:, t]
        path.append(best.argmax(1))
    return torch.stack(path, 1)


def _integers(*shape):
    return lambda generator: (
        integers(generator, 0, 2, *shape).float(),
        integers(generator, 0, 2, shape[-1], shape[-1]).float(),
    )


def _decided_by_the_last_step(_):
    """Return a sequence in which state 0 leads until the last step favors state 1; switching states is expensive."""
    scores = torch.zeros(1, 301, 2)
    scores[0, :, 0] = 0.125
    scores[0, -1, 1] = 50
    return scores, torch.tensor([[0.0, -100.0], [-100.0, 0.0]])


def _with_many_states(generator):
    scores, transitions = normal(generator, 2, 3, 300), normal(generator, 300, 300)
    scores[0, :, -1] += 20
    scores[1, 1, -2] -= 20
    transitions[-2] += 50
    return scores, transitions


def _near_ties(generator, step, dtype):
    """Return multiples of ``step`` near 1, so that all sums are exact in ``dtype``."""
    return tuple(1 + step * integers(generator, 0, 4, *shape).to(dtype) for shape in ((2, 8, 3), (3, 3)))


TASK = Task(
    id="viterbi",
    title="Viterbi paths of a batch",
    points=4,
    level=2,
    slow=viterbi_slow,
    inputs=_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        random_case("no sequences", (0, 3, 2), (2, 2)),
        random_case("sequences of one step", (3, 1, 4), (4, 4)),
        random_case("4,200 sequences of two steps", (4200, 2, 2), (2, 2)),
        random_case("a single state", (2, 4, 1), (1, 1)),
        random_case("as many sequences as steps and states", (4, 4, 4), (4, 4)),
        Case("scores that are all 0, so that all paths tie", lambda g: (torch.zeros(2, 3, 3), torch.zeros(3, 3))),
        Case("integers with many ties", _integers(60, 12, 4)),
        Case("a forbidden transition, and states that a step forbids", _with_forbidden_states),
        float64((2, 5, 3), (3, 3)),
        Case("transposed matrices", lambda g: (normal(g, 3, 4, 2).transpose(0, 2), normal(g, 3, 3).T)),
    ),
    worst=(
        Case("a last step that decides about all 300 before it", _decided_by_the_last_step),
        Case("paths near −2 · 10³⁸ next to forbidden ones", _with_forbidden_steps),
        Case("three steps of 300 states, once through the worst one", _with_many_states),
        Case("scores that differ by 1/1024", lambda g: _near_ties(g, 2**-10, torch.float32)),
        Case("float64 scores that differ by 2⁻⁴⁰", lambda g: _near_ties(g, 2**-40, torch.float64)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=8,
    story=prose(
        """
        A tagger gives each word of a sentence a score for each state (noun, verb, …), and a matrix scores how well one
        state follows another. The best path need not consist of the best states, because the scores of the
        transitions count, too. The *Viterbi algorithm* goes forward and remembers, for each state, the best score of a
        path that ends there, and the previous state; then it goes back from the best end. Write
        `viterbi(scores, transitions)` for a batch of sentences. Which loop must stay, and which can go?
        """
    ),
    rules=prose(
        """
        - `scores` has shape (sequences, steps, states) with at least one step and one state. `transitions` has shape
          (states, states), and `transitions[i, j]` is the score of going from state i to state j. Both tensors have the same dtype, float32 or float64. Each value is finite or
          minus infinity, and every sequence has an allowed path.
        - The result has shape (sequences, steps) and dtype int64. If two paths are equally good, take the lower state,
          at the end and in each step back.
        - The number of tensor operations may grow with the steps, but not with the sequences or the states. The counts
          use 10 steps.
        """
    ),
    limits=(at_most(160, "ops"), at_most(0, "syncs")),
    target=8.0,
    cost=lambda size: Cost(
        reads=4 * size * STEPS * _states(size) + 4 * _states(size) ** 2,
        writes=8 * size * STEPS,
        launches=3 * (STEPS - 1),
    ),
    ways={"batched": batched},
    hints=items(
        """
        - The steps depend on each other. The sequences don't, and neither do the states of one step. Which shape holds
          the scores from every state to every state, for all sequences?
        - `best[:, :, None] + transitions` has shape (sequences, from, to). `max(1)` returns its maximum along axis
          1 and the index, the first one among equals. Add the step's scores, and keep the indices.
        - Going back, start with `state = best.argmax(1, keepdim=True)`. From the last step's indices, `origin`, to
          the first's, repeat `state = origin.gather(1, state)`. Collect all states in a list, reverse it, and apply
          `torch.cat` along axis 1.
        """
    ),
    mistakes=(
        Mistake(
            "Each step has the state with the best score at that step: add the scores of the transitions.",
            _per_step_maximum,
        ),
        Mistake(
            _WITHOUT_BACKTRACKING,
            _greedy,
        ),
        Mistake(
            _WITHOUT_BACKTRACKING,
            _best_so_far,
        ),
        Mistake(
            "Rows and columns of `transitions` are swapped: `transitions[i, j]` leads from i to j.",
            lambda scores, transitions: viterbi_slow(scores, transitions.T),
        ),
        Mistake(
            "In a tie, the higher state was taken: take the lower one.",
            lambda scores, transitions: batched(scores, transitions, lowest=False),
        ),
        Mistake("The path is reversed: return it from start to end.", lambda s, t: viterbi_slow(s, t).flip(1)),
    ),
    sources=("S0.1",),
)
