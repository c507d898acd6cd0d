"""Which writes CPython tells its watchers of, measured: the table in docs/compile.md.

    python3.12 benchmarks/watchers.py         needs a C compiler and this Python's headers, nothing else

Each write is made a thousand times in one function, so that the interpreter has put its specialized forms in
place. A cell says how many of the writes a watcher was told of, or what else shows them; "-" is nothing.
Writes to objects are made twice: with the dict that `__dict__` gives, and after its last item was taken out
and put back, which makes it a table of its own, apart from the object.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import sysconfig
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_TIMES: Final = 1000
Write = Callable[[Any, int], None]


class Plain:
    """An object whose attributes lie in it until somebody asks for its dict."""

    def __init__(self) -> None:
        self.a: Any = -1
        self.b: Any = -1


class Other(Plain):
    """Another class of the same layout."""


def _attribute(one: Any, value: int) -> None:
    one.a = value


def _by_name(one: Any, value: int) -> None:
    setattr(one, "a", value)  # noqa: B010 - the call is what is measured


def _same(one: Any, value: int) -> None:
    one.a = one.b


def _add(one: Any, value: int) -> None:
    setattr(one, f"new{value}", value)


def _delete(one: Any, value: int) -> None:
    del one.a
    one.a = value


def _item(one: Any, value: int) -> None:
    one.__dict__["a"] = value


def _update(one: Any, value: int) -> None:
    one.__dict__.update(a=value)


def _union(one: Any, value: int) -> None:
    names = one.__dict__
    names |= {"a": value}


def _clear(one: Any, value: int) -> None:
    one.__dict__.clear()
    one.a = value


def _pop(one: Any, value: int) -> None:
    one.__dict__.pop("a")
    one.a = value


def _other_dict(one: Any, value: int) -> None:
    one.__dict__ = {"a": value, "b": -1}


def _other_class(one: Any, value: int) -> None:
    one.__class__ = Other if value % 2 else Plain


OBJECTS: Final[dict[str, Write]] = {
    "`one.a = value`": _attribute,
    "`setattr(one, 'a', value)`": _by_name,
    "`one.a = value`, the object that is there": _same,
    "`one.new = value`": _add,
    "`del one.a`, and again": _delete,
    "`one.__dict__['a'] = value`": _item,
    "`one.__dict__.update(...)`": _update,
    "`one.__dict__.__ior__(...)`": _union,
    "`one.__dict__.clear()`, and again": _clear,
    "`one.__dict__.pop('a')`, and again": _pop,
    "`one.__dict__ = {...}`": _other_dict,
    "`one.__class__ = Other`": _other_class,
}


def _dict_item(one: Any, value: int) -> None:
    one["a"] = value


def _dict_default(one: Any, value: int) -> None:
    one.setdefault(value, value)


def _dict_pop_item(one: Any, value: int) -> None:
    one["z"] = value
    one.popitem()


def _to_end(one: Any, value: int) -> None:
    one.move_to_end("a" if value % 2 else "b")


DICTS: Final[dict[str, tuple[type, Write]]] = {
    "`table['a'] = value`": (dict, _dict_item),
    "`table.setdefault(new, value)`": (dict, _dict_default),
    "`table.popitem()`, and again": (dict, _dict_pop_item),
    "`table['a'] = value` of an `OrderedDict`": (OrderedDict, _dict_item),
    "`table.move_to_end('a')` of an `OrderedDict`": (OrderedDict, _to_end),
}


def _class_attribute(cls: Any, value: int) -> None:
    cls.gain = value


def _class_bases(cls: Any, value: int) -> None:
    cls.__bases__ = (Other,) if value % 2 else (Plain,)


CLASSES: Final[dict[str, Write]] = {
    "`Class.gain = value`, also of a base": _class_attribute,
    "`Class.__bases__ = ...`": _class_bases,
}


def _code(function: Any, value: int) -> None:
    function.__code__ = _CODES[value % 2]


def _defaults(function: Any, value: int) -> None:
    function.__defaults__ = (value,)


def _keyword_defaults(function: Any, value: int) -> None:
    function.__kwdefaults__ = {"b": value}


def _keyword_default(function: Any, value: int) -> None:
    function.__kwdefaults__["b"] = -value - 1


FUNCTIONS: Final[dict[str, Write]] = {
    "`function.__code__ = ...`": _code,
    "`function.__defaults__ = ...`": _defaults,
    "`function.__kwdefaults__ = ...`": _keyword_defaults,
    "`function.__kwdefaults__['b'] = value`": _keyword_default,
}
_CODES: Final = ((lambda a, *, b: a).__code__, (lambda a, *, b: a + 1).__code__)


def _run(write: Write, one: Any) -> None:
    for value in range(_TIMES):
        write(one, value)


def _compiled() -> Any:
    """The C part, compiled for this interpreter."""
    source = Path(__file__).with_suffix(".c")
    target = Path(tempfile.mkdtemp()) / "watchers.so"
    include = sysconfig.get_paths()["include"]
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", f"-I{include}", source, "-o", target], check=True)
    native = ctypes.PyDLL(str(target))
    native.watchers_dict_of.restype = ctypes.c_void_p
    for name in ("watch_dict", "watch_type", "dict_of", "type_version"):
        getattr(native, f"watchers_{name}").argtypes = [ctypes.py_object]
    for name in ("dict_events", "type_events", "function_events"):
        getattr(native, f"watchers_{name}").restype = ctypes.c_long
    native.watchers_type_version.restype = ctypes.c_ulong
    if native.watchers_begin():
        raise SystemExit("this interpreter has no watcher to give")
    return native


def _of_object(native: Any, write: Write, apart: bool) -> str:
    one = Plain()
    if apart:
        key, value = one.__dict__.popitem()
        one.__dict__[key] = value
    names, kind = one.__dict__, type(one)  # held, so that nothing else comes to lie there
    native.watchers_watch_dict(names)
    events = native.watchers_dict_events()
    _run(write, one)
    told = native.watchers_dict_events() - events
    also = ["another dict in its place"] if native.watchers_dict_of(one) != id(names) else []
    if write is _other_class:
        write(one, 1)
        also += ["another class"] if type(one) is not kind else []
    return _cell(told, also)


def rows(native: Any) -> list[tuple[str, ...]]:
    """Each write with what was told of it."""
    found: list[tuple[str, ...]] = []
    for name, write in OBJECTS.items():
        found.append((name, _of_object(native, write, False), _of_object(native, write, True)))
    for name, (make, write) in DICTS.items():
        table = make(a=-1, b=-1)
        native.watchers_watch_dict(table)
        events = native.watchers_dict_events()
        _run(write, table)
        found.append((name, _cell(native.watchers_dict_events() - events, [])))
    for name, write in CLASSES.items():
        found.append((name, _of_class(native, write)))
    for name, write in FUNCTIONS.items():

        def function(a: int = 0, *, b: int = 0) -> int:
            return a + b

        native.watchers_watch_dict(function.__kwdefaults__)
        counters = (native.watchers_function_events, native.watchers_dict_events)
        before_both = [count() for count in counters]
        _run(write, function)
        told, dicts = (count() - start for count, start in zip(counters, before_both, strict=True))
        also = [f"the dict's watcher: {_count(dicts)}"] if dicts > 1 else []
        found.append((name, _cell(told, also)))
    return found


def _of_class(native: Any, write: Write) -> str:
    base = type("Base", (Plain,), {"gain": -1})
    cls = type("Class", (base,), {})
    told, renumbered = 0, 0
    for value in range(_TIMES):
        _ = cls().a, getattr(cls, "gain", None)  # a lookup gives a class a number again
        native.watchers_watch_type(cls)
        version, events = native.watchers_type_version(cls), native.watchers_type_events()
        write(base if write is _class_attribute else cls, value)
        told += native.watchers_type_events() > events
        renumbered += native.watchers_type_version(cls) != version
    return _cell(told, [f"another number: {_count(renumbered)}"])


def _cell(told: int, also: list[str]) -> str:
    parts = ([_count(told)] if told else []) + also
    return ", ".join(parts) or "-"


def _count(told: int) -> str:
    return "all" if told >= _TIMES else f"{told:,} of {_TIMES:,}"


def main() -> int:
    """Print the table."""
    print(f"| Python {sys.version.split()[0]} | told | its dict a table of its own |\n|---|---|---|")
    for name, *cells in rows(_compiled()):
        print(f"| {name} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
