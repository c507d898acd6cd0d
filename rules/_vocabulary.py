"""Words that rules go by, each found in its role in several repositories: `benchmarks/names.py` checks it."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CONFIGS",
    "DEVICES",
    "ENVIRONMENTS",
    "INDICES",
    "LOADERS",
    "LOGGERS",
    "LOSSES",
    "MASKS",
    "MESSAGE_FLAGS",
    "MODELS",
    "MODULES",
    "OFFLOADING",
    "OUTPUTS",
    "PARAMETERS",
    "PIPELINES",
    "PROGRESS",
    "SHOWING",
    "SIZES",
    "TIMING",
    "one_of",
]

OFFLOADING: Final = frozenset({"offload"})
"""Words of what tells whether something is kept on the host."""

MESSAGE_FLAGS: Final = frozenset(
    {
        "done",
        "first",
        "once",
        "test",
        "trace",
        "tracing",
        "training",
        "verbose",
        "warn",
        "warned",
    }
)
"""Words of options that ask for messages, or let one through for what is unusual."""

# Last words of variables.
CONFIGS: Final = frozenset({"cfg", "config", "conf", "hparams", "options", "recipe", "settings"})
DEVICES: Final = frozenset({"dev", "device", "gpu", "rank"})
ENVIRONMENTS: Final = frozenset({"env"})
INDICES: Final = frozenset({"idx", "index", "indices"})
LOADERS: Final = frozenset({"loader"})
LOGGERS: Final = frozenset({"log", "logger", "logging"})
LOSSES: Final = frozenset({"criterion", "loss"})
MASKS: Final = frozenset({"mask"})
MODELS: Final = frozenset({"model", "module", "net", "network"})
MODULES: Final = MODELS | {"block", "layer"}
OUTPUTS: Final = frozenset({"output", "outputs", "result", "results"})
PIPELINES: Final = MODELS | {"encoder", "engine", "pipe", "pipeline", "policy"}
PARAMETERS: Final = frozenset({"params", "parameters", "grads", "gradients"})
PROGRESS: Final = frozenset({"bar", "tqdm"})

SIZES: Final = frozenset({"end", "high", "length", "low", "size", "start", "step", "steps"})
"""Names of arguments that are numbers on the host."""

# Parts of functions' and classes' names.
SHOWING: Final = frozenset(
    {"debug", "display", "info", "log", "print", "report", "repr", "show", "stat", "summar"}
)
TIMING: Final = frozenset(
    {"bench", "elapsed", "profil", "throughput", "timer", "timing", "tune", "warm_up", "warmup"}
)


def one_of(words: frozenset[str]) -> str:
    """A pattern for one of the words."""
    return f"(?:{'|'.join(sorted(words))})"
