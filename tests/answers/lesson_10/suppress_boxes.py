"""Answers to suppress_boxes."""

import torch

from answers import AnswersTo
from course_utils.tasks.lesson_10_truly_sequential import task_5_suppress_boxes as boxes_task

answers = AnswersTo("suppress_boxes")
# The slow loop runs on Python numbers, so it has almost no operations to count. Its race can be too short for a decision.
answers.without("the slow loop itself")


@answers.right("all pairs, resolved in rounds")
def by_rounds(boxes, scores, threshold):
    return boxes_task.by_rounds(boxes, scores, threshold)


@answers.right("all pairs, resolved in Python")
def decided_in_python(boxes, scores, threshold):
    order = scores.argsort(descending=True, stable=True)
    left, top, right_, bottom = boxes[order].unbind(1)
    width = torch.minimum(right_[:, None], right_) - torch.maximum(left[:, None], left)
    height = torch.minimum(bottom[:, None], bottom) - torch.maximum(top[:, None], top)
    shared = width.clamp_(min=0).mul_(height.clamp_(min=0))
    area = (right_ - left) * (bottom - top)
    overlaps_too_much = (shared > threshold * (area[:, None] + area - shared)).tolist()
    kept = []
    for i in range(len(overlaps_too_much)):
        if not any(overlaps_too_much[j][i] for j in kept):
            kept.append(i)
    return order[torch.tensor(kept, dtype=torch.int64, device=order.device)]


@answers.wrong("sides not clamped to 0", "correct")
def sides_below_0(boxes, scores, threshold):
    def overlaps(boxes):
        sides = torch.minimum(boxes[:, None, 2:], boxes[:, 2:]) - torch.maximum(boxes[:, None, :2], boxes[:, :2])
        shared, areas = sides.prod(2), boxes_task._areas(boxes)
        return shared / (areas[:, None] + areas - shared)

    return boxes_task.by_rounds(boxes, scores, threshold, overlaps)


@answers.wrong("a mask instead of indices", "correct", says="dtype")
def a_mask(boxes, scores, threshold):
    mask = torch.zeros(len(scores), dtype=torch.bool)
    mask[by_rounds(boxes, scores, threshold)] = True
    return mask


@answers.wrong("a loop over boxes", "unlooped")
def box_by_box(boxes, scores, threshold):
    kept = []
    for i in scores.argsort(descending=True, stable=True).tolist():
        if not kept or not bool((_overlaps_of(boxes[i], boxes[kept]) > threshold).any()):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)


def _overlaps_of(box, others):
    shared = (torch.minimum(box[2:], others[:, 2:]) - torch.maximum(box[:2], others[:, :2])).clamp(min=0).prod(1)
    return shared / (boxes_task._areas(others) + (box[2:] - box[:2]).prod() - shared)


@answers.wrong("at most four rounds", "correct", says="a chain of 300 boxes")
def four_rounds(boxes, scores, threshold):
    order = scores.argsort(descending=True, stable=True)
    overlaps_too_much = (boxes_task._overlaps(boxes[order]) > threshold).triu(1)
    kept = torch.ones_like(order, dtype=torch.bool)
    for _ in range(4):
        kept = ~(overlaps_too_much & kept[:, None]).any(0)
    return order[kept]


answers.wrong("rounded coordinates", "correct", says="between it and 0.3")(lambda b, s, t: by_rounds(b.round(), s, t))


@answers.wrong("coordinates clamped to at least 0", "correct", says="negative")
def clipped(boxes, scores, threshold):
    return by_rounds(boxes.clamp(min=0), scores, threshold)


@answers.wrong("the best 1,000 boxes only", "correct", says="the worst box in another")
def best_thousand(boxes, scores, threshold):
    best = scores.argsort(descending=True, stable=True)[:1000]
    return best[by_rounds(boxes[best], scores[best], threshold)]


@answers.wrong("a default instead of a threshold of 0", "correct", says="a threshold of 0")
def default_threshold(boxes, scores, threshold):
    return by_rounds(boxes, scores, threshold or 0.5)


@answers.wrong("a threshold below 1", "correct", says="a threshold of 1")
def threshold_below_1(boxes, scores, threshold):
    return by_rounds(boxes, scores, min(threshold, 0.999))


@answers.wrong("uint8 counts", "correct", says="256 kept boxes")
def counts_of_8_bits(boxes, scores, threshold):
    order = scores.argsort(descending=True, stable=True)
    overlaps_too_much = (boxes_task._overlaps(boxes[order]) > threshold).triu(1).to(torch.uint8)
    kept, before = torch.ones_like(order, dtype=torch.uint8), None
    while before is None or not torch.equal(kept, before):
        before, kept = kept, ((overlaps_too_much * kept[:, None]).sum(0, dtype=torch.uint8) == 0).to(torch.uint8)
    return order[kept.bool()]


@answers.wrong("ties resolved by a small share of the index", "correct", says="different magnitudes")
def index_in_the_score(boxes, scores, threshold):
    return by_rounds(boxes, scores.double() - 1e-12 * torch.arange(len(scores), device=scores.device), threshold)


@answers.wrong("a small number added to the union", "correct", says="sides of 2⁻²⁷")
def with_a_small_number(boxes, scores, threshold):
    added = torch.finfo(boxes.dtype).eps
    order = scores.argsort(descending=True, stable=True)
    suppresses = (_overlaps_of_all(boxes[order], added) > threshold).triu(1)
    keep = torch.ones_like(order, dtype=torch.bool)
    while not torch.equal(keep, kept := ~(suppresses & keep[:, None]).any(0)):
        keep = kept
    return order[keep]


def _overlaps_of_all(boxes, added):
    sides = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - torch.maximum(
        boxes[:, None, :2], boxes[None, :, :2]
    )
    shared, areas = sides.clamp(min=0).prod(2), (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return shared / (areas[:, None] + areas - shared + added)


answers.wrong("a threshold rounded to two digits", "correct", says="between it and 0.3")(
    lambda boxes, scores, threshold: by_rounds(boxes, scores, round(threshold, 2))
)
