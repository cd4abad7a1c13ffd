"""A cache in pages, put in order in a buffer that is kept: a gather whose rows are longer than they look.

Token by token the numbers of the rows must be worked out, and each is short; page by page the table itself is the index.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer
from course_utils.tasks.torch_inputs import noncontiguous, normal
from course_utils.tasks.unwrap import items, prose


def read_pages_slow(cache, pages, out):
    """Into out, of shape (sequences, tokens, d), the pages of each sequence, one after the other."""
    size = cache.shape[1]
    for s in range(out.shape[0]):
        for t in range(out.shape[1]):
            out[s, t] = cache[pages[s, t // size], t % size]


_SEQUENCES, _SIZE, _FEATURES = 4, 8, 128


def _inputs(generator, sequences, count, size, features, dtype=torch.float32):
    """A cache with twice as many pages as are in use, and a buffer for those that are."""
    used = sequences * count
    cache = normal(generator, 2 * used + 1, size, features, dtype=dtype)
    pages = torch.from_numpy(generator.permutation(2 * used + 1)[:used]).reshape(sequences, count)
    return cache, pages, buffer(generator, sequences, count * size, features, dtype=dtype)


def _shared_pages(generator):
    """Both sequences begin with the same question."""
    cache, _, out = _inputs(generator, 2, 3, 2, 4)
    return cache, torch.tensor([[5, 0, 3], [5, 0, 7]]), out


def _every_second_number(generator):
    cache, pages, out = _inputs(generator, 2, 2, 3, 4)
    return noncontiguous(cache), pages, out


def _by_tokens(cache, pages, out):
    size, features = cache.shape[1:]
    tokens = (pages[:, :, None] * size + torch.arange(size, device=pages.device)).flatten()
    torch.index_select(cache.view(-1, features), 0, tokens, out=out.view(-1, features))


def _fresh(cache, pages, out):
    out.copy_(cache[pages].flatten(1, 2))


def _little(cache, pages, out):
    """Room for the number of each token's row and what it is worked out from, not for what the tokens hold."""
    return 64 * out.shape[0] * out.shape[1]


def _bytes(size):
    return 4 * _SEQUENCES * size * _SIZE * _FEATURES


TASK = Task(
    id="read_pages",
    title="A cache in pages, into a kept buffer",
    points=4,
    level=3,
    slow=read_pages_slow,
    inputs=lambda size, generator: _inputs(generator, _SEQUENCES, size, _SIZE, _FEATURES),
    writes=("out",),
    sizes=(1, 2, 5),
    edge_cases=(
        Case("sequences that share pages", _shared_pages),
        Case("one sequence", lambda generator: _inputs(generator, 1, 3, 2, 5)),
        Case("pages of one token", lambda generator: _inputs(generator, 2, 3, 1, 4)),
        Case("as many sequences as pages, tokens and numbers", lambda generator: _inputs(generator, 3, 3, 3, 3)),
        Case("no pages yet", lambda generator: _inputs(generator, 2, 0, 4, 3)),
        nan_buffer(lambda generator: _inputs(generator, 2, 2, 3, 4)[:2], 2, 6, 4),
        Case("a cache that is a part of a wider one", _every_second_number),
        Case("float64 values", lambda generator: _inputs(generator, 2, 2, 3, 4, torch.float64)),
    ),
    count_sizes=(2, 16),
    race_size=120,
    story=prose(
        """
        A server answers many people with one language model, and keeps what the model knows of each token. So that no memory lies
        idle, it keeps it in *pages* of a few tokens each, wherever there is room, and a table says which pages belong to whom.
        Attention wants one sequence in one piece. Write `read_pages(cache, pages, out)`, which puts them together in a buffer that
        the server keeps. Then see how near to a plain copy you can come.
        """
    ),
    rules=prose(
        """
        - `cache` has the shape (number of pages, size, d): each page holds `size` tokens of d numbers. `pages`, int64 of shape (sequences,
        count), names the pages of each sequence, in order. `out` has the shape (sequences, count · size, d), is contiguous, and holds
        anything before, NaN as well.
        - What counts is what stands in `out` afterwards. `cache` and `pages` stay as they were; two sequences may share a page.
        - No more than 20 tensor operations. Fresh memory of at most 64 bytes a token: enough for some numbers of rows, not for a second copy.
        - The card shows the share of the limit that you reach. There is no end to this one.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs"), at_most(_little, "bytes", "64 bytes per token")),
    target=10.0,
    cost=lambda size: Cost(reads=_bytes(size) + 8 * _SEQUENCES * size, writes=_bytes(size)),
    ways={"fresh memory in between": _fresh, "token by token": _by_tokens},
    hints=items(
        """
        - Token t of sequence s is row t % size of page pages[s, t // size]. See the cache as one long list of tokens: what is the number of
          that row? Then it is one gather.
        - `torch.index_select(rows, 0, numbers, out=…)` writes where you say. Its `out` wants the shape that comes out: `out.view(…)` is
          the same memory in another shape.
        - A page is one piece of memory. So why pick its tokens one by one? Look at the cache as it comes: its rows are whole pages, and
          `pages.flatten()` is the index. Which shape must `out` have then?
        """
    ),
    mistakes=(
        Mistake(
            "pages holds numbers of pages, not of tokens: the first token of page p is row p · size of the list of all tokens.",
            lambda cache, pages, out: out.copy_(
                cache.flatten(0, 1)[pages[:, :, None] + torch.arange(cache.shape[1])].flatten(1, 2)
            ),
        ),
        Mistake(
            "index_select has given out the shape of its own result, page by page: hand it a view of out in that shape instead, the "
            "same memory.",
            lambda cache, pages, out: out.resize_(pages.numel(), *cache.shape[1:]).copy_(cache[pages.flatten()]),
        ),
        Mistake(
            "The pages of the sequences are mixed up: the first ones of all sequences come first, then the second ones.",
            lambda cache, pages, out: out.copy_(cache[pages.T].reshape(out.shape)),
        ),
        Mistake(
            "Each page stands there as its first token, again and again.",
            lambda cache, pages, out: out.copy_(cache[pages, 0].repeat_interleave(cache.shape[1], dim=1)),
        ),
        Mistake(
            "The pages come in the order of the cache; wanted is the order of the table.",
            lambda cache, pages, out: out.copy_(cache[pages.sort(1).values].flatten(1, 2)),
        ),
    ),
)
