"""Practice: where a batch of texts of different length is padding."""

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def padding_mask_slow(lengths, longest):
    """True where a text has no word any more: one row a text, one column a place."""
    mask = torch.zeros(len(lengths), longest, dtype=torch.bool, device=lengths.device)
    for text in range(len(lengths)):
        for place in range(longest):
            mask[text, place] = place >= lengths[text]
    return mask


TASK = Task(
    id="padding_mask",
    title="Where the padding is",
    points=0,
    level=1,
    slow=padding_mask_slow,
    inputs=lambda size, generator: (integers(generator, 0, 6, size), 5),
    edge_cases=(
        Case("as many texts as places", lambda g: (integers(g, 0, 5, 4), 4)),
        Case("a text without words", lambda g: (torch.tensor([0, 2]), 3)),
    ),
    limits=(at_most(10, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "This is True where there are words: wanted is where there are none.",
            lambda lengths, longest: ~padding_mask_slow(lengths, longest),
        ),
        Mistake(
            "The first place of padding is taken for a word: words stand at 0 to length − 1.",
            lambda lengths, longest: padding_mask_slow(lengths + 1, longest),
        ),
        Mistake(
            "The texts stand along the columns: wanted is one row a text.",
            lambda lengths, longest: padding_mask_slow(lengths, longest).T,
        ),
    ),
)
