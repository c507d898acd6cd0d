"""Options as code declares them: for parsers of command lines, and in objects of settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.option import OTHERWISE, UNSET, Default, ValueKind
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BUILD, CALL, CONSTANT
from overhead_lint.analysis.ir.queries import bound, by_place, uncopied
from overhead_lint.analysis.options.constants import default_of, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["MAKING_SETTINGS", "MOST_ENTRIES", "declared", "default_given", "entries", "given"]

MAKING_SETTINGS: Final = frozenset(
    {"AttrDict", "Box", "CN", "CfgNode", "ConfigDict", "DotMap", "EasyDict", "HParams", "Munch", "edict"}
    | {"Namespace", "SimpleNamespace"}
)
"""Last names of what makes settings with attributes: of yacs, EasyDict, ml_collections and others."""
MOST_ENTRIES: Final = 64
"""A table that has more is data."""
_FLAGS_OF_ABSL: Final = frozenset(
    {"DEFINE_bool", "DEFINE_boolean", "DEFINE_enum", "DEFINE_float", "DEFINE_integer", "DEFINE_string"}
)

_OTHERWISE: Final = Default(OTHERWISE)
_UNSET: Final = Default(UNSET)
_OFF: Final = Default(int(ValueKind.FALSE))
_FLAGS: Final = {"store_true": _OFF, "store_false": Default(int(ValueKind.TRUE))}
_FIELDS: Final = frozenset({"Field", "attrib", "field", "ib"})
_DEEPEST: Final = 16
_NONE: Final = -1


def declared(record: FunctionIR, call: int) -> Iterator[tuple[str, Default]]:
    """Yield the options that a call declares, each with its default; nothing for other calls.

    Args:
        record: the function that calls.
        call: the call.
    """
    called = uncopied(record, record.operand[call])
    name = last_name(record, called)
    if name == "add_argument":
        yield from _of_parser(record, call)
    elif name == "set_defaults":
        yield from ((one, _OTHERWISE) for one in given(record, call)[1])
    elif name == "option":
        yield from _of_click(record, call)
    elif name in _FLAGS_OF_ABSL:
        by_place, by_name = given(record, call)
        default = by_name.get("default", by_place[1] if len(by_place) > 1 else _NONE)
        for text in _texts(record, by_place[:1]):
            yield text, default_given(record, default)
    elif name in MAKING_SETTINGS or (name == "create" and _is_of_omegaconf(record, called)):
        yield from _of_settings(record, call, 0)


def given(record: FunctionIR, call: int) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the arguments of a call: those by place, and those by name."""
    arguments, names = record.extra[call]
    placed = by_place(record, call)
    by_name = dict(zip(names, arguments[len(placed) :], strict=True))
    by_name.pop("", None)
    return placed, by_name


def default_given(record: FunctionIR, value: int) -> Default:
    """Return what a default is: ``False``, ``field(default=False)``, ``Field(False)``.

    Args:
        record: the function that works it out.
        value: it; `NONE` where nothing is written.
    """
    value = uncopied(record, value) if value >= 0 else value
    if value >= 0 and record.code[value] == CALL and last_name(record, value) in _FIELDS:
        by_place, by_name = given(record, value)
        value = by_name.get("default", by_place[0] if by_place else _NONE)
    if value < 0 or record.code[value] != CONSTANT:
        word = member(record, value) if value >= 0 else ""
        return default_of(word) if word else _OTHERWISE
    return _UNSET if record.extra[value] is None else default_of(record.extra[value])


def entries(record: FunctionIR, table: int) -> Iterator[tuple[str, int]]:
    """Yield what is written under constant keys of a dict."""
    extra = record.extra[table]
    if extra[0] == "dict":
        for key, value in zip(extra[1::2], extra[2::2], strict=True):
            if key >= 0 and record.code[key] == CONSTANT and isinstance(record.extra[key], str):
                yield record.extra[key], value


def _of_parser(record: FunctionIR, call: int) -> Iterator[tuple[str, Default]]:
    """What ``argparse`` gives where the command line does not name an option."""
    by_place, by_name = given(record, call)
    long = [flag for flag in _texts(record, by_place) if flag.startswith("--")]
    dest = _text(record, by_name.get("dest", _NONE))
    if not (dest or long):
        return
    name = dest or long[0].lstrip("-").replace("-", "_")
    if "default" in by_name:
        yield name, default_given(record, by_name["default"])
    elif "action" in by_name:
        action = uncopied(record, by_name["action"])
        is_written = record.code[action] == CONSTANT
        yield name, _FLAGS.get(record.extra[action], _UNSET) if is_written else _OTHERWISE
    else:
        yield name, _UNSET


def _of_click(record: FunctionIR, call: int) -> Iterator[tuple[str, Default]]:
    """What ``click`` gives: ``@click.option("--deep/--no-deep", default=False)``."""
    by_place, by_name = given(record, call)
    texts = list(_texts(record, by_place))
    plain = [text for text in texts if text.isidentifier()]
    long = [text.partition("/")[0] for text in texts if text.startswith("--")]
    if not (plain or long):
        return
    name = plain[0] if plain else long[0].lstrip("-").replace("-", "_")
    is_flag = any("/" in text for text in texts) or (
        "is_flag" in by_name and record.code[uncopied(record, by_name["is_flag"])] == CONSTANT
    )
    default = by_name.get("default", _NONE)
    yield name, default_given(record, default) if default >= 0 else _OFF if is_flag else _UNSET


def _of_settings(record: FunctionIR, call: int, depth: int) -> Iterator[tuple[str, Default]]:
    """What an object of settings is made of: ``EasyDict({"deep": False})``."""
    by_place, by_name = given(record, call)
    for one in by_place:
        yield from _of_table(record, one, depth)
    for name, value in by_name.items():
        yield from _entry(record, name, value, depth)


def _of_table(record: FunctionIR, table: int, depth: int) -> Iterator[tuple[str, Default]]:
    if depth > _DEEPEST:
        return
    table = bound(record, table)
    if record.code[table] == BUILD:
        for name, value in entries(record, table):
            yield from _entry(record, name, value, depth)
    elif record.code[table] == CALL and last_name(record, record.operand[table]) == "dict":
        yield from _of_settings(record, table, depth + 1)


def _entry(record: FunctionIR, name: str, value: int, depth: int) -> Iterator[tuple[str, Default]]:
    yield name, default_given(record, value)
    yield from _of_table(record, value, depth + 1)


def _texts(record: FunctionIR, values: tuple[int, ...]) -> Iterator[str]:
    return filter(None, (_text(record, value) for value in values))


def _text(record: FunctionIR, value: int) -> str:
    """Return a text that is written in a place; "" for anything else."""
    value = uncopied(record, value) if value >= 0 else value
    text = record.extra[value] if value >= 0 and record.code[value] == CONSTANT else ""
    return text if isinstance(text, str) else ""


def _is_of_omegaconf(record: FunctionIR, called: int) -> bool:
    return record.code[called] == ATTRIBUTE and last_name(record, record.operand[called]) == "OmegaConf"
