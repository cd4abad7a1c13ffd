"""The loss of every token of a language model, without ever holding the matrix of all its scores."""

from __future__ import annotations

import torch
from torch.nn import functional

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, normal
from course_utils.tasks.unwrap import items, prose

_WORDS, _FEATURES = 16, 2  # words of the vocabulary and features, for each token


def token_losses_slow(hidden, weight, targets):
    """The cross entropy of each token: the log of the sum of exp of all scores, less the score of the right word."""
    losses = []
    for state, target in zip(hidden, targets):
        scores = weight @ state
        losses.append(torch.logsumexp(scores, 0) - scores[target])
    return torch.stack(losses)


def _at_once(hidden, weight, targets):
    return functional.cross_entropy(hidden @ weight.T, targets, reduction="none")


def _some_tokens(hidden, weight, targets, tokens=32):
    parts = zip(hidden.split(tokens), targets.split(tokens))
    return torch.cat([_at_once(part, weight, wanted) for part, wanted in parts])


def _some_words(hidden, weight, targets, words=512):
    """A part of the vocabulary at a time, with a running maximum and a running sum below it."""
    top = hidden.new_full((len(hidden),), -torch.inf)
    total = hidden.new_zeros(len(hidden))
    for part in weight.split(words):
        scores = hidden @ part.T
        higher = torch.maximum(top, scores.amax(1))
        total.mul_((top - higher).exp_()).add_(scores.sub_(higher[:, None]).exp_().sum(1))
        top = higher
    return total.log_().add_(top).sub_((hidden * weight[targets]).sum(1))


def _inputs(generator, tokens, words, features, dtype=torch.float32, scale=1.0):
    weight = normal(generator, words, features, dtype=dtype, scale=scale / features**0.5)
    return normal(generator, tokens, features, dtype=dtype), weight, integers(generator, 0, words, tokens)


TASK = Task(
    id="token_losses",
    title="The losses of all tokens, without their scores",
    points=4,
    level=3,
    slow=token_losses_slow,
    inputs=lambda size, generator: _inputs(generator, size, _WORDS * size, _FEATURES * size),
    edge_cases=(
        Case("a single token", lambda g: _inputs(g, 1, 9, 4)),
        Case("a vocabulary of one word", lambda g: _inputs(g, 3, 1, 2)),
        Case("more tokens than words", lambda g: _inputs(g, 40, 3, 2)),
        # So large that each token has one of which exp is infinite, however short its state was drawn.
        Case("scores in the hundreds", lambda g: _inputs(g, 5, 20, 4, scale=900.0)),
        Case("float64 values", lambda g: _inputs(g, 4, 10, 3, dtype=torch.float64)),
        Case(
            "states and weights turned on their side",
            lambda g: (normal(g, 3, 5).T, normal(g, 3, 8).T, integers(g, 0, 8, 5)),
        ),
    ),
    sizes=(1, 2, 5, 17),
    count_sizes=(16, 64),
    race_size=128,
    story=prose(
        """
        A language model gives every word of its vocabulary a score, for every token of the text. The loss of a token is the
        logarithm of the sum of `exp` of all its scores, less the score of the word that came. For the vocabularies of today,
        100,000 words and more, the matrix of scores is the largest tensor of the whole training step. Write
        `token_losses(hidden, weight, targets)`, which never has all of it. Then see how near to the limit you can come: it is that
        of the product.
        """
    ),
    rules=prose(
        """
        - `hidden` has the shape (tokens, features), `weight` (words, features): the score of a word is the product of its row with
        the token's. `targets` holds the index of the right word of each token. There is at least one of each.
        - The result has one loss a token. Scores may be in the hundreds, so that `exp` of them is infinite.
        - At no time may more be alive than half of the matrix of scores would take, 2 bytes · tokens · words, and 8 KB.
        - A loop over parts is fine: at most 200 tensor operations, whatever the size. No gradient is asked for.
        - The card shows the share of the limit that you reach.
        """
    ),
    limits=(
        at_most(200, "ops"),
        at_most(
            lambda hidden, weight, targets: 2 * len(hidden) * len(weight) + 8192,
            "peak bytes",
            "2 bytes per token and word, and 8,192 bytes",
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
    ways={"some tokens at a time": _some_tokens, "some words at a time": _some_words},
    hints=items(
        """
        - The tokens do not need each other. So a few of them at a time are enough, with all words; what remains of each is one
          number.
        - `torch.nn.functional.cross_entropy(part @ weight.T, wanted, reduction="none")` is right for a part of the tokens. How
          large may a part be, if `cross_entropy` makes a second matrix beside the scores?
        - Then for the limit: fewer and larger products are nearer to it, and so is a pass less over the scores. In one kept
          buffer (`torch.mm(…, out=…)`) take off the row's maximum, `exp_`, sum, log. Or a part of the *words* at a time: keep a
          running maximum and a running sum, and when the maximum rises by d, multiply the sum by exp(−d).
        """
    ),
    mistakes=(
        Mistake("This is the mean loss: one for each token is wanted.", lambda h, w, t: _at_once(h, w, t).mean()),
        Mistake("The score of the right word is not taken off.", lambda h, w, t: torch.logsumexp(h @ w.T, 1)),
        Mistake("The sign is turned: a loss is never below 0.", lambda h, w, t: -_at_once(h, w, t)),
        Mistake(
            "exp of a large score is infinite: take off the row's maximum first, and add it to the logarithm.",
            lambda h, w, t: (h @ w.T).exp().sum(1).log() - (h * w[t]).sum(1),
        ),
    ),
)
