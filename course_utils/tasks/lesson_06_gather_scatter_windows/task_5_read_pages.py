"""A paged cache in a short dtype, gathered into a preallocated buffer of a longer one.

A gather doesn't convert, and a full intermediate tensor exceeds the memory limit. The gather therefore works block by block,
through a small tensor that stays in the processor's cache until it is converted.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_buffers import buffer, nan_buffer
from course_utils.tasks.torch_inputs import normal


def read_pages_slow(cache, pages, out):
    """Write the pages of each sequence, one after the other, to out, in the dtype of out."""
    size = cache.shape[1]
    for s in range(out.shape[0]):
        for t in range(out.shape[1]):
            out[s, t] = cache[pages[s, t // size], t % size]


_SEQUENCES, _SIZE, _FEATURES = 4, 8, 128


def _inputs(generator, sequences, count, size, features, dtype=torch.bfloat16, buffer_dtype=torch.float32):
    """Return a cache with more than twice as many pages as are in use, a page table, and a buffer."""
    used = sequences * count
    cache = normal(generator, 2 * used + 1, size, features, dtype=dtype)
    pages = torch.from_numpy(generator.permutation(2 * used + 1)[:used]).reshape(sequences, count)
    return cache, pages, buffer(generator, sequences, count * size, features, dtype=buffer_dtype)


def _shared_pages(generator):
    """Return two sequences that begin with the same page."""
    cache, _, out = _inputs(generator, 2, 3, 2, 4)
    return cache, torch.tensor([[5, 0, 3], [5, 0, 7]]), out


def _one_page(generator):
    cache, pages, out = _inputs(generator, 3, 4, 2, 5)
    return cache, torch.full_like(pages, len(cache) - 1), out


def _reversed_pages(generator):
    cache, pages, out = _inputs(generator, 2, 6, 3, 4)
    return cache, torch.arange(12).flip(0).reshape(pages.shape), out


def _not_finite(generator):
    cache, pages, out = _inputs(generator, 2, 3, 2, 4)
    cache[pages[0, 1], 0] = torch.tensor([nan, inf, -inf, -0.0])
    return cache, pages, out


def _many_pages(generator):
    cache = normal(generator, 33_000, 1, 2, dtype=torch.bfloat16)
    return cache, torch.tensor([[32_999, 5], [2_049, 32_768]]), buffer(generator, 2, 2, 2)


def _by_tokens(cache, pages, out):
    size, features = cache.shape[1:]
    tokens = (pages[:, :, None] * size + torch.arange(size, device=pages.device)).flatten()
    out.view(-1, features).copy_(cache.view(-1, features).index_select(0, tokens))


def _fresh(cache, pages, out):
    out.copy_(cache[pages].flatten(1, 2))


def _a_quarter(cache, pages, out):
    """Return the bytes of a quarter of the values in the cache's dtype, and a few indices."""
    return out.numel() * cache.element_size() // 4 + 1024


def _values(size):
    return _SEQUENCES * size * _SIZE * _FEATURES


TASK = Task(
    id="read_pages",
    title="A paged cache, gathered",
    points=4,
    level=3,
    slow=read_pages_slow,
    reference=_fresh,
    inputs=lambda size, generator: _inputs(generator, _SEQUENCES, size, _SIZE, _FEATURES),
    writes=("out",),
    sizes=(1, 2, 5),
    contiguous=("out",),
    tolerance=0,  # values are moved, not computed
    dtypes={"cache": FLOATING, "out": FLOATING, "cache, out": ("float64",)},
    edge_cases=(
        Case("sequences that share pages", _shared_pages),
        Case("one sequence", lambda generator: _inputs(generator, 1, 3, 2, 5)),
        Case("pages of one token", lambda generator: _inputs(generator, 2, 3, 1, 4)),
        Case("equal sizes along all axes", lambda generator: _inputs(generator, 3, 3, 3, 3)),
        Case("4,099 sequences", lambda generator: _inputs(generator, 4099, 1, 2, 1)),
        Case("4,101 pages of each sequence", lambda generator: _inputs(generator, 1, 4101, 1, 1)),
        Case("pages of 4,099 tokens", lambda generator: _inputs(generator, 1, 1, 4099, 2)),
        Case("tokens of 4,099 values", lambda generator: _inputs(generator, 1, 2, 2, 4099)),
        Case("infinity and NaN in the cache", _not_finite),
        Case("float16 pages, a bfloat16 buffer", lambda g: _inputs(g, 2, 3, 2, 4, torch.float16, torch.bfloat16)),
        Case("float16 pages, a float64 buffer", lambda g: _inputs(g, 2, 3, 2, 4, torch.float16, torch.float64)),
        Case("float64 pages, a float16 buffer", lambda g: _inputs(g, 2, 3, 2, 4, torch.float64, torch.float16)),
        Case("sequences without pages", lambda generator: _inputs(generator, 2, 0, 4, 3)),
        nan_buffer(lambda generator: _inputs(generator, 2, 2, 3, 4)[:2], 2, 6, 4),
    ),
    worst=(
        Case("one page for all sequences", _one_page),
        Case("pages in reverse order", _reversed_pages),
        Case("33,000 pages, more than int16 can count", _many_pages),
        Case("prime numbers of sequences and pages", lambda generator: _inputs(generator, 7, 13, 2, 3)),
    ),
    count_sizes=(8, 64),
    race_size=480,
    story=prose(
        """
        A server runs one language model for many users and caches the model's state of each token. To avoid unused memory, it
        stores the cache in **pages** of a few tokens each, at any free position, and a page table lists the pages of each user's
        sequence. To save half of the memory, the cache holds bfloat16, but attention needs each sequence in one piece, in float32.
        Write `read_pages(cache, pages, out)`, which gathers the pages into a preallocated buffer and converts them. Then see how
        close you can come to the speed of a copy.
        """
    ),
    rules=prose(
        """
        - `cache` has shape (number of pages, size, d): each page holds `size` tokens of d values. `pages`, with dtype int64 and
        shape (sequences, count), lists the pages of each sequence in order. `out` has shape (sequences, count · size, d), is
        contiguous, and can hold any values before the call, even NaN.
        - `cache` and `out` can have any floating-point dtypes; the race has bfloat16 and float32. `out` gets the values
        of `cache`, converted.
        - The result is the content of `out` afterward; the return value doesn't count. `cache` and `pages` don't change.
        Sequences can share pages. The counts use four sequences.
        - The card shows your share of the limit.
        """
    ),
    limits=(
        at_most(100, "ops"),
        at_most(0, "syncs"),
        at_most(
            _a_quarter,
            "bytes",
            "a quarter of the bytes of all gathered values in the dtype of `cache`, plus 1,024 bytes",
        ),
    ),
    target=10.0,
    cost=lambda size: Cost(reads=2 * _values(size) + 8 * _SEQUENCES * size, writes=4 * _values(size)),
    ways={"new tensor + copy": _fresh, "gather by token": _by_tokens},
    hints=items(
        """
        - A page is contiguous: the rows of `cache` are whole pages, and `pages.flatten()` is their index. `out.view(…)` is the
          same memory as `out` in the shape of pages. But `index_select(…, out=…)` doesn't convert. Where can gathered values
          stay until they are converted?
        - The memory limit excludes an intermediate tensor for all pages. A block for some of them fits, and if it is small enough,
          it stays in the processor's cache between the gather and the conversion. Allocate it once, before the loop.
        - With `n = max(1, pages.numel() // 8)` and `spare = cache.new_empty(n, size, d)`, loop over `part` in
          `pages.flatten().split(n)` and `rows` in `out.view(pages.numel(), size, d).split(n)` together. For each block, call
          `torch.index_select(cache, 0, part, out=spare[: len(part)])`, then `rows.copy_(spare[: len(part)])`, which converts.
          Try other divisors: large blocks need fewer calls, small ones stay in a faster cache.
        """
    ),
    mistakes=(
        Mistake(
            "`pages` holds page numbers, not token numbers: the first token of page p is row p · size of the list of all tokens.",
            lambda cache, pages, out: out.copy_(
                cache.flatten(0, 1)[pages[:, :, None] + torch.arange(cache.shape[1])].flatten(1, 2)
            ),
        ),
        Mistake(
            "The pages are mixed up: the first pages of all sequences come first, then the second ones.",
            lambda cache, pages, out: out.copy_(cache[pages.T].reshape(out.shape)),
        ),
        Mistake(
            "Each page is its first token, repeated: copy all tokens of the page.",
            lambda cache, pages, out: out.copy_(cache[pages, 0].repeat_interleave(cache.shape[1], dim=1)),
        ),
        Mistake(
            "The pages are in the order of the cache: use the order of the page table.",
            lambda cache, pages, out: out.copy_(cache[pages.sort(1).values].flatten(1, 2)),
        ),
    ),
)
