"""Spellings of events and streams in each step, with the rule that speaks of each, or why none does."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

from typing import Final

from spelled import Spelling, forward, loop

_CURRENT = "torch.cuda.current_stream()"
_RUN = "loss = model(x).sum()"
_KEPT = "self.stream = stream\nself.done = torch.cuda.Event()"
_OWN = "self.side = torch.cuda.Stream()"
_END = "\nreturn self.lin(x)"

EVENTS: Final = [
    # Events that are made.
    Spelling(
        "Event()",
        forward("e = torch.cuda.Event()\ne.record()\nself.side.wait_event(e)" + _END, _OWN),
        "OVH402",
    ),
    Spelling(
        "torch.Event",
        forward("e = torch.Event('cuda')\ne.record()\nself.side.wait_event(e)" + _END, _OWN),
        "OVH402",
    ),
    Spelling(
        "Event of an import",
        forward(
            "e = Event()\ne.record()\nself.side.wait_event(e)" + _END,
            _OWN,
            above="from torch.cuda import Event",
        ),
        "OVH402",
    ),
    Spelling(
        "Event in a loop",
        loop("e = torch.cuda.Event()\ne.record()\nside.wait_event(e)\n" + _RUN, "side = torch.cuda.Stream()"),
        "OVH402",
    ),
    Spelling(
        "default written out",
        forward(
            "e = torch.cuda.Event(enable_timing=False, blocking=False)\ne.record()\nself.side.wait_event(e)"
            + _END,
            _OWN,
        ),
        "OVH402",
    ),
    Spelling(
        "stream of one's own that an autograd function is given",
        forward(
            "return Exchange.apply(x, self.side)",
            _OWN,
            above=f"""
            class Exchange(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, side):
                    {_CURRENT}.wait_stream(side)
                    return x
            """,
        ),
        "",
        "it is another stream than the current one",
    ),
    Spelling(
        "stream of a class that its autograd function is given",
        forward(
            "return Exchange.run(x)",
            above=f"""
            class Exchange(torch.autograd.Function):
                SIDE = None
                @staticmethod
                def forward(ctx, x, side):
                    {_CURRENT}.wait_stream(side)
                    return x
                @staticmethod
                def run(x):
                    if Exchange.SIDE is None:
                        Exchange.SIDE = torch.cuda.Stream()
                    return Exchange.apply(x, Exchange.SIDE)
            """,
        ),
        "",
        "it is another stream than the current one",
    ),
    Spelling(
        "stream that an autograd function is given by callers",
        forward(
            "return x",
            above=f"""
            class Exchange(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, side):
                    {_CURRENT}.wait_stream(side)
                    return x
            """,
        ),
        "OVH401",
    ),
    Spelling(
        "another thread, once a step",
        forward(
            "self.work = self.pool.submit(self.vote)" + _END,
            _OWN,
            methods="def vote(self):\n    self.voted = self.side.record_event()",
        ),
        "",
        "it is beside the step",
    ),
    Spelling(
        "stream of another thread",
        forward(
            "self.work = self.pool.submit(self.moved, x)" + _END,
            methods="def moved(self, x):\n    with torch.cuda.stream(torch.cuda.Stream()):\n        return x.cpu()",
        ),
        "OVH402",
    ),
    Spelling(
        "another thread, many times",
        loop(
            "threading.Thread(target=copied, args=(x,)).start()\n" + _RUN,
            "side = torch.cuda.Stream()\ndef copied(parts):\n    for part in parts:\n"
            "        part.cuda()\n        side.wait_event(torch.cuda.Event())",
            above="import threading",
        ),
        "OVH402",
    ),
    Spelling(
        "record_event without an event",
        forward(f"e = {_CURRENT}.record_event()\nself.side.wait_event(e)" + _END, _OWN),
        "OVH402",
    ),
    Spelling(
        "record_event of a kept stream",
        forward(f"e = self.side.record_event()\n{_CURRENT}.wait_event(e)" + _END, _OWN),
        "OVH402",
    ),
    Spelling(
        "record_event of a given stream",
        forward(f"e = self.stream.record_event()\n{_CURRENT}.wait_event(e)" + _END, "self.stream = stream"),
        "OVH402",
    ),
    Spelling(
        "record_event in a hook",
        forward(
            "return self.lin(x)",
            "self.side = torch.cuda.Stream()\nself.register_forward_hook(self.hook)",
            methods=f"def hook(self, module, args, out):\n    e = self.side.record_event()\n    {_CURRENT}.wait_event(e)",
        ),
        "OVH402",
    ),
    Spelling(
        "record_event in a partial hook",
        forward(
            "return self.lin(x)",
            "side = torch.cuda.Stream()\nself.register_forward_hook(partial(after, side))",
            above="from functools import partial\n\ndef after(side, module, args, out):\n"
            f"    {_CURRENT}.wait_event(side.record_event())\n",
        ),
        "OVH402",
    ),
    Spelling(
        "record_event given on at once",
        forward(f"self.side.wait_event({_CURRENT}.record_event())" + _END, _OWN),
        "OVH402",
    ),
    Spelling(
        "device module",
        forward(
            "e = self.dev.Event()\ne.record()\nself.side.wait_event(e)" + _END,
            "self.dev = torch.get_device_module('cuda')\n" + _OWN,
        ),
        "OVH402",
    ),
    Spelling(
        "device module of a local name",
        loop(
            "e = dev.Event()\ne.record()\nside.wait_event(e)\n" + _RUN,
            "dev = torch.get_device_module('cuda')\nside = dev.Stream()",
        ),
        "OVH402",
    ),
    Spelling(
        "class under another name",
        loop(
            "e = make()\ne.record()\nside.wait_event(e)\n" + _RUN,
            "make = torch.cuda.Event\nside = torch.cuda.Stream()",
        ),
        "OVH402",
    ),
    Spelling(
        "class in an attribute",
        forward(
            "e = self.make()\ne.record()\nself.side.wait_event(e)" + _END,
            "self.make = torch.cuda.Event\n" + _OWN,
        ),
        "OVH402",
    ),
    Spelling(
        "by a partial",
        forward(
            "e = self.make()\ne.record()\nself.side.wait_event(e)" + _END,
            "self.make = functools.partial(torch.cuda.Event, blocking=False)\n" + _OWN,
        ),
        "OVH402",
    ),
    Spelling(
        "helper of the module",
        forward(
            "e = fresh()\ne.record()\nself.side.wait_event(e)" + _END,
            _OWN,
            above="def fresh():\n    return torch.cuda.Event()",
        ),
        "OVH402",
    ),
    Spelling(
        "prefetcher",
        "import torch\n\nclass Prefetcher:\n    def __init__(self, loader):\n        self.loader = iter(loader)\n        self.side = torch.cuda.Stream()\n    def next(self):\n        with torch.cuda.stream(self.side):\n            batch = next(self.loader).to('cuda', non_blocking=True)\n            ready = torch.cuda.Event()\n            ready.record(self.side)\n        return batch, ready\n\ndef train(model, loader, optimizer):\n    ahead = Prefetcher(loader)\n    for _ in range(1000):\n        batch, ready = ahead.next()\n        torch.cuda.current_stream().wait_event(ready)\n        model(batch).sum().backward()\n        optimizer.step()\n",
        "OVH402",
    ),
    Spelling(
        "a list of events each step",
        forward(
            "es = [torch.cuda.Event() for _ in range(4)]\nfor e in es:\n    e.record()\n    self.side.wait_event(e)"
            + _END,
            _OWN,
        ),
        "OVH402",
    ),
    # Streams that are made.
    Spelling(
        "Stream()",
        forward(
            f"side = torch.cuda.Stream()\nside.wait_stream({_CURRENT})\nwith torch.cuda.stream(side):\n    y = self.lin(x)\nreturn y"
        ),
        "OVH402",
    ),
    Spelling(
        "torch.Stream",
        forward("side = torch.Stream('cuda')\nwith side:\n    y = self.lin(x)\nreturn y"),
        "OVH402",
    ),
    Spelling(
        "Stream of a device module",
        forward(
            "side = self.dev.Stream()\nwith self.dev.stream(side):\n    y = self.lin(x)\nreturn y",
            "self.dev = torch.get_device_module('cuda')",
        ),
        "OVH402",
    ),
    Spelling(
        "side stream by an option",
        forward(
            f"side = torch.cuda.Stream() if self.overlap else {_CURRENT}\nwith torch.cuda.stream(side):\n    y = self.lin(x)\nreturn y",
            "self.overlap = precision == 'fast'",
        ),
        "OVH402",
    ),
    # Streams that may be one.
    Spelling(
        "wait_stream of a given one",
        forward(f"self.stream.wait_stream({_CURRENT})" + _END, "self.stream = stream"),
        "OVH401",
    ),
    Spelling(
        "wait_stream for a given one",
        forward(f"{_CURRENT}.wait_stream(self.stream)" + _END, "self.stream = stream"),
        "OVH401",
    ),
    Spelling(
        "stream or the current one",
        forward(f"{_CURRENT}.wait_stream(self.lane)" + _END, f"self.lane = stream or {_CURRENT}"),
        "OVH401",
    ),
    Spelling(
        "current one if none is given",
        forward(
            f"{_CURRENT}.wait_stream(self.lane)" + _END,
            f"self.lane = {_CURRENT} if stream is None else stream",
        ),
        "OVH401",
    ),
    Spelling(
        "default against current",
        forward(f"{_CURRENT}.wait_stream(torch.cuda.default_stream())" + _END),
        "OVH401",
    ),
    Spelling(
        "current against current by a name",
        forward(f"here = {_CURRENT}\n{_CURRENT}.wait_stream(here)" + _END),
        "OVH401",
    ),
    Spelling(
        "helper that waits",
        forward(
            f"order(self.lane, {_CURRENT})" + _END,
            f"self.lane = stream or {_CURRENT}",
            above="def order(a, b):\n    a.wait_stream(b)",
        ),
        "OVH401",
    ),
    Spelling(
        "method that waits",
        forward(
            f"self.order({_CURRENT})" + _END,
            f"self.lane = stream or {_CURRENT}",
            methods="def order(self, other):\n    self.lane.wait_stream(other)",
        ),
        "OVH401",
    ),
    Spelling(
        "event kept, recorded on a given stream",
        forward(f"self.done.record(self.stream)\n{_CURRENT}.wait_event(self.done)" + _END, _KEPT),
        "OVH401",
    ),
    Spelling(
        "event kept, given stream waits",
        forward("self.done.record()\nself.stream.wait_event(self.done)" + _END, _KEPT),
        "OVH401",
    ),
    Spelling(
        "event.wait on a given stream",
        forward("self.done.record()\nself.done.wait(self.stream)" + _END, _KEPT),
        "OVH401",
    ),
    Spelling(
        "one of two",
        forward(
            f"now = {_CURRENT}\nfinal = [now, self.side][self.turn % 2]\nfinal.wait_stream(now)\nfinal.wait_stream(self.side)"
            + _END,
            _OWN + "\nself.turn = 0",
        ),
        "OVH401",
    ),
    Spelling(
        "own stream inside its block",
        forward(
            f"with torch.cuda.stream(self.side):\n    self.side.wait_stream({_CURRENT})\n    y = self.lin(x)\nreturn y",
            _OWN,
        ),
        "OVH401",
    ),
    Spelling(
        "streams that wait for each other",
        forward(f"now = {_CURRENT}\nself.side.wait_stream(now)\nnow.wait_stream(self.side)" + _END, _OWN),
        "OVH401",
    ),
    Spelling(
        "stream of a parameter",
        "import torch\n\ndef forward(x: torch.Tensor, stream: torch.cuda.Stream):\n    torch.cuda.current_stream().wait_stream(stream)\n    return x + 1\n\ndef train(loader, stream, optimizer):\n    for x in loader:\n        forward(x, stream).sum().backward()\n        optimizer.step()\n",
        "OVH401",
    ),
    # Silent, and rightly so.
    Spelling(
        "event kept, own stream",
        forward(
            f"self.done.record(self.side)\n{_CURRENT}.wait_event(self.done)" + _END,
            _OWN + "\nself.done = torch.cuda.Event()",
        ),
        "",
        "two streams, one event",
    ),
    Spelling(
        "own stream waits for the current one",
        forward(
            f"self.side.wait_stream({_CURRENT})\nwith torch.cuda.stream(self.side):\n    y = self.lin(x)\n{_CURRENT}.wait_stream(self.side)\nreturn y",
            _OWN,
        ),
        "",
        "two streams",
    ),
    Spelling(
        "given stream that is entered",
        "import torch\n\ndef forward(x: torch.Tensor, side: torch.cuda.Stream):\n    with torch.cuda.stream(side):\n        y = x + 1\n"
        f"    {_CURRENT}.wait_stream(side)\n    return y\n\ndef train(loader, side, optimizer):\n    for x in loader:\n        forward(x, side).sum().backward()\n        optimizer.step()\n",
        "",
        "it is written for a stream beside the current one",
    ),
    Spelling(
        "event that measures",
        loop("e = torch.cuda.Event(enable_timing=True)\ne.record()\n" + _RUN),
        "",
        "a measurement is what is wanted",
    ),
    Spelling(
        "event that may be waited for by the host",
        loop("e = torch.cuda.Event(blocking=True)\ne.record()\n" + _RUN),
        "",
        "it is made for something else than order",
    ),
    Spelling(
        "compared first",
        forward(
            f"if self.stream != {_CURRENT}:\n    {_CURRENT}.wait_stream(self.stream)" + _END,
            "self.stream = stream",
        ),
        "",
        "it waits for another one only",
    ),
    Spelling(
        "stream made in set-up",
        forward("with torch.cuda.stream(self.side):\n    y = self.lin(x)\nreturn y", _OWN),
        "",
        "once a run",
    ),
    Spelling(
        "ring of events",
        forward(
            "e = self.ring[self.turn % 4]\nself.turn += 1\ne.record()\nself.side.wait_event(e)" + _END,
            "self.ring = [torch.cuda.Event() for _ in range(4)]\nself.turn = 0\n" + _OWN,
        ),
        "",
        "they are kept",
    ),
    Spelling(
        "record_event of a kept event",
        forward(
            f"{_CURRENT}.record_event(self.done)\nself.side.wait_event(self.done)" + _END,
            _OWN + "\nself.done = torch.cuda.Event()",
        ),
        "",
        "it is recorded again",
    ),
    Spelling(
        "record_stream",
        forward(
            "with torch.cuda.stream(self.side):\n    y = self.lin(x)\nx.record_stream(self.side)\nreturn y",
            _OWN,
        ),
        "",
        "the allocator needs it, and makes no event before the memory is freed",
    ),
    Spelling(
        "helper that each caller gives two streams",
        forward(
            "order(self.side, self.other)" + _END,
            _OWN + "\nself.other = torch.cuda.Stream()",
            above="def order(a, b):\n    a.wait_stream(b)",
        ),
        "",
        "two streams",
    ),
    Spelling(
        "factory of a field",
        loop(
            "t = Transfer()\nt.done.record()\nside.wait_event(t.done)\n" + _RUN,
            "side = torch.cuda.Stream()",
            above="@dataclass\nclass Transfer:\n    done: object = field(default_factory=torch.cuda.Event)\n",
        ),
        "OVH402",
    ),
    Spelling(
        "factory of a field of an object that is kept",
        loop(
            "t.done.record()\nside.wait_event(t.done)\n" + _RUN,
            "side = torch.cuda.Stream()\nt = Transfer()",
            above="@dataclass\nclass Transfer:\n    done: object = field(default_factory=torch.cuda.Event)\n",
        ),
        "",
        "it is made once",
    ),
    Spelling(
        "factory of a field that a constructor of its own leaves",
        loop(
            "t = Transfer()\n" + _RUN,
            above="@dataclass\nclass Transfer:\n    done: object = field(default_factory=torch.cuda.Event)\n"
            "    def __init__(self):\n        pass\n",
        ),
        "",
        "no object gets one",
    ),
    Spelling(
        "event that nobody records",
        forward("e = torch.cuda.Event()\nself.side.wait_event(e)\ne.synchronize()" + _END, _OWN),
        "",
        "the driver makes none, and waiting for it returns at once",
    ),
    Spelling(
        "event of another process",
        forward(
            "e = torch.cuda.Event(interprocess=True)\ne.record()\nself.queue.put(e.ipc_handle())" + _END,
            "self.queue = precision",
        ),
        "",
        "the other process opens it by its handle",
    ),
    Spelling(
        "threading.Event",
        loop("done = threading.Event()\n" + _RUN, above="import threading"),
        "",
        "no event of a device",
    ),
    Spelling(
        "class with one instance",
        forward(
            "return self.lin(x) + Info().size",
            above="class Once(type):\n    kept = {}\n    def __call__(cls):\n        if cls not in cls.kept:\n            cls.kept[cls] = super().__call__()\n        return cls.kept[cls]\nclass Info(metaclass=Once):\n    def __init__(self):\n        self.size = 1\n        self.side = torch.cuda.Stream()",
        ),
        "",
        "the metaclass keeps it",
    ),
    Spelling(
        "given streams that callers made",
        "import torch\n\nclass Copier:\n    def copy(self, x: torch.Tensor, stream: torch.cuda.Stream):\n        stream.wait_stream(torch.cuda.current_stream())\n        return x + 1\n\ndef train(loader, optimizer):\n    side, copier = torch.cuda.Stream(), Copier()\n    for x in loader:\n        copier.copy(x, side).sum().backward()\n        optimizer.step()\n",
        "",
        "each caller gives one of its own",
    ),
]
CODES: Final = ("OVH401", "OVH402")
