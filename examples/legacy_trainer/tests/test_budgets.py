"""What a training step may cost the host.

The budgets of the tests below with a marker stand in the marker; those of the others in overhead-budget.toml,
where `pytest --overhead-budget` finds them.
"""

import pytest

from legacy_trainer.config import TrainConfig
from legacy_trainer.data import DeviceLoader, Sequences
from legacy_trainer.trainer import Trainer


@pytest.fixture
def trainer(simulated_cuda):
    return Trainer(TrainConfig(layers=4, compile_backend="eager"), device="cuda")


@pytest.fixture
def batch(trainer):
    return next(iter(DeviceLoader(Sequences(64, 16, 8, 1), trainer.device)))


def test_copying_a_batch_on_one_stream_needs_no_events(simulated_cuda, overhead_budget):
    ...
