"""Sets each legacy precision flag, and what OVH501 proposes for it, and compares the leaves after.

    python benchmarks/precision_flags.py

Each form runs in a process of its own. A line says ``same``, or what the proposed form gave instead;
the exit status is 1 if any differs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

_LEAVES = """
import sys, torch
exec(sys.argv[1])
b = torch.backends
nodes = dict(matmul=b.cuda.matmul, conv=b.cudnn.conv, rnn=b.cudnn.rnn, mkldnn_matmul=b.mkldnn.matmul)
print(" ".join(f"{name}={node.fp32_precision}" for name, node in nodes.items()))
"""
_MATMUL, _MKLDNN = "torch.backends.cuda.matmul", "torch.backends.mkldnn.matmul"
_CONV, _RNN = "torch.backends.cudnn.conv", "torch.backends.cudnn.rnn"
_FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    (f"{_MATMUL}.allow_tf32 = True", {_MATMUL: "tf32"}),
    (f"{_MATMUL}.allow_tf32 = False", {_MATMUL: "ieee"}),
    ("torch.backends.cudnn.allow_tf32 = True", {_CONV: "tf32", _RNN: "tf32"}),
    ("torch.backends.cudnn.allow_tf32 = False", {_CONV: "none", _RNN: "none"}),
    ("torch.set_float32_matmul_precision('highest')", {_MATMUL: "ieee", _MKLDNN: "ieee"}),
    ("torch.set_float32_matmul_precision('high')", {_MATMUL: "tf32", _MKLDNN: "tf32"}),
    ("torch.set_float32_matmul_precision('medium')", {_MATMUL: "tf32", _MKLDNN: "bf16"}),
)


def leaves_after(statements: str) -> str:
    """The precision of each leaf after some statements, in a fresh process."""
    command = [sys.executable, "-c", _LEAVES, statements]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    status = 0
    for old, values in _FORMS:
        new = "; ".join(f"{leaf}.fp32_precision = {value!r}" for leaf, value in values.items())
        before, after = leaves_after(old), leaves_after(f"import torch; {new}")
        verdict = "same" if before == after else f"DIFFERS: {after}"
        status = status or int(before != after)
        print(f"{old}\n    {before}  {verdict}")
    return status


if __name__ == "__main__":
    sys.exit(main())
