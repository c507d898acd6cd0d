"""What is traced, captured or exported, and what other libraries compute."""

from __future__ import annotations

import pytest
from heat_cases import heat

CASES = {
    "what stands in for a module while that is exported": (
        """
        class AttentionExport(nn.Module):
            def forward(self, x):
                here()
        class ONNXDecoder(AttentionExport):
            def forward(self, x):
                here()
        class Exported(nn.Module):
            def forward(self, x):
                here()
        """,
        [
            "cold: AttentionExport.forward runs while a model is exported, by the name of its class",
            "cold: ONNXDecoder.forward runs while a model is exported, by the name of its class",
            "step: Exported.forward runs on every call of the module",
        ],
    ),
    "autograd functions that make up what another runtime gives": (
        """
        class Boxes(torch.autograd.Function):
            @staticmethod
            def forward(ctx, boxes, scores, most=torch.tensor([100])):
                here()
                batch, device = scores.shape[0], boxes.device
                return torch.randint(0, batch, (most, 4), device=device)
            @staticmethod
            def symbolic(g, boxes, scores, most):
                return g.op("NonMaxSuppression", boxes, scores, most)
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, y):
                here()
                return x.new_empty(x.shape) + y
            @staticmethod
            def symbolic(g, x, y):
                return g.op("Doubled", x, y)
        class Sized(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                here()
                return torch.rand(x.shape)
        class Learned(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                here()
                return torch.rand(x.shape)
            @staticmethod
            def backward(ctx, grad):
                return grad
            @staticmethod
            def symbolic(g, x):
                return g.op("Learned", x)
        """,
        [
            "cold: Boxes.forward stands for an operator while a model is exported, and reads no data",
            "step: Doubled.forward runs on every use of the autograd function",
            "step: Sized.forward runs on every use of the autograd function",
            "step: Learned.forward runs on every use of the autograd function",
        ],
    ),
    "a kind of a transform of torchvision": (
        """
        from torchvision import transforms as T
        class Flip(T.RandomHorizontalFlip):
            def forward(self, image):
                here()
                return torch.flip(image, (0,))
        """,
        ["presumed: Flip.forward works with tensors and no caller of it is known"],
    ),
    "operators that are recorded": (
        """
        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                here()
                return self.tracer.create_proxy("call_function", func, args, kwargs)
        """,
        ["cold: Mode.__torch_dispatch__ runs while a graph is recorded"],
    ),
    "branches for tracing and scripting": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if torch.jit.is_scripting() or self._is_tracing():
                    here()
                if self.onnx_export:
                    here()
                return here()
        """,
        [
            "cold: runs only while exporting (line 3)",
            "cold: runs only while exporting (line 5)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what a CUDA graph captures": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if torch.cuda.is_current_stream_capturing():
                    here()
                if not torch.cuda.is_current_stream_capturing():
                    here()
                if get_is_capture_mode() or self.is_capturing:
                    here()
                with torch.cuda.graph(self.graph if here() else None):
                    here()
                with torch.cuda.stream(self.stream):
                    return here()
        """,
        [
            "cold: runs only while a CUDA graph is captured (line 3)",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while a CUDA graph is captured (line 7)",
            "step: Model.forward runs on every call of the module",
            "cold: runs only while a CUDA graph is captured (line 9)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "functions that stand in for others while a model is exported": (
        """
        def exported(n):
            return here()

        def usual(n):
            return here()

        class Model(nn.Module):
            def __init__(self, for_onnx):
                self.first = exported if for_onnx else usual
                self.second = usual if not for_onnx else exported

            def forward(self, x):
                return self.first(len(x)) + self.second(len(x))
        """,
        [
            "cold: nothing shows that it runs in a step",
            "step: Model.forward runs on every call of the module -> usual",
        ],
    ),
    "what converts in a step": (
        """
        def convert_to_pairs(x):
            return here()

        def convert_weights_to_pairs(x):
            return here()

        class Model(nn.Module):
            def forward(self, x):
                return convert_to_pairs(x), convert_weights_to_pairs(x) if self.pairs else x
        """,
        [
            "step: Model.forward runs on every call of the module -> convert_to_pairs",
            "cold: convert_weights_to_pairs is no step by its name",
        ],
    ),
    "what hands weights to other processes": (
        """
        class Trainer:
            def broadcast_weights(self):
                return here()

            def update_weight_from_disk(self):
                return here()

            def update_weights(self):
                return here()

        def train(trainer: Trainer, loader, optimizer):
            for batch in loader:
                if trainer.is_due:
                    trainer.broadcast_weights()
                    trainer.update_weight_from_disk()
                trainer.update_weights()
                optimizer.step()
        """,
        [
            "cold: Trainer.broadcast_weights is no step by its name",
            "cold: Trainer.update_weight_from_disk is no step by its name",
            "step: m.py:12 loop over loader -> Trainer.update_weights",
        ],
    ),
    "branches for deterministic algorithms and anomalies": (
        """
        class Model(nn.Module):
            def forward(self, x):
                if torch.are_deterministic_algorithms_enabled():
                    here()
                if torch.is_anomaly_enabled() and x is not None:
                    here()
                return here()
        """,
        [
            "cold: runs only with torch.are_deterministic_algorithms_enabled() on (line 3)",
            "cold: runs only with torch.is_anomaly_enabled() on (line 5)",
            "step: Model.forward runs on every call of the module",
        ],
    ),
    "what is traced or captured": (
        """
        def traced(model, x):
            with torch.no_grad():
                here()
                return torch.jit.trace(model, x)
        def summed(x):
            here()
            return torch.trace(x)
        def replayed(model, x):
            if not model.graph:
                graph = torch.cuda.CUDAGraph()
            here()
        def train(model, loader):
            for x in loader:
                traced(model, x), summed(x), replayed(model, x)
        """,
        [
            "cold: traced runs when something is traced or captured, by torch.jit.trace",
            "step: m.py:13 loop over loader -> summed",
            "step: m.py:13 loop over loader -> replayed",
        ],
    ),
    "kernels in other languages": (
        """
        import triton, warp as wp, tilelang.language as T
        from numba import cuda
        from package import jit
        @triton.autotune(configs=[])
        @triton.jit
        def add(x):
            here()
        @wp.kernel
        def scale(x):
            for one in x:
                here()
        @cuda.jit
        def fill(x):
            here()
        def make(n):
            @T.prim_func
            def kernel(x):
                here()
            return kernel
        @jit
        def host(x):
            here()
        class Model(torch.nn.Module):
            def forward(self, x):
                host(x)
                add[(1,)](x), fill[1, 1](x), make(3)(x)
                return scale(x)
        """,
        [
            "cold: add is a kernel in triton: no torch runs in it",
            "cold: scale is a kernel in warp: no torch runs in it",
            "cold: fill is a kernel in numba: no torch runs in it",
            "cold: make.<locals>.kernel is a kernel in tilelang: no torch runs in it",
            "step: Model.forward runs on every call of the module -> host",
        ],
    ),
    "functions of JAX": (
        """
        import jax
        @jax.jit
        def scale(x):
            here()
        class Model(torch.nn.Module):
            def forward(self, x):
                return scale(x)
        """,
        [
            "cold: scale is a kernel in jax: no torch runs in it",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_and_its_reason(name: str) -> None:
    text, expected = CASES[name]
    assert heat(text) == expected
