"""Command line of the trainer: python train.py --steps 50 --layers 4"""

import argparse
import dataclasses

from legacy_trainer.config import TrainConfig
from legacy_trainer.data import Sequences
from legacy_trainer.trainer import Trainer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for field in dataclasses.fields(TrainConfig):
        if field.type is not bool:
            parser.add_argument(f"--{field.name.replace('_', '-')}", type=field.type, default=field.default)
    config = TrainConfig(**vars(parser.parse_args()))
    trainer = Trainer(config)
    batches = Sequences(config.vocabulary, config.context, config.batch, config.steps, config.seed)
    trainer.train(batches)
    print(f"loss on new sequences: {trainer.evaluate(Sequences(64, config.context, 8, 10, seed=1)):.3f}")


if __name__ == "__main__":
    main()
