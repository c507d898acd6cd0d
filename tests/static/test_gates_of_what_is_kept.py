"""Branches that run once, as what they make is kept."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "numbers that tell that there is none yet, and tables made for other sizes": (
        """
        class Model(nn.Module):
            def forward(self, x, rows):
                scale = self.scales[2].item()
                if scale < 0:
                    self.scales[2] = here()
                if float(self.level) < 0:
                    self.level = self.level + here()
                if x[0] < 0:
                    x[0] = here()
                if rows != self.rows or self.table.device != x.device:
                    self.rows = rows
                    self.table = here()
                if rows != self.rows or x.device != rows.device:
                    self.rows = rows
                    self.table = here()
        """,
        [
            "cold: runs once, while self.scales[2] is missing (line 4)",
            *["step: Model.forward runs on every call of the module"] * 2,
            "cold: runs when self.rows changes (line 10)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what each call takes away before it asks": (
        """
        class Model(nn.Module):
            def forward(self, x):
                self.first = None
                for part in x.parts:
                    if self.first is None and part.ready:
                        self.first = here()
                self.last = None
                self.last = x.last
                if self.last is None:
                    self.last = here()
                if x.fresh:
                    self.other = None
                if self.other is None:
                    self.other = here()
        def train(model, loader):
            model.scale = None
            for batch in loader:
                if model.scale is None:
                    model.scale = here()
                model(batch).backward()
                model.seen = None
                if model.seen is None:
                    model.seen = here()
        """,
        [
            "loop: Model.forward runs on every call of the module, in a loop",
            "cold: runs once, while self.last is missing (line 9)",
            "cold: runs once, while self.other is missing (line 13)",
            "cold: runs once, while model.scale is missing (line 18)",
            "step: m.py:17 loop over loader",
        ],
    ),
    "what is made anew for another size": (
        """
        class Model(nn.Module):
            def grow(self, n):
                self.table = torch.zeros(n)
            def forward(self, x):
                for i in range(self.levels):
                    if self.grid[i].shape[2:4] != x[i].shape[2:4]:
                        self.grid[i] = here()
                    if self.kept[i].shape != x[i].shape:
                        self.grid[i] = here()
                if self.table.size(1) < x.size(1):
                    self.table = here()
                if self.table.device != x.device:
                    self.table = here(self.table)
                if len(self.table) < x.size(1):
                    self.grow(2 * x.size(1))
                    here()
                if x.mask.shape != self.shape:
                    x.mask = here()
                if self.table.shape != self.table[0].shape:
                    self.table = here()
        """,
        [
            "cold: runs when self.grid[i].shape[2:4] changes (line 6)",
            "loop: Model.forward runs on every call of the module, in a loop",
            "cold: runs when self.table.size(1) grows (line 10)",
            "step: Model.forward runs on every call of the module",
            "cold: runs when len(self.table) grows (line 14)",
            *["step: Model.forward runs on every call of the module"] * 2,
        ],
    ),
    "what is kept in a buffer, by a name that is looked up, or in the module": (
        """
        KEPT = None
        class Model(nn.Module):
            def forward(self, x):
                if self.mask.shape[0] < x.shape[0]:
                    self.register_buffer("mask", here(), persistent=False)
                if self.other.shape[0] < x.shape[0]:
                    self.register_buffer("mask", here(), persistent=False)
                if getattr(self, "table", None) is None:
                    self.table = here()
                if getattr(self, name, None) is None:
                    self.table = here()
            def backward(self, x):
                global KEPT
                if KEPT is None or KEPT.shape[0] < x.shape[0]:
                    KEPT = here()
                if KEPT.shape[0] < x.shape[0]:
                    KEPT = here(KEPT)
        """,
        [
            "cold: runs when self.mask.shape[0] grows (line 4)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, while getattr(self, 'table', None) is missing (line 8)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, while KEPT is missing (line 14)",
            "step: Model.backward is a step by its name",
        ],
    ),
    "files that are not there": (
        """
        class Pictures(torch.utils.data.Dataset):
            def __getitem__(self, index):
                if not os.path.exists(self.paths[index]):
                    here()
                if not self.paths[index].is_file():
                    here()
                if os.path.isfile(self.paths[index]):
                    here()
        """,
        [
            "cold: runs once, while self.paths[index] is missing (line 3)",
            "cold: runs once, while self.paths[index] is missing (line 5)",
            "step: Pictures.__getitem__ is run in every step by Dataset",
        ],
    ),
    "what is moved to where it is asked for": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.mask.device != x.device:
                    self.mask = self.mask.to(x.device)
                    here()
                if x.dtype != self.mask.dtype:
                    self.mask = self.mask.type_as(x)
                    here()
                if self.mask.shape != x.shape:
                    self.mask = self.mask.to(x.shape)
                    here()
                if self.mask.device != x.device:
                    self.mask = self.mask.clone()
                    here()
        """,
        [
            "cold: runs when self.mask.device changes (line 3)",
            "cold: runs when self.mask.dtype changes (line 6)",
            *["step: Model.forward runs on every call of the module"] * 2,
        ],
    ),
    "flags that a method sets": (
        """
        class Model(nn.Module):
            def __init__(self):
                self.ready, self.known = False, False
            def forward(self, x):
                if not self.ready:
                    self.prepare(x)
                    here()
                if not self.known:
                    self.look(x)
                    here()
            def prepare(self, x):
                here()
                self.ready = True
            def look(self, x):
                self.known = x.known
        """,
        [
            "cold: runs once, until ready is set (line 5)",
            "step: Model.forward runs on every call of the module",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "modules that are put into a mode": (
        """
        def evaluate(model, loader):
            for batch in loader:
                if model.training:
                    model.eval()
                    here()
                model(batch)
                if not model.training:
                    here()
        def sample(model, loader):
            for batch in loader:
                if not model.training:
                    model.train()
                    here()
                model(batch)
        def both(model, loader):
            for batch in loader:
                if model.training:
                    model.eval()
                    here()
                model(batch)
                model.train()
        """,
        [
            "cold: runs once, until training is cleared (line 3)",
            "step: m.py:2 loop over loader",
            "cold: runs once, until training is set (line 11)",
            "step: m.py:16 loop over loader",
        ],
    ),
    "tables that are filled at once": (
        """
        TABLE = {}
        class Model(nn.Module):
            def forward(self, x):
                if not TABLE:
                    TABLE.update({"a": here()})
                if not TABLE:
                    other.update({"a": here()})
        """,
        [
            "cold: runs once, while TABLE is empty (line 4)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what is kept, by other names": (
        """
        class Model(nn.Module):
            def forward(self, x, key):
                cache = self.cache
                if key not in cache:
                    self.cache[key] = here()
                kept = self.sizes
                if key not in kept:
                    self.cache[key] = here()
                done = self.done
                if not done:
                    self.done = True
                    here()
        """,
        [
            "cold: runs when cache misses (line 4)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, until done is set (line 10)",
        ],
    ),
    "what follows an early return that asks for the opposite": (
        """
        class Model(nn.Module):
            def forward(self, x, acc):
                if acc <= self.best:
                    return x
                self.best = acc
                here()
            def backward(self, x, acc):
                if acc <= self.best:
                    return x
                here()
        """,
        [
            "cold: runs when self.best grows (line 3)",
            "step: Model.backward is a step by its name",
        ],
    ),
    "lazy initialisation and caches": (
        """
        class Model(nn.Module):
            def forward(self, x, mask=None, key=None):
                if self.table is None:
                    self.table = here()
                if mask is None:
                    mask = here()
                if key not in self.cache:
                    self.cache[key] = here()
                if not self.initialized:
                    here()
                if not hasattr(self, "w"):
                    self.w = here()
                value = self.memo.get(key)
                if value is None:
                    value = here()
                    self.memo[key] = value
                if self.out is not None:
                    return self.out
                self.out = here()
        """,
        [
            "cold: runs once, while self.table is missing (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.cache misses (line 7)",
            "cold: runs once, until initialized is set (line 9)",
            "cold: runs once, while self.w is missing (line 11)",
            "cold: runs when self.memo misses (line 14)",
            "cold: runs once, while self.out is missing (line 17)",
        ],
    ),
    "what is kept is left alone where two tests say so": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.table is not None:
                    if self.table.size(0) >= x.size(0):
                        return self.table
                self.table = here()
            def backward(self, x):
                if self.table is not None:
                    if x.size(0) >= 3:
                        return self.table
                self.table = here()
            def __call__(self, x):
                for part in x:
                    if self.table is not None:
                        for row in part:
                            if self.table.size(0) >= row:
                                break
                    self.table = here()
        """,
        [
            "cold: runs when self.table.size(0) grows (line 3)",
            "step: Model.backward is a step by its name",
            "loop: Model.__call__ runs on every call of the module, in a loop",
        ],
    ),
    "a table that misses, a size that grows": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.sizes.get(key) is None or self.sizes[key] < size:
                    self.sizes[key] = size
                    here()
                if size > self.capacity:
                    self.capacity = size
                    here()
                if size > self.capacity:
                    here()
                if self.sizes.get(key) is None:
                    here()
                if (size := self.sizes.get(key)) is None:
                    self.sizes[key] = here()
        """,
        [
            "cold: runs when self.sizes misses (line 3)",
            "cold: runs when self.capacity grows (line 6)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.sizes misses (line 13)",
        ],
    ),
    "a branch that makes what its test asks for": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if not self.device:
                    self.device = here()
                if not self.training:
                    self.count = here()
                if not self.count:
                    self.count = None
                    here()
        """,
        [
            "cold: runs once, while self.device is missing (line 3)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "a flag that a method clears, a length that it raises": (
        """
        class Model(nn.Module):
            def __init__(self, fuse):
                self.fuse = fuse
                self.other = fuse
            def forward(self, x):
                if self.fuse:
                    self.fuse_all(here())
                if self.other:
                    self.fuse_all(here())
                if x.shape[1] > self.longest:
                    self.fuse_all(here())
                if x.shape[1] < self.longest:
                    self.fuse_all(here())
            def fuse_all(self, x):
                self.fuse = False
                self.longest = x
        """,
        [
            "cold: runs once, until fuse is cleared (line 6)",
            "step: Model.forward runs on every call of the module",
            "cold: runs when self.longest grows (line 10)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "initialisation through a property or a method": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if self.step_index is None:
                    self._step_index = here()
                if self.plan is None:
                    self.make_plan(here())
                if self.plan is None:
                    x = self.plain(here())
                if self.merged:
                    self.apply(here())
        """,
        [
            "cold: runs once, while self.step_index is missing (line 3)",
            "cold: runs once, while self.plan is missing (line 5)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what is done once": (
        """
        import threading
        TABLE = None
        SEEN = {}
        class Model(nn.Module):
            def __init__(self):
                self.fresh = self.stale = True
            def forward(self, x, state):
                global TABLE
                if self.fresh:
                    here()
                    self.fresh = False
                if self.stale:
                    here()
                    self.stale = False
                if len(state) == 0:
                    state["mean"] = here()
                if TABLE is None:
                    with threading.Lock():
                        if TABLE is None:
                            TABLE = here()
                kept = getattr(x, NAME, None)
                if kept is None:
                    kept = here()
                    setattr(x, NAME, kept)
                if not hasattr(x, NAME):
                    setattr(x, NAME, here())
                mine = {}
                if not mine:
                    mine["a"] = here()
            def spoil(self):
                self.stale = True
        """,
        [
            "cold: runs once, until fresh is cleared (line 9)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, while state is empty (line 15)",
            "cold: runs once, while TABLE is missing (line 19)",
            "cold: runs once, while kept is missing (line 22)",
            "cold: runs once, while x lacks the attribute (line 25)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "a flag of the module that is set for good": (
        """
        warned = False
        class Model(nn.Module):
            def forward(self, x):
                global warned
                if not warned:
                    here()
                    warned = True
                told = False
                if not told:
                    here()
                    told = True
                if warned:
                    return x
                here()
                warned = True
        """,
        [
            "cold: runs once, until warned is set (line 5)",
            "step: Model.forward runs on every call of the module",
            "cold: runs once, until warned is set (line 12)",
        ],
    ),
    "flags set for good, and flags that are none": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if not self.warm:
                    here()
                    self.warm = True
                if self.has_first_stage:
                    here()
                if self.is_complete_trace:
                    here()
                ready = step % 100 == 0
                if not ready:
                    return x
                here()
        """,
        [
            "cold: runs once, until warm is set (line 3)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs every 100 steps (line 11)",
        ],
    ),
    "tables that are looked into by their keys": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if len(x) in self.masks.keys():
                    mask = self.masks[len(x)]
                else:
                    mask = here()
                    self.masks[len(x)] = mask
                if len(x) not in self.masks.keys():
                    mask = here()
        """,
        [
            "cold: runs when self.masks misses (line 3)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "flags that a method sets, or that are tensors": (
        """
        class Search(nn.Module):
            def __init__(self):
                self.fresh = False
                self.register_buffer("filled", torch.zeros(1))
            def forward(self, x):
                if not self.fresh:
                    here()
                    self.refresh()
                if not self.filled:
                    self.filled.data.copy_(torch.tensor([True]))
                    here()
                if not self.filled:
                    self.filled.copy_(x[1])
                    here()
                if self.filled:
                    return x
                here()
                self.filled.fill_(1)
            def refresh(self):
                self.fresh = True
            def forget(self):
                self.fresh = False
        """,
        [
            "step: Search.forward runs on every call of the module",
            "cold: runs once, until filled is set (line 9)",
            "step: Search.forward runs on every call of the module",
            "cold: runs once, until filled is set (line 15)",
        ],
    ),
    "what the branch itself fills, also by a method that it calls": (
        """
        class Losses(nn.Module):
            def __init__(self):
                self.losses, self.waiting, self.seen, self.parts = [], [], [], []
                self.most = 1000
                self.register_buffer("scales", torch.tensor([1.0, -1.0]))
            def add(self, x):
                self.losses.append(nn.BCELoss())
                self.waiting.append(x)
            def measure(self, x):
                self.scales[1] = x
            def forward(self, outputs, x):
                for i, one in enumerate(outputs):
                    if i >= len(self.losses):
                        here()
                        self.add(x)
                    if i >= len(self.parts):
                        self.parts.append(here())
                    if i >= len(self.waiting):
                        here()
                        self.add(x)
                    if len(self.seen) < self.most:
                        self.seen.append(here())
                if len(self.losses) == 0:
                    here()
                    self.add(x)
                scale = self.scales[1].item()
                if scale < 0:
                    here()
                    self.measure(x)
                return self.waiting.pop()
        """,
        [
            "cold: runs when len(self.losses) grows (line 13)",
            "cold: runs when len(self.parts) grows (line 16)",
            *["loop: Losses.forward runs on every call of the module, in a loop"] * 2,
            "cold: runs once, while self.losses is empty (line 23)",
            "cold: runs once, while self.scales[1] is missing (line 27)",
        ],
    ),
    "pools, to which is given back what was taken": (
        """
        POOL = []
        class Net(nn.Module):
            def __init__(self):
                self.free, self.waiting = deque(), deque()
            def forward(self, x):
                one = self.free.popleft() if self.free else here()
                if not POOL:
                    two = here()
                else:
                    two = POOL.pop()
                if self.waiting:
                    three = self.waiting.pop()
                else:
                    three = here()
                return self.give_back(x, one, two)
            def give_back(self, x, one, two):
                self.free.append(one)
                POOL.append(two)
                self.waiting.append(x + 1)
        """,
        [
            "cold: runs once, while self.free is empty (line 6)",
            "cold: runs once, while POOL is empty (line 7)",
            "step: Net.forward runs on every call of the module",
        ],
    ),
    "pools whose own functions give what comes back": (
        """
        class Net(nn.Module):
            def __init__(self):
                self.free, self.used, self.new = [], [], []
            def one(self):
                if self.free:
                    return self.free.pop()
                return here()
            def another(self):
                if self.new:
                    return self.new.pop()
                return here()
            def forward(self, x):
                one = self.one()
                self.used.append(one)
                self.free.append(self.used.pop(0))
                self.new.append(make(self.another()))
        """,
        [
            "cold: runs once, while self.free is empty (line 5)",
            "step: Net.forward runs on every call of the module -> Net.another",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
