"""A compiled method that runs a hundred layers, each of which holds a number."""

import torch


class F(torch.nn.Module):
    def __init__(self, i):
        super().__init__()
        self.i = i

    def forward(self, x):
        return x + self.i


class Mod(torch.nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.fs = torch.nn.ModuleList([F(i) for i in range(n)])

    @torch.compile(backend="eager")
    def forward(self, x):
        for f in self.fs:
            x = f(x)
        return x


def main():
    mod = Mod(100)
    x = torch.tensor([1])
    for _ in range(40):
        x = mod(x) % 7
    print(x.item())


if __name__ == "__main__":
    main()
