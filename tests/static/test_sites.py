"""Places of calls come back as they were put, whichever modules are asked for in between."""

from __future__ import annotations

from overhead_lint.analysis.graph.frequency import SAME, STEP
from overhead_lint.project.graph.sites import Sites
from overhead_lint.project.graph.traits import Site
from overhead_lint.project.via import Via


def test_places_come_back_as_they_were() -> None:
    sites, put = Sites(), {}
    for number in range(100):
        module = f"{number:x}:"
        place = Site((f"{module}.f", "0:.g"), int(Via.CALL), int(STEP), f":{number} in a loop")
        put[module] = {f"{module}.run": (place,), f"{module}.Ä.run*": (place, place)}
        sites.put(module, put[module])
    for module in [*put, *reversed(put)]:
        assert sites.of_module(module) == put[module]
        assert sites.of(f"{module}.run") == put[module][f"{module}.run"]
    assert dict(sites) == {key: its for one in put.values() for key, its in one.items()}


def test_what_is_put_again_counts() -> None:
    sites = Sites()
    place = Site(("1:.f",), int(Via.CALL), int(SAME), "")
    sites.put("1:", {"1:.run": (place,)})
    assert sites.of("1:.run") == (place,)
    sites.put("1:", {})
    assert sites.of("1:.run") == () and sites.of_module("2:") == {}
