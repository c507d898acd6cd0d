"""Options as code declares them: for parsers of command lines, and in objects of settings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, UNSET, Default, ValueKind
from overhead_lint.analysis.options.constants import default_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["DECLARING", "MAKING_SETTINGS", "declared", "default_written"]

MAKING_SETTINGS: Final = frozenset(
    {"AttrDict", "Box", "CN", "CfgNode", "ConfigDict", "DotMap", "EasyDict", "Munch", "edict"}
)
"""Last names of what makes settings with attributes: of yacs, EasyDict, ml_collections and others."""
_FLAGS_OF_ABSL: Final = frozenset(
    {"DEFINE_bool", "DEFINE_boolean", "DEFINE_enum", "DEFINE_float", "DEFINE_integer", "DEFINE_string"}
)
DECLARING: Final = (
    "add_argument",
    "create",
    "option",
    "set_defaults",
    *sorted(_FLAGS_OF_ABSL),
    *sorted(MAKING_SETTINGS),
)
"""Last names of calls that declare options."""

_OTHERWISE: Final = Default(OTHERWISE)
_UNSET: Final = Default(UNSET)
_OFF: Final = Default(int(ValueKind.FALSE))
_FLAGS: Final = {"store_true": _OFF, "store_false": Default(int(ValueKind.TRUE))}
_FIELDS: Final = frozenset({"Field", "attrib", "field", "ib"})
_DEEPEST: Final = 16


def declared(call: ast.Call, name: str) -> Iterator[tuple[str, Default]]:
    """Yield the options that a call declares, each with its default.

    Args:
        call: it.
        name: its last name, one of `DECLARING`.
    """
    given = {one.arg: one.value for one in call.keywords if one.arg is not None}
    if name == "add_argument":
        yield from _of_parser(call, given)
    elif name == "set_defaults":
        yield from ((one, _OTHERWISE) for one in given)
    elif name == "option":
        yield from _of_click(call, given)
    elif name in _FLAGS_OF_ABSL:
        texts = [*_texts(call)][:1]
        default = given.get("default", call.args[1] if len(call.args) > 1 else None)
        yield from ((text, default_written(default)) for text in texts)
    elif name != "create" or _is_of_omegaconf(call.func):
        yield from _of_settings(call, 0)


def default_written(value: ast.expr | None) -> Default:
    """Return what a default is: ``False``, ``field(default=False)``, ``Field(False)``."""
    if isinstance(value, ast.Call) and _last_name(value.func) in _FIELDS:
        first = value.args[0] if value.args else None
        value = next((one.value for one in value.keywords if one.arg == "default"), first)
    if not isinstance(value, ast.Constant):
        return _OTHERWISE
    return _UNSET if value.value is None else default_of(value.value)


def _of_parser(call: ast.Call, given: Mapping[str, ast.expr]) -> Iterator[tuple[str, Default]]:
    """What ``argparse`` gives where the command line does not name an option."""
    long = [flag for flag in _texts(call) if flag.startswith("--")]
    dest = given.get("dest")
    if isinstance(dest, ast.Constant) and isinstance(dest.value, str):
        name = dest.value
    elif long:
        name = long[0].lstrip("-").replace("-", "_")
    else:
        return
    if "default" in given:
        yield name, default_written(given["default"])
        return
    action = given.get("action")
    kind = _FLAGS.get(getattr(action, "value", None) or "", _UNSET)
    yield name, kind if action is None or isinstance(action, ast.Constant) else _OTHERWISE


def _of_click(call: ast.Call, given: Mapping[str, ast.expr]) -> Iterator[tuple[str, Default]]:
    """What ``click`` gives: ``@click.option("--deep/--no-deep", default=False)``."""
    texts = [*_texts(call)]
    plain = [text for text in texts if text.isidentifier()]
    long = [text.partition("/")[0] for text in texts if text.startswith("--")]
    if not (plain or long):
        return
    name = plain[0] if plain else long[0].lstrip("-").replace("-", "_")
    is_flag = any("/" in text for text in texts) or isinstance(given.get("is_flag"), ast.Constant)
    yield name, default_written(given["default"]) if "default" in given else _OFF if is_flag else _UNSET


def _of_settings(call: ast.Call, depth: int) -> Iterator[tuple[str, Default]]:
    """What an object of settings is made of: ``EasyDict({"deep": False})``."""
    for one in call.args:
        yield from _of_table(one, depth)
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield from _entry(keyword.arg, keyword.value, depth)


def _of_table(table: ast.expr, depth: int) -> Iterator[tuple[str, Default]]:
    if depth > _DEEPEST:
        return
    if isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from _entry(key.value, value, depth)
    elif isinstance(table, ast.Call) and _last_name(table.func) == "dict":
        yield from _of_settings(table, depth + 1)


def _entry(name: str, value: ast.expr, depth: int) -> Iterator[tuple[str, Default]]:
    yield name, default_written(value)
    yield from _of_table(value, depth + 1)


def _texts(call: ast.Call) -> Iterator[str]:
    for one in call.args:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _is_of_omegaconf(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and _last_name(function.value) == "OmegaConf"


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
