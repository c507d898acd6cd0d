"""Runs steps of the trainer in the current directory, as many as it is asked for.

    python demo_worker.py train|evaluate|count

``count`` prints what `COUNTED` steps do on a simulated device, by metric, and ends. Otherwise, each line on
standard input is a number of steps; the answer is a line of JSON with the seconds they took. An empty line
ends it; the last answer is the list of losses. `demo.py` runs two of these.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))

import torch
from legacy_trainer.config import TrainConfig
from legacy_trainer.data import Sequences
from legacy_trainer.trainer import Trainer

from overhead_lint.probes import measure
from overhead_lint.simulated import simulated_cuda

COUNTED = 10
"""The steps that are counted: as many as the trainer takes until it reads its log."""
CONFIG = TrainConfig(compile_backend="eager", batch=1, context=8, width=16)


def count() -> dict[str, int | float]:
    """Return what training does on a device: guards of what is compiled, waits and events of its steps."""
    with simulated_cuda():
        trainer = Trainer(CONFIG, device="cuda")
        batches = list(Sequences(CONFIG.vocabulary, CONFIG.context, CONFIG.batch, COUNTED))
        with measure(["guards"]) as compiling:
            trainer.train(batches)
        with measure(["stream_sync", "event_record", "event_wait"]) as measured:
            trainer.train(batches)
    return {**compiling.values, **measured.values}


def main() -> None:
    if sys.argv[1] == "count":
        with redirect_stdout(sys.stderr):
            counted = count()
        print(json.dumps(counted))
        return
    torch.set_num_threads(1)
    trainer = Trainer(CONFIG, device="cpu")
    run = trainer.train if sys.argv[1] == "train" else trainer.evaluate
    for line in sys.stdin:
        if not line.strip():
            break
        batches = list(Sequences(CONFIG.vocabulary, CONFIG.context, CONFIG.batch, int(line)))
        with redirect_stdout(sys.stderr):
            start = time.perf_counter()
            run(batches)
            seconds = time.perf_counter() - start
        print(json.dumps(seconds), flush=True)
    print(json.dumps(trainer.losses), flush=True)


if __name__ == "__main__":
    main()
