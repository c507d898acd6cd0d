"""Functions and instances that are handed over run where they are called: hooks, decorators, callbacks."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from project_cases import heat, heat_below, loop_over

WORK = """
    def plain(*args):
        here()
    def make(name):
        def hook(*args):
            here()
        return hook
    class Keeper:
        def keep(self, *args):
            here()
    """

HANDED = {
    "hook of another file": ("from work import plain\nmodule.register_forward_hook(plain)", "plain"),
    "hook that is bound": (
        "import functools\nfrom work import plain\nt.register_hook(functools.partial(plain, 1))",
        "plain",
    ),
    "method as a hook": (
        "from work import Keeper\nk = Keeper()\nm.register_full_backward_hook(k.keep)",
        "Keeper.keep",
    ),
    "engine callback": (
        "from work import plain\nVariable._execution_engine.queue_callback(plain)",
        "plain",
    ),
    "saved tensors": (
        "from work import plain\nimport torch\ntorch.autograd.graph.saved_tensors_hooks(plain, len)",
        "plain",
    ),
    "saved tensors, by a class of one's own": (
        "from work import plain\nfrom torch.autograd.graph import saved_tensors_hooks\n"
        "class Offload(saved_tensors_hooks):\n    def __init__(self):\n        super().__init__(plain, len)",
        "plain",
    ),
    "backward of an operator": (
        "from work import plain\nimport torch\ntorch.library.register_autograd('lib::op', plain)",
        "plain",
    ),
    "what an operator keeps for its backward": (
        "from work import plain\nmodule.register_autograd(len, setup_context=plain)",
        "plain",
    ),
    "stand-in of an operator": ("from work import plain\nmodule.register_fake('lib::op', plain)", ""),
    "constructor of another class": (
        "from work import plain\nclass Offload(Holder):\n    def __init__(self):\n"
        "        super().__init__(plain)",
        "",
    ),
    "forward that is replaced": ("from work import plain\nmodel.forward = plain", "plain"),
    "call of a class that may be no module's": (
        "from work import plain\nmodel.__class__.__call__ = plain",
        "",
    ),
    "hook of a state dict": ("from work import plain\nm.register_state_dict_pre_hook(plain)", ""),
    "attribute that is replaced": ("from work import plain\nmodel.title = plain", ""),
}


@pytest.mark.parametrize("name", HANDED)
def test_what_runs_in_every_step_is_found_in_other_files(tmp_path: Path, name: str) -> None:
    text, expected = HANDED[name]
    found = heat(tmp_path, {"work.py": WORK, "main.py": f"def prepare(module, m, t, model):\n{indent(text)}"})
    hot = [line for line in found if ": step:" in line]
    assert len(hot) == (1 if expected else 0)
    assert all(f": step: {expected} " in line for line in hot)


def indent(text: str) -> str:
    return textwrap.indent(text, "    ")


def test_hooks_that_a_function_makes_or_binds_are_hot(tmp_path: Path) -> None:
    text = """
        import functools, types
        def make(name):
            def hook(module, args, out):
                here()
            return hook
        def bound(name, module, args):
            here()
        def replaced(module, x):
            here()
        def wrapped(module, args):
            here()
        def prepare(model, other):
            model.register_forward_hook(package.disable(wrapped), prepend=False)
            model.register_forward_hook(make("a"))
            model.register_forward_pre_hook(hook=functools.partial(bound, "b"))
            other.forward = types.MethodType(replaced, other)
        """
    found = heat(tmp_path, {"m.py": text})
    assert [line.split(": ")[1] for line in found] == ["step"] * 4


def test_what_decorators_put_around_functions_runs_with_these(tmp_path: Path) -> None:
    around = """
        import functools
        def dispatched(name):
            def decorator(function):
                @functools.wraps(function)
                def wrapper(*args):
                    here()
                    return function(*args)
                wrapper = quiet(wrapper)
                return wrapper
            return decorator
        def counted(function):
            def wrapper(*args):
                here()
                return function(*args)
            return functools.wraps(function)(wrapper)
        class Checked:
            def __init__(self, function):
                here()
                self.function = function
            def __call__(self, *args):
                here()
                return self.function(*args)
        def listed(function):
            here()
            ALL.append(function)
            return function
        def unused(function):
            def wrapper(*args):
                here()
            return wrapper
        """
    work = """
        from pkg.around import Checked, counted, dispatched, listed
        @listed
        @dispatched("f")
        @counted
        def f(x):
            return g(x)
        @Checked
        def g(x):
            return x
        """
    sources = {
        "pkg/around.py": around,
        "pkg/work.py": work,
        "a.py": loop_over("f(batch)", "from pkg.work import f"),
    }
    found = [line.split(": ")[1] for line in heat(tmp_path, sources)]
    assert found == ["step", "step", "cold", "step", "cold", "cold"]


def test_generators_of_other_files_run_where_their_items_are_taken(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/data.py": """
            from pkg.store import read
            def stream(path):
                here()
                for row in read(path):
                    yield row
            class Buffer:
                def mini_batch_generator(self, count):
                    for _ in range(count):
                        yield here()
            def loaded(path):
                return stream(path)
        """,
        "pkg/store.py": """
            def read(path):
                here()
                while True:
                    here()
                    yield path
        """,
        "pkg/train.py": """
            from pkg.data import loaded
            def train(model, buffer):
                for batch in loaded("rows"):
                    model(batch).backward()
                for batch in buffer.mini_batch_generator(4):
                    model(batch).backward()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/data.py: cold: nothing shows that it runs in a step",
        "pkg/data.py: step: pkg/train.py:5 loop that calls model(batch).backward() -> "
        "Buffer.mini_batch_generator",
        "pkg/store.py: cold: nothing shows that it runs in a step",
        "pkg/store.py: step: pkg/train.py:3 loop that calls model(batch).backward() -> stream -> read",
    ]


def test_functions_kept_in_attributes_are_followed_where_these_are_handed_over(tmp_path: Path) -> None:
    sources = {
        "pkg/__init__.py": "",
        "pkg/base.py": """
            class Base:
                def guided(self, model_fn, x):
                    return model_fn(x)
        """,
        "pkg/pipe.py": """
            from pkg.base import Base
            class Pipe(Base):
                def __init__(self):
                    self.model_fn = predict
                    self.other = None
                    self.size = LARGE
                def sample(self, x, loader):
                    for batch in loader:
                        x = x - self.guided(self.model_fn, x)
                        x = self.guided(self.size, x)
            def predict(x):
                here()
            def unused(x):
                here()
        """,
    }
    assert heat_below(tmp_path, sources) == [
        "pkg/pipe.py: step: pkg/pipe.py:8 loop over loader -> predict",
        "pkg/pipe.py: cold: nothing shows that it runs in a step",
    ]


def test_functions_of_a_table_run_where_it_is_read(tmp_path: Path) -> None:
    text = """
        class Runner:
            def send(self):
                here()
            def receive(self):
                here()
            def train_step(self, kinds):
                for kind in kinds:
                    self.TABLE[kind](self)
            TABLE = {"send": send, "receive": receive}
        def alone():
            here()
        NAMES = {"alone": alone, "count": 3}
        """
    assert [line.split(": ")[1] for line in heat(tmp_path, {"m.py": text})] == ["loop", "loop", "cold"]


def test_callbacks_run_where_a_parameter_of_their_name_is_called(tmp_path: Path) -> None:
    sources = {
        "preview.py": """
            def make(steps):
                def shown(x):
                    here()
                return shown
            def other(x):
                here()
            """,
        "sampling.py": """
            def sample(model, x, callback=None, f=None):
                for t in timesteps:
                    x = model(x, t)
                    callback(x)
                    f(x)
            """,
        "main.py": """
            import preview
            def run(sampler, model, x):
                shown = preview.make(3)
                return sampler.sample(model, x, callback=shown, f=preview.other)
            """,
    }
    first, second = heat(tmp_path, sources)
    assert first.endswith("sampling.py:2 loop over timesteps -> make.<locals>.shown")
    assert second == "preview.py: cold: nothing shows that it runs in a step"


HANDED_INSTANCES = {
    "itself, to a function": ("shared(self, batch)", "def shared(module, x): module.part(x)"),
    "made on the spot": ("shared(Net(), batch)", "def shared(net, x): net.part(x)"),
    "kept in an attribute": ("shared(self.net, batch)", "def shared(net, x): net.part(x)"),
    "moved first": (
        "shared(net=Net().cuda(), x=batch)",
        """
        def shared(x, net):
            net = net.eval()
            net.part(x)
        """,
    ),
    "by its name alone": ("shared(batch, net=Net())", "def shared(x, *, net): net.part(x)"),
    "a class that makes it": ("shared(Net, batch)", "def shared(made, x): made().part(x)"),
    "a class that makes it, by one of several names": (
        "shared(batch, make=Net)",
        """
        def shared(x, make):
            first = make()
            if x is None:
                first = make()
            first.part(x)
        """,
    ),
    "a class that a constructor is given": (
        "Keeper(Net).go(batch)",
        """
        class Keeper:
            def __init__(self, make):
                self.net = make()

            def go(self, x):
                self.net.part(x)
        """,
    ),
    "kept by a constructor": (
        "Keeper(Net()).go(batch)",
        """
        class Keeper:
            def __init__(self, net):
                self.net = net

            def go(self, x):
                self.net.part(x)
        """,
    ),
}


@pytest.mark.parametrize("name", HANDED_INSTANCES)
def test_methods_of_instances_that_functions_are_handed(tmp_path: Path, name: str) -> None:
    call, shared = HANDED_INSTANCES[name]
    sources = {
        "nets.py": f"""
            from shared import Keeper, shared
            from torch import nn

            class Net(nn.Module):
                def __init__(self):
                    self.net = Net()

                def forward(self, batch):
                    {call}

                def part(self, x):
                    here()

            class Heir(Net):
                def part(self, x):
                    here()

            class Other(nn.Module):
                def part(self, x):
                    here()
            """,
        "shared.py": shared,
    }
    net, heir, other = heat(tmp_path, sources)
    assert net.startswith("nets.py: step: Net.forward runs on every call of the module -> ")
    assert net.endswith("-> Net.part")
    assert heir.startswith("nets.py: step" if "self, batch" in call else "nets.py: cold")
    assert other.startswith("nets.py: cold")


def test_callbacks_given_by_place_run_where_their_parameter_is_called(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "loop.py": """
                def rounds(model, loader, f, other):
                    for batch in loader:
                        f(model(batch))

                class Runner:
                    def __init__(self, model, fn):
                        self.model = model
                        self.fn = fn

                    def run(self, loader):
                        for batch in loader:
                            self.fn(self.model(batch))
                """,
            "start.py": """
                from loop import Runner, rounds

                def by_place(x):
                    here()

                def kept(x):
                    here()

                def not_called(x):
                    here()

                def main(model, loader):
                    rounds(model, loader, by_place, not_called)
                    Runner(model, kept).run(loader)
                """,
        },
    )
    by_place, kept, not_called = found
    assert by_place.endswith("loop.py:2 loop over loader -> by_place")
    assert kept.endswith("loop.py:11 loop over loader -> kept")
    assert not_called == "start.py: cold: nothing shows that it runs in a step"


CONTEXT = """
    from contextlib import contextmanager
    @contextmanager
    def scope(mode):
        here()
        yield
    """


@pytest.mark.parametrize(
    ("decorator", "is_hot"), [("@scope(1)", True), ("@region.scope(1)", True), ("@len(1)", False)]
)
def test_context_that_decorates_a_function_is_entered_in_each_call(
    tmp_path: Path, decorator: str, is_hot: bool
) -> None:
    net = f"""
        import region
        from region import scope
        from torch import nn
        class Net(nn.Module):
            {decorator}
            def forward(self, x):
                return x
        """
    (found,) = heat_below(tmp_path, {"region.py": CONTEXT, "net.py": net})
    expected = "step: Net.forward runs on every call of the module -> scope" if is_hot else "cold"
    assert found.startswith(f"region.py: {expected}")
