"""What the trainer may cost the host. The budget of the last test stands in overhead-budget.toml."""

import pytest
import torch

from legacy_trainer.config import TrainConfig
from legacy_trainer.data import DeviceLoader, Sequences
from legacy_trainer.trainer import Trainer


@pytest.fixture
def trainer(simulated_cuda):
    torch.compiler.reset()
    return Trainer(TrainConfig(layers=4, compile_backend="eager"), device="cuda")


@pytest.fixture
def batch(trainer):
    return next(iter(DeviceLoader(Sequences(64, 16, 8, 1), trainer.device)))


@pytest.mark.overhead_budget(event_record=0, event_wait=0)
def test_copying_a_batch_on_one_stream_needs_no_events(simulated_cuda):
    loader = DeviceLoader(Sequences(64, 16, 8, 1), torch.device("cuda"))
    assert [tokens.device.type for tokens, _ in loader] == ["cuda"]


def test_copying_a_batch_on_its_own_stream_is_ordered_by_two_events(simulated_cuda, overhead_budget):
    loader = DeviceLoader(Sequences(64, 16, 8, 1), torch.device("cuda"), copy_stream=True)
    with overhead_budget(event_record=2, event_wait=2) as measured:
        assert len(list(loader)) == 1
    assert measured.values["event_record"] == 2


def test_a_training_step_never_waits_for_the_device(trainer, batch, overhead_budget):
    trainer.training_step(batch)
    with overhead_budget(stream_sync=0, event_sync=0, device_sync=0, event_record=0):
        trainer.training_step(batch)


def test_guards_of_the_trunk(trainer, batch):
    assert trainer.model(batch[0]).shape == (8, 16, 64)
