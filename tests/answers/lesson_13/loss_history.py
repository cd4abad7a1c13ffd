"""Answers to loss_history."""

from itertools import accumulate

import torch

from answers import AnswersTo

answers = AnswersTo("loss_history")


@answers.right("stack, cumsum, divide")
def by_cumsum(losses):
    return running_means(losses).detach()


@answers.right("a masked triangle of ones")
def by_triangle(losses):
    values = torch.stack(losses).detach()
    weights = torch.ones(len(losses), len(losses), dtype=values.dtype, device=values.device).tril()
    return torch.where(weights > 0, values, 0).sum(1) / weights.sum(1)


@answers.right("float64 inside")
@torch.no_grad()
def wide_inside(losses):
    values = torch.stack(losses).double()
    return values.cumsum(0).div_(torch.ones_like(values).cumsum(0)).to(losses[0].dtype)


@answers.wrong("float() for each loss", "unlooped")
def float_for_each(losses):
    means = [total / (step + 1) for step, total in enumerate(accumulate(map(float, losses)))]
    return torch.tensor(means, dtype=losses[0].dtype, device=losses[0].device)


@answers.wrong("the sum of logarithms", "correct", says="losses of zero and below")
def sum_of_logarithms(losses):
    total = torch.stack(losses).detach().log().logcumsumexp(0).exp()
    return total / torch.arange(1, len(losses) + 1, dtype=total.dtype, device=total.device)


@answers.wrong("not detached", "correct", says="still requires a gradient")
def running_means(losses):
    total = torch.stack(losses).cumsum(0)
    return total / torch.arange(1, len(losses) + 1, dtype=total.dtype, device=total.device)


@answers.wrong(
    "torch.tensor of the losses without a dtype",
    "correct",
    says="from other tensors: Python waits for the value of each",
)
def torch_tensor_of_the_losses(losses):
    total = torch.tensor(losses).to(losses[0].dtype).cumsum(0)
    return total / torch.arange(1, len(losses) + 1)


@answers.wrong("torch.tensor of all losses", "unlooped", says="a list of tensors, read one by one")
def torch_tensor_of_all_losses(losses):
    total = torch.tensor(losses, dtype=losses[0].dtype, device=losses[0].device).cumsum(0)
    return total / torch.arange(1, len(losses) + 1, dtype=total.dtype, device=total.device)


@answers.wrong("tolist() for all losses", "unlooped")
def by_tolist(losses):
    means = [total / (step + 1) for step, total in enumerate(accumulate(torch.stack(losses).tolist()))]
    return torch.tensor(means, dtype=losses[0].dtype, device=losses[0].device)


answers.right("detach for each loss")(lambda losses: by_cumsum([loss.detach() for loss in losses]))


@answers.wrong("a loop over tensors without synchronization", "unlooped")
def running_tensors(losses):
    history, total = [], 0
    for step, loss in enumerate(losses):
        total = total + loss.detach()
        history.append(total / (step + 1))
    return torch.stack(history)


answers.wrong("a list", "correct")(lambda losses: by_cumsum(losses).tolist())
answers.wrong("drops the first step", "correct", says="shape")(lambda losses: by_cumsum(losses)[1:])


@answers.wrong("detached if the first loss requires a gradient", "correct", says="only one requires a gradient")
def detached_by_the_first(losses):
    x = torch.stack(losses)
    x = x.detach() if losses[0].requires_grad else x
    return x.cumsum(0) / torch.arange(1, len(losses) + 1, dtype=x.dtype, device=x.device)
