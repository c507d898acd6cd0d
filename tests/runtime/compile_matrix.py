"""The mutation matrix: what may change between two calls of a compiled module.

Each case changes one thing after the module was compiled and called: the module or what it reads
(``change``), the arguments (``arguments``), or what surrounds the call (``around``).
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import contextlib
import dataclasses
import gc
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from .compile_matrix_net import (  # type: ignore[import-not-found]  # tests are no package
    TABLE,
    Point,
    Settings,
    Shared,
    set_global,
    vector,
)


def _shifted(module: Any, args: Any) -> Any:
    return (args[0] + 7,)


def _call(function: Any, args: tuple[Any, ...]) -> Any:
    return function(*args)


@dataclasses.dataclass(frozen=True)
class Case:
    """One change between two calls.

    Args:
        name: For the test report.
        change: What happens to the net.
        arguments: The arguments of the calls that follow.
        around: How the call is made.
        rich: The net must read what has no version number, or the change is none.
    """

    name: str
    change: Callable[[Any], object] = lambda net: None
    arguments: Callable[[], tuple[Any, ...]] = lambda: (vector(),)
    around: Callable[[Any, tuple[Any, ...]], Any] = _call
    rich: bool = False


def _under(context: Callable[[], Any]) -> Callable[[Any, tuple[Any, ...]], Any]:
    def around(function: Any, args: tuple[Any, ...]) -> Any:
        with context():
            return function(*args)

    return around


def _swap_leaf(net: Any) -> None:
    fresh = type(net.leaves[0])()
    fresh.count = 5
    net.leaves[0] = fresh


def _reuse_id(net: Any) -> None:
    cls = type(net.leaves[0])
    del net.leaves[0]
    gc.collect()
    fresh = cls()
    fresh.count = 9
    net.leaves.append(fresh)


def _in_thread(net: Any) -> None:
    thread = threading.Thread(target=lambda: setattr(net.leaves[0], "count", 77))
    thread.start()
    thread.join()


def _double_data(shape: int) -> Callable[[Any], None]:
    def change(net: Any) -> None:
        net.leaves[0].weight.data = torch.full((shape,), 3.0, dtype=torch.float64)

    return change


def _parametrize(net: Any) -> None:
    nn.utils.parametrize.register_parametrization(net.leaves[0], "weight", _Negate())


class _Negate(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return -x


def _register_and_remove(net: Any) -> None:
    net.register_forward_hook(lambda module, args, out: out + 5000).remove()


def _own_forward_removed(net: Any) -> None:
    net.forward = lambda x, y=None: x - 1
    del net.forward


def _dict_of(find: Callable[[Any], Any], **changed: Any) -> Callable[[Any], None]:
    """The ``__dict__`` of an object is replaced, while the old one lives on."""

    def change(net: Any) -> None:
        owner = find(net)
        _OLD_DICTS.append(owner.__dict__)
        owner.__dict__ = {**owner.__dict__, **changed}

    return change


def _dict_swapped_with_a_twin(net: Any) -> None:
    twin = type(net.leaves[0])()
    twin.count = 6
    twin.__dict__, net.leaves[0].__dict__ = net.leaves[0].__dict__, twin.__dict__
    _OLD_DICTS.append(twin.__dict__)


def _dict_filled_anew(net: Any) -> None:
    attributes = vars(net.leaves[0])
    before = dict(attributes)
    attributes.clear()
    attributes.update(before, count=8)


def _through_a_twin(net: Any) -> None:
    twin = type(net.leaves[0])()
    twin.__dict__ = net.leaves[0].__dict__
    twin.count = 8


_OLD_DICTS: list[Any] = []


def _class_of(index: int | None, **namespace: Any) -> Callable[[Any], None]:
    def change(net: Any) -> None:
        target = net if index is None else net.leaves[index]
        target.__class__ = type("Swapped", (type(target),), namespace)

    return change


def _leaf(attribute: str, value: Any) -> Callable[[Any], None]:
    return lambda net: setattr(net.leaves[0], attribute, value)


CHANGES = [
    Case("nothing changes"),
    Case("int attribute", _leaf("count", 7)),
    Case("float attribute", _leaf("ratio", 9.0)),
    Case("str attribute", _leaf("mode", "b")),
    Case("tuple attribute", _leaf("pair", (50, 2))),
    Case("named tuple attribute", _leaf("point", Point(1, 70))),
    Case("int becomes float", _leaf("count", 1.5)),
    Case("attribute becomes None", _leaf("mode", None)),
    Case("same value written", _leaf("count", 1)),
    Case("attribute deleted", lambda net: delattr(net.leaves[0], "count")),
    Case("attribute written by a thread", _in_thread),
    Case("attribute through __dict__", lambda net: net.leaves[0].__dict__.update(count=8)),
    Case("__dict__ of a leaf cleared and filled", _dict_filled_anew),
    Case("attribute through a twin of the same __dict__", _through_a_twin),
    Case("__dict__ of a leaf", _dict_of(lambda net: net.leaves[0], count=8)),
    Case("__dict__ of a leaf and a twin", _dict_swapped_with_a_twin),
    Case("__dict__ of a list of modules", _dict_of(lambda net: net.leaves, _modules={})),
    Case("__dict__ of the net", _dict_of(lambda net: net, settings=Settings(50.0))),
    Case("__dict__ of the net, all the same", _dict_of(lambda net: net)),
    Case("__dict__ of a shared object", _dict_of(lambda net: net.shared, rows=[[70], 2])),
    Case("__dict__ of a dataclass", _dict_of(lambda net: net.settings, gain=60.0)),
    Case("new unrelated attribute", _leaf("unrelated", 1)),
    Case("shared object's flag", lambda net: setattr(net.shared, "flag", False)),
    Case(
        "shared object's __dict__",
        lambda net: setattr(net.shared, "__dict__", {"flag": 0, "rows": [[1]], "step": 2}),
    ),
    Case(
        "shared object replaced",
        lambda net: setattr(net, "shared", types.SimpleNamespace(flag=0, rows=[[5]])),
    ),
    Case("shared object replaced in the first", lambda net: setattr(net.readers[0], "source", Shared(7))),
    Case("shared object replaced in the last", lambda net: setattr(net.readers[1], "source", Shared(7))),
    Case("dataclass field", lambda net: setattr(net.settings, "gain", 40.0)),
    Case("slot", lambda net: setattr(net.slotted, "k", 77), rich=True),
    Case("namespace field", lambda net: setattr(net.space, "z", 50), rich=True),
    Case("namespace replaced", lambda net: setattr(net, "space", types.SimpleNamespace(z=99)), rich=True),
    Case("list item", lambda net: net.leaves[0].items.__setitem__(0, 50)),
    Case("list grows", lambda net: net.leaves[0].items.append(5)),
    Case("nested list item", lambda net: net.shared.rows[0].__setitem__(0, 60)),
    Case("dict item", lambda net: net.leaves[0].table.update(k=50)),
    Case("dict replaced", _leaf("table", {"k": 51})),
    Case("set item removed", lambda net: net.leaves[0].names.discard(1), rich=True),
    Case("submodule replaced", _swap_leaf),
    Case("submodule appended", lambda net: net.leaves.append(type(net.leaves[0])())),
    Case("submodule removed", lambda net: net.leaves.__delitem__(0)),
    Case("submodule's id reused", _reuse_id),
    Case("module dict grows", lambda net: net.extra.update({"b": nn.ReLU()})),
    Case("module dict entry replaced", lambda net: net.extra.update({"a": nn.Tanh()})),
    Case("parameter replaced", _leaf("weight", nn.Parameter(torch.full((4,), 7.0)))),
    Case("parameter data of another dtype", _double_data(4)),
    Case("parameter data of another shape", _double_data(1)),
    Case("parameter data replaced", lambda net: setattr(net.leaves[0].weight, "data", torch.full((4,), 3.0))),
    Case("parameter changed in place", lambda net: net.leaves[0].weight.data.mul_(3)),
    Case("parameter becomes None", _leaf("weight", None)),
    Case("parameter frozen", lambda net: net.leaves[0].weight.requires_grad_(False)),
    Case("all parameters frozen", lambda net: net.requires_grad_(False)),
    Case("parameter gets a grad", lambda net: setattr(net.leaves[0].weight, "grad", torch.ones(4))),
    Case("parametrized", _parametrize),
    Case("buffer registered again", lambda net: net.leaves[0].register_buffer("bias", torch.full((4,), 5.0))),
    Case("buffer of another dtype", lambda net: setattr(net.leaves[0].bias, "data", torch.ones(4).double())),
    Case("buffer swapped", lambda net: torch.utils.swap_tensors(net.leaves[0].bias, torch.ones(4).double())),
    Case("plain tensor replaced", _leaf("constant", torch.full((4,), 6.0))),
    Case("plain tensor needs grad", lambda net: net.leaves[0].constant.requires_grad_()),
    Case("to double", lambda net: net.double()),
    Case("to bfloat16", lambda net: net.bfloat16()),
    Case("eval", lambda net: net.eval()),
    Case("leaf eval", lambda net: net.leaves[0].eval()),
    Case("class attribute of a leaf", lambda net: setattr(type(net.leaves[0]), "class_gain", 30)),
    Case(
        "property of a leaf", lambda net: setattr(type(net.leaves[0]), "doubled", property(lambda leaf: 90))
    ),
    Case(
        "class forward of a leaf", lambda net: setattr(type(net.leaves[0]), "forward", lambda leaf, x: x - 1)
    ),
    Case("class forward", lambda net: setattr(type(net), "forward", lambda net, x: x - 1)),
    Case("class forward of the base", lambda net: delattr(type(net), "forward")),
    Case(
        "code of forward",
        lambda net: setattr(type(net).forward, "__code__", (lambda self, x, y=None: x - 1).__code__),
    ),
    Case("class of a leaf", _class_of(0, forward=lambda leaf, x: x - 2)),
    Case("class of the net", _class_of(None, forward=lambda net, x: x - 3)),
    Case("class with its own __call__", _class_of(None, __call__=lambda net, x: x - 4)),
    Case("class with its own _call_impl", _class_of(None, _call_impl=lambda net, x: x - 5)),
    Case("own forward of a leaf", _leaf("forward", lambda x: x - 1)),
    Case("own forward", lambda net: setattr(net, "forward", lambda x, y=None: x - 1)),
    Case("own forward removed again", _own_forward_removed),
    Case("own _call_impl", lambda net: setattr(net, "_call_impl", lambda x, y=None: x - 1)),
    Case("defaults of forward", lambda net: setattr(type(net).forward, "__defaults__", (4,))),
    Case("Module.compile() on it", lambda net: net.compile(backend="eager")),
    Case("forward hook", lambda net: net.register_forward_hook(lambda module, args, out: out + 5000)),
    Case("forward pre-hook", lambda net: net.register_forward_pre_hook(lambda module, args: (args[0] + 1,))),
    Case("backward hook", lambda net: net.register_full_backward_hook(lambda module, into, out: None)),
    Case("forward hook removed again", _register_and_remove),
    Case(
        "forward hook of a leaf",
        lambda net: net.leaves[0].register_forward_hook(lambda m, a, out: out + 5000),
    ),
    Case(
        "global forward hook",
        lambda net: nn.modules.module.register_module_forward_hook(lambda m, a, o: o + 7),
    ),
    Case(
        "global pre-hook",
        lambda net: nn.modules.module.register_module_forward_pre_hook(_shifted),
    ),
    Case("global variable", set_global("OFFSET", 4)),
    Case("global dict item", lambda net: TABLE.update(k=80)),
    Case("global function replaced", set_global("helper", lambda x: x - 6)),
    Case("closure cell", lambda net: net.set_k(70)),
    Case("defaults of a function", lambda net: setattr(net.with_default, "__defaults__", (9,))),
    Case("keyword defaults of a function", lambda net: net.with_default.__kwdefaults__.update(b=90)),
    Case("function replaced", lambda net: setattr(net, "with_default", lambda x: x - 3)),
    Case("default dtype", lambda net: torch.set_default_dtype(torch.float64)),
    Case("number of threads", lambda net: torch.set_num_threads(1)),
    Case("deterministic algorithms", lambda net: torch.use_deterministic_algorithms(True)),
    Case(
        "default device",
        lambda net: torch.set_default_device("meta"),
        lambda: (torch.arange(4.0, device="cpu"),),
    ),
    Case("dynamo reset", lambda net: torch._dynamo.reset()),
]


class _Doubling(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        return out + 1 if func in (torch.Tensor.add, torch.Tensor.__add__) else out


class _Tripling(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        return out * 3 if func is torch.ops.aten.mul.Tensor else out


class _Named(torch.Tensor):
    pass


def _marked() -> torch.Tensor:
    x: torch.Tensor = vector()
    torch._dynamo.mark_dynamic(x, 0)
    return x


def _inference_tensor() -> torch.Tensor:
    with torch.inference_mode():
        x: torch.Tensor = vector()
    return x


def _same_twice() -> tuple[Any, ...]:
    x = vector()
    return x, x


ARGUMENTS = {
    "another shape": lambda: (torch.arange(8.0).reshape(2, 4),),
    "another rank, same size": lambda: (torch.arange(4.0).reshape(1, 4),),
    "empty": lambda: (torch.empty(0, 4),),
    "another dtype": lambda: (torch.arange(4),),
    "double": lambda: (vector().double(),),
    "complex": lambda: (vector().to(torch.complex64),),
    "conjugate view": lambda: (vector().to(torch.complex64).conj(),),
    "another stride": lambda: (torch.arange(8.0)[::2],),
    "another offset": lambda: (torch.arange(8.0)[4:],),
    "requires grad": lambda: (vector().requires_grad_(),),
    "meta device": lambda: (torch.ones(4, device="meta"),),
    "float": lambda: (3.0,),
    "int": lambda: (3,),
    "bool": lambda: (True,),
    "None": lambda: (None,),
    "list": lambda: ([1.0, 2.0, 3.0, 4.0],),
    "parameter": lambda: (nn.Parameter(vector()),),
    "tensor subclass": lambda: (vector().as_subclass(_Named),),
    "inference tensor": lambda: (_inference_tensor(),),
    "marked dynamic": lambda: (_marked(),),
    "second argument": lambda: (vector(), torch.ones(4)),
    "second argument is the first": _same_twice,
    "second argument is a number": lambda: (vector(), 2),
}


@contextlib.contextmanager
def _guard_hook() -> Iterator[None]:
    previous = torch._C._dynamo.eval_frame.set_guard_complete_hook(lambda hit: hit)
    try:
        yield
    finally:
        torch._C._dynamo.eval_frame.set_guard_complete_hook(previous)


def _nested_autocast() -> Any:
    stack = contextlib.ExitStack()
    stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
    stack.enter_context(torch.autocast("cpu", enabled=False))
    return stack


def _jvp(function: Any, args: tuple[Any, ...]) -> Any:
    return torch.func.jvp(function, args, (torch.ones(4),))[1]


def _dual(function: Any, args: tuple[Any, ...]) -> Any:
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(args[0], torch.ones(4))
        return torch.autograd.forward_ad.unpack_dual(function(dual)).tangent


def _gradient(function: Any, args: tuple[Any, ...]) -> Any:
    x = args[0].clone().requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]


def _compiled_outside(function: Any, args: tuple[Any, ...]) -> Any:
    return torch.compile(lambda x: function(x) * 2, backend="eager")(*args)


def _disabled_outside(function: Any, args: tuple[Any, ...]) -> Any:
    return torch.compiler.disable(lambda x: function(x) * 2)(*args)


def _in_new_thread(function: Any, args: tuple[Any, ...]) -> Any:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(function(*args)))
    thread.start()
    thread.join()
    return results[0]


def _after_error(function: Any, args: tuple[Any, ...]) -> Any:
    with contextlib.suppress(Exception):
        function(torch.ones(3))
    return function(*args)


SURROUNDINGS: dict[str, Callable[[Any, tuple[Any, ...]], Any]] = {
    "no_grad": _under(torch.no_grad),
    "inference_mode": _under(torch.inference_mode),
    "set_grad_enabled": _under(lambda: torch.set_grad_enabled(True)),
    "autocast": _under(lambda: torch.autocast("cpu", dtype=torch.bfloat16)),
    "autocast disabled inside autocast": _under(_nested_autocast),
    "DisableTorchFunction": _under(torch._C.DisableTorchFunction),
    "DisableTorchFunctionSubclass": _under(torch._C.DisableTorchFunctionSubclass),
    "saved tensor hooks": _under(lambda: torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)),
    "stance force_eager": _under(lambda: torch.compiler.set_stance("force_eager")),
    "stance eager_on_recompile": _under(lambda: torch.compiler.set_stance("eager_on_recompile")),
    "stance fail_on_recompile": _under(lambda: torch.compiler.set_stance("fail_on_recompile")),
    "stance default": _under(lambda: torch.compiler.set_stance("default")),
    "TorchFunctionMode": _under(_Doubling),
    "TorchDispatchMode": _under(_Tripling),
    "device context": _under(lambda: torch.device("cpu")),
    "anomaly detection": _under(torch.autograd.detect_anomaly),
    "profiler": _under(torch.profiler.profile),
    "guard-complete hook": _under(_guard_hook),
    "vmap": lambda function, args: torch.vmap(function)(torch.stack(args * 2)),
    "func.grad": lambda function, args: torch.func.grad(lambda x: function(x).sum())(*args),
    "func.jvp": _jvp,
    "forward-mode dual": _dual,
    "backward": _gradient,
    "jit.trace": lambda function, args: torch.jit.trace(function, args)(*args),
    "symbolic_trace": lambda function, args: torch.fx.symbolic_trace(lambda x: function(x))(*args),
    "outer torch.compile": _compiled_outside,
    "outer disable": _disabled_outside,
    "another thread": _in_new_thread,
    "after an error": _after_error,
}

CASES = [
    *CHANGES,
    *(Case(f"argument: {name}", arguments=make) for name, make in ARGUMENTS.items()),
    *(Case(f"under: {name}", around=around) for name, around in SURROUNDINGS.items()),
]
