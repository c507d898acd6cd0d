"""Calls a compiled model whose guards are many, with its caches warm."""

import torch


class Block(torch.nn.Module):
    def __init__(self, scale: int):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return x * self.scale


class Model(torch.nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(1 + k % 2) for k in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def main():
    model = torch.compile(Model(64), backend="eager")
    x = torch.ones(2)
    for _ in range(20):
        y = model(x)
    print(y.sum().item() == 2.0 * 2**32)


if __name__ == "__main__":
    main()
