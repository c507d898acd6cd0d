"""Branches that run every so many steps, or until a value is reached."""

from __future__ import annotations

import ast
import gc
import textwrap

import pytest
from heat_cases import heat

from overhead_lint.analysis.gates.judge import Gates
from overhead_lint.project.facts import FileFacts

CASES = {
    "the first of what is counted, by functions and other names": (
        """
        class Model(nn.Module):
            def __init__(self):
                self.calls = 0
            def is_first(self):
                return self.calls == 0
            def is_main(self):
                return self.rank == 0
            def forward(self, x):
                if self.is_first():
                    here()
                n = self.calls
                if n == 0:
                    here()
                if self.is_main():
                    here()
                self.calls += 1
        """,
        [
            "cold: runs once, when calls is 0 (line 9)",
            "cold: runs once, when n is 0 (line 12)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "every so many rounds, or the first, where all others are left": (
        """
        for step, batch in enumerate(loader):
            if step % 100:
                if step != 0:
                    continue
            here()
        """,
        ["cold: runs every 100 steps (line 2)"],
    ),
    "every so many steps": (
        """
        for step, batch in enumerate(loader):
            if step % log_every == 0 and step > 0:
                here()
            if not step % 100:
                here()
            if (step + 1) % accumulation_steps == 0:
                here()
            if step % 2 == 0:
                here()
            if step % cfg.log_interval:
                continue
            here()
        """,
        [
            "cold: runs every log_every steps (line 2)",
            "cold: runs every 100 steps (line 4)",
            "step: m.py:1 loop over loader",
            "step: m.py:1 loop over loader",
            "cold: runs every cfg.log_interval steps (line 10)",
        ],
    ),
    "intervals by what is shown": (
        """
        for i, batch in enumerate(loader):
            model(batch).backward()
            if i % args.sight == 0:
                print(here())
            if not i % args.sight:
                logger.info("%s", here())
            if i % args.sight == 0:
                here()
            if i % args.critics == 0:
                optimizer.step()
                print(here())
            if i % 4 == 0:
                print(here())
            if i % args.sight == 0:
                here()
                if args.talks:
                    print(i)
        """,
        [
            "cold: runs every args.sight steps (line 3)",
            "cold: runs every args.sight steps (line 5)",
            *["step: m.py:1 loop over loader"] * 4,
        ],
    ),
    "the first steps of every so many": (
        """
        for step, batch in enumerate(loader):
            seen = step * batch_size
            if step % show_every < batch_size:
                here()
            if (step % 100) <= 5:
                here()
            if step % 10 < 5:
                here()
            if step % show_every < batch_size - 1 and step % 2 < 1:
                optimizer.step()
                here()
            if width % height < 2:
                here()
        """,
        [
            "cold: runs every show_every steps (line 3)",
            "cold: runs every 100 steps (line 5)",
            "step: m.py:1 loop over loader",
            "step: m.py:1 loop over loader",
            "step: m.py:1 loop over loader",
        ],
    ),
    "numbers that are none, or too large": (
        """
        for batch in loader:
            loss = model(batch)
            if torch.isnan(loss).any() or loss.abs().max() > 1500:
                here()
            if loss != loss:
                here()
            if torch.isnan(loss).any() or width > 1500:
                here()
            if torch.isnan(loss).any() or mask is None:
                here()
            if loss != mask:
                here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 3)",
            "cold: runs only for numbers that are not finite (line 5)",
            *["step: m.py:1 loop over loader"] * 3,
        ],
    ),
    "every so many steps, by a function that says so": (
        """
        class Update(Hook):
            def after_train_iter(self, runner, batch_idx):
                if self.on and self.every_n_train_iters(runner, self.interval):
                    here()
                if not every_so_often(runner):
                    return
                here()
        class Other(Hook):
            def after_train_iter(self, runner, batch_idx):
                if self.every_n_accumulation_steps(runner):
                    here()
                if self.every_n_iters(runner, 4):
                    self.optimizer.step()
                    here()
                if self.every:
                    here()
                if not self.every_n_iters(runner, 4):
                    here()
        """,
        [
            "cold: runs every so many steps (line 3)",
            "cold: runs every so many steps (line 5)",
            *["step: Other.after_train_iter is run in every step by Hook"] * 4,
        ],
    ),
    "the first of what is counted, by any name": (
        """
        class Model(nn.Module):
            def __init__(self):
                self.seen, self.left, self.put = 0, 0, 0
                self.n = 0
                self.m = 0
                self.k = 0
            def forward(self, x):
                if self.n == 0:
                    here()
                self.n += 1
                if self.m == 0:
                    here()
                self.m += 2
                if self.k == 0:
                    here()
                self.k += 1
            def again(self):
                self.k = 0
        """,
        [
            "cold: runs once, when n is 0 (line 8)",
            *["step: Model.forward runs on every call of the module"] * 2,
        ],
    ),
    "the first of what a function counts": (
        """
        class Model(nn.Module):
            def __init__(self):
                self.n = 0
            def forward(self, x):
                self.n += 1
                if self.on and self.seen() == 1:
                    here()
                if self.get_num_updates() == 0:
                    here()
                if self.get_num_updates(x) == 0:
                    here()
                if self.kinds() == 0:
                    here()
            def seen(self):
                return self.n
        """,
        [
            "cold: runs once, when seen is 1 (line 6)",
            "cold: runs once, when get_num_updates is 0 (line 8)",
            *["step: Model.forward runs on every call of the module"] * 2,
        ],
    ),
    "numbers that are none yet": (
        """
        class Rows:
            def __init__(self):
                self.left = -1
            def fit(self, loader):
                for batch in loader:
                    if self.ready and self.left == -1:
                        here()
                        self.left = 8
                    if self.left == -1:
                        here()
                    if self.left == 0:
                        here()
                        self.left = 8
        """,
        [
            "cold: runs once, while self.left is missing (line 6)",
            *["step: m.py:5 loop over loader"] * 2,
        ],
    ),
    "flags that are raised every so many steps": (
        """
        def train(model, loader):
            for step, batch in enumerate(loader):
                shown = kept = False
                fresh = False
                if step % 100 == 0:
                    shown = True
                if batch.sum() > 0:
                    fresh = True
                model(batch)
                if shown:
                    here()
                if fresh:
                    here()
        """,
        ["cold: runs every 100 steps (line 10)", "step: m.py:2 loop over loader"],
    ),
    "how far a counter has come since": (
        """
        class Learner:
            def train(self, loader, every, t_env):
                last = shown = 0
                for step, batch in enumerate(loader):
                    self.model(batch)
                    if step - last >= every:
                        here()
                        last = step
                    if every < step - shown:
                        here()
                        shown += every
                    if (t_env - self.last_update) / every >= 1.0:
                        here()
                        self.last_update = t_env
                    if step - last >= every:
                        here()
                    if batch.stop - batch.start > every:
                        here()
                        batch.start = batch.start + 1
                    if t_env - batch.size > every:
                        here()
        """,
        [
            "cold: runs every so many steps (line 6)",
            "cold: runs every so many steps (line 9)",
            "cold: runs every so many steps (line 12)",
            "step: m.py:4 loop over loader",
            "step: m.py:4 loop over loader",
            "step: m.py:4 loop over loader",
        ],
    ),
    "what is kept until more is asked for": (
        """
        class Rotary(nn.Module):
            def make(self, n):
                here()
                self.cache = torch.arange(n)
                return self.cache
            def forward(self, x, n):
                if self.longest is None or n > self.longest:
                    self.longest = None if self.learned else n
                    here()
                if self.mask is None or n > 3:
                    self.mask = here()
                if self.cache is not None and n <= self.cache.shape[0]:
                    return self.cache[:n]
                return self.make(n)
        class Unkept(nn.Module):
            def make(self, n):
                return here()
            def forward(self, n):
                if self.cache is not None and n <= self.cache.shape[0]:
                    return self.cache[:n]
                return self.make(n)
        """,
        [
            "cold: nothing shows that it runs in a step",
            "cold: runs once, while self.longest is missing (line 7)",
            "step: Rotary.forward runs on every call of the module",
            "step: Unkept.forward runs on every call of the module -> Unkept.make",
        ],
    ),
    "what is the best so far": (
        """
        def train(model, rounds):
            best, least = 0, 9
            for turn in range(rounds):
                loss = model(turn)
                loss.backward()
                if best < loss:
                    best = loss
                    here()
                if loss < least:
                    here()
                    least = loss
                fresh = 0
                if loss > fresh:
                    fresh = here()
                if turn % 10 == 0:
                    here()
                if turn % 2 == 0:
                    here()
                if (turn + 1) % per_epoch == 0:
                    here()
        class Trainer:
            def training_step(self, x):
                if x < self.least:
                    self.least = x
                    here()
        """,
        [
            "cold: runs when loss is the best so far (line 6)",
            "cold: runs when loss is the best so far (line 9)",
            "step: m.py:3 loop that calls loss.backward()",
            "cold: runs every 10 steps (line 15)",
            "step: m.py:3 loop that calls loss.backward()",
            "cold: runs every per_epoch steps (line 19)",
            "cold: runs when x is the best so far (line 23)",
        ],
    ),
    "what follows another value, or some time": (
        """
        import time
        class Model(nn.Module):
            def forward(self, x, rows, columns):
                if self.rows != rows or self.columns != columns:
                    self.rows, self.columns = rows, columns
                    here()
                if self.rows != rows:
                    here()
                now = time.perf_counter()
                if (now - self.before) > 10.0:
                    here()
        """,
        [
            "cold: runs when self.rows changes (line 4)",
            "step: Model.forward runs on every call of the module",
            "cold: runs after some time has passed (line 10)",
        ],
    ),
    "a counter in a dict": (
        """
        for batch in loader:
            if state["iter_num"] % train.log_interval == 0:
                here()
            if state["layers"] % 16 == 0:
                here()
        """,
        [
            "cold: runs every train.log_interval steps (line 2)",
            "step: m.py:1 loop over loader",
        ],
    ),
    "an optimizer stepped every so many micro-batches": (
        """
        for step, batch in enumerate(loader):
            if (step + 1) % accum_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
                here()
            if (step + 1) % report_steps == 0:
                here()
            if not (step + 1) % accum_steps:
                scaler.step(optimizer)
                here()
            if not (step + 1) % report_steps:
                scheduler.step()
                here()
        """,
        [
            "step: m.py:1 loop over loader",
            "cold: runs every report_steps steps (line 6)",
            "step: m.py:1 loop over loader",
            "cold: runs every report_steps steps (line 11)",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected


def test_what_judged_the_gates_of_a_file_is_freed_with_it_without_a_search_for_cycles() -> None:
    source, _ = CASES["every so many rounds, or the first, where all others are left"]
    gc.collect()
    before = _judges()
    gc.disable()
    try:
        facts = FileFacts(ast.parse(textwrap.dedent(source)), "m.py")
        assert facts.summary is not None
        assert _judges() > before
        facts.release()
        del facts
        assert _judges() == before
    finally:
        gc.enable()


def _judges() -> int:
    return sum(type(one) is Gates for one in gc.get_objects())
