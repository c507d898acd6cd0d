"""Writes down the signatures of torch's own APIs, from its schemas, stubs and functions.

    python benchmarks/api_signatures.py            writes frozen/*_signatures.py below analysis/effects
    python benchmarks/api_signatures.py --check    status 1 if they are not what this torch gives

A signature says in which order parameters come, which stand by keyword alone, what type they have, what they
are by default, and which of them a call writes to. `overhead_lint.analysis.effects.signatures` reads it back.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import torch

FROZEN: Final = Path(__file__).parents[1] / "overhead_lint" / "analysis" / "effects" / "frozen"

# Scopes whose members are written down: the first that has an object names it, the others have an alias.
MODULES: Final = (
    *(
        "torch",
        "torch.nn.functional",
        "torch.nn",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.signal.windows",
    ),
    *(
        "torch.sparse",
        "torch.nested",
        "torch.masked",
        "torch.nn.init",
        "torch.nn.utils",
        "torch.nn.utils.rnn",
    ),
    *("torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.nn.utils.stateless"),
    *("torch.nn.parallel", "torch.nn.attention", "torch.nn.attention.flex_attention"),
    *("torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.distributed"),
    *("torch.distributed.distributed_c10d", "torch.distributed.fsdp", "torch.cuda", "torch.cuda.amp"),
    *("torch.cuda.nvtx", "torch.cuda.random", "torch.amp", "torch.autograd", "torch.autograd.functional"),
    *("torch.autograd.graph", "torch.autograd.profiler", "torch.accelerator", "torch.cpu", "torch.xpu"),
    *(
        "torch.mps",
        "torch.utils.data",
        "torch.utils.checkpoint",
        "torch.utils.dlpack",
        "torch.utils.benchmark",
    ),
    *("torch.func", "torch.compiler", "torch.library", "torch.export", "torch.onnx", "torch.fx", "torch.jit"),
    *("torch.distributions", "torch.distributions.kl", "torch.profiler", "torch.random", "torch.testing"),
    *("torch.backends.cuda", "torch.functional", "torch._C._nn"),
)
# Classes whose methods are.
CLASSES: Final = (
    *("torch.Tensor", "torch.nn.Module", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential"),
    *("torch.nn.ParameterList", "torch.nn.ParameterDict", "torch.optim.Optimizer"),
    *(
        "torch.optim.lr_scheduler.LRScheduler",
        "torch.cuda.Stream",
        "torch.cuda.Event",
        "torch.cuda.CUDAGraph",
    ),
    *("torch.amp.GradScaler", "torch.Generator", "torch.utils.data.DataLoader", "torch.utils.data.Dataset"),
    *(
        "torch.autograd.Function",
        "torch.distributions.Distribution",
        "torch.nn.parallel.DistributedDataParallel",
    ),
    *("torch.optim.swa_utils.AveragedModel", "torch.profiler.profile"),
)
# Modules whose functions have schemas that begin with this; their stubs say nothing.
BY_SCHEMA: Final = {
    "torch.linalg": "linalg_",
    "torch.fft": "fft_",
    "torch.special": "special_",
    "torch.sparse": "_sparse_",
}
# Names with a leading underscore that programs use.
OPENED: Final = (
    "_foreach_",
    "_fused_",
    "_all_gather_base",
    "_reduce_scatter_base",
    "_assert_async",
    "_scaled_mm",
    "_int_mm",
    "_grouped_mm",
)
PLAIN: Final = (bool, int, float, str, type(None))
SCHEMA_TYPES: Final = {
    "Tensor": "T",
    "Tensor?": "T",
    "Tensor[]": "L",
    "Tensor?[]": "L",
    "Tensor[]?": "L",
    "int": "i",
    "SymInt": "i",
    "int?": "i",
    "SymInt?": "i",
    "float": "f",
    "float?": "f",
    "Scalar": "n",
    "Scalar?": "n",
    "number": "n",
    "bool": "b",
    "bool?": "b",
    "str": "s",
    "str?": "s",
    "Device": "V",
    "Device?": "V",
}


def written_by_schemas() -> dict[str, frozenset[str]]:
    """The parameters that each operator writes to, those of results (``out``) left aside."""
    found: dict[str, set[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten" and _on_tensors(schema):
            found.setdefault(name, set()).update(
                item.name for item in schema.arguments if _is_written(item) and not item.kwarg_only
            )
    return {name: frozenset(written) for name, written in found.items()}


def sharing_by_schemas() -> frozenset[str]:
    """The operators whose results may share memory with an argument, in each form that takes no ``out``."""
    shares: dict[str, set[bool]] = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten" and _on_tensors(schema) and not any(map(_is_result, schema.arguments)):
            shares.setdefault(name, set()).add(
                bool(schema.returns) and all(one.alias_info is not None for one in schema.returns)
            )
    return frozenset(name for name, found in shares.items() if found == {True})


def _on_tensors(schema: Any) -> bool:
    """Whether an operator is one of tensors, and not of TorchScript's lists and dictionaries.

    Of these the dispatcher knows nothing: ``list.sort`` is an ``aten::sort`` as well.
    """
    if not torch._C._dispatch_has_kernel(f"{schema.name}.{schema.overload_name}".rstrip(".")):
        return False
    return any("Tensor" in str(item.type) for item in schema.arguments) or any(
        "Tensor" in str(item.type) for item in schema.returns
    )


def _is_written(item: Any) -> bool:
    return item.alias_info is not None and bool(item.alias_info.is_write)


# One parameter and one signature as text.


def parameter(
    name: str, *, stars: str = "", kind: str = "", default: str | None = None, written: str | None = None
) -> str:
    """A parameter: ``input:T``, ``out:T!=None``, ``*size:z``, ``input:T!inplace`` (written if it is true)."""
    text = stars + name + (f":{kind}" if kind else "")
    if written is not None:
        text += "!" + written
    return text if default is None else f"{text}={default}"


def default_text(value: object) -> str:
    """A default as text; "" for what is no number, text or None."""
    text = repr(value) if type(value) in PLAIN else ""
    return text if not set(text) & set(" |\\") and len(text) < 24 else ""


# Stubs.


def stub(path: str, cls: str = "") -> dict[str, list[ast.FunctionDef]]:
    """The definitions of functions in one of torch's stubs, or of methods of a class there."""
    tree = ast.parse((Path(torch.__file__).parent / path).read_text(encoding="utf-8"))
    body: list[ast.stmt] = tree.body
    if cls:
        body = next(one.body for one in body if isinstance(one, ast.ClassDef) and one.name == cls)
    found: dict[str, list[ast.FunctionDef]] = {}
    for one in body:
        if isinstance(one, ast.FunctionDef):
            found.setdefault(one.name, []).append(one)
    return found


def stub_type(node: ast.expr | None) -> str:
    """The type that an annotation of a stub means."""
    text = ast.unparse(node).replace("torch.", "").replace(" | None", "") if node is not None else ""
    if text.startswith("Tensor | ") and ("Number" in text or "_complex" in text):
        return "N"
    if text in {"tuple[Tensor, ...] | list[Tensor]", "Sequence[Tensor]", "list[Tensor]"}:
        return "L"
    plain = {"Tensor": "T", "_int": "i", "_int | SymInt": "i", "_float": "f", "_bool": "b", "str": "s"}
    plain |= {"Number": "n", "Number | _complex": "n", "_dtype": "D", "DeviceLikeType": "V", "bool": "b"}
    plain |= {"_size": "z", "Sequence[_int | SymInt]": "z", "int": "i", "float": "f", "Callable": "C"}
    return plain.get(text, "")


def stub_returns(node: ast.expr | None) -> str:
    """The types that an annotation of a stub gives."""
    text = ast.unparse(node).replace("torch.", "") if node is not None else ""
    if text.startswith("return_types."):
        fields = getattr(torch.return_types, text.removeprefix("return_types."), None)
        return "T" * fields.n_fields if fields is not None else ""
    if isinstance(node, ast.Subscript) and text.startswith("tuple[") and isinstance(node.slice, ast.Tuple):
        if isinstance(node.slice.elts[-1], ast.Constant):
            return "L" if text == "tuple[Tensor, ...]" else ""
        kinds = [stub_type(one) for one in node.slice.elts]
        return "".join(kinds) if all(kinds) else ""
    return "0" if text == "None" else stub_type(node)


def of_stub(node: ast.FunctionDef, written: frozenset[str]) -> str:
    """A definition of a stub as a signature."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    first = positional[0].arg if positional else ""
    parts = []
    for index, (one, default) in enumerate(zip(positional, defaults, strict=True)):
        is_written = one.arg in written or (one.arg == first == "input" and "self" in written)
        parts.append(_of_stub(one, default, is_written))
        if index + 1 == len(arguments.posonlyargs):
            parts.append("/")
    if arguments.vararg is not None:
        kind = (
            "z" if stub_type(arguments.vararg.annotation) == "i" else stub_type(arguments.vararg.annotation)
        )
        parts.append(parameter(arguments.vararg.arg, stars="*", kind=kind))
    elif arguments.kwonlyargs:
        parts.append("*")
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parts.append(_of_stub(one, default, one.arg in written or one.arg == "out"))
    if arguments.kwarg is not None:
        parts.append(parameter(arguments.kwarg.arg, stars="**"))
    return _told(parts, stub_returns(node.returns))


def _of_stub(one: ast.arg, default: ast.expr | None, is_written: bool) -> str:
    text = None
    if default is not None:
        try:
            text = default_text(ast.literal_eval(default))
        except ValueError:
            text = ""
    kind = stub_type(one.annotation)
    if one.arg == "self" and one.annotation is None:
        kind = "T"
    return parameter(one.arg, kind=kind, default=text, written="" if is_written else None)


def _told(parts: Iterable[str], returns: str) -> str:
    return " ".join(parts) + (f" -> {returns}" if returns else "")


# Schemas.


def of_schemas(name: str, *, called_input: bool) -> list[str]:
    """The signatures of an operator, as Python calls it.

    Args:
        name: its name without ``aten::``.
        called_input: whether ``self`` is called ``input``, as for functions.
    """
    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    plain = [schema for schema in schemas if not any(_is_result(item) for item in schema.arguments)]
    has_out = len(plain) < len(schemas)
    found = [of_schema(schema, called_input=called_input, has_out=has_out) for schema in plain]
    return list(dict.fromkeys(found))


def _is_result(item: Any) -> bool:
    return bool(item.kwarg_only) and _is_written(item)


def of_schema(schema: Any, *, called_input: bool = False, has_out: bool = False) -> str:
    """A schema as a signature."""
    parts: list[str] = []
    for item in schema.arguments:
        if item.kwarg_only and "*" not in parts:
            parts.append("*")
        name = "input" if called_input and item.name == "self" else item.name
        default = default_text(item.default_value) if item.has_default_value() else None
        written = "" if _is_written(item) else None
        kind = SCHEMA_TYPES.get(_schema_type(item), "z" if "int[" in _schema_type(item).lower() else "")
        parts.append(parameter(name, kind=kind, default=default, written=written))
    if has_out:
        parts += [*(() if "*" in parts else ("*",)), parameter("out", kind="T", default="None", written="")]
    kinds = [_returned(item) for item in schema.returns]
    return _told(parts, "".join(kinds) if all(kinds) else "")


def _returned(item: Any) -> str:
    kind = SCHEMA_TYPES.get(_schema_type(item), "")
    return kind if item.alias_info is None else {"T": "A", "L": "M"}.get(kind, kind)


def _schema_type(item: Any) -> str:
    text = str(item.type)
    text = text.removeprefix("Optional[").removesuffix("]") if text.startswith("Optional[") else text
    return {"List[Tensor]": "Tensor[]", "List[Optional[Tensor]]": "Tensor?[]", "List[int]": "int[]"}.get(
        text, text
    )


# Functions and classes of Python.


def of_python(value: object, *, bound: str = "") -> str | None:
    """A function or class of Python as a signature; None if it tells nothing.

    Args:
        value: the function or class.
        bound: the name that a parameter for ``self`` is left under, if it is a method.
    """
    try:
        signature = inspect.signature(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    items = list(signature.parameters.values())
    if not bound and [item.kind for item in items] == [
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    ]:
        return None
    in_place = any(item.name == "inplace" for item in items)
    parts: list[str] = []
    for index, item in enumerate(items):
        if item.kind is item.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        stars = "*" if item.kind is item.VAR_POSITIONAL else "**" if item.kind is item.VAR_KEYWORD else ""
        written = "" if item.name == "out" else None
        if in_place and index == 0 and not inspect.isclass(value):
            written = "inplace"
        default = None if item.default is item.empty else default_text(item.default)
        kind = python_type(item.annotation)
        parts.append(parameter(item.name, stars=stars, kind=kind, default=default, written=written))
    returns = "" if inspect.isclass(value) else python_type(signature.return_annotation)
    return _told(parts, returns)


def python_type(annotation: object) -> str:
    """The type that an annotation at run time means."""
    if annotation is inspect.Parameter.empty:
        return ""
    if annotation is None:
        return "0"
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = text.replace("torch.", "").replace("typing.", "").replace(" | None", "")
    plain = {"Tensor": "T", "int": "i", "float": "f", "bool": "b", "str": "s", "device": "V", "dtype": "D"}
    plain |= {"list[Tensor]": "L", "Sequence[Tensor]": "L", "tuple[Tensor, ...]": "L", "None": "0"}
    if text.startswith(("Callable", "collections.abc.Callable")):
        return "C"
    return plain.get(text, "")


# Whole scopes.


class Names:
    """Signatures by scope and name, and aliases of what another scope has."""

    def __init__(self) -> None:
        self.scopes: dict[str, dict[str, str]] = {}
        self._known: dict[int, str] = {}
        self._kept: list[object] = []  # so that no identity is given twice

    def add(self, scope: str, name: str, value: object, signatures: Iterable[str]) -> None:
        """Note a member of a scope, as an alias if an earlier scope has it."""
        told = "|".join(_in_place(name, one) for one in dict.fromkeys(signatures))
        earlier = self._known.get(id(value))
        if earlier is not None and earlier != f"{scope}.{name}":
            told = f"={earlier}"
        elif told:
            self._known[id(value)] = f"{scope}.{name}"
            self._kept.append(value)
        if told:
            self.scopes.setdefault(scope, {})[name] = told


def _in_place(name: str, told: str) -> str:
    """A signature whose first parameter is written to, if the name says so and nothing in it does."""
    first, space, others = told.partition(" ")
    if not name.endswith("_") or name.endswith("__") or "!" in told or first.startswith(("*", "->")):
        return told
    given, equals, default = first.partition("=")
    return f"{given}!{equals}{default}{space}{others}"


def members(scope: object) -> Iterator[tuple[str, Any]]:
    for name in sorted(dir(scope)):
        if name.startswith("_") and not name.startswith(OPENED):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                value = getattr(scope, name)
            except Exception:  # what is deprecated, or missing on this machine, raises as it likes
                continue
        if callable(value):
            yield name, value


def signatures() -> dict[str, dict[str, str]]:
    """All signatures of torch's Python APIs: by scope (``torch.nn.functional``), by name."""
    written = written_by_schemas()
    stubs: Mapping[str, Mapping[str, list[ast.FunctionDef]]] = {
        "torch": stub("_C/_VariableFunctions.pyi"),
        "torch._C._nn": stub("_C/_nn.pyi"),
        "torch.nn.functional": stub("_C/_nn.pyi") | stub("nn/functional.pyi"),
        "torch.Tensor": stub("_C/__init__.pyi", "TensorBase"),
    }
    shared = sharing_by_schemas()
    names = Names()
    for scope in MODULES:
        module = importlib.import_module(scope)
        for name, value in members(module):
            if (getattr(value, "__module__", None) or "torch").partition(".")[0] == "torch":
                told = of_member(scope, name, value, stubs.get(scope, {}), written)
                names.add(scope, name, value, _shared(told, name in shared and scope == "torch"))
    for scope in CLASSES:
        holder, _, last = scope.rpartition(".")
        cls = getattr(importlib.import_module(holder), last)
        for name, value in members(cls):
            told = of_method(cls, name, value, stubs.get(scope, {}), written)
            names.add(scope, name, value, _shared(told, name in shared and scope == "torch.Tensor"))
    return names.scopes


def _shared(told: list[str], shares: bool) -> list[str]:
    """Signatures whose tensors are told to share memory with an argument, if they do."""
    if not shares:
        return told
    parts = [one.rpartition(" -> ") for one in told]
    return [
        f"{given} -> {returned.replace('T', 'A').replace('L', 'M')}" if arrow else returned
        for given, arrow, returned in parts
    ]


def of_member(
    scope: str,
    name: str,
    value: object,
    stubs: Mapping[str, list[ast.FunctionDef]],
    written: Mapping[str, frozenset[str]],
) -> list[str]:
    if inspect.isfunction(value) or inspect.isclass(value) or not isinstance(name, str):
        told = of_python(value)
        if told is not None:
            return [told]
    if name in stubs:
        if inspect.isfunction(value):  # one function by another argument: `max_pool2d`
            return [of_stub(one, frozenset()) for one in stubs[name]]
        return [of_stub(one, written.get(name, frozenset())) for one in stubs[name]]
    prefix = BY_SCHEMA.get(scope, "")
    found = of_schemas(prefix + name, called_input=True)
    if found:
        return found
    told = of_python(value)
    return [told] if told is not None else []


def of_method(
    cls: type,
    name: str,
    value: object,
    stubs: Mapping[str, list[ast.FunctionDef]],
    written: Mapping[str, frozenset[str]],
) -> list[str]:
    if inspect.isfunction(value) or name not in stubs:
        told = of_python(value, bound="self")
        if told is not None and inspect.ismethod(value):
            told = f"cls {told}".strip()
        return [told] if told is not None else []
    return [of_stub(one, written.get(name, frozenset())) for one in stubs[name]]


def operators() -> dict[str, str]:
    """The signatures of all operators on tensors, by name (``add_``, ``mm.out``), overloads apart."""
    found = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten" and _on_tensors(schema) and not name.startswith("_test"):
            full = f"{name}.{schema.overload_name}" if schema.overload_name else name
            found[full] = of_schema(schema)
    return dict(sorted(found.items()))


# Writing.


def rendered() -> dict[Path, str]:
    """The modules, as they are to be written."""
    python = f'PYTHON: Final = "{sys.version_info.major}.{sys.version_info.minor}"\n'
    lines = [_head("Signatures of torch's Python APIs, by scope and name"), python, "SIGNATURES: Final = {"]
    for scope, found in sorted(signatures().items()):
        lines += [
            f'    "{scope}": """\\',
            *(f"{name} {told}" for name, told in sorted(found.items())),
            '""",',
        ]
    lines.append("}\n")
    of_operators = [_head("Signatures of aten's operators, by name and overload"), 'OPERATORS: Final = """\\']
    of_operators += [f"{name} {told}" for name, told in operators().items()]
    of_operators.append('"""\n')
    return {
        FROZEN / "torch_signatures.py": "\n".join(lines),
        FROZEN / "aten_signatures.py": "\n".join(of_operators),
    }


def _head(what: str) -> str:
    return f'''"""{what}: written by benchmarks/api_signatures.py."""

from __future__ import annotations

from typing import Final

TORCH: Final = "{torch.__version__.partition("+")[0]}"
'''


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only tell whether something would change")
    check = parser.parse_args().check
    stale = [
        path
        for path, text in rendered().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if check:
        for path in stale:
            print(f"{path} is not what torch {torch.__version__} gives", file=sys.stderr)
        return 1 if stale else 0
    for path, text in rendered().items():
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
