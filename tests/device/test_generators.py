"""Generators of random numbers: their state is a seed and an offset, as on CUDA, and handed on for graphs."""

from __future__ import annotations

import pytest
import torch


def seeded() -> torch.Generator:
    return torch.Generator("cuda").manual_seed(3)


def drawn(generator: torch.Generator) -> list[float]:
    values: list[float] = torch.rand(3, device="cuda", generator=generator).tolist()
    return values


def test_generators_that_share_a_state_draw_in_turn(one_device: None) -> None:
    alone = seeded()
    first, second = drawn(alone), drawn(alone)
    generator = seeded()
    shared = generator.graphsafe_get_state()
    assert (drawn(generator), drawn(shared)) == (first, second)
    shared.set_offset(8)
    assert generator.get_offset() == 8


def test_a_generator_goes_on_with_the_state_that_it_is_given(one_device: None) -> None:
    alone = seeded()
    first, second = drawn(alone), drawn(alone)
    state, generator = seeded().clone_state(), torch.Generator("cuda")
    generator.graphsafe_set_state(state)
    assert (drawn(generator), drawn(state)) == (first, second)
    with pytest.raises(RuntimeError, match="Expected a CUDA Generator"):
        generator.graphsafe_set_state(torch.Generator())


def test_a_clone_has_the_offset_and_a_state_of_its_own(one_device: None) -> None:
    generator = seeded()
    generator.set_offset(4)
    clone = generator.clone_state()
    assert (clone.get_offset(), drawn(clone)) == (4, drawn(generator))
    clone.set_offset(16)
    assert generator.get_offset() == 8


def test_a_state_is_a_seed_and_an_offset_in_sixteen_bytes(one_device: None) -> None:
    generator = seeded()
    drawn(generator)
    state = generator.get_state()
    assert (state.dtype, state.shape) == (torch.uint8, (16,))
    assert state.view(torch.int64).tolist() == [3, generator.get_offset()] == [3, 4]


def test_numbers_are_drawn_again_from_a_state_and_from_an_offset(one_device: None) -> None:
    generator = seeded()
    first = drawn(generator)
    state, second = generator.get_state(), drawn(generator)
    assert first != second
    other = torch.Generator("cuda")
    other.set_state(state)
    assert (drawn(other), other.initial_seed()) == (second, 3)
    generator.set_offset(0)
    assert drawn(generator) == first
    generator.set_state(state[:8])  # the seed alone
    assert drawn(generator) == first


def test_operators_without_a_generator_move_the_offset_of_the_device(one_device: None) -> None:
    state = torch.cuda.get_rng_state()
    of_host = torch.get_rng_state()
    ones = torch.ones(64, device="cuda")
    first, second = torch.nn.functional.rrelu(-ones, training=True), torch.rand_like(ones)
    torch.cuda.set_rng_state(state)
    assert torch.equal(torch.nn.functional.rrelu(-ones, training=True), first)
    assert torch.equal(torch.rand_like(ones), second)
    assert torch.equal(torch.get_rng_state(), of_host)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (torch.zeros(3, dtype=torch.uint8), "RNG state is wrong size"),
        (torch.tensor([0, 3]).view(torch.uint8), "offset must be a multiple of 4"),
        (torch.zeros(16), "RNG state must be a torch.ByteTensor"),
    ],
)
def test_states_that_cuda_refuses_are_refused(one_device: None, state: torch.Tensor, message: str) -> None:
    with pytest.raises((RuntimeError, TypeError), match=message):
        seeded().set_state(state)
    with pytest.raises(RuntimeError, match="offset must be a multiple of 4"):
        seeded().set_offset(3)
