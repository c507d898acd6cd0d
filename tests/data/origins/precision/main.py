"""Sets precision by flags from before ``fp32_precision``, and by settings of both kinds in other files."""

from __future__ import annotations

import flags
import torch


def train(steps: int) -> float:
    flags.old()
    layer = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    loss = torch.zeros(())
    for _ in range(steps):
        loss = layer(torch.ones(2, 4)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def main() -> None:
    torch.manual_seed(0)
    print(train(12), torch.backends.cuda.matmul.fp32_precision, torch.backends.cudnn.conv.fp32_precision)


if __name__ == "__main__":
    main()
