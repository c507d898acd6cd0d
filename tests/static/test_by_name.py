"""Classes and methods that are found by what names spell, where nothing else leads to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, loop_over


def test_functions_put_in_attributes_are_methods_by_their_names(tmp_path: Path) -> None:
    sources = {
        "convert.py": """
            def convert(param):
                def gather_all(rows):
                    here()
                param.gather_all = gather_all
            """,
        "train.py": loop_over("param.gather_all(batch)"),
    }
    (line,) = heat(tmp_path, sources)
    assert "step: " in line and line.endswith("loop over loader -> convert.<locals>.gather_all")


def test_a_name_that_spells_a_class_leads_to_its_methods(tmp_path: Path) -> None:
    found = heat(
        tmp_path,
        {
            "buffers.py": """
                class ReplayBuffer:
                    def sample(self):
                        here()

                    def add(self):
                        here()

                class Prioritized(ReplayBuffer):
                    def sample(self):
                        here()
                """,
            "learn.py": """
                def learn(model, loader, replay_buffer, other):
                    for batch in loader:
                        model(replay_buffer.sample())
                        other.add(batch)
                """,
        },
    )
    assert [place.split(": ", 2)[1] for place in found] == ["step", "cold", "step"]


ROLES = {
    "a method of an attribute": ("roi_head.loss(batch)", ["DynamicRoIHead.loss", "RoIHead.loss"]),
    "an attribute that is called": ("processor(batch)", ["FastProcessor.__call__"]),
    "a method of some class": ("forecast(batch)", []),
    "one of many": ("samplers[0].draw_all(batch)", ["TopSampler.draw_all"]),
    "the last word, and a special method": ("best_sampler.draw_all_of(batch)", ["OtherSampler.draw_all_of"]),
    "a name without words": ("模型编码器.loss(batch)", []),
    "the last word, and a plain method": ("best_head.loss(batch)", []),
    "a method of Python's containers": ("sampler.update(batch)", []),
    "what may be anything": ("model.predict(batch)", []),
    "modules of one family": ("model.forecast(batch)", ["Net.forecast", "OtherNet.forecast"]),
    "a whole generation": ("decoder.unroll(batch)", []),
    "too short a name": ("ops.apply_to(batch)", []),
    "another class": ("trainer.loss(batch)", []),
    "what a class of another project makes": ("reader(batch)", []),
    "what a function of another project makes": ("writer(batch)", ["FastWriter.__call__"]),
    "a layer of torch": ("speaker(batch)", []),
    "a layer of torch, or what is made": ("shower(batch)", ["FastShower.__call__"]),
}


@pytest.mark.parametrize("name", ROLES)
def test_an_attribute_nobody_knows_leads_to_classes_whose_names_end_with_its_own(
    tmp_path: Path, name: str
) -> None:
    call, reached = ROLES[name]
    parts = """
        import torch
        class RoIHead:
            def loss(self, x):
                here()
        class DynamicRoIHead:
            def loss(self, x):
                here()
        class FastProcessor:
            def __call__(self, x):
                here()
        class BigForecast:
            def __call__(self, x):
                here()
        class TopSampler:
            def update(self, x):
                here()
            def draw_all(self, x):
                here()
        class OtherSampler:
            def draw_all_of(self, x):
                here()
        class FirstModel:
            def predict(self, x):
                here()
        class SecondModel:
            def predict(self, x):
                here()
            def forecast(self, x):
                here()
        class Net(torch.nn.Module):
            def forecast(self, x):
                here()
        class OtherNet(Net):
            def forecast(self, x):
                here()
        class AModule(torch.nn.Module):
            def predict(self, x):
                here()
        class BModule(torch.nn.Module):
            def predict(self, x):
                here()
        class TopDecoder:
            def unroll(self, model, x):
                for batch in loader:
                    model(batch).backward()
                here()
        class FastReader:
            def __call__(self, x):
                here()
        class FastWriter:
            def __call__(self, x):
                here()
        class FastSpeaker:
            def __call__(self, x):
                here()
        class FastShower:
            def __call__(self, x):
                here()
        class AllOps:
            def apply_to(self, x):
                here()
            def apply_to_other(self, x):
                here()
        class OtherOps:
            def apply_to(self, x):
                here()
        """
    detector = f"""
        from registry import build
        from readers import Reader
        from torch import nn
        class Detector(nn.Module):
            def __init__(self, config):
                for key, value in config.items():
                    setattr(self, key, build(value))
                self.roi_head = build(config.roi_head)
                self.reader = Reader.from_file(config)
                self.writer = build(config.writer)
                self.speaker = nn.Linear(8, 8)
                self.shower = nn.Linear(8, 8)
                if config.shower:
                    self.shower = build(config.shower)
            def forward(self, batch):
                return self.{call}
        """
    found = heat(tmp_path, {"pkg/parts.py": parts, "pkg/detector.py": detector, "pkg/__init__.py": ""})
    hot = [text.rpartition(" -> ")[2] for text in found if "step: Detector.forward" in text]
    assert sorted(hot) == reached
