"""Branches that only the first or the last rounds of a loop take."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "the last batch, by the number of the next": (
        """
        class Scores(Callback):
            def on_validation_batch_end(self, trainer, module, outputs, batch, batch_idx):
                if batch_idx + 1 == self.size and not trainer.sanity_checking:
                    here()
                if batch_idx + 1 == self.accumulation_steps:
                    here()
                if batch_idx + 2 == self.size:
                    here()
                if width + 1 == self.size:
                    here()
        """,
        [
            "cold: runs once, when batch_idx + 1 is self.size (line 3)",
            *["step: Scores.on_validation_batch_end is run in every step by Callback"] * 3,
        ],
    ),
    "the first batch alone": (
        """
        class Model(LightningModule):
            def validation_step(self, batch, batch_idx):
                if batch_idx > 0:
                    here()
                else:
                    here()
                if batch_idx < 1:
                    here()
                if self.current_epoch == 0 or batch_idx >= 1:
                    return
                here()
        """,
        [
            "step: Model.validation_step is a step by its name",
            "cold: runs once, when batch_idx is 0 (line 3)",
            "cold: runs once, when batch_idx is 0 (line 7)",
            "cold: runs once, when batch_idx is 0 (line 9)",
        ],
    ),
    "rounds until a flag ends them": (
        """
        class Runner:
            def __init__(self):
                self.is_over, self.goes_on = False, True
            def fit(self, model, loader, optimizer):
                for batch in loader:
                    if self.is_over:
                        break
                    model(batch).backward()
                    here()
                    if self.is_last(batch):
                        self.is_over = True
            def fit_on(self, model, loader, optimizer):
                for batch in loader:
                    if not self.goes_on:
                        break
                    model(batch).backward()
                    here()
                    if self.is_last(batch):
                        self.goes_on = False
            def fit_once(self, model, loader, optimizer):
                for batch in loader:
                    model(batch).backward()
                    if not self.is_over:
                        here()
                        self.is_over = True
        """,
        [
            "step: m.py:5 loop over loader",
            "step: m.py:13 loop over loader",
            "cold: runs once, until is_over is set (line 23)",
        ],
    ),
    "one round of all": (
        """
        def evaluate(model, loader, args):
            n = len(loader)
            for i, batch in enumerate(loader):
                model(batch)
                if i == n // 2 or i == len(loader) // 3:
                    here()
                if i == args.sight:
                    here()
                if i == len(batch):
                    here()
                if i == args.accumulation:
                    here()
                if i == draw(3):
                    here()
        """,
        [
            "cold: runs once, when i is n // 2 (line 5)",
            "cold: runs once, when i is args.sight (line 7)",
            *["step: m.py:3 loop over loader"] * 3,
        ],
    ),
    "loops that end when there is enough": (
        """
        def search(model, loader, most):
            found = []
            while True:
                if len(found) >= most:
                    break
                model(found).backward()
                found.append(here())
            for i, batch in enumerate(loader):
                if i >= 3:
                    break
                model(batch).backward()
                here()
        """,
        [
            "step: m.py:3 loop that calls model(found).backward()",
            "step: m.py:8 loop over loader",
        ],
    ),
    "rounds by their numbers": (
        """
        def evaluate(model, loader):
            for i, batch in enumerate(loader):
                model(batch)
                if i == 0:
                    here()
                if not i:
                    here()
                if i in (0, 5):
                    here()
                if i == 5:
                    here()
                if i == width or width == 5:
                    here()
            for i, batch in loader:
                model(batch)
                if i == 0 or i < 2:
                    here()
            for i in range(4):
                model(i)
                if i == 0:
                    here()
            for i in range(grad_accumulation):
                model(i)
                if i == 0:
                    here()
            for i, layer in enumerate(layers):
                if i == 0:
                    here()
        """,
        [
            "cold: runs once, when i is 0 (line 4)",
            "cold: runs once, when i is 0 (line 6)",
            "cold: runs in few steps, when i is in (0, 5) (line 8)",
            "cold: runs once, when i is 5 (line 10)",
            "step: m.py:2 loop over loader",
            "step: m.py:14 loop over loader",
            "step: m.py:18 loop that calls model()",
            "step: m.py:22 loop that calls model()",
            "cold: outside of the hot loop: m.py:2 loop over loader",
        ],
    ),
    "rounds that failed": (
        """
        def train(model, loader):
            for batch in loader:
                worked = True
                try:
                    model(batch).backward()
                except RuntimeError:
                    worked = False
                if not worked:
                    here()
        """,
        [
            "cold: is an error path (line 8)",
        ],
    ),
    "the first few rounds alone": (
        """
        def evaluate(model, loader, epoch):
            for i, batch in enumerate(loader):
                model(batch).backward()
                if draws and i < 3:
                    here()
                done = i + len(loader) * epoch
                if done <= 5:
                    here()
                if i >= 3:
                    continue
                here()
        def few(model, loader, epoch):
            for step in range(4):
                model(step).backward()
                if step < 3:
                    here()
                if step < 300:
                    here()
                if step < width:
                    here()
            for epoch in range(90):
                for batch in loader:
                    model(batch).backward()
                    if epoch < 5:
                        here()
        class Model(LightningModule):
            def validation_step(self, batch, batch_idx, width, accumulation_step):
                if batch_idx < 4:
                    here()
                if width < 4:
                    here()
                if accumulation_step < 4:
                    here()
        """,
        [
            "cold: runs in few steps, while i is below 3 (line 4)",
            "cold: runs in few steps, while done is below 5 (line 7)",
            "cold: runs in few steps, while i is below 3 (line 9)",
            *["step: m.py:13 loop that calls model(step).backward()"] * 3,
            "step: m.py:22 loop over loader",
            "cold: runs in few steps, while batch_idx is below 4 (line 28)",
            *["step: Model.validation_step is a step by its name"] * 2,
        ],
    ),
    "what only the first round of a hot loop does": (
        """
        def evaluate(model, loader):
            kept = None
            fresh = True
            for batch in loader:
                out = model(batch)
                if kept is None:
                    kept = here()
                else:
                    kept = join(kept, here())
                if fresh:
                    fresh = False
                    here()
        """,
        [
            "cold: runs once, while kept is missing (line 6)",
            "step: m.py:4 loop over loader",
            "cold: runs once, until fresh is cleared (line 10)",
        ],
    ),
    "names that each round of a hot loop binds anew": (
        """
        def evaluate(model, loader, mask=None):
            for batch in loader:
                out = None
                for part in model(batch):
                    if out is None:
                        out = here()
                mask = batch.get("mask")
                if mask is None:
                    mask = here()
        """,
        ["loop: m.py:2 loop over loader, in a loop of its own", "step: m.py:2 loop over loader"],
    ),
    "the end of an episode": (
        """
        def collect(env, policy):
            obs, done = env.reset(), True
            for _ in range(9):
                if done:
                    here()
                action = policy(obs)
                obs, reward, done, info = env.step(action)
                obs, reward, terminated, truncated, extra = env.step(action)
                over = terminated or truncated
                if terminated or truncated:
                    here()
                if over:
                    here()
                if reward:
                    here()
                if done.any():
                    here()
                if not done:
                    here()
                    continue
                here()
        def watch(player):
            for _ in range(9):
                obs, reward, done, info = player.step(1)
                if done:
                    here()
        """,
        [
            "cold: runs once an episode, when done (line 4)",
            "cold: runs once an episode, when terminated (line 10)",
            "cold: runs once an episode, when terminated (line 12)",
            "step: m.py:3 loop that steps env",
            "step: m.py:3 loop that steps env",
            "step: m.py:3 loop that steps env",
            "cold: runs once an episode, when done (line 18)",
            "cold: nothing shows that it runs in a step",
        ],
    ),
    "the last round of a hot loop": (
        """
        def train(model, loader):
            for i, batch in enumerate(loader):
                model(batch).backward()
                if i == len(loader) - 1:
                    here()
                if i + 1 == len(loader):
                    here()
                if i == len(batch):
                    here()
                if i == self.total - 1:
                    here()
                if i == grad_accumulation - 1:
                    here()
        class Model(nn.Module):
            def forward(self, x):
                for i, layer in enumerate(self.layers):
                    if i == len(self.layers) - 1:
                        here()
        """,
        [
            "cold: runs once, in the last round (line 4)",
            "cold: runs once, in the last round (line 6)",
            "step: m.py:2 loop over loader",
            "cold: runs once, in the last round (line 10)",
            "step: m.py:2 loop over loader",
            "loop: Model.forward runs on every call of the module, in a loop",
        ],
    ),
    "every so many rounds, and at other times too": (
        """
        def train(model, loader, last):
            for step, batch in enumerate(loader):
                if last or (model.every > 0 and step % model.every == 0):
                    here()
                if last or model.saves:
                    here()
                if last or step % 100 == 0:
                    model.optimizer.step()
                    here()
                if not last and step % 100:
                    continue
                here()
        """,
        [
            "cold: runs every model.every steps (line 3)",
            "step: m.py:2 loop over loader",
            "step: m.py:2 loop over loader",
            "cold: runs every 100 steps (line 10)",
        ],
    ),
    "as far as it has come since": (
        """
        def train(model, loader, total, many):
            seen = start = tick = 0
            for batch in loader:
                seen += len(batch)
                done = seen >= total
                if seen < start + many:
                    here()
                else:
                    here()
                    start = seen
                if tick + 5 < seen:
                    here()
                if not done and tick != 0 and seen < many + tick:
                    continue
                here()
                tick = seen
        """,
        [
            "step: m.py:3 loop over loader",
            "cold: runs every so many steps (line 6)",
            "step: m.py:3 loop over loader",
            "cold: runs every so many steps (line 13)",
        ],
    ),
    "every so many rounds, as a function says": (
        """
        def every(state, freq, part=None):
            due = state.step % freq == 0
            if part is not None:
                due = due and state.part == part
            return due
        def is_first(rank):
            return rank == 0
        def stops(state):
            if state.bad > 3:
                return True
        def due(state):
            if state.step % 100 == 0:
                return True
            return False
        def often(state):
            if state.fresh:
                return True
            return state.step % 10 == 0
        class Trainer:
            def due(self, step):
                return step % self.interval == 0
            def train(self, loader, state):
                for batch in loader:
                    if every(state, 5, part=1):
                        here()
                    if every(state, 5) or every(state, 6):
                        here()
                    else:
                        here()
                    if every(state, 5):
                        self.optimizer.step()
                        here()
                    if self.due(state.step):
                        here()
                    if often(state):
                        here()
                    if unknown(state) or is_first(state.rank):
                        here()
                    if is_first(state.rank):
                        here()
                    if due(state):
                        here()
                    if stops(state):
                        break
                    here()
        """,
        [
            "cold: runs every freq steps (line 24)",
            "cold: runs every freq steps (line 26)",
            "step: m.py:23 loop over loader",
            "step: m.py:23 loop over loader",
            "cold: runs every self.interval steps (line 33)",
            "step: m.py:23 loop over loader",
            "step: m.py:23 loop over loader",
            "step: m.py:23 loop over loader",
            "cold: runs every 100 steps (line 41)",
            "step: m.py:23 loop over loader",
        ],
    ),
    "the end of one of several episodes": (
        """
        def collect(env, policy):
            while True:
                obs, rewards, dones, infos = env.step(policy(obs))
                for i, done in enumerate(dones):
                    if done and infos[i].get("terminal") is not None:
                        here()
                for reward, done in zip(rewards, dones):
                    if done:
                        here()
                    if reward:
                        here()
                for done in dones:
                    if done:
                        here()
                for ended in rewards:
                    if ended:
                        here()
        """,
        [
            "cold: runs once an episode, when done (line 5)",
            "cold: runs once an episode, when done (line 8)",
            "loop: m.py:2 loop that steps env, in a loop of its own",
            "cold: runs once an episode, when done (line 13)",
            "loop: m.py:2 loop that steps env, in a loop of its own",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
