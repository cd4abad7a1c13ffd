"""Answers to every_kth_loss."""

import torch

from answers import AnswersTo

answers = AnswersTo("every_kth_loss")

answers.right("stack, then a slice")(lambda losses, k: torch.stack(losses).detach()[::k].clone())


@answers.wrong("item() for each loss", "unlooped", says=".item()")
def by_item(losses, k):
    return torch.tensor([loss.item() for loss in losses[::k]], dtype=losses[0].dtype, device=losses[0].device)


@answers.wrong("torch.tensor of tensors", "correct", says="Python waits for the value of each")
def by_torch_tensor(losses, k):
    return torch.tensor(losses[::k], dtype=losses[0].dtype)


answers.wrong("not detached", "correct", says="still requires a gradient")(lambda losses, k: torch.stack(losses[::k]))
answers.wrong("copied to the host", "correct", says="copies a tensor to the host")(
    lambda losses, k: torch.stack(losses[::k]).detach().cpu()
)
answers.right("hstack, which makes a view of each")(lambda losses, k: torch.hstack(losses[::k]).detach())
