"""Branches for values that hardly occur: nothing, numbers that are not finite."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "a batch norm without a momentum, which it has unless somebody takes it": (
        """
        class Norm(nn.Module):
            def forward(self, x, settings):
                self.bn.num_batches_tracked += 1
                if self.bn.momentum is None:
                    here()
                else:
                    here()
                if settings.rate is None:
                    here()

        class Update(nn.Module):
            def forward(self, x):
                if self.momentum is None:
                    here()
        """,
        [
            "cold: runs only when self.bn.momentum is None (line 4)",
            "step: Norm.forward runs on every call of the module",
            "step: Norm.forward runs on every call of the module",
            "step: Update.forward runs on every call of the module",
        ],
    ),
    "what has expired, to be replaced": (
        """
        class Codebook(nn.Module):
            def forward(self, x):
                expired_codes = self.sizes < self.least
                if torch.any(expired_codes):
                    here()
                if not expired_codes.any():
                    return here()
                here()

            def backward_of(self, x):
                if torch.any(x > 0):
                    here()
        """,
        [
            "cold: runs only when torch.any(expired_codes) (line 4)",
            "step: Codebook.forward runs on every call of the module",
            "cold: runs only when expired_codes.any() (line 6)",
            "presumed: Codebook.backward_of works with tensors and no caller of it is known",
        ],
    ),
    "branches for numbers that are not finite": (
        """
        def training_step(self, loss):
            if self.filters and (torch.isnan(loss) or torch.isinf(loss).any()):
                here()
            else:
                here()
            if not torch.isfinite(loss).all():
                here()
            if torch.isfinite(loss).all():
                here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 2)",
            "step: training_step is a step by its name",
            "cold: runs only for numbers that are not finite (line 6)",
            "step: training_step is a step by its name",
        ],
    ),
    "batches of nothing": (
        """
        class Model(nn.Module):
            def forward(self, x, boxes, *args):
                if len(boxes) == 0:
                    return here()
                if not len(boxes):
                    return here()
                if x.shape[0] == 0:
                    x = here()
                elif x.numel() < 1:
                    here()
                if x.size(1) > 0:
                    here()
                else:
                    here()
                if len(args) == 0:
                    return here()
                if len(self.adapters) == 0:
                    return here()
                if len(x.shape) == 0:
                    x = here()
                if len(boxes) == 0:
                    boxes = here()
                if boxes.numel() != 0:
                    return x
                here()
        """,
        [
            "cold: runs only while boxes is empty (line 3)",
            "cold: runs only while boxes is empty (line 5)",
            "cold: runs only while x is empty (line 7)",
            "cold: runs only while x is empty (line 9)",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while x is empty (line 11)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while boxes is empty (line 23)",
        ],
    ),
    "branches for numbers that are not finite, by name": (
        """
        class Model(nn.Module):
            def forward(self, x, y):
                fine = torch.isfinite(x) & torch.isfinite(y)
                if not fine.all():
                    here()
                if fine.any():
                    here()
                places = torch.nonzero(torch.isinf(x))
                if len(places) > 0:
                    for place in places:
                        x[place] = here()
                if torch.isnan(y).sum() != 0 or torch.isinf(x).sum().item() >= 1:
                    here()
                if torch.isfinite(y).sum() > 0 and torch.isnan(y).sum() < 3:
                    here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 4)",
            "step: Model.forward runs on every call of the module",
            "cold: runs only for numbers that are not finite (line 9)",
            "cold: runs only for numbers that are not finite (line 12)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "branches for what is named by numbers that are not finite": (
        """
        def train(model, scaler, loader, check_overflow, equal_nan):
            for batch in loader:
                loss = model(batch)
                loss.backward()
                if scaler.has_overflow:
                    here()
                if scaler.grad_has_inf(model):
                    here()
                if check_overflow or equal_nan:
                    here()
                overflow = scaler.check_overflow(model)
                if not overflow:
                    here()
                if overflow:
                    continue
                scaler.step(here())
        """,
        [
            "cold: runs only for numbers that are not finite (line 5)",
            "cold: runs only for numbers that are not finite (line 7)",
            *["step: m.py:2 loop over loader"] * 3,
        ],
    ),
    "branches for infinite numbers": (
        """
        class Model(nn.Module):
            def forward(self, x, norm):
                if norm == torch.inf or x.min() == float("-inf"):
                    here()
                if norm != math.inf:
                    here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 3)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "infinity by an import that may fail": (
        """
        try:
            from torch._six import inf
        except ImportError:
            from torch import inf
        try:
            from torch import nan as limit
        except ImportError:
            from torch import inf as limit

        class Model(nn.Module):
            def forward(self, x, norm):
                norm = float(norm)
                if norm == inf:
                    here()
                if norm == limit:
                    here()
        """,
        [
            "cold: runs only for numbers that are not finite (line 13)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "a list that nothing was put into, and whose parts are joined": (
        """
        class Model(nn.Module):
            def forward(self, boxes, images, masks):
                found = []
                for box in boxes:
                    if box.area() > 1:
                        found.append(box)
                if not found:
                    return here()
                kept = []
                missing = []
                for mask in masks:
                    kept.append(mask) if mask.any() else missing.append(mask)
                    if not kept:
                        here()
                loss = torch.stack(kept).mean() if len(kept) else here()
                if not missing:
                    return here()
                return torch.cat(found), loss
        """,
        [
            "cold: runs only while found is empty (line 7)",
            "loop: Model.forward runs on every call of the module, in a loop",
            "cold: runs only while kept is empty (line 15)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "how much there is, by a name": (
        """
        class Model(nn.Module):
            def forward(self, mask):
                found = mask.nonzero()
                count = found.shape[0]
                if count == 0:
                    return here()
                several = len(self.adapters)
                if several == 0:
                    return here()
                if count > 0:
                    here()
        """,
        [
            "cold: runs only while found is empty (line 5)",
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "a list that nothing was put into": (
        """
        class Model(nn.Module):
            def forward(self, trees, given):
                kept = []
                for tree in trees:
                    kept.append(tree)
                if len(kept) == 0:
                    here()
                if len(given) == 0:
                    given = here()
        """,
        [
            "step: Model.forward runs on every call of the module",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "functions that ask themselves": (
        """
        def training_step(self, node):
            if is_late(node):
                here()
        def is_late(node):
            return node.done and (node.kept is None or is_late(node.parent))
        """,
        ["step: training_step is a step by its name"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
