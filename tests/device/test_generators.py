"""Generators of random numbers whose state is handed on, as CUDA does for its graphs."""

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
    clone.set_offset(8)
    assert generator.get_offset() == 4
