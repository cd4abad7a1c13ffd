"""Answers to right_in_top."""

import torch

from answers import AnswersTo

answers = AnswersTo("right_in_top")


@answers.right("the number of larger scores")
def by_rank(scores, labels, k):
    own = scores.gather(1, labels[:, None])
    return ((scores > own).sum(1) < k).sum()


@answers.wrong("tolist() for each row", "unlooped", says=".tolist()")
def one_by_one(scores, labels, k):
    top = scores.topk(k, 1).indices
    return labels.new_tensor(sum(label.item() in row.tolist() for row, label in zip(top, labels)))


@answers.wrong("float16 scores", "correct", says="last bit")
def half_precision(scores, labels, k):
    return by_rank(scores.half(), labels, k)


@answers.right("a one-hot mask")
def one_hot(scores, labels, k):
    hot = torch.nn.functional.one_hot(labels, scores.shape[1]).bool()
    own = scores.masked_fill(~hot, -torch.inf).amax(1, keepdim=True)
    return ((scores > own).sum(1) < k).sum()


@answers.wrong("a loop over k columns", "unlooped")
def loop_over_the_best(scores, labels, k):
    best = scores.topk(k, 1).indices
    hits = torch.zeros_like(labels, dtype=torch.bool)
    for column in range(k):
        hits |= best[:, column] == labels
    return hits.sum()


@answers.wrong("softmax, which is 0 for low scores", "correct", says="hundreds")
def probabilities(scores, labels, k):
    return by_rank(scores.softmax(1), labels, k)


@answers.wrong("float32 scores", "correct", says="float64")
def single_precision(scores, labels, k):
    return by_rank(scores.float(), labels, k)


@answers.right("a threshold for each row")
def by_threshold(scores, labels, k):
    return (scores.gather(1, labels[:, None]) >= scores.topk(k, 1).values[:, -1:]).sum()


answers.wrong("a uint8 count", "correct", says="5,001 rows")(
    lambda scores, labels, k: (scores.topk(k, 1).indices == labels[:, None]).sum(dtype=torch.uint8).long()
)


@answers.wrong("topk of float32 scores", "correct", says="float64")
def columns_in_single_precision(scores, labels, k):
    return (scores.float().topk(k, 1).indices == labels[:, None]).sum()


@answers.wrong("uint8 labels", "correct")
def labels_in_eight_bits(scores, labels, k):
    return by_rank(scores, labels.byte().long(), k)


@answers.wrong("a loop over the classes", "unlooped", says="grows with the input")
def class_by_class(scores, labels, k):
    own = scores.gather(1, labels[:, None])[:, 0]
    return (torch.stack([column > own for column in scores.T]).sum(0) < k).sum()


@answers.wrong("own scores by one-hot products", "correct", says="infinite scores")
def one_hot_products(scores, labels, k):
    own = (scores * torch.nn.functional.one_hot(labels, scores.shape[1])).sum(1, keepdim=True)
    return ((scores > own).sum(1) < k).sum()


answers.wrong("scores that are larger by more than 1e-15", "correct", says="last bit")(
    lambda scores, labels, k: ((scores - scores.gather(1, labels[:, None]) > 1e-15).sum(1) < k).sum()
)
answers.wrong("at most 1,024 columns", "correct", says="5,000 scores in each row")(
    lambda scores, labels, k: by_rank(scores[:, :1024], labels.clamp(max=min(1024, scores.shape[1]) - 1), k)
)


@answers.wrong("the largest scores of all rows", "correct", says="also occur in other rows")
def among_all_rows(scores, labels, k):
    own = scores.gather(1, labels[:, None])
    return torch.isin(own, scores.topk(k).values).sum()
