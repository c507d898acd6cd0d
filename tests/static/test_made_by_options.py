"""What only options make that are off by default is presumed, wherever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

PART = """
    from torch import nn

    class Part(nn.Module):
        def forward(self, x):
            here()
            return helper(x)

    def helper(x):
        here()
        return x
    """
TABLE = """
    from torch import nn
    from config import CONFIG
    from part import Part
    from net import Net

    if {test}:
        cfg = CONFIG[1]
        KIND = cfg["KIND"]
        PARTS = {{"plain": nn.Identity(), "Part": Part()}}
        part = PARTS[KIND]
    """
PROGRAM = '__name__ == "__main__"'
STEPS = ["part.py: step: Part.forward runs on every call of the module"]
STEPS.append(f"{STEPS[0]} -> helper")
OFF = [f"{one.replace(': step', ': presumed')}, but by default nothing makes Part" for one in STEPS]
NET = """
    from torch import nn
    from part import Part

    class Net(nn.Module):
        def __init__(self, args, deep=False, kind="plain"):
            super().__init__()
            {made}
    """
RUN = """
    from net import Net

    parser.add_argument("--deep", action="store_true")

    def main(args):
        return Net({})
    """


def project(made: str, passed: str = "args", **more: str) -> dict[str, str]:
    """A part, a network that makes it, a program that makes the network, and other files."""
    others = {f"{name}.py": text for name, text in more.items()}
    return {"part.py": PART, "net.py": NET.format(made=made), "run.py": RUN.format(passed), **others}


MADE_BY_OPTIONS = {
    "an argument": project("if deep:\n                self.part = Part()"),
    "a setting": project("if args.deep:\n                self.part = Part()"),
    "one of two forms": project("self.part = nn.Identity() if not deep else Part()"),
    "a word": project("if kind == 'whole':\n                self.part = Part()"),
    "a word that is its name, of two that there may be": project(
        "assert kind in ['whole', 'Part']\n            if kind == 'Part':\n                self.part = Part()"
    ),
    "what the program hands on": project(
        "if deep:\n                self.part = Part()", "args, deep=args.deep"
    ),
    "what another class keeps of its settings and hands on": project(
        "if deep:\n                self.part = Part()",
        "args",
        more="""
        from torch import nn
        from net import Net

        class Around(nn.Module):
            def __init__(self, args):
                super().__init__()
                self.deep = args.deep
                self.net = Net(args, deep=self.deep)
        """,
    ),
    "one of two classes": project("make = Part if deep else nn.Identity\n            self.part = make()"),
    "one of several classes": project(
        "make = (Part if kind == 'whole' else nn.Bilinear) if deep else nn.Identity\n"
        "            self.part = make()"
    ),
    "others are made by what configurations name that ship": {
        **project(
            "if deep:\n                self.part = Part()",
            more="def build(config):\n    return instantiate_from_config(config.part)",
        ),
        "settings.yaml": "net:\n  target: a_package.models.with_a_long_name.Net\n",
    },
    "a file asks whether something is of it": project(
        "if deep:\n                self.part = Part()",
        more="from part import Part\n\ndef of(part):\n    return isinstance(part, (str, Part))",
    ),
    "what derives from it is made by an option": {
        **project("if deep:\n                self.part = Other()"),
        "other.py": "from part import Part\n\nclass Other(Part): ...",
    },
    "an entry of a table": project("self.part = {'plain': nn.Identity(), 'whole': Part()}[kind]"),
    "an entry of a table with a name": project(
        "parts = {'plain': nn.Identity(), 'whole': Part().half()}\n            self.part = parts[kind]"
    ),
    "what a table of settings does not name": project(
        "pass", more=TABLE.format(test=PROGRAM), config="CONFIG = {1: dict(KIND='plain')}"
    ),
    "what several tables do not name": project(
        "pass",
        more=TABLE.format(test=PROGRAM),
        config="CONFIG = {1: dict(KIND='plain'), 2: {'KIND': 'flat'}}",
    ),
    "each of some calls": project(
        "if deep:\n                self.part = [Part(), Part()]",
        more="from part import Part\n\ndef more(args):\n    if args.deep: Part()",
    ),
    "what an option makes makes it": project(
        "if deep:\n                self.part = Around(Part())",
        more="""
        from torch import nn
        from part import Part

        class Around(nn.Module):
            def __init__(self):
                self.part = Part()
        """,
    ),
    "it is a default of what an option makes": {
        **project("if deep:\n                self.part = Part()"),
        "more.py": "from part import Part\n\nclass Around:\n    def __init__(self, kind=Part): ...\n",
        "most.py": "from more import Around\n\ndef most(args):\n    if args.deep: Around()",
    },
    "it makes its own kind": {
        **project("if deep:\n                self.part = Part()"),
        "part.py": PART + "\n    class Another(nn.Module):\n        def twin(self): return Part()\n",
        "more.py": "from part import Another\n\ndef more(args):\n    if args.deep: Another()",
    },
}
MADE = {
    "the option is passed": project("if deep:\n                self.part = Part()", "args, deep=True"),
    "the option is on": project("if not deep:\n                self.part = Part()"),
    "one of two classes, and another of two": project(
        "make = Part if deep else nn.Identity\n            self.part = make()",
        more="from part import Part\nmake = nn.Identity if wide else Part\npart = make()",
    ),
    "one of two classes that is kept": project(
        "self.make = Part if deep else nn.Identity\n            self.part = self.make()"
    ),
    "a file asks whether something is of it, and keeps it": project(
        "if deep:\n                self.part = Part()",
        more="from part import Part\n\ndef of(part):\n    return Part if isinstance(part, Part) else None",
    ),
    "another call makes it": project(
        "if deep:\n                self.part = Part()", more="from part import Part\npart = Part()"
    ),
    "two classes make each other, and one is made": {
        **project("if deep:\n                self.part = Part()"),
        "part.py": PART.replace("helper(x)\n\n", "helper(x)\n\n        def twin(self): return Other()\n\n"),
        "other.py": """
            from torch.nn import Module

            class Other(Module):
                def twin(self):
                    return part.Part()
            """,
        "more.py": "from other import Other\n\nother = Other()",
    },
    "it is handed over": project(
        "if deep:\n                self.part = Part()",
        more="from part import Part\nbuild(Part, Part() if args.deep else None)",
    ),
    "it is a default": {
        **project("if deep:\n                self.part = Part()"),
        "part.py": PART + "\n    def build(block=Part): ...\n",
    },
    "it is a default of what is made": {
        **project("if deep:\n                self.part = Part()"),
        "more.py": "from part import Part\n\nclass Around:\n    def __init__(self, kind=Part): ...\n",
        "most.py": "from more import Around\n\nAround()",
    },
    "a file has its name": project(
        "if deep:\n                self.part = Part()", more="from part import Part"
    ),
    "its package offers it": {
        **project("if deep:\n                self.part = Part()"),
        "__init__.py": "from part import Part",
    },
    "another class derives from it": project(
        "if deep:\n                self.part = Part()",
        more="from part import Part\n\nclass Other(Part): ...\n\nother = Other()",
    ),
    "its file calls a method of the class": {
        **project("if deep:\n                self.part = Part()"),
        "part.py": PART + "\n    def build():\n        return Part.of(helper)\n",
    },
    "its file looks names up": {
        **project("if deep:\n                self.part = Part()"),
        "part.py": PART + "\n    def build(name):\n        return globals()[name]()\n",
    },
    "another class changes what it hands on": project(
        "if deep:\n                self.part = Part()",
        "args",
        more="""
        from torch import nn
        from net import Net

        class Around(nn.Module):
            def __init__(self, args):
                super().__init__()
                self.deep = args.deep
                self.net = Net(args, deep=self.deep)

            def deepen(self):
                self.deep = True
        """,
    ),
    "an entry that the default names": project("self.part = {'plain': Part(), 'whole': nn.Identity()}[kind]"),
    "a table that is handed over": project(
        "parts = {'plain': nn.Identity(), 'whole': Part()}\n            self.part = pick(parts)[kind]"
    ),
    "a table that is read elsewhere": project(
        "parts = {'plain': nn.Identity(), 'whole': Part()}\n            self.part = parts[kind]\n"
        "            self.pick = lambda name: parts[name]"
    ),
    "what a table of settings names": project(
        "pass", more=TABLE.format(test=PROGRAM), config="CONFIG = {1: dict(KIND='Part')}"
    ),
    "what one of some tables names": project(
        "pass",
        more=TABLE.format(test=PROGRAM),
        config="CONFIG = {1: dict(KIND='plain'), 2: dict(KIND='Part')}",
    ),
    "a setting that is changed": project(
        "pass",
        more=TABLE.format(test=PROGRAM),
        config="CONFIG = {1: dict(KIND='plain')}\ndef change(cfg, kind): cfg['KIND'] = kind",
    ),
    "a table of a module": project(
        "pass", more=TABLE.format(test="True"), config="CONFIG = {1: dict(KIND='plain')}"
    ),
    "others are made by what configurations name": project(
        "if deep:\n                self.part = Part()",
        more="def build(config):\n    return instantiate_from_config(config.part)",
    ),
    "a configuration names it that ships": {
        **project(
            "if deep:\n                self.part = Part()",
            more="def build(config):\n    return instantiate_from_config(config.part)",
        ),
        "settings.yaml": "net:\n  target: a_package.models.with_a_long_name.Part\n",
    },
    "a text names it": project("if deep:\n                self.part = Part()", more="parts = ['part.Part']"),
}


@pytest.mark.parametrize("name", MADE_BY_OPTIONS)
def test_what_only_options_make_is_presumed(tmp_path: Path, name: str) -> None:
    assert heat(tmp_path, MADE_BY_OPTIONS[name]) == OFF


@pytest.mark.parametrize("name", MADE)
def test_what_may_be_made_all_the_same_runs_in_steps(tmp_path: Path, name: str) -> None:
    assert heat(tmp_path, MADE[name]) == STEPS


def test_a_class_without_bases_counts_as_well(tmp_path: Path) -> None:
    part = "class Part:\n    def training_step(self, batch):\n        here()"
    sources = {**project("if deep:\n                self.part = Part()"), "part.py": part}
    why = "Part.training_step is a step by its name"
    assert heat(tmp_path, sources) == [f"part.py: presumed: {why}, but by default nothing makes Part"]
    made = {**sources, "more.py": "from part import Part\n\npart = Part()"}
    assert heat(tmp_path, made) == [f"part.py: step: {why}"]


FUNCTION = """
    import torch

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            here()
            return x
    """
APPLIED = """
    from torch import nn
    from scale import Scale

    class Net(nn.Module):
        def __init__(self, deep=False):
            super().__init__()
            self.deep = deep

        def forward(self, x):
            return {}
    """
USES = {
    "an option": ("Scale.apply(x) if self.deep else x", ""),
    "each pass": ("Scale.apply(x)", ""),
    "what is handed over": ("Scale.apply(x) if self.deep else x", "from scale import Scale\nf = Scale.apply"),
}


@pytest.mark.parametrize("name", USES)
def test_an_autograd_function_runs_where_it_is_applied(tmp_path: Path, name: str) -> None:
    used, more = USES[name]
    sources = {"scale.py": FUNCTION, "net.py": APPLIED.format(used), "run.py": "Net()", "more.py": more}
    why = "scale.py: {}: Scale.forward runs on every use of the autograd function"
    off = f"{why.format('presumed')}, but by default nothing makes Scale"
    assert heat(tmp_path, sources) == [off if name == "an option" else why.format("step")]
