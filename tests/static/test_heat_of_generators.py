"""What generators and data sets do for each item runs where items are taken."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "what a loader asks a data set for is not its next item": (
        """
        class Pictures(torch.utils.data.Dataset):
            def __getitem__(self, index):
                return self.crop(index)
            def __next__(self):
                self.at += 1
                return self[self.at], self.__getitem__(self.at), here()
            def crop(self, index):
                return here()
        pictures = Pictures()
        for batch in tqdm(DataLoader(pictures, batch_size=8)):
            train(batch)
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: Pictures.__getitem__ is run in every step by Dataset -> Pictures.crop",
        ],
    ),
    "what gives the items of an iterable data set": (
        """
        class Texts(torch.utils.data.IterableDataset):
            def __iter__(self):
                here()
                with open(self.path) as lines:
                    for line in lines:
                        yield here()
        class Pipeline(torch.utils.data.IterableDataset):
            def __iter__(self):
                pipeline = here()
                return map(here(), pipeline)
        """,
        [
            "cold: runs once for all items that are iterated",
            "step: Texts.__iter__ is run in every step by IterableDataset",
            "cold: runs once for all items that are iterated",
            "step: Pipeline.__iter__ is run in every step by IterableDataset",
        ],
    ),
    "what a generator does for each item runs where items are taken": (
        """
        def batches(path):
            here()
            for line in path:
                if line:
                    yield prepare(line)
        def prepare(line):
            here()
        stream = batches("a")
        def more():
            while here():
                yield here()
            here()
        def all_of():
            yield from more()
        def rest():
            for shard in shards():
                here()
                for one in shard:
                    here()
                    yield one
                    for part in one:
                        here()
        def built():
            return rest()
        def once():
            for item in never():
                pass
        def never():
            while True:
                here()
                yield 1
        @contextlib.contextmanager
        def timed():
            while True:
                here()
                yield
        class Source:
            def draw(self, count):
                for _ in range(count):
                    here()
                    yield 1
            def fill(self):
                return self.draw(3)
        class Reader:
            def __iter__(self):
                here()
                for line in self.lines:
                    here()
                    yield line
        class Counter:
            def __iter__(self):
                return self
            def __next__(self):
                here()
        source = Source()
        taken = iter(source.fill())
        def train(model):
            queue = enumerate(Reader())
            for epoch in range(3):
                for x, y in zip(tqdm(built()), all_of()):
                    z = next(stream)
                    with timed() as t:
                        model(x, y, z, next(taken)).backward()
            for _, x in queue:
                model(x).backward()
            for x in Counter():
                model(x).backward()
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> batches -> prepare",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> all_of -> more",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> all_of -> more",
            "cold: nothing shows that it runs in a step",
            "cold: nothing shows that it runs in a step",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> rest",
            "loop: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> rest, in a loop",
            "cold: nothing shows that it runs in a step",
            "loop: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> timed, in a loop",
            "step: m.py:60 loop that calls model(x, y, z, next(taken)).backward() -> Source.draw",
            "cold: runs once for all items that are iterated",
            "step: m.py:64 loop that calls model(x).backward() -> Reader.__iter__",
            "step: m.py:66 loop that calls model(x).backward() -> Counter.__next__",
        ],
    ),
    "one of two generators": (
        """
        def short():
            for x in data:
                here()
                yield x
        def long():
            for x in data:
                here()
                yield x
        def train(model, how):
            if how:
                stream = short()
            else:
                stream = long()
            for x in stream:
                model(x).backward()
        """,
        [
            "step: m.py:14 loop that calls model(x).backward() -> short",
            "step: m.py:14 loop that calls model(x).backward() -> long",
        ],
    ),
    "a generator that a step makes is run as a whole": (
        """
        class Model(nn.Module):
            def parts(self, x):
                here()
                for part in x.split(2):
                    here()
                    yield part
            def forward(self, x):
                return [self.layer(part) for part in self.parts(x)]
        def load_batches():
            for name in sorted(files):
                here()
                yield torch.load(name)
        def fit(model):
            for batch in load_batches():
                here()
                model(batch).sum().backward()
        """,
        [
            "step: Model.forward runs on every call of the module -> Model.parts",
            "loop: Model.forward runs on every call of the module -> Model.parts",
            "step: m.py:14 loop over load_batches() -> load_batches",
            "step: m.py:14 loop over load_batches()",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
