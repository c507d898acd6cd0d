"""What a run can be told."""

from dataclasses import dataclass


@dataclass
class TrainConfig:
    """Options of a run; `train.py` fills it from the command line."""

    vocabulary: int = 64
    width: int = 32
    layers: int = 6
    context: int = 16
    batch: int = 8
    steps: int = 100
    learning_rate: float = 1e-2
    log_every: int = 10
    average_decay: float = 0.99
    amp: bool = True
    compile_backend: str = "inductor"
    copy_stream: bool = False
    seed: int = 0
