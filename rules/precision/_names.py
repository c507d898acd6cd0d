"""torch's names for float32 precision, old and new, and which settings make which reads raise."""

from __future__ import annotations

MATMUL = "torch.backends.cuda.matmul.allow_tf32"
CUDNN = "torch.backends.cudnn.allow_tf32"
SETTER = "torch.set_float32_matmul_precision"
GETTER = "torch.get_float32_matmul_precision"

READS = frozenset({MATMUL, CUDNN, GETTER})
"""What raises RuntimeError when old and new settings contradict each other."""

_MATMUL_READS = frozenset({MATMUL, GETTER})

# For each new setting and value what raises afterwards, as torch 2.13 to 2.15 do in a fresh process.
_BREAKS: dict[tuple[str, str], frozenset[str]] = {
    ("torch.backends", "tf32"): _MATMUL_READS,
    ("torch.backends", "ieee"): frozenset({CUDNN}),
    ("torch.backends", "bf16"): frozenset({CUDNN, GETTER}),
    ("torch.backends.cuda.matmul", "tf32"): _MATMUL_READS,
    ("torch.backends.cuda.matmul", "ieee"): frozenset(),
    ("torch.backends.cudnn", "tf32"): _MATMUL_READS,
    ("torch.backends.cudnn", "ieee"): frozenset({CUDNN}),
    ("torch.backends.cudnn.conv", "tf32"): frozenset(),
    ("torch.backends.cudnn.conv", "ieee"): frozenset({CUDNN}),
    ("torch.backends.cudnn.rnn", "tf32"): frozenset(),
    ("torch.backends.cudnn.rnn", "ieee"): frozenset({CUDNN}),
    ("torch.backends.mkldnn.matmul", "bf16"): frozenset({GETTER}),
    ("torch.backends.mkldnn.matmul", "tf32"): frozenset({GETTER}),
    ("torch.backends.mkldnn.matmul", "ieee"): frozenset(),
    ("torch.backends.mkldnn", "bf16"): frozenset({CUDNN, GETTER}),
}
# Where the value is not a literal, what any of the values above breaks.
_OWNERS = frozenset(owner for owner, _ in _BREAKS)


def reads_broken_by(owner: str, value: object) -> frozenset[str]:
    """The old reads that raise after ``owner.fp32_precision = value``; None for a value that is not known."""
    if isinstance(value, str):
        return _BREAKS.get((owner, value), frozenset())
    found: frozenset[str] = frozenset()
    if value is None and owner in _OWNERS:
        for (name, _), broken in _BREAKS.items():
            if name == owner:
                found |= broken
    return found
