"""What runs once a request, around the many steps that it takes."""

from __future__ import annotations

import pytest
from heat_cases import heat, warmths_of

from overhead_lint.analysis.graph.requests import requesting
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.packed_warmths import packed_warmth, unpacked_warmth
from overhead_lint.rule import Heat, Warmth

SAMPLER = """
class Sampler:
    def sample(self, shape):
        here()
        x = torch.randn(shape)
        for t in self.timesteps:
            x = self.unet(x, t)
            here()
        return x
"""


def test_what_a_loop_does_around_whole_generations_runs_once_a_request() -> None:
    assert heat(
        SAMPLER
        + """
def main(loader, sampler: Sampler):
    for batch in loader:
        draw(sampler.sample(batch))
def draw(picture):
    here()
    for part in picture:
        here()
"""
    ) == [
        "request: m.py:11 loop over loader -> Sampler.sample; once a request, which takes many steps",
        "step: m.py:5 loop over self.timesteps",
        "request: m.py:11 loop over loader -> draw; once a request, which takes many steps",
        "request: m.py:11 loop over loader -> draw; once a request, which takes many steps",
    ]


@pytest.mark.parametrize(
    ("round_", "expected"),
    [
        ("sampler.sample(batch)", "request"),
        ("helper(sampler, batch)", "request"),
        ("model(batch)", "step"),
        ("sampler.sample(batch).sum().backward()", "step"),
        ("helper(sampler, batch); train(batch)", "step"),
        ("if at % 100 == 0: sampler.sample(batch)", "step"),
    ],
)
def test_a_loop_goes_round_once_a_request_if_its_rounds_hold_steps_and_do_not_train(
    round_: str, expected: str
) -> None:
    *_, found = warmths_of(
        SAMPLER
        + f"""
def helper(sampler: Sampler, batch):
    return sampler.sample(batch)
def train(batch):
    model(batch).backward()
    optimizer.step()
def main(loader, sampler: Sampler):
    for at, batch in enumerate(loader):
        {round_}
        here()
"""
    )
    assert found.heat.label == expected


def test_a_loop_that_calls_the_model_itself_is_left_alone() -> None:
    *_, found = warmths_of(
        SAMPLER
        + """
def main(prompts, model, sampler: Sampler):
    for prompt in prompts:
        model(prompt)
        sampler.sample(prompt)
        here()
"""
    )
    assert found.heat is Heat.STEP


def test_only_functions_that_hold_rounds_are_asked_about_and_circles_end() -> None:
    calls = {1: [2], 2: [1, 3], 3: [], 4: [5], 5: []}
    found = requesting({1: [2], 4: [5]}, calls.__getitem__, lambda one: one in {3, 4}, lambda one: False)
    assert found == {1}
    assert not requesting({1: [2]}, calls.__getitem__, lambda one: one == 3, lambda one: one == 3)
    assert not requesting({4: [4]}, lambda one: [4], lambda one: True, lambda one: False)


@pytest.mark.parametrize("heat_", Heat)
def test_each_heat_and_rounds_that_are_requests_are_packed_and_come_back(heat_: Heat) -> None:
    warmth = Warmth(heat_, "a loop", has_requests=heat_ is Heat.COLD)
    assert unpacked_warmth(*packed_warmth(*warmth)) == warmth


@pytest.mark.parametrize(
    "head",
    [
        "@app.post('/answer')\ndef f(text):",
        "@router.websocket(PATH)\nasync def f(socket):",
        "async def f(scope, receive, send):",
        "class Handler(Base):\n  def do_POST(self):",
    ],
)
def test_what_answers_requests_runs_once_a_request(head: str) -> None:
    body = "\n   here()\n   part(text)\n   for x in text:\n    here()\ndef part(text):\n here()"
    found = warmths_of(head + body)
    assert [one.heat for one in found] == [Heat.REQUEST] * 3
    assert {one.kind for one in found} == {ReasonKind.REQUEST}
    assert found[0].why.endswith("answers requests")


def test_steps_within_a_request_are_steps() -> None:
    found = heat(
        "@app.post('/answer')\ndef f(text):\n here()\n for batch in loader:\n  here()\n  model(batch)"
    )
    assert found == ["request: f answers requests", "step: m.py:4 loop over loader"]


@pytest.mark.parametrize("decorator", ["mock.patch('package.name')", "pytest.fixture()", "app.get", "post()"])
def test_other_decorators_make_no_requests(decorator: str) -> None:
    (found,) = warmths_of(f"@{decorator}\ndef f(text):\n here()")
    assert found.heat < Heat.REQUEST
