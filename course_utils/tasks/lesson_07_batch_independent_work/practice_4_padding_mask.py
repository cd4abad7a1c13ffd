"""Practice: the mask of the padding in a batch of texts of different lengths."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def padding_mask_slow(lengths, longest):
    """Return a mask that is True at padding: one row per text, one column per position."""
    mask = torch.zeros(len(lengths), longest, dtype=torch.bool, device=lengths.device)
    for text in range(len(lengths)):
        for position in range(longest):
            mask[text, position] = position >= lengths[text]
    return mask


def _inputs(size, generator):
    longest = 5 + size // 2
    return integers(generator, 0, longest + 1, size), longest


TASK = Task(
    id="padding_mask",
    title="A mask of the padding",
    points=0,
    level=1,
    slow=padding_mask_slow,
    inputs=_inputs,
    edge_cases=(
        Case("as many texts as positions", lambda g: (integers(g, 0, 5, 4), 4)),
        Case("4,099 texts", lambda g: (integers(g, 0, 3, 4099), 2)),
        Case("a text without words and one of 4,097 words", lambda g: (torch.tensor([0, 4097]), 4098)),
        Case("a text of 33,000 words, more than int16 can count", lambda g: (torch.tensor([33_000]), 33_001)),
    ),
    worst="Each value compares one length with one position.",
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The mask is True at words: it should be True at padding.",
            lambda lengths, longest: ~padding_mask_slow(lengths, longest),
        ),
        Mistake(
            "The first padding position is marked as a word: words are at positions 0 to length − 1.",
            lambda lengths, longest: padding_mask_slow(lengths + 1, longest),
        ),
        Mistake(
            "The texts run along the columns: use one row per text.",
            lambda lengths, longest: padding_mask_slow(lengths, longest).T,
        ),
    ),
)
