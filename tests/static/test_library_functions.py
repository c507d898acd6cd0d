"""Functions and methods that take and give tensors are operators for the users of a library."""

from __future__ import annotations

from pathlib import Path

from project_cases import heat


def test_what_takes_and_gives_tensors_is_an_operator_for_callers_outside(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "ops.py": """
                import torch
                from torch import Tensor

                def scale(x: Tensor, by: float | Tensor) -> Tensor:
                    here()
                    return part(x) * by

                def part(x):
                    here()
                    return torch.relu(x)

                def unannotated(x):
                    here()
                    return torch.relu(x)

                def driven(model, x: Tensor) -> Tensor:
                    here()
                    return model(x)

                def generated(x: Tensor) -> Tensor:
                    here()
                    return rounds(x)

                def rounds(x: Tensor) -> Tensor:
                    for t in timesteps:
                        x = net(x, t)
                    return x

                def save_tensor(x: Tensor) -> Tensor:
                    here()
                    return x
                """,
        },
    )
    operators = ["is an operator" in place for place in found]
    assert operators == [True, True, False, False, False, False]
    why = "scale is an operator of the library, from tensors to tensors"
    assert found[1] == f"ops.py: step: {why} -> part"
    assert found[-1].startswith("ops.py: cold: ")


def test_what_looks_like_an_operator_but_is_called_once_is_presumed(tmp_path: Path) -> None:
    head = """
        import numpy as np
        import torch
        from torch import Tensor
        from typing import Callable
        """
    found = heat(
        tmp_path,
        {
            "ops.py": head
            + """
        def draw_lines(image: Tensor) -> Tensor:
            here()
            return torch.relu(image)

        def naive_attention(q: Tensor) -> Tensor:
            here()
            return torch.relu(q)

        def convert_rows(x: Tensor) -> Tensor:
            here()
            return torch.relu(x)

        def trunc_normal_(x: Tensor) -> Tensor:
            here()
            return torch.relu(x)

        def as_tensor(x: np.ndarray | Tensor) -> Tensor:
            here()
            return torch.relu(x)

        def contiguous(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
            here()
            return f(torch.zeros(1))
        """,
            "pkg/__init__.py": "",
            "pkg/metrics/__init__.py": "",
            "pkg/metrics/mean.py": head
            + """
        def mean_precision(x: Tensor) -> Tensor:
            here()
            return torch.relu(x)
        """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["presumed"] * 7


def test_modules_of_a_folder_for_onnx_stand_in_while_a_model_is_exported(tmp_path: Path) -> None:
    text = """
        from torch import nn

        class Chosen(nn.Module):
            def forward(self, x):
                here()
        """
    init = {"pkg/__init__.py": "", "pkg/onnx/__init__.py": ""}
    found = heat(tmp_path, {**init, "pkg/chosen.py": text, "pkg/onnx/chosen.py": text})
    assert found == [
        "pkg/chosen.py: step: Chosen.forward runs on every call of the module",
        "pkg/onnx/chosen.py: cold: Chosen.forward runs while a model is exported, "
        "by the folder of its module",
    ]


def test_what_is_seen_to_be_made_of_a_tensor_has_operators(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "normal.py": """
                import torch

                class Normal:
                    def __init__(self, parameters, name):
                        self.mean, self.std = torch.chunk(parameters, 2, dim=1)

                    def sample(self):
                        here()
                        return self.mean + self.std * torch.randn_like(self.mean)

                    def size(self):
                        here()
                        return self.mean.shape

                class Named:
                    def __init__(self, name):
                        self.name = name

                    def sample(self):
                        here()
                        return torch.zeros(3, device=self.name)
                """,
        },
    )
    assert ["is an operator" in place for place in found] == [True, False, False]


def test_methods_of_what_holds_a_tensor_take_one(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "boxes.py": """
                from dataclasses import dataclass
                import torch
                from torch import Tensor

                class Boxes:
                    def __init__(self, corners: Tensor, mode: str) -> None:
                        self.corners = corners

                    def masks(self, height: int) -> Tensor:
                        here()
                        return self.corners.view(-1, height)

                @dataclass
                class Rays:
                    origins: Tensor

                    def ends(self, far: float) -> Tensor:
                        here()
                        return self.origins * far

                class Store:
                    def __init__(self, path: str) -> None:
                        self.path = path

                    def first(self, n: int) -> Tensor:
                        here()
                        return torch.zeros(n)
                """,
        },
    )
    assert ["is an operator" in place for place in found] == [True, True, False]
    assert [place.split(": ", 2)[1] for place in found] == ["step", "step", "presumed"]
