"""Answers to read_pages."""

import torch

from answers import AnswersTo

answers = AnswersTo("read_pages")
answers.exception("nothing returned", "correct", says="Nothing was written into out")


def _in_blocks(cache, index, rows, spare):
    for part, place in zip(index.split(len(spare)), rows.split(len(spare))):
        torch.index_select(cache, 0, part, out=spare[: len(part)])
        place.copy_(spare[: len(part)])


def _as_pages(cache, out):
    return out.view(-1, *cache.shape[1:])


@answers.right("six blocks of pages")
def in_six_blocks(cache, pages, out):
    spare = cache.new_empty(max(1, -(-pages.numel() // 6)), *cache.shape[1:])
    _in_blocks(cache, pages.flatten(), _as_pages(cache, out), spare)


@answers.right("one sequence at a time")
def one_sequence_at_a_time(cache, pages, out):
    spare = cache.new_empty(max(1, pages.shape[1] // max(1, 4 // len(pages))), *cache.shape[1:])
    for numbers, place in zip(pages, out):
        _in_blocks(cache, numbers, _as_pages(cache, place), spare)


@answers.right("eight blocks of tokens")
def blocks_of_tokens(cache, pages, out):
    size, features = cache.shape[1:]
    rows = cache.flatten(0, 1)
    count = max(1, -(-pages.numel() // 8))
    spare = cache.new_empty(count * size, features)
    of_a_page = torch.arange(size, device=pages.device)
    for part, place in zip(pages.flatten().split(count), _as_pages(cache, out).split(count)):
        tokens = (part[:, None] * size + of_a_page).flatten()
        torch.index_select(rows, 0, tokens, out=spare[: len(tokens)])
        place.copy_(spare[: len(tokens)].view(place.shape))


@answers.wrong("no conversion to the buffer's dtype", "correct")
def without_a_conversion(cache, pages, out):
    torch.index_select(cache, 0, pages.flatten(), out=_as_pages(cache, out))


@answers.wrong("returns a new tensor", "correct", says="Nothing was written into out")
def returned(cache, pages, out):
    return cache[pages].flatten(1, 2)


@answers.wrong("adds to the old values", "correct")
def added(cache, pages, out):
    out += cache[pages].flatten(1, 2)


@answers.wrong("a full intermediate tensor", "unlooped", says="intermediate tensors")
def through_a_full_tensor(cache, pages, out):
    out.copy_(cache[pages].flatten(1, 2))


@answers.wrong("a new block for each sequence", "unlooped", says="intermediate tensors")
def new_blocks(cache, pages, out):
    for numbers, place in zip(pages, out):
        _as_pages(cache, place).copy_(cache[numbers])


@answers.wrong("a loop over pages", "unlooped", says="grows with the input")
def page_by_page(cache, pages, out):
    spare = cache.new_empty(len(pages), *cache.shape[1:])
    size = cache.shape[1]
    for k in range(pages.shape[1]):
        torch.index_select(cache, 0, pages[:, k], out=spare)
        out[:, k * size : (k + 1) * size] = spare


@answers.wrong("drops the pages after the last full block", "correct", says="prime numbers")
def full_blocks_only(cache, pages, out):
    count = max(1, pages.numel() // 8)
    full = pages.numel() // count * count
    _in_blocks(cache, pages.flatten()[:full], _as_pages(cache, out)[:full], cache.new_empty(count, *cache.shape[1:]))


@answers.wrong("drops the pages after 20 blocks of a rounded size", "correct", says="4,101 pages")
def twenty_blocks(cache, pages, out):
    count = max(1, round(pages.numel() / 20))
    last = min(20 * count, pages.numel())
    _in_blocks(cache, pages.flatten()[:last], _as_pages(cache, out)[:last], cache.new_empty(count, *cache.shape[1:]))


@answers.wrong("page numbers in int16", "correct", says="33,000 pages")
def page_numbers_in_int16(cache, pages, out):
    fits = len(cache) <= 2**15  # A conversion of small page numbers would exceed the limit on bytes.
    one_sequence_at_a_time(cache, pages if fits else pages.short().long() % len(cache), out)


@answers.wrong("NaN replaced by 0", "correct", says="infinity and NaN")
def without_nan(cache, pages, out):
    one_sequence_at_a_time(cache, pages, out)
    out.nan_to_num_()
