from __future__ import annotations

import copy

import torch

from linkwl.models.triples.running_sum import RunningSumAdam


def descend(optimizer_of, *, resets: bool, steps: int = 6):
    weight = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64))
    optimizer = optimizer_of([weight], lr=0.1, weight_decay=0.01)
    for _ in range(steps):
        if resets:
            optimizer.zero_grad()
        (weight.square() * torch.tensor([1.0, 2.0, 0.5])).sum().backward()
        optimizer.step()
    return weight.detach(), optimizer


def test_it_is_adam_without_a_reset_of_gradients():
    torch.testing.assert_close(
        descend(RunningSumAdam, resets=True)[0], descend(torch.optim.Adam, resets=False)[0], rtol=0, atol=1e-12
    )


def test_its_sums_are_part_of_its_state():
    weight, optimizer = descend(RunningSumAdam, resets=True, steps=3)
    (state,) = optimizer.state_dict()["state"].values()
    assert {"exp_avg", "exp_avg_sq", "step", *RunningSumAdam.moments} == set(state)
    copied = torch.nn.Parameter(weight.clone())
    other = RunningSumAdam([copied], lr=0.1, weight_decay=0.01)
    other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    original = optimizer.param_groups[0]["params"][0]
    for parameter, of in ((original, optimizer), (copied, other)):
        of.zero_grad()
        parameter.square().sum().backward()
        of.step()
    torch.testing.assert_close(copied, original, rtol=0, atol=0)


def test_a_weight_without_gradient_stays():
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = RunningSumAdam([weight], lr=0.1)
    optimizer.step()
    assert weight.tolist() == [1, 1]
