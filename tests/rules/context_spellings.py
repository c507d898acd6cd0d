"""Spellings of contexts that are built in each step, with the rule that speaks of each, or why none does."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

from typing import Final

from spelled import Spelling, forward, loop

_PUSH = """
@contextmanager
def push(depth):
    print(depth)
    yield
    print(-depth)
"""
_OWN = """
class Mixed:
    def __init__(self, dtype):
        self.dtype = dtype
    def __enter__(self):
        self.inner = torch.autocast("cpu", dtype=self.dtype)
        return self.inner.__enter__()
    def __exit__(self, *error):
        return self.inner.__exit__(*error)
"""
_RUN = "loss = model(x).sum()"

CONTEXTS: Final = [
    # Built where it is entered.
    Spelling("with, in forward", forward("with torch.autocast('cuda'):\n    return self.lin(x)"), "OVH101"),
    Spelling(
        "with, in a loop",
        loop("with torch.autocast('cuda', dtype=dtype):\n    loss = model(x).sum()"),
        "OVH101",
    ),
    Spelling(
        "torch.amp.autocast", loop("with torch.amp.autocast('cuda'):\n    loss = model(x).sum()"), "OVH101"
    ),
    Spelling(
        "torch.cuda.amp.autocast",
        loop("with torch.cuda.amp.autocast():\n    loss = model(x).sum()"),
        "OVH102",
    ),
    Spelling(
        "import of the name",
        loop("with autocast('cuda'):\n    loss = model(x).sum()", above="from torch import autocast"),
        "OVH101",
    ),
    Spelling(
        "import under another name",
        loop("with amp('cuda'):\n    loss = model(x).sum()", above="from torch import autocast as amp"),
        "OVH101",
    ),
    Spelling(
        "two items of a with",
        loop("with torch.no_grad(), torch.autocast('cuda'):\n    loss = model(x).sum()"),
        "OVH101",
    ),
    Spelling(
        "ExitStack",
        loop(
            "with ExitStack() as stack:\n    stack.enter_context(torch.autocast('cuda'))\n    loss = model(x).sum()"
        ),
        "OVH101",
    ),
    Spelling(
        "conditional nullcontext",
        loop("with torch.autocast('cuda') if dtype else nullcontext():\n    loss = model(x).sum()"),
        "OVH101",
    ),
    Spelling(
        "conditional nullcontext in a name",
        loop(
            "ctx = torch.autocast('cuda') if dtype else nullcontext()\nwith ctx:\n    loss = model(x).sum()"
        ),
        "OVH101",
    ),
    Spelling(
        "branches that bind a name",
        loop(
            "if dtype:\n    ctx = torch.autocast('cuda')\nelse:\n    ctx = nullcontext()\nwith ctx:\n    loss = model(x).sum()"
        ),
        "OVH101",
    ),
    Spelling(
        "entered by hand",
        loop(
            "ctx = torch.autocast('cuda')\nctx.__enter__()\nloss = model(x).sum()\nctx.__exit__(None, None, None)"
        ),
        "OVH101",
    ),
    Spelling(
        "method that returns it",
        forward(
            "with self.amp():\n    return self.lin(x)",
            methods="def amp(self):\n    return torch.autocast('cuda')",
        ),
        "OVH101",
    ),
    Spelling(
        "property that returns it",
        forward(
            "with self.amp:\n    return self.lin(x)",
            methods="@property\ndef amp(self):\n    return torch.autocast('cuda')",
        ),
        "OVH101",
    ),
    Spelling(
        "static method that returns it",
        forward(
            "with Net.amp():\n    return self.lin(x)",
            methods="@staticmethod\ndef amp():\n    return torch.autocast('cuda')",
        ),
        "OVH101",
    ),
    Spelling(
        "function that returns it",
        loop(
            "with amp(dtype):\n    loss = model(x).sum()",
            above="def amp(dtype):\n    return torch.autocast('cuda', dtype=dtype)",
        ),
        "OVH101",
    ),
    Spelling(
        "function that returns one of two",
        loop(
            "with amp(dtype):\n    loss = model(x).sum()",
            above="def amp(dtype):\n    if dtype is None:\n        return nullcontext()\n    return torch.autocast('cuda', dtype=dtype)",
        ),
        "OVH101",
    ),
    Spelling(
        "function in the function",
        loop("with amp():\n    loss = model(x).sum()", "def amp():\n    return torch.autocast('cuda')"),
        "OVH101",
    ),
    Spelling(
        "base class's method",
        forward(
            "with self.amp():\n    return self.lin(x)",
            above="class Base:\n    def amp(self):\n        return torch.autocast('cuda')\n",
        ).replace("(nn.Module)", "(Base, nn.Module)"),
        "OVH101",
    ),
    # Made again by what was kept.
    Spelling(
        "partial in an attribute",
        forward(
            "with self.amp():\n    return self.lin(x)",
            "self.amp = functools.partial(torch.autocast, 'cuda', dtype=dtype)",
        ),
        "OVH101",
    ),
    Spelling(
        "partial in a local name",
        loop("with amp():\n    loss = model(x).sum()", "amp = functools.partial(torch.autocast, 'cuda')"),
        "OVH101",
    ),
    Spelling(
        "partial of the module",
        loop(
            "with AMP():\n    loss = model(x).sum()", above="AMP = functools.partial(torch.autocast, 'cuda')"
        ),
        "OVH101",
    ),
    Spelling(
        "partial that is one of two",
        forward(
            "with self.amp():\n    return self.lin(x)",
            "self.amp = functools.partial(torch.autocast, 'cuda') if precision else nullcontext",
        ),
        "OVH101",
    ),
    Spelling(
        "partial as an argument",
        loop(
            "with amp():\n    loss = model(x).sum()",
            above="def main(model, loader):\n    train(model, loader, torch.float16, 'cuda', functools.partial(torch.autocast, 'cuda'))\n",
        ).replace("dtype: torch.dtype, device)", "dtype, device, amp)"),
        "OVH101",
    ),
    Spelling(
        "lambda in an attribute",
        forward(
            "with self.amp():\n    return self.lin(x)",
            "self.amp = lambda: torch.autocast('cuda', dtype=dtype)",
        ),
        "OVH101",
    ),
    Spelling(
        "lambda in a local name",
        loop("with amp():\n    loss = model(x).sum()", "amp = lambda: torch.autocast('cuda')"),
        "OVH101",
    ),
    Spelling(
        "table of lambdas",
        loop(
            "with AMP[dtype]():\n    loss = model(x).sum()",
            above="AMP = {torch.float16: lambda: torch.autocast('cuda'), torch.float32: nullcontext}",
        ),
        "OVH101",
    ),
    Spelling(
        "table of partials",
        loop(
            "with AMP[dtype]():\n    loss = model(x).sum()",
            above="AMP = {torch.float16: functools.partial(torch.autocast, 'cuda'), torch.float32: nullcontext}",
        ),
        "OVH101",
    ),
    Spelling(
        "registry that a decorator fills",
        loop(
            "with CONTEXTS.get(device)():\n    loss = model(x).sum()",
            above="CONTEXTS = {}\ndef register(f):\n    CONTEXTS[f.__name__] = f\n    return f\n"
            "@register\ndef bf16():\n    return torch.autocast('cuda', dtype=torch.bfloat16)\n",
        ),
        "OVH101",
    ),
    Spelling(
        "class under another name",
        loop("with amp('cuda'):\n    loss = model(x).sum()", "amp = torch.autocast"),
        "OVH101",
    ),
    Spelling(
        "class in an attribute",
        forward("with self.amp('cuda'):\n    return self.lin(x)", "self.amp = torch.autocast"),
        "OVH101",
    ),
    Spelling(
        "own class that enters it",
        loop("with mixed:\n    loss = model(x).sum()", "mixed = Mixed(dtype)", above=_OWN),
        "OVH101",
    ),
    Spelling(
        "own class, made in each step",
        loop("with Mixed(dtype):\n    loss = model(x).sum()", above=_OWN),
        "OVH101",
    ),
    Spelling(
        "own class in an attribute",
        forward("with self.mixed:\n    return self.lin(x)", "self.mixed = Mixed(dtype)", above=_OWN),
        "OVH101",
    ),
    Spelling(
        "instance that is kept",
        forward("with self.amp:\n    return self.lin(x)", "self.amp = torch.autocast('cuda')"),
        "OVH103",
    ),
    Spelling(
        "decorator of an inner function",
        loop("@torch.autocast('cuda')\ndef run():\n    return model(x).sum()\nloss = run()"),
        "OVH101",
    ),
    Spelling(
        "fabric.autocast",
        loop(
            "with fabric.autocast():\n    loss = model(x).sum()",
            "from lightning.fabric import Fabric\nfabric = Fabric()",
        ),
        "OVH101",
    ),
    Spelling(
        "accelerator.autocast",
        loop(
            "with accelerator.autocast():\n    loss = model(x).sum()",
            "from accelerate import Accelerator\naccelerator = Accelerator()",
        ),
        "OVH101",
    ),
    Spelling(
        "fabric that is handed over",
        loop(
            "with fabric.autocast():\n    loss = model(x).sum()\nfabric.backward(loss)",
            "fabric = device.setup()",
        ),
        "OVH101",
    ),
    Spelling(
        "accelerator that is handed over",
        loop(
            "with my_accelerator.autocast():\n    loss = model(x).sum()\nmy_accelerator.backward(loss)",
            "my_accelerator = device.setup()",
        ),
        "OVH101",
    ),
    Spelling(
        "accelerator in an attribute",
        forward(
            "with self.accelerator.autocast():\n    return self.lin(x)", "self.accelerator = dtype.setup()"
        ),
        "OVH101",
    ),
    Spelling(
        "accelerator of the project's own",
        loop(
            "with accelerator.autocast():\n    loss = model(x).sum()",
            "accelerator = Accelerator()",
            above="""
            class Accelerator:
                mixed = nullcontext()
                def autocast(self):
                    return self.mixed
            """,
        ),
        "",
        "its class says what it gives",
    ),
    Spelling(
        "module of a device that is chosen",
        forward(
            "with self.device_module.amp.autocast(dtype=torch.half):\n    return self.lin(x)",
            "self.device_module = chosen()",
        ),
        "OVH101",
    ),
    Spelling(
        "policy.autocast",
        loop("with policy.autocast():\n    loss = model(x).sum()", "policy = device.setup()"),
        "",
        "nobody knows what it gives",
    ),
    Spelling(
        "accelerator.accumulate",
        loop(
            "with accelerator.accumulate(model):\n    loss = model(x).sum()",
            "from accelerate import Accelerator\naccelerator = Accelerator()",
        ),
        "",
        "it tells of no autocast, and counting steps is what it is for",
    ),
    # Generators.
    Spelling("generator, with", loop("with push(1):\n    loss = model(x).sum()", above=_PUSH), "OVH104"),
    Spelling(
        "generator, in forward", forward("with push(1):\n    return self.lin(x)", above=_PUSH), "OVH104"
    ),
    Spelling(
        "generator method",
        forward(
            "with self.push():\n    return self.lin(x)",
            methods="@contextmanager\ndef push(self):\n    self.depth = 1\n    yield\n    self.depth = 0",
        ),
        "OVH104",
    ),
    Spelling(
        "generator class method",
        forward(
            "with Net.push():\n    return self.lin(x)",
            methods="@classmethod\n@contextmanager\ndef push(cls):\n    cls.depth = 1\n    yield\n    cls.depth = 0",
        ),
        "OVH104",
    ),
    Spelling(
        "generator as a decorator",
        forward("return self.lin(x)", above=_PUSH).replace(
            "    def forward", "    @push(1)\n    def forward"
        ),
        "OVH104",
    ),
    Spelling(
        "generator by an exit stack",
        loop(
            "with ExitStack() as stack:\n    stack.enter_context(push(1))\n    loss = model(x).sum()",
            above=_PUSH,
        ),
        "OVH104",
    ),
    Spelling(
        "generator under another name",
        loop("with scope(1):\n    loss = model(x).sum()", above=_PUSH + "scope = push"),
        "OVH104",
    ),
    Spelling(
        "generator by a partial",
        loop("with scope():\n    loss = model(x).sum()", "scope = functools.partial(push, 1)", above=_PUSH),
        "OVH104",
    ),
    Spelling(
        "generator by a lambda",
        loop("with scope():\n    loss = model(x).sum()", "scope = lambda: push(1)", above=_PUSH),
        "OVH104",
    ),
    Spelling(
        "generator that a function returns",
        loop(
            "with scope(1):\n    loss = model(x).sum()",
            above=_PUSH + "def scope(depth):\n    return push(depth) if depth else nullcontext()",
        ),
        "OVH104",
    ),
    Spelling(
        "generator of a call by hand",
        loop(
            "with push(1):\n    loss = model(x).sum()",
            above=_PUSH.replace("@contextmanager\n", "") + "push = contextmanager(push)",
        ),
        "",
        "the rule looks at decorators; none of 10,840 files of well-known packages writes it so",
    ),
    Spelling(
        "async generator",
        loop(
            "async with push(slots):\n    loss = model(x).sum()",
            "slots = device",
            above="@contextlib.asynccontextmanager\nasync def push(slots):\n    await slots.acquire()\n    yield\n    slots.release()",
        ).replace("def train", "async def train"),
        "OVH104",
    ),
    Spelling(
        "generator entered by another",
        loop(
            "with outer():\n    loss = model(x).sum()",
            above=_PUSH + "@contextmanager\ndef outer():\n    with push(2):\n        yield",
        ),
        "OVH104",
    ),
    # Silent, and rightly so.
    Spelling(
        "entered once around the loop",
        loop(_RUN).replace("    for x", "    ctx = torch.autocast('cuda')\n    ctx.__enter__()\n    for x"),
        "",
        "once a run",
    ),
    Spelling(
        "in compiled code",
        forward("with torch.autocast('cuda'):\n    return self.lin(x)").replace(
            "    def forward", "    @torch.compile\n    def forward"
        ),
        "",
        "the compiler leaves nothing of it",
    ),
    Spelling(
        "runtime.autocast",
        loop(
            "with runtime.autocast('cuda'):\n    loss = model(x).sum()",
            above="from overhead_lint import runtime",
        ),
        "",
        "it is kept",
    ),
    Spelling(
        "generator in set-up",
        _PUSH.replace("@contextmanager", "from contextlib import contextmanager\n@contextmanager")
        + "def load(path):\n    with push(1):\n        return open(path)\n",
        "",
        "once a run",
    ),
    Spelling(
        "own class that keeps one",
        loop(
            "with Kept():\n    loss = model(x).sum()",
            above="class Kept:\n    __slots__ = ()\n    def __enter__(self):\n        torch.set_autocast_enabled('cuda', True)\n    def __exit__(self, *error):\n        torch.set_autocast_enabled('cuda', False)",
        ),
        "",
        "two calls of C",
    ),
    Spelling(
        "decorator of a method",
        forward("return self.lin(x)").replace(
            "    def forward", "    @torch.autocast('cuda')\n    def forward"
        ),
        "",
        "the one instance is built when the class is, and a wrapper enters it",
    ),
    Spelling(
        "partial of another class",
        forward(
            "with self.amp():\n    return self.lin(x)", "self.amp = functools.partial(nullcontext, precision)"
        ),
        "",
        "it does nothing",
    ),
    Spelling(
        "partial that is only kept",
        forward("return self.lin(x)", "self.amp = functools.partial(torch.autocast, 'cuda')"),
        "",
        "nobody calls it",
    ),
]
CODES: Final = ("OVH101", "OVH102", "OVH103", "OVH104")
