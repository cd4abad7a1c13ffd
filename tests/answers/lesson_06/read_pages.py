"""Answers to read_pages."""

import torch

from answers import AnswersTo

answers = AnswersTo("read_pages")
answers.exception("nothing returned", "correct", says="Nothing was written into out")


@answers.right("page by page")
def pages_as_rows(cache, pages, out):
    torch.index_select(cache, 0, pages.flatten(), out=out.view(pages.numel(), *cache.shape[1:]))


@answers.right("token by token")
def tokens_as_rows(cache, pages, out):
    size, features = cache.shape[1:]
    tokens = (pages[:, :, None] * size + torch.arange(size, device=pages.device)).flatten()
    torch.index_select(cache.flatten(0, 1), 0, tokens, out=out.view(-1, features))


@answers.right("sequence by sequence")
def one_sequence_at_a_time(cache, pages, out):
    for numbers, place in zip(pages, out):
        torch.index_select(cache, 0, numbers, out=place.view(len(numbers), *cache.shape[1:]))


@answers.wrong("out itself, which takes another shape", "correct", says="pass a view of `out`")
def out_itself(cache, pages, out):
    torch.index_select(cache, 0, pages.flatten(), out=out)


@answers.wrong("a tensor of its own", "correct", says="Nothing was written into out")
def returned(cache, pages, out):
    return cache[pages].flatten(1, 2)


@answers.wrong("added to what was there", "correct")
def added(cache, pages, out):
    out += cache[pages].flatten(1, 2)


@answers.wrong("fresh memory, then copied", "unlooped", says="intermediate tensors")
def fresh(cache, pages, out):
    out.copy_(cache[pages].flatten(1, 2))


@answers.wrong("a loop over pages", "unlooped", says="grows with the input")
def page_by_page(cache, pages, out):
    size = cache.shape[1]
    for k in range(pages.shape[1]):
        torch.index_select(cache, 0, pages[:, k], out=out[:, k * size : (k + 1) * size])
