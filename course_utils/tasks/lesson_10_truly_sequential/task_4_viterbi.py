"""The best path through the states of a hidden Markov model, for a batch of sequences: forwards step by step, and back.

The lowest state wins a tie, in both directions; ties are made of whole numbers, so that rounding makes none and hides none.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import items, prose

COUNT_SIZES = 4, 8
STEPS, STATES = 10, 8  # where it is counted and raced


def viterbi_slow(scores, transitions):
    """The best path of each sequence, a state a step; of equally good ones the lower state, from the end back."""
    sequences, steps, states = scores.shape
    paths = torch.zeros(sequences, steps, dtype=torch.int64, device=scores.device)
    for k in range(sequences):
        best, origins = scores[k, 0], []
        for t in range(1, steps):
            reached, origin = torch.empty_like(best), []
            for state in range(states):
                ways = best + transitions[:, state]
                origin.append(int(ways.argmax()))  # the first of several largest ones
                reached[state] = ways[origin[-1]] + scores[k, t, state]
            best = reached
            origins.append(origin)
        paths[k, -1] = best.argmax()
        for t in range(steps - 2, -1, -1):
            paths[k, t] = origins[t][int(paths[k, t + 1])]
    return paths


def _inputs(size, generator):
    steps, states = (
        (STEPS, STATES) if size in COUNT_SIZES else (3 + int(generator.integers(4)), 2 + int(generator.integers(3)))
    )
    return normal(generator, size, steps, states), normal(generator, states, states)


def all_sequences_at_once(scores, transitions, lowest=True):
    """The loop over the steps, forwards and back; all sequences and states at once."""
    best, *rest = scores.unbind(1)
    origins = []
    for row in rest:
        ways = best[:, :, None] + transitions
        if lowest:
            best, origin = ways.max(1)
        else:
            best, origin = ways.max(1).values, ways.shape[1] - 1 - ways.flip(1).argmax(1)
        best = best + row
        origins.append(origin)
    path = [best.argmax(1, keepdim=True)]
    for origin in reversed(origins):
        path.append(origin.gather(1, path[-1]))
    return torch.cat(path[::-1], 1)


def _of_each_step_alone(scores, transitions):
    return scores.argmax(2)


def _greedy(scores, transitions):
    """Never looks back: each step takes what is best after the state before."""
    path = [scores[:, 0].argmax(1)]
    for t in range(1, scores.shape[1]):
        path.append((transitions[path[-1]] + scores[:, t]).argmax(1))
    return torch.stack(path, 1)


_NEVER_BACK = (
    "Each state was chosen on the way and nothing goes back: a worse start can lead to a better end. Go back from the best end to "
    "find the states that lead to it."
)


def _best_so_far(scores, transitions):
    """The best state of each step when it was reached, without going back."""
    best = scores[:, 0]
    path = [best.argmax(1)]
    for t in range(1, scores.shape[1]):
        best = (best[:, :, None] + transitions).max(1).values + scores[:, t]
        path.append(best.argmax(1))
    return torch.stack(path, 1)


def _whole(*shape):
    return lambda generator: (
        integers(generator, 0, 2, *shape).float(),
        integers(generator, 0, 2, shape[-1], shape[-1]).float(),
    )


TASK = Task(
    id="viterbi",
    title="The best path of every sentence",
    points=4,
    level=2,
    slow=viterbi_slow,
    inputs=_inputs,
    sizes=(1, 2, 3, 5, 9),
    edge_cases=(
        random_case("no sequences", (0, 3, 2), (2, 2)),
        random_case("sequences of one step", (3, 1, 4), (4, 4)),
        random_case("a single state", (2, 4, 1), (1, 1)),
        random_case("as many sequences as steps and states", (4, 4, 4), (4, 4)),
        Case(
            "scores that are all 0: every path is as good as any", lambda g: (torch.zeros(2, 3, 3), torch.zeros(3, 3))
        ),
        Case("whole numbers with many ties", _whole(3, 6, 3)),
        Case(
            "a transition that is forbidden",
            lambda g: (normal(g, 2, 4, 2), torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])),
        ),
        float64((2, 5, 3), (3, 3)),
        Case("matrices turned on their sides", lambda g: (normal(g, 3, 4, 2).transpose(0, 2), normal(g, 3, 3).T)),
    ),
    count_sizes=COUNT_SIZES,
    race_size=8,
    story=prose(
        """
        A tagger gives each word of a sentence a score for each of its states (noun, verb, …), and knows how well one state follows
        another. The best path is not made of the best states: a step depends on all that came before. *Viterbi's* way goes forwards and remembers for each
        state the best score of a path that ends there and the state it came from, and then goes back from the best end. Write
        `viterbi(scores, transitions)` for a batch of sentences. What must stay a loop here, and what need not?
        """
    ),
    rules=prose(
        """
        - `scores` has shape (sequences, steps, states), with one step and one state at least, and `transitions[i, j]` is what it adds to go from state i to state j.
        Both have the same floating dtype. Nothing is NaN, and every sequence has a path that is not forbidden.
        - The result has shape (sequences, steps), int64. Where two ways are equally good, take the lower state, in each step back and at the end.
        - The tensor operations may follow the steps, and neither the sequences nor the states: at most 160 for 10 steps.
        - Python waits for no value.
        """
    ),
    limits=(at_most(160, "ops"), at_most(0, "syncs")),
    target=8.0,
    cost=lambda size: Cost(
        reads=4 * size * STEPS * STATES + 4 * STATES**2, writes=8 * size * STEPS, launches=3 * (STEPS - 1)
    ),
    ways={"all sequences at once": all_sequences_at_once},
    hints=items(
        """
        - The steps wait for each other. Sequences do not, and neither do the states of one step. Which shape has a table of all ways from every state to
          every state, for all sequences?
        - best[:, :, None] + transitions has shape (sequences, from, to). Its largest value along dimension 1, and where that stands: `max(1)`
          gives both at once, and the first of equals. Add the step's scores, keep the places.
        - Back: begin with best.argmax(1, keepdim=True), and take origin.gather(1, state) from the last step's places to the first's. Turn the list round,
          and torch.cat it along dimension 1.
        """
    ),
    mistakes=(
        Mistake("Each step has the state that is best by itself; the transitions are missing.", _of_each_step_alone),
        Mistake(
            _NEVER_BACK,
            _greedy,
        ),
        Mistake(
            _NEVER_BACK,
            _best_so_far,
        ),
        Mistake(
            "Rows and columns of `transitions` are mixed up: transitions[i, j] leads from i to j.",
            lambda scores, transitions: viterbi_slow(scores, transitions.T),
        ),
        Mistake(
            "Of equally good ways the higher state was taken.",
            lambda scores, transitions: all_sequences_at_once(scores, transitions, lowest=False),
        ),
        Mistake(
            "The path stands in the wrong order: from its end to its start.", lambda s, t: viterbi_slow(s, t).flip(1)
        ),
    ),
    sources=("S0.1",),
)
