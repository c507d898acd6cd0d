"""Random Python modules for the linter and the fixer: a grammar, and what the rules look for among it.

Names are few, so that they shadow and rebind each other; layout varies, since fixes must keep it.
"""

# ruff: noqa: E501 - lists read best as they are

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from overhead_lint.engine import packs
from overhead_lint.engine.pages import Page

__all__ = ["modules"]

NAMES: Final = (
    "x",
    "y",
    "out",
    "model",
    "loader",
    "i",
    "p",
    "cfg",
    "torch",
    "nn",
    "self",
    "device",
    "F",
    "é",
)
ATTRIBUTES: Final = ("shape", "device", "dtype", "weight", "grad", "layers", "cfg", "data", "T", "float")
FUNCTIONS: Final = (
    "torch.zeros", "torch.ones", "torch.cat", "torch.tensor", "torch.arange", "torch.stack", "torch.isnan",
    "torch.where", "torch.full", "torch.nonzero", "torch.compile", "torch.autocast", "torch.cuda.Event", "ac",
    "F.relu", "torch.cuda.synchronize", "torch.cuda.is_available", "torch.device", "os.getenv", "len", "float",
    "str", "range", "zip", "enumerate", "print", "isinstance", "any", "list", "next", "inspect.signature",
    "dist.get_rank", "logger.debug", "copy.deepcopy", "find_spec", "self.layer", "model", "x.append",
)  # fmt: skip
METHODS: Final = (
    "item",
    "to",
    "cpu",
    "cuda",
    "tolist",
    "numpy",
    "sum",
    "float",
    "parameters",
    "size",
    "add_",
)
CONTEXTS: Final = (
    "torch.no_grad()", 'torch.autocast("cuda")', "torch.cuda.amp.autocast(enabled=x)", "nullcontext()",
    "torch.inference_mode()", 'record_function(f"{x}")', "torch.cuda.stream(y)", "torch.device(device)", "model",
    "torch.backends.cudnn.flags(enabled=False)", "ac(device)", "torch.enable_grad()",
)  # fmt: skip
DECORATORS: Final = (
    "torch.no_grad()", "torch.compile", "torch.inference_mode()", "staticmethod", "property", "contextmanager",
    "functools.lru_cache(maxsize=None)", "torch.jit.script", "cache", "torch.compile(fullgraph=True)",
)  # fmt: skip
IMPORTS: Final = (
    "import torch", "import torch.nn as nn", "import torch.nn.functional as F", "from torch import nn",
    "from torch import autocast as ac", "from torch import *", "import os", "import copy, inspect",
    "from contextlib import contextmanager, nullcontext", "from . import x", "from overhead_lint import runtime",
    "import torch as T; import os", "from torch.profiler import record_function", "import torch.distributed as dist",
    "import functools", "from functools import cache", "import logging\nlogger = logging.getLogger(__name__)",
    "from importlib.util import find_spec", "try:\n    import torch\nexcept ImportError:\n    torch = None",
    "if TYPE_CHECKING:\n    from torch import Tensor", "from torch import (\n    cat,  # c\n    nn,\n)",
)  # fmt: skip
FUNCTION_NAMES: Final = (
    "forward",
    "__init__",
    "training_step",
    "step",
    "train",
    "f",
    "decode",
    "__repr__",
    "backward",
)
CLASSES: Final = ("nn.Module", "torch.autograd.Function", "torch.nn.Module, x", "object", "Dataset", "")


def fragments() -> list[str]:
    """The statements of all rule pages' examples, by themselves: what the rules look for."""
    found: set[str] = set()
    for loaded in packs.load():
        if loaded.page is None:
            continue
        text = Page.read(loaded.page).code("Example")
        for stmt in ast.walk(ast.parse(text)):
            if isinstance(stmt, ast.stmt):
                lines = text.splitlines()[stmt.lineno - 1 : stmt.end_lineno]
                code = textwrap.dedent("\n".join(lines))
                if _parses(code):
                    found.add(code)
    return sorted(found)


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


class _Grammar:
    """Writes one module, one choice after the other.

    Args:
        draw: draws from a strategy.
        examples: statements to put in now and then, as they are.
    """

    def __init__(self, draw: Callable[[Any], Any], examples: Sequence[str]) -> None:
        self._draw = draw
        self._examples = examples
        self._indent = self._one("    ", "    ", "  ", "\t")
        self._async = False

    def module(self) -> str:
        """The text of a module."""
        head = self._one("", "", '"""Doc."""\n', "# Licence\n\n", "#!/usr/bin/env python\n# coding: utf-8\n")
        future = self._one("", "", "from __future__ import annotations\n")
        imports = "".join(self._some(IMPORTS, 5, "\n"))
        body = "".join(self._statement(0) for _ in range(self._number(1, 6)))
        text = head + future + self._one("", "\n") + imports + self._one("", "\n\n") + body
        return text.rstrip("\n") if self._number(0, 7) == 0 else text

    def _one(self, *choices: str) -> str:
        return str(self._draw(st.sampled_from(choices)))

    def _some(self, choices: Sequence[str], most: int, after: str) -> list[str]:
        return [self._one(*choices) + after for _ in range(self._number(0, most))]

    def _number(self, least: int, most: int) -> int:
        return int(self._draw(st.integers(least, most)))

    def _name(self, depth: int = 0) -> str:
        return self._one(*NAMES)

    def _expression(self, depth: int = 0) -> str:
        kinds = (
            [self._name, self._constant]
            if depth > 2
            else [
                self._name, self._constant, self._call, self._call, self._method, self._method, self._operation,
                self._attribute, self._subscript, self._display, self._comprehension, self._small_form,
                self._f_string, self._bracketed,
            ]
        )  # fmt: skip
        return str(kinds[self._number(0, len(kinds) - 1)](*([] if depth > 2 else [depth + 1])))

    def _constant(self, depth: int = 0) -> str:
        return self._one(
            "0", "1", "-1", "2.5", "None", "True", '"cuda"', "'é'", "torch.float32", "()", "[1, 2]", "..."
        )

    def _arguments(self, depth: int) -> str:
        given = [self._expression(depth) for _ in range(self._number(0, 3))]
        given += self._some(
            ("device=device", "dtype=torch.float32", "dim=0", "enabled=x", "*y", "**cfg"), 2, ""
        )
        given = sorted(given, key=lambda one: ("=" in one and ":=" not in one) or one.startswith("**"))
        comment = f"  # c{self._indent}" if self._number(0, 9) == 0 else ""
        if comment or (given and self._number(0, 5) == 0):
            return "\n      " + f",{comment}\n      ".join([*given, ""]) if given else ""
        return ", ".join(given) + self._one("", "", ",") if given else ""

    def _call(self, depth: int) -> str:
        return f"{self._one(*FUNCTIONS)}({self._arguments(depth)})"

    def _method(self, depth: int) -> str:
        given = self._one("", "", "device", "torch.float32", "0", "1, y", "non_blocking=True")
        return f"{self._primary(depth)}.{self._one(*METHODS)}({given})"

    def _primary(self, depth: int) -> str:
        text = self._expression(depth)
        return (
            text
            if text.isidentifier() or (text.endswith((")", "]")) and text[0] not in "[({")
            else f"({text})"
        )

    def _operation(self, depth: int) -> str:
        operator = self._one(
            "+", "*", "==", "is", "in", "and", "or", "@", "**", "<", "if y else", "not in", "|"
        )
        return f"{self._expression(depth)} {operator} {self._expression(depth)}"

    def _attribute(self, depth: int) -> str:
        return f"{self._primary(depth)}.{self._one(*ATTRIBUTES)}"

    def _subscript(self, depth: int) -> str:
        index = self._one("0", "i", ":, i", "x > 0", "-1", "None", f"{self._expression(depth)}", "i:", "...")
        return f"{self._primary(depth)}[{index}]"

    def _display(self, depth: int) -> str:
        inner = ", ".join(self._expression(depth) for _ in range(self._number(1, 3)))
        return self._one(f"[{inner}]", f"({inner},)", f"{{{inner}}}", f"{{1: ({inner})}}")

    def _comprehension(self, depth: int) -> str:
        head, source = self._expression(depth), self._expression(depth)
        condition = self._one("", "", f" if {self._name()}")
        clause = f"({head}) for {self._name()} in ({source}){condition}"
        return self._one(f"[{clause}]", f"any({clause})", f"sum({clause})", f"{{{clause}}}")

    def _small_form(self, depth: int) -> str:
        inner = self._expression(depth)
        waits = f"(await {self._primary(depth)})" if self._async else inner
        return self._one(
            f"(lambda {self._name()}: {inner})", f"({self._name()} := {inner})", f"not {inner}", waits
        )

    def _f_string(self, depth: int) -> str:
        return self._one(
            'f"{x}"', 'f"{x.shape}-{y.device!r}"', "f'{i:>{y}}'", 'f"{torch.ones(1).item()}"', "rf'{x}'"
        )

    def _bracketed(self, depth: int) -> str:
        return f"(\n        {self._expression(depth)}{self._one('', '  # why')}\n    )"

    def _block(self, depth: int) -> str:
        if self._number(0, 8) == 0:
            return f" {self._simple()}\n"
        comment = self._one("", "", "  # noqa: OVH101", "  # block")
        lines = "".join(self._statement(depth + 1) for _ in range(self._number(1, 3)))
        return f"{comment}\n{textwrap.indent(lines, self._indent)}"

    def _simple(self) -> str:
        target = self._one(*NAMES, "self.x", "x[i]", "x, y", "self.buf", "p.grad", "y[x > 0]")
        value = self._expression()
        return self._one(
            f"{target} = {value}", f"{target} = {self._name()} = {value}", f"{self._name()} += {value}", value,
            f"{self._name()}: torch.Tensor = {value}", f"return {value}", f"assert {value}", "pass", f"del {self._name()}",
            f"raise {value}", "break", "continue", f"global {self._name()}", f"{value}; {self._name()} = 1", f"yield {value}",
        )  # fmt: skip

    def _statement(self, depth: int) -> str:
        kinds = [self._line, self._line, self._example]
        if depth < 3:
            kinds += [
                self._if,
                self._for,
                self._while,
                self._with,
                self._try,
                self._def,
                self._class,
                self._def,
            ]
        text = kinds[self._number(0, len(kinds) - 1)](depth)
        return self._one("", "", "\n", "# note\n") + text

    def _line(self, depth: int) -> str:
        return self._simple() + self._one("", "", "", "  # tail", ";") + "\n"

    def _example(self, depth: int) -> str:
        return self._one(*self._examples) + "\n"

    def _if(self, depth: int) -> str:
        text = f"if {self._expression()}:{self._block(depth)}"
        if self._number(0, 2) == 0:
            text += f"elif {self._expression()}:{self._block(depth)}"
        return text + (f"else:{self._block(depth)}" if self._number(0, 2) == 0 else "")

    def _for(self, depth: int) -> str:
        source = self._one(
            "loader", "range(len(x))", "range(len(self.layers))", "model.parameters()", "zip(x, y)", "x"
        )
        target = self._one("i", "x", "p", "i, x", "(x, y)", "self.x")
        return f"for {target} in {self._one(source, self._expression())}:{self._block(depth)}"

    def _while(self, depth: int) -> str:
        return f"while {self._expression()}:{self._block(depth)}"

    def _with(self, depth: int) -> str:
        items = ", ".join(
            self._one(*CONTEXTS) + self._one("", "", f" as {self._name()}") for _ in range(self._number(1, 2))
        )
        return f"with {items}:{self._block(depth)}"

    def _try(self, depth: int) -> str:
        tail = self._one(f"except Exception as {self._name()}:", "finally:", "except:")
        return f"try:{self._block(depth)}{tail}{self._block(depth)}"

    def _def(self, depth: int) -> str:
        decorators = "".join(f"@{one}" for one in self._some(DECORATORS, 2, "\n"))
        names = dict.fromkeys(("self", *(self._name() for _ in range(self._number(0, 3)))))
        before, self._async = self._async, self._number(0, 5) == 0
        head = f"{'async ' if self._async else ''}def {self._one(*FUNCTION_NAMES)}({', '.join(names)})"
        text = f"{decorators}{head}:{self._block(depth)}"
        self._async = before
        return text

    def _class(self, depth: int) -> str:
        decorator = self._one("", "", "@dataclass\n")
        return (
            f"{decorator}class {self._one('Net', 'Model', 'x')}({self._one(*CLASSES)}):{self._block(depth)}"
        )


@st.composite
def modules(draw: Any, examples: Sequence[str] = tuple(fragments())) -> bytes:
    """A file: a module's text with its line ends and its byte-order mark; now and then no valid Python."""
    text = _Grammar(draw, examples).module()
    newline = draw(st.sampled_from(("\n", "\n", "\n", "\r\n")))
    mark = draw(st.sampled_from(("", "", "", "\ufeff")))
    return f"{mark}{text}".replace("\n", newline).encode()
