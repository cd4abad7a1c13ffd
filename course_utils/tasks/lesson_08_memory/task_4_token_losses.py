"""The loss of every token of a language model, without the full matrix of scores."""

from __future__ import annotations

import torch
from torch.nn import functional

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal

_WORDS, _FEATURES = 16, 2  # Vocabulary words and features per token.


def token_losses_slow(hidden, weight, targets):
    """Return the cross entropy of each token: log-sum-exp of all scores minus the score of the target word."""
    losses = []
    for state, target in zip(hidden, targets):
        scores = weight @ state
        losses.append(torch.logsumexp(scores, 0) - scores[target])
    return torch.stack(losses)


def _at_once(hidden, weight, targets):
    return functional.cross_entropy(hidden @ weight.T, targets, reduction="none")


def _token_chunks(hidden, weight, targets, tokens=32):
    parts = zip(hidden.split(tokens), targets.split(tokens))
    return torch.cat([_at_once(part, weight, target) for part, target in parts])


def _vocabulary_chunks(hidden, weight, targets, words=512):
    """Return the losses from parts of the vocabulary, with a running maximum and a running sum relative to it."""
    top = hidden.new_full((len(hidden),), -torch.inf)
    total = hidden.new_zeros(len(hidden))
    for part in weight.split(words):
        scores = hidden @ part.T
        higher = torch.maximum(top, scores.amax(1))
        total.mul_((top - higher).exp_()).add_(scores.sub_(higher[:, None]).exp_().sum(1))
        top = higher
    return total.log_().add_(top).sub_((hidden * weight[targets]).sum(1))


def _inputs(generator, tokens, words, features, scale=1.0):
    weight = normal(generator, words, features, scale=scale / features**0.5)
    return normal(generator, tokens, features), weight, integers(generator, 0, words, tokens)


def _with_scores(scores):
    """Return tokens of one feature, so that each word's score is its weight."""
    return torch.ones(4, 1), scores[:, None], torch.tensor([0, len(scores) - 1, 7, 7])


def _with_a_large_last_word(generator):
    """Return scores of which blocks of 2ⁿ words leave one, which is the largest one for about half of the tokens."""
    hidden, weight, targets = _inputs(generator, 7, 98_305, 2)
    weight[-1] *= 20
    return hidden, weight, targets


def _of_all_magnitudes(generator):
    hidden, weight, targets = _inputs(generator, 40, 3, 2)
    weight[1] = -weight[0]  # A token's largest score is never below 0; one of the worst cases has only scores below 0.
    return hidden * torch.logspace(-3, 3, 40)[:, None], weight, targets


TASK = Task(
    id="token_losses",
    title="Token losses without the score matrix",
    points=4,
    level=3,
    slow=token_losses_slow,
    inputs=lambda size, generator: _inputs(generator, size, _WORDS * size, _FEATURES * size),
    dtypes={"hidden, weight": ("float64",)},
    edge_cases=(
        Case("a single token", lambda g: _inputs(g, 1, 9, 4)),
        # The loss is exactly 0, in every order of adding, because sums of integers have no roundings.
        Case(
            "a vocabulary of one word",
            lambda g: (*(integers(g, -3, 4, rows, 2, dtype=torch.float32) for rows in (3, 1)), integers(g, 0, 1, 3)),
        ),
        Case("more tokens than words, with scores of all magnitudes", _of_all_magnitudes),
        # The scale is so large that each token has a score whose exp is infinite.
        Case("scores in the hundreds and thousands", lambda g: _inputs(g, 5, 20, 4, scale=900.0)),
        Case("prime numbers of tokens and words", lambda g: _inputs(g, 61, 127, 4)),
        Case(
            "transposed states and weights",
            lambda g: (normal(g, 5, 5).T, normal(g, 5, 5).T, integers(g, 0, 5, 5)),
        ),
    ),
    worst=(
        # A maximum that starts at 0 instead of −∞ makes every exp 0.
        Case("scores that are all near −900", lambda g: _with_scores(normal(g, 30) - 900)),
        Case("98,305 words, more than int16 can count, with the largest scores last", _with_a_large_last_word),
        Case("4,097 tokens", lambda g: _inputs(g, 4097, 3, 2)),
        Case("600 features", lambda g: _inputs(g, 5, 6, 600)),
        Case("scores that rise from word to word", lambda _: _with_scores(torch.linspace(-400, 400, 2000))),
    ),
    sizes=(1, 2, 5, 17),
    count_sizes=(16, 64),
    race_size=128,
    story=prose(
        """
        A language model scores every word of its vocabulary for every token of a text. The loss of a token is the
        logarithm of the sum of `exp` over all its scores, minus the score of the actual word. A vocabulary can have more
        than 100,000 words, so the score matrix can be the largest tensor of the whole training step. Write
        `token_losses(hidden, weight, targets)`, which never holds the full matrix. Then see how close to the limit you
        can get; the limit is the least time of the matrix product.
        """
    ),
    rules=prose(
        """
        - `hidden` has shape (tokens, features), and `weight` has shape (words, features): a word's score is the dot
          product of its row with the token's row. `targets` holds the int64 index of the actual word of
          each token. There is
          at least one token, one word and one feature.
        - `hidden` and `weight` are finite, both float32 or both float64, and the result, one loss per token, has their dtype. Scores can be in the thousands, so their `exp` can overflow.
        - A loop over chunks is fine. No gradient is needed.
        - The card shows your share of the limit.
        """
    ),
    limits=(
        at_most(120, "ops"),
        at_most(
            lambda hidden, weight, targets: 2 * len(hidden) * len(weight) + 16384,
            "peak bytes",
            "2 bytes per token and word plus 16,384 bytes",
        ),
        at_most(0, "syncs"),
    ),
    target=2.0,
    cost=lambda size: Cost(
        reads=4 * _FEATURES * size * (size + _WORDS * size) + 8 * size,
        writes=4 * size,
        flops=2 * _WORDS * _FEATURES * size**3,
        launches=1,
    ),
    ways={"token chunks": _token_chunks, "vocabulary chunks": _vocabulary_chunks},
    hints=items(
        """
        - The tokens are independent. A few tokens at a time, with all words, are enough, and each token leaves one
          value.
        - `torch.nn.functional.cross_entropy(part @ weight.T, target, reduction="none")` is correct for a chunk of
          tokens. How large may a chunk be if `cross_entropy` allocates a second matrix of the scores' size?
        - To get closer to the limit, use fewer and larger products and fewer passes over the scores. In one
          preallocated buffer (`torch.mm(…, out=…)`), subtract the row's maximum, then apply `exp_`, sum and log. Or
          process a chunk of *words* at a time: keep a running maximum and a running sum, and if the maximum rises by d,
          multiply the sum by exp(−d).
        """
    ),
    mistakes=(
        Mistake("This is the mean loss: return one loss per token.", lambda h, w, t: _at_once(h, w, t).mean()),
        Mistake(
            "The score of the target word was not subtracted: subtract it.", lambda h, w, t: torch.logsumexp(h @ w.T, 1)
        ),
        Mistake("The sign is wrong: a loss is never negative.", lambda h, w, t: -_at_once(h, w, t)),
        Mistake(
            "`exp` of a score far from 0 is infinite or 0: subtract the row's maximum first, and add it back to the logarithm.",
            lambda h, w, t: (h @ w.T).exp().sum(1).log() - (h * w[t]).sum(1),
        ),
    ),
)
