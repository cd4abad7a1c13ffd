"""Answers to token_losses."""

import torch
from torch.nn import functional

from answers import AnswersTo

answers = AnswersTo("token_losses")


def _loss(hidden, weight, targets):
    return functional.cross_entropy(hidden @ weight.T, targets, reduction="none")


def _tokens(hidden, parts):
    return max(1, len(hidden) // parts)


@answers.right("cross_entropy on chunks of tokens")
def some_tokens(hidden, weight, targets):
    parts = zip(hidden.split(_tokens(hidden, 6)), targets.split(_tokens(hidden, 6)))
    return torch.cat([_loss(part, weight, wanted) for part, wanted in parts])


@answers.right("eight tokens at a time")
def eight_tokens(hidden, weight, targets):
    losses = []
    for part, wanted in zip(hidden.split(8), targets.split(8)):
        scores = part @ weight.T
        losses.append(scores.logsumexp(1) - scores.gather(1, wanted[:, None])[:, 0])
    return torch.cat(losses)


@answers.right("chunks of tokens in one preallocated buffer")
def one_buffer(hidden, weight, targets):
    tokens = _tokens(hidden, 3)
    scores = hidden.new_empty(tokens, len(weight))
    losses = hidden.new_empty(len(hidden))
    for start in range(0, len(hidden), tokens):
        part, wanted = hidden[start : start + tokens], targets[start : start + tokens, None]
        buffer = scores[: len(part)]
        torch.mm(part, weight.T, out=buffer)
        highest = buffer.amax(1, keepdim=True)
        right_word = buffer.gather(1, wanted).sub_(highest)
        total = buffer.sub_(highest).exp_().sum(1)
        torch.sub(total.log_(), right_word[:, 0], out=losses[start : start + tokens])
    return losses


@answers.right("chunks of words with a running maximum")
def some_words(hidden, weight, targets, least=-torch.inf):
    top = hidden.new_full((len(hidden),), least)
    total = hidden.new_zeros(len(hidden))
    for part in weight.split(max(1, len(weight) // 4)):
        scores = hidden @ part.T
        higher = torch.maximum(top, scores.amax(1))
        total = total * (top - higher).exp() + scores.sub_(higher[:, None]).exp_().sum(1)
        top = higher
        del scores
    right_word = torch.cat([(h * weight[t]).sum(1) for h, t in zip(hidden.split(8), targets.split(8))])
    return total.log() + top - right_word


answers.wrong("all scores", "unlooped", says="are alive at one time")(_loss)


@answers.wrong("all scores, changed in place", "unlooped", says="are alive at one time")
def at_once_in_place(hidden, weight, targets):
    scores = hidden @ weight.T
    scores.sub_(scores.gather(1, targets[:, None]))
    highest = scores.amax(1)
    return scores.sub_(highest[:, None]).exp_().sum(1).log_() + highest


@answers.wrong("a list of all parts' scores", "unlooped", says="a name, a list")
def list_of_scores(hidden, weight, targets):
    scores = [part @ weight.T for part in hidden.split(_tokens(hidden, 8))]
    parts = zip(scores, targets.split(_tokens(hidden, 8)))
    return torch.cat([functional.cross_entropy(part, wanted, reduction="none") for part, wanted in parts])


@answers.wrong("drops the words of the last, shorter chunk", "correct", says="prime numbers")
def without_the_words_left_over(hidden, weight, targets):
    words = max(1, len(weight) // 8)
    parts = [(hidden @ part.T).logsumexp(1) for part in weight.split(words) if len(part) == words]
    return torch.stack(parts).logsumexp(0) - (hidden * weight[targets]).sum(1)


@answers.wrong("a loop over tokens", "unlooped", says="the number grows with the input")
def token_by_token(hidden, weight, targets):
    return torch.cat([_loss(part, weight, wanted) for part, wanted in zip(hidden.split(1), targets.split(1))])


@answers.wrong("a maximum clamped to at least 0", "correct", says="infinite or 0")
def maximum_above_0(hidden, weight, targets):
    def loss(part, wanted):
        scores = part @ weight.T
        top = scores.amax(1).clamp(min=0)
        return (scores - top[:, None]).exp().sum(1).log() + top - scores.gather(1, wanted[:, None])[:, 0]

    parts = zip(hidden.split(_tokens(hidden, 8)), targets.split(_tokens(hidden, 8)))
    return torch.cat([loss(part, wanted) for part, wanted in parts])


answers.wrong("one maximum for all tokens", "correct", says="of all magnitudes")(
    lambda h, w, t: ((s := h @ w.T) - s.amax()).exp().sum(1).log() + s.amax() - s.gather(1, t[:, None])[:, 0]
)


answers.wrong("a running maximum that starts at -320", "correct", says="near −900")(
    lambda hidden, weight, targets: some_words(hidden, weight, targets, -320.0)
)


@answers.wrong("the first 65,536 words only", "correct", says="98,305 words")
def of_65536_words(hidden, weight, targets):
    return eight_tokens(hidden, weight[: 2**16], targets.clamp(max=2**16 - 1))


@answers.wrong("the number of blocks plus 0.999, rounded down", "correct", says="the largest scores last")
def rounded_blocks(hidden, weight, targets):
    words = min(2048, -(-len(weight) // 8))
    total = hidden.new_full((len(hidden),), -torch.inf)
    for start in range(0, words * int(len(weight) / words + 0.999), words):
        total = torch.logaddexp(total, (hidden @ weight[start : start + words].T).logsumexp(1))
    return total - (hidden * weight[targets]).sum(1)
