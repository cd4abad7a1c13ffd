"""Answers to decay_block."""

import torch

from answers import AnswersTo

answers = AnswersTo("decay_block")


@answers.right()
@torch.compile
def row_by_row(x, state, decay, out):
    for row, place in zip(x, out):
        state = row + decay * state
        place.copy_(state)


@answers.wrong(line="correct", says="Nothing was written into out")
@torch.compile
def returned(x, state, decay, out):
    rows = []
    for row in x:
        state = row + decay * state
        rows.append(state)
    return torch.stack(rows)


@answers.wrong(line="unlooped", says="nothing is compiled")
def not_compiled(x, state, decay, out):
    for t in range(len(x)):
        state = x[t] + decay * state
        out[t] = state


@answers.wrong("a state in float32", "correct", says="float64 values")
@torch.compile
def state_in_float32(x, state, decay, out):
    state = state.float()
    for t in range(len(x)):
        state = decay * state + x[t].float()
        out[t] = state


@torch.compile
def _step(row, state, decay):
    return row + decay * state


@answers.wrong("one graph per row", "unlooped", says="compiled graphs, with Python between them")
def one_graph_per_row(x, state, decay, out):
    for t in range(len(x)):
        state = _step(x[t], state, decay)
        out[t] = state


@answers.wrong("a backend that generates no code", "fast", says="leave out `backend=`")
@torch.compile(backend="eager")
def with_eager_backend(x, state, decay, out):
    for t in range(len(x)):
        state = x[t] + decay * state
        out[t] = state


@answers.wrong("wrong only if compiled", "correct", says="wrong values")
@torch.compile
def wrong_if_compiled(x, state, decay, out):
    for t in range(len(x)):
        state = x[t] + decay * state
        out[t] = 2 * state if torch.compiler.is_compiling() else state


@answers.wrong("the first four rows only", "correct", says="seven rows")
@torch.compile
def four_rows(x, state, decay, out):
    for t in range(min(4, len(x))):
        state = x[t] + decay * state
        out[t] = state


@answers.wrong("at most 16 rows", "correct", says="twenty rows")
@torch.compile
def sixteen_rows(x, state, decay, out):
    for t in range(min(16, len(x))):
        state = x[t] + decay * state
        out[t] = state


@answers.wrong("running sums divided by powers of the decay", "correct", says="decay 0.01")
@torch.compile
def by_powers(x, state, decay, out):
    if decay == 0:
        return out.copy_(x)
    powers = torch.full_like(x[:, :1], decay).cumprod(0)
    return out.copy_(((x / powers).cumsum(0) + state) * powers)


@answers.wrong("old values times 0", "correct", says="NaN")
@torch.compile
def old_values_times_zero(x, state, decay, out):
    out *= 0
    for t in range(len(x)):
        state = x[t] + decay * state
        out[t] += state


@answers.wrong("a decay rounded to float32", "correct", says="in float64")
@torch.compile(backend="eager")
def with_a_rounded_decay(x, state, decay, out):
    decay = torch.tensor(decay, dtype=torch.float32, device=x.device)
    for t in range(len(x)):
        state = x[t] + decay * state
        out[t] = state
