"""Answers to right_in_top."""

from answers import AnswersTo

answers = AnswersTo("right_in_top")


@answers.right("by the number of larger scores")
def by_rank(scores, labels, k):
    own = scores.gather(1, labels[:, None])
    return ((scores > own).sum(1) < k).sum()


@answers.wrong("rows read one by one", "unlooped", says=".tolist()")
def one_by_one(scores, labels, k):
    top = scores.topk(k, 1).indices
    return labels.new_tensor(sum(label.item() in row.tolist() for row, label in zip(top, labels)))


@answers.wrong("scores of half precision", "correct", says="last bit")
def half_precision(scores, labels, k):
    return by_rank(scores.half(), labels, k)
