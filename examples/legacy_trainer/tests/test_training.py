"""What the trainer has to do, however fast it does it."""

import pytest
import torch

from legacy_trainer.config import TrainConfig
from legacy_trainer.data import Sequences
from legacy_trainer.recipe import DelayedScaling, Recipe, ScaledLinear
from legacy_trainer.trainer import Trainer


def small(**options):
    return TrainConfig(layers=2, compile_backend="eager", **options)


def batches(steps, seed=0):
    return Sequences(64, 16, 8, steps, seed)


def test_training_lowers_the_loss():
    losses = Trainer(small()).train(batches(60))
    assert len(losses) == 60
    assert sum(losses[-5:]) < 0.8 * sum(losses[:5])


def test_the_same_seed_gives_the_same_losses():
    first, second = (Trainer(small()).train(batches(5)) for _ in range(2))
    assert first == second


def test_evaluation_does_not_train_and_leaves_gradients_on():
    trainer = Trainer(small())
    before = [parameter.clone() for parameter in trainer.parameters]
    assert trainer.evaluate(batches(2)) == pytest.approx(trainer.evaluate(batches(2)))
    assert all(torch.equal(old, new) for old, new in zip(before, trainer.parameters))
    assert torch.is_grad_enabled()


def test_the_average_follows_the_weights():
    trainer = Trainer(small(average_decay=0.0))
    trainer.train(batches(3))
    assert all(torch.equal(old, new) for old, new in zip(trainer.average, trainer.parameters))
    assert not any(tensor.requires_grad for tensor in trainer.average)


@pytest.mark.parametrize("recipe", [Recipe(enabled=False), DelayedScaling(enabled=False)])
def test_a_recipe_edited_during_the_run_takes_effect(recipe):
    layer, x = ScaledLinear(4, 4, recipe), torch.ones(1, 4)
    full = layer(x)
    recipe.margin = 1
    assert torch.equal(layer(x), full / 2)
    recipe.margin = 0
    assert torch.equal(layer(x), full)


def test_layers_compute_in_the_data_type_of_the_recipe():
    assert ScaledLinear(4, 4, Recipe())(torch.ones(1, 4)).dtype == torch.bfloat16
    assert ScaledLinear(4, 4, Recipe(enabled=False))(torch.ones(1, 4)).dtype == torch.float32


@pytest.mark.parametrize("copy_stream", [False, True])
def test_training_on_the_device_gives_the_losses_of_the_cpu(simulated_cuda, copy_stream):
    on_device = Trainer(small(copy_stream=copy_stream), device="cuda").train(batches(5))
    on_cpu = Trainer(small(), device="cpu").train(batches(5))
    assert on_device == pytest.approx(on_cpu, rel=1e-3)
