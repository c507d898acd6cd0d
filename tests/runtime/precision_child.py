"""Runs in a process of its own: each case in a fork, since float32 settings cannot be reset completely."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

import torch

from overhead_runtime import fp32_precision

NODES = [("generic", "all")] + [(b, o) for b in ("cuda", "mkldnn") for o in ("all", "conv", "rnn", "matmul")]


def legacy() -> dict[str, Any]:
    """The old flags; the error's type where torch refuses."""
    flags: dict[str, Any] = {}
    for name in (
        "backends.cuda.matmul.allow_tf32",
        "backends.cudnn.allow_tf32",
        "get_float32_matmul_precision()",
    ):
        try:
            flags[name] = eval(f"torch.{name}")
        except RuntimeError as error:
            flags[name] = type(error).__name__
    return flags


def state() -> dict[str, Any]:
    """What torch says of every node and old flag, not through the code under test."""
    nodes = {f"{b}.{o}": torch._C._get_fp32_precision_getter(b, o) for b, o in NODES}
    return {"nodes": nodes, "legacy": legacy()}


def children_follow() -> list[Any]:
    """Which nodes yield to a parent: tells a node that is set from one that only looks so."""
    seen: list[Any] = []
    for value in ("ieee", "tf32", "none"):
        torch._C._set_fp32_precision_setter("generic", "all", value)
        seen.append(state()["nodes"])
    return seen


def run(case: dict[str, Any]) -> dict[str, Any]:
    """Do what a case says and tell what came of it."""
    result: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for action in case["actions"]:
            try:
                exec(action, {"torch": torch, "fp32_precision": fp32_precision})
            except Exception as error:
                result["error"] = [type(error).__name__, str(error)]
        result |= state()
        table = fp32_precision.resolve()
        result["resolved"] = {f"{row.backend}.{row.op}": row.value for row in table.rows}
        result["sources"] = {f"{row.backend}.{row.op}": row.source for row in table.rows}
        result["mixed"] = list(table.mixed)
        result["text"] = str(table)
        result["unchanged_by_resolve"] = state() == {k: result[k] for k in ("nodes", "legacy")}
        if case.get("follow"):
            result["follow"] = children_follow()
    result["warnings"] = [str(w.message) for w in caught]
    result["warning_files"] = [w.filename for w in caught]
    return result


def main() -> None:
    """Run all cases given on standard input, each from torch's first state."""
    for case in json.load(sys.stdin):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                payload = json.dumps(run(case))
            except BaseException as error:
                payload = json.dumps({"crash": repr(error)})
            os.write(writer, payload.encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as stream:
            print(stream.read())
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
