"""Answers to opened_with."""

import torch

from answers import AnswersTo

answers = AnswersTo("opened_with")

answers.right("an extra first row")(lambda start, paid: torch.cat([start[None], paid]).cumsum(0)[1:])
answers.wrong("float32 sums", "correct", says="float64")(
    lambda start, paid: (start.float() + paid.float().cumsum(0)).to(paid.dtype)
)
answers.wrong("a product with a triangle of ones", "correct", says="an infinite payment")(
    lambda start, paid: start + torch.ones(len(paid), len(paid), dtype=paid.dtype, device=paid.device).tril() @ paid
)


@answers.wrong("balances below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(start, paid):
    balance = start + paid.cumsum(0)
    return torch.where(balance.abs() < 1e-6, 0, balance)


@answers.wrong("a loop over the accounts", "unlooped", says="grows with the input")
def account_by_account(start, paid):
    with_start = torch.cat([start[None], paid])
    return torch.stack([account.cumsum(0) for account in with_start.T], 1)[1:]
