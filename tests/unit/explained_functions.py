"""Twenty functions as learners write them, each with the line that costs most and the reason, as a person judged.

A clock between the lines timed them, and the reasons follow from what the operations do. `explain` played no part in
either.
"""

import math

import numpy as np
import torch
from explained_case import Case
from torch import nn


def brighten(image, gain, offset):
    result = torch.zeros_like(image)
    for row in range(image.shape[0]):
        for column in range(image.shape[1]):
            result[row, column] = image[row, column] * gain + offset  # costliest of brighten
    return result


def join_chunks(chunks):
    log = torch.empty(0)
    for chunk in chunks:
        log = torch.cat([log, chunk])  # costliest of join_chunks
    return log


def mean_loss(losses):
    total = 0.0
    for loss in losses:
        total += loss.item()  # costliest of mean_loss
    return total / len(losses)


def count_finished(finished):
    count = 0
    for i in range(len(finished)):
        if finished[i]:  # costliest of count_finished
            count += 1
    return count


def make_table(readings):
    rows = []
    for reading in readings:
        rows.append(list(reading))
    return torch.tensor(rows)  # costliest of make_table


def to_decibels(power):
    levels = torch.tensor([10 * math.log10(value) for value in power.tolist()])  # costliest of to_decibels
    return levels - levels.max()


def add_to_groups(sums, values, labels):
    for i in range(len(values)):
        sums[labels[i]] += values[i]  # costliest of group_means


def group_means(values, labels, groups):
    sums = torch.zeros(groups)
    add_to_groups(sums, values, labels)
    counts = torch.bincount(labels, minlength=groups)
    return sums / counts


def best_matches(queries, keys):
    scores = queries @ keys.T  # costliest of best_matches
    return scores.argmax(dim=1)


def standardize(pixels, mean, deviation, gain, offset):
    scaled = (pixels - mean) / deviation * gain + offset  # costliest of standardize
    return scaled.clamp_(0.0, 1.0)


def place_on_canvas(patch):
    canvas = torch.zeros(4000, 4000)  # costliest of place_on_canvas
    canvas[: patch.shape[0], : patch.shape[1]] = patch
    return canvas


def response(voltage, gain):
    current = torch.tanh(torch.expm1(voltage))  # costliest of response
    return current.mul_(gain)


class CausalAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, 3 * width)

    def forward(self, x):
        steps, width = x.shape
        query, key, value = self.project(x).chunk(3, dim=-1)
        scores = query @ key.T / math.sqrt(width)
        past = torch.tensor([[j <= i for j in range(steps)] for i in range(steps)])  # costliest of causal_attention
        weights = scores.masked_fill(~past, -math.inf).softmax(dim=-1)
        return weights @ value


def training_step(model, optimizer, words, labels):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(words), labels)
    loss.backward()
    optimizer.step()  # costliest of training_step
    return loss.detach()


def predict_each(model, batch):
    outputs = []
    for sample in batch:
        outputs.append(model(sample))  # costliest of predict_each
    return torch.stack(outputs)


def loudest(recording, opening):
    samples = torch.tensor(np.array(recording.numpy()))  # costliest of loudest
    return samples[:opening].max()


def simulate_queue(steps):
    waiting = 0.0
    for step in range(steps):
        waiting = max(0.0, waiting * 0.97 + (step * 7919 % 13) / 6.0 - (step % 5) ** 0.5)  # costliest of simulate_queue
    return waiting


def mean_of_positive(readings):
    positive = readings[readings > 0]  # costliest of mean_of_positive
    return positive.mean()


def update_centers(points, centers):
    nearest = (points[:, None] - centers[None]).square().sum(dim=-1).argmin(dim=1)  # costliest of update_centers
    updated = []
    for k in range(len(centers)):
        updated.append(points[nearest == k].mean(dim=0))
    return torch.stack(updated)


def ten_best(scores):
    ordered = scores.sort(descending=True).values  # costliest of ten_best
    return ordered[:10]


def mix_tracks(left, right, out):
    torch.add(left, right, out=out)  # costliest of mix_tracks
    return out


def normal(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1))


def whole(below, *shape):
    return torch.randint(below, shape, generator=torch.Generator().manual_seed(2))


def embedding_training():
    model = nn.Sequential(nn.EmbeddingBag(40_000, 64), nn.Linear(64, 10))
    return model, torch.optim.Adam(model.parameters()), whole(40_000, 64, 20), whole(10, 64)


def small_network():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


def case(function, make_inputs, name=None, **reasons):
    return Case(name or function.__name__, __file__, function, make_inputs, reasons)


CASES = [
    case(
        brighten,
        lambda: (normal(30, 30), 1.5, 0.1),
        launches="each element costs five small operator calls",
    ),
    case(
        join_chunks,
        lambda: (list(normal(60, 16_384)),),
        traffic="each iteration copies all earlier chunks",
        allocation="each iteration allocates a new buffer for all chunks",
    ),
    case(
        mean_loss,
        lambda: (list(normal(4000)),),
        syncs="each iteration only reads one value",
    ),
    case(
        count_finished,
        lambda: (normal(3000) > 0,),
        syncs="each iteration waits for the value of its condition",
        launches="each iteration indexes one element, which is an operation",
    ),
    case(
        make_table,
        lambda: ([tuple(row) for row in normal(500, 100).tolist()],),
        python="each value is a Python object that PyTorch converts separately",
    ),
    case(
        to_decibels,
        lambda: (normal(20_000).abs() + 1e-3,),
        python="Python computes one value at a time",
    ),
    case(
        group_means,
        lambda: (normal(500), whole(20, 500), 20),
        launches="each value costs about six small operator calls",
    ),
    case(
        best_matches,
        lambda: (normal(512, 1024), normal(512, 1024)),
        limit="a matrix product runs at the processor's matmul peak",
        compute="below the peak, the multiplications take the time",
    ),
    case(
        standardize,
        lambda: (normal(2_000_000), 0.1, 1.2, 0.5, 0.5),
        traffic="four operations read and write the whole array four times",
        allocation="each of the four operations fills a new buffer",
    ),
    case(
        place_on_canvas,
        lambda: (normal(100, 100),),
        allocation="each call allocates 64 MB; a preallocated canvas would cost almost nothing",
    ),
    case(
        response,
        lambda: (normal(100_000).double(), 0.5),
        compute="two expensive functions per element of an array that stays in the cache",
    ),
    case(
        CausalAttention(32),
        lambda: (normal(128, 32),),
        name="causal_attention",
        python="each call builds the mask from single Python booleans",
    ),
    case(
        training_step,
        embedding_training,
        traffic="Adam reads and writes the whole table several times, although the batch uses a few rows",
        allocation="some of these operations fill new buffers as large as the table",
    ),
    case(
        predict_each,
        lambda: (small_network(), normal(100, 16)),
        launches="each sample repeats the network's operator calls",
    ),
    case(
        loudest,
        lambda: (normal(4_000_000), 1_000_000),
        traffic="the whole recording is copied twice, although only a part is read",
        allocation="both copies are new buffers",
    ),
    case(
        simulate_queue,
        lambda: (30_000,),
        python="Python arithmetic only",
    ),
    case(
        mean_of_positive,
        lambda: (normal(1_000_000),),
        traffic="a comparison, a count, an index of 8 bytes per element and a gather: many passes for one selection",
        compute="the processor decides for each element whether to keep it, and cannot predict the decision",
    ),
    case(
        update_centers,
        lambda: (normal(4000, 64), normal(20, 64)),
        traffic="all differences are written, read and squared before they are summed",
        allocation="differences and squares are new buffers, each twenty times the points",
    ),
    case(
        ten_best,
        lambda: (normal(200_000),),
        compute="a full sort compares all scores many times, although ten are enough",
    ),
    case(
        mix_tracks,
        lambda: (normal(8_000_000), normal(8_000_000), torch.empty(8_000_000)),
        limit="one operation reads two arrays and writes a preallocated one: nothing to gain",
    ),
]
