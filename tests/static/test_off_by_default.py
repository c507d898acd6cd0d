"""What hangs on an option that is off by default is presumed, wherever its default stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat, others

from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

LINTER = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())

_MODEL = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.config = config

        def forward(self, x):
            if {test}:
                here()
            return x
    """
_RUNS = "Net.forward runs on every call of the module"

DEFAULTS = {
    "a field": ("class Config:\n    clip: float = 0.0", "self.config.clip > 0", "self.config.clip=0"),
    "a flag": ("class Config:\n    deep = False", "self.config.deep", "self.config.deep=False"),
    "a flag that is on": (
        "class Config:\n    deep: bool = True",
        "not self.config.deep",
        "self.config.deep=True",
    ),
    "a field without a value": (
        "class Config:\n    clip: float | None = None",
        "self.config.clip is not None",
        "self.config.clip=None",
    ),
    "a field that is made": (
        "class Config:\n    deep: bool = field(default=False, repr=False)",
        "self.config.deep and x.any()",
        "self.config.deep=False",
    ),
    "what __init__ keeps": (
        "class Config:\n    def __init__(self, deep=False):\n        self.deep = bool(deep)",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "what __init__ keeps beside something else": (
        "class Config:\n    def __init__(self, size, deep=False):\n        self.size, self.deep = size, deep",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a number that __init__ keeps, if it is given one": (
        "class Config:\n    def __init__(self, clip: Optional[float] = None):\n        self.clip = clip",
        "self.config.clip is not None",
        "self.config.clip=None",
    ),
    "a property": (
        "class Config:\n    @property\n    def deep(self):\n        return self.values.get('deep', False)",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a program's flag": (
        "parser.add_argument('--deep-layers', action='store_true')",
        "self.config.deep_layers",
        "self.config.deep_layers=False",
    ),
    "a program's option": (
        "parser.add_argument('-c', '--clip', type=float)",
        "self.config.clip",
        "self.config.clip=None",
    ),
    "a program's option by another name": (
        "parser.add_argument('--no-deep', dest='deep', action='store_false')",
        "not self.config.deep",
        "self.config.deep=True",
    ),
    "a number below nought": (
        "parser.add_argument('--clip', default=-1, type=int)",
        "self.config.clip > 0",
        "self.config.clip=-1",
    ),
    "a number below nought that is none": (
        "class Config:\n    def __init__(self, clip=-1):\n        self.clip = clip",
        "self.config.clip != -1",
        "self.config.clip=-1",
    ),
    "another word": (
        "class Config:\n    kind: str = 'absolute'",
        "self.config.kind == 'relative' or self.config.kind == 'rotary'",
        "self.config.kind='absolute'",
    ),
    "none of some words": (
        "class Config:\n    def __init__(self, kind='absolute'):\n        self.kind = kind",
        "self.config.kind in ('relative', 'rotary') and x.any()",
        "self.config.kind='absolute'",
    ),
    "the word itself": (
        "parser.add_argument('--kind', default='absolute')",
        "self.config.kind != 'absolute'",
        "self.config.kind='absolute'",
    ),
    "a flag of click's": (
        "@click.option('--deep/--flat', default=False)\ndef main(**options): ...",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a flag of absl's": (
        "flags.DEFINE_bool('deep', False, 'Be deep.')",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a table of settings": (
        "config = EasyDict({'net': dict(deep=False)})",
        "self.config.net.deep",
        "self.config.net.deep=False",
    ),
    "hyperparameters": (
        "def make():\n    return tf.contrib.training.HParams(layers=2, deep=False)",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "another member of an enumeration": (
        "class Config:\n    kind: Kind = Kind.SINE",
        "self.config.kind == Kind.ROTARY",
        "self.config.kind='Kind.SINE'",
    ),
    "none of some members": (
        "class Config:\n    def __init__(self, kind=kinds.Kind.SINE):\n        self.kind = kind",
        "self.config.kind in (Kind.ROTARY, Kind.WHOLE)",
        "self.config.kind='Kind.SINE'",
    ),
    "an entry of a table": (
        "CONFIG = {'net': {'deep': False}}",
        "self.config['deep']",
        "self.config.deep=False",
    ),
    "an option of a program as an entry": (
        "parser.add_argument('--deep', action='store_true')\nconfig = vars(parser.parse_args())",
        "self.config['deep']",
        "self.config.deep=False",
    ),
    "a namespace": (
        "config = argparse.Namespace(deep=False)",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a field whose name torch has for a setting": (
        "import torch\nclass Config:\n    deterministic = False\ntorch.backends.cudnn.deterministic = True",
        "self.config.deterministic",
        "self.config.deterministic=False",
    ),
    "settings of OmegaConf's": (
        "config = OmegaConf.create({'deep': False})",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "settings that are made one by one": (
        "_C = CN()\n_C.NET = CN()\n_C.NET.DEEP = False",
        "self.config.NET.DEEP",
        "self.config.NET.DEEP=False",
    ),
    "settings whose name another section has": (
        "_C = CN()\n_C.NET = CN()\n_C.NET.DEEP = False\n_C.HEAD = CN()\n_C.HEAD.DEEP = True",
        "self.config.NET.DEEP",
        "self.config.NET.DEEP=False",
    ),
    "no word": ("class Config:\n    kind = ''", "self.config.kind == 'rotary'", "self.config.kind=''"),
    "two other words": (
        "class A:\n    kind = 'learned'\nclass B:\n    kind = 'absolute'\nmake(kind='sine')",
        "self.config.kind == 'rotary'",
        "self.config.kind='absolute'",
    ),
    "a flag whose name has a word elsewhere": (
        "class Config:\n    deep = False\nmake(deep='very')",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a switch that is looked up": ("", "self.config.get('deep', False)", "self.config.deep=False"),
    "a switch of a section that is looked up": (
        "",
        "self.config['net'].get('deep', False) and x.any()",
        "self.config.net.deep=False",
    ),
    "a switch that is on": ("", "not self.config.pop('deep', True)", "self.config.deep=True"),
    "a switch of settings that may not be there": (
        "",
        "getattr(self.config, 'deep', False)",
        "self.config.deep=False",
    ),
    "a switch that a table turns off": (
        "CONFIG = {'deep': False}",
        "self.config.get('deep', False)",
        "self.config.deep=False",
    ),
    "a number of parts": (
        "class Config:\n    parts: int = 1\nmake(Config(parts=1))",
        "self.config.parts > 1",
        "self.config.parts=1",
    ),
    "a number of parts that a program takes": (
        "parser.add_argument('--parts', type=int, default=1)",
        "self.config.parts != 1",
        "self.config.parts=1",
    ),
    "a file of settings": (
        "_base_ = ['base.py']\ndeep = False\nsize = 2 * 8\nlayers = dict(kind=[1, -1])",
        "self.config.deep",
        "self.config.deep=False",
    ),
    "a word in a file of settings": (
        "kind = 'sine'",
        "self.config.kind == 'rotary'",
        "self.config.kind='sine'",
    ),
    "the same default in two classes": (
        "class A:\n    deep = False\nclass B:\n    deep = 0",
        "self.config.deep",
        "self.config.deep=0",
    ),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_what_a_default_of_another_file_shuts_is_presumed(tmp_path: Path, name: str) -> None:
    config, test, option = DEFAULTS[name]
    (found,) = heat(tmp_path, {"config.py": config, "model.py": _MODEL.format(test=test)})
    assert found == f"model.py: presumed: {_RUNS}, but not by default: {option}"


OTHERWISE = {
    "a flag that is on": ("class Config:\n    deep = True", "self.config.deep"),
    "settings of a section that is handed on": (
        "_C = CN()\n_C.NET = CN()\n_C.NET.DEEP = False\n_C.HEAD = CN()\n_C.HEAD.DEEP = True",
        "self.config.DEEP",
    ),
    "a section that is on": (
        "_C = CN()\n_C.NET = CN()\n_C.NET.DEEP = False\n_C.HEAD = CN()\n_C.HEAD.DEEP = True",
        "self.config.HEAD.DEEP",
    ),
    "a file of settings that turns it on": ("deep = True", "self.config.deep"),
    "two words in a file of settings": (
        "kind = 'sine'\nif 1:\n    kind = 'rotary'",
        "self.config.kind == 'rotary'",
    ),
    "a name of a file that does more": ("deep = False\nprint(deep)", "self.config.deep"),
    "a name beside a function": ("deep = False\ndef found():\n    return deep", "self.config.deep"),
    "more parts": ("class Config:\n    parts: int = 2", "self.config.parts > 1"),
    "one part": ("class Config:\n    parts: int = 1", "self.config.parts"),
    "parts that a call asks for": (
        "class Config:\n    parts: int = 1\nmake(Config(parts=4))\nconfig.parts = found",
        "self.config.parts > 1",
    ),
    "another default elsewhere": ("class A:\n    deep = False\nclass B:\n    deep = 3", "self.config.deep"),
    "a field that must be given": ("class Config:\n    deep: bool", "self.config.deep"),
    "a value that another object is given": (
        "class Config:\n    deep = False\nconfig = Config()\nconfig.deep = True",
        "self.config.deep",
    ),
    "state that a method changes": (
        "class Config:\n    def __init__(self):\n        self.deep = False\n"
        "    def deepen(self):\n        self.deep = True",
        "self.config.deep",
    ),
    "a default of the parser's": ("parser.add_argument('--deep', default=7)", "self.config.deep"),
    "a flag of click's that is on": (
        "@click.option('--deep', default=True)\ndef main(): ...",
        "self.config.deep",
    ),
    "what something else creates": ("net = factory.create(deep=False)", "self.config.deep"),
    "settings that a function changes": (
        "config = EasyDict(deep=False)\ndef main():\n    config.deep = True",
        "self.config.deep",
    ),
    "what a comparison leaves open": ("class Config:\n    clip: float = 0.0", "self.config.clip < x.max()"),
    "one of two that is enough": (
        "class Config:\n    deep = False\n    wide = False",
        "self.config.deep or x.any()",
    ),
    "two attributes compared": ("class Config:\n    a = 0\n    b = 0", "self.config.a > self.config.b"),
    "the word that is asked for": ("class Config:\n    kind = 'rotary'", "self.config.kind == 'rotary'"),
    "one of the words": ("class Config:\n    kind = 'rotary'", "self.config.kind in ('sine', 'rotary')"),
    "another word than one": ("class Config:\n    kind = 'sine'", "self.config.kind != 'rotary'"),
    "the word of another class": (
        "class A:\n    kind = 'sine'\nclass B:\n    kind = 'rotary'",
        "self.config.kind == 'rotary'",
    ),
    "a word that a call passes": (
        "class Config:\n    kind = 'sine'\nmake(Config(kind='rotary'))",
        "self.config.kind == 'rotary'",
    ),
    "a word in a table": (
        "class Config:\n    kind = 'sine'\nmake(**{'kind': 'rotary'})",
        "self.config.kind == 'rotary'",
    ),
    "a word that is set": (
        "class Config:\n    kind = 'sine'\nconfig.kind = 'rotary'",
        "self.config.kind == 'rotary'",
    ),
    "a word that is true": ("class Config:\n    kind = 'sine'", "self.config.kind"),
    "a text": ("class Config:\n    kind = 'a (long) text'", "self.config.kind == 'rotary'"),
    "nothing": ("", "self.config.deep"),
    "a table that a function makes": ("def found(): return {'deep': False}", "self.config['deep']"),
    "an entry that is given something": (
        "CONFIG = {'deep': False}\ndef change(config, deep): config['deep'] = deep",
        "self.config['deep']",
    ),
    "a table for what has attributes": ("CONFIG = {'deep': False}", "self.config.deep"),
    "the member that is asked for": (
        "class Config:\n    kind: Kind = Kind.ROTARY",
        "self.config.kind == Kind.ROTARY",
    ),
    "a word for a member": ("class Config:\n    kind: Kind = Kind.ROTARY", "self.config.kind == 'rotary'"),
    "a member for a word": ("class Config:\n    kind = 'rotary'", "self.config.kind == Kind.ROTARY"),
    "a member that a call passes": (
        "class Config:\n    kind: Kind = Kind.SINE\nmake(Config(kind=Kind.ROTARY))",
        "self.config.kind == Kind.ROTARY",
    ),
    "a member that says whether": ("class Config:\n    deep = Kind.DEEP", "self.config.deep"),
    "a switch that a table turns on": ("CONFIG = {'deep': True}", "self.config.get('deep', False)"),
    "a switch that is given something": (
        "def change(config, deep): config['deep'] = deep",
        "self.config.get('deep', False)",
    ),
    "a switch with two defaults": ("deep = config.get('deep', True)", "self.config.get('deep', False)"),
    "a switch of settings that may not be there, and is on": (
        "class Config:\n    deep = True",
        "getattr(self.config, 'deep', False)",
    ),
    "a switch of settings that is set": ("config.deep = True", "getattr(self.config, 'deep', False)"),
    "a switch of something else": ("", "getattr(self.layer, 'deep', False)"),
    "a number that is looked up": ("", "self.config.get('deep', 0)"),
    "a switch by a key that varies": ("", "self.config.get(x, False)"),
    "a mode of modules": ("class Config:\n    training = False", "self.training"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_no_default_shuts_runs_in_steps(tmp_path: Path, name: str) -> None:
    config, test = OTHERWISE[name]
    (found,) = heat(tmp_path, {"config.py": config, "model.py": _MODEL.format(test=test)})
    assert found == f"model.py: step: {_RUNS}"


_TYPED = """
    from __future__ import annotations
    from torch import nn
    from config import Config

    class Net(nn.Module):
        {field}

        def __init__(self, {parameter}):
            super().__init__()
            self.config = {value}

        def forward(self, x):
            if self.config.deep:
                here()
            return x
    """
_OTHERS = "class Data:\n    deep: str\nclass Extra:\n    deep = 3\n"
WRITTEN = {
    "a parameter": ("", "config: Config", "config"),
    "a parameter that may be None": ("", "config: config.Config | None = None", "config"),
    "what is made": ("", "deep", "Config()"),
    "a field": ("config: Config", "config", "config"),
    "an heir of the class that says it": ("", "config: Wide", "config"),
    "a base of the class that says it": ("", "config: Base", "config"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_an_attribute_of_a_class_is_what_that_class_and_its_kin_say(tmp_path: Path, name: str) -> None:
    field, parameter, value = WRITTEN[name]
    config = f"{_OTHERS}class Base: ...\nclass Config(Base):\n    deep = False\nclass Wide(Config): ...\n"
    config += "train(Data(deep=True), Config(wide=True, deep=False), deep=True)\n"
    model = _TYPED.format(field=field, parameter=parameter, value=value)
    (found,) = heat(tmp_path, {"config.py": config, "model.py": model})
    assert found == f"model.py: presumed: {_RUNS}, but not by default: self.config.deep=False"


@pytest.mark.parametrize(
    ("parameter", "more"),
    [
        ("config", ""),
        ("config: Config | Data", ""),
        ("config: Settings", ""),
        ("config: Config", "class Wide(Config):\n    deep = True\n"),
        ("config: Config", "config.deep = found\n"),
        ("config: Config", "config = Config(deep=True)\n"),
        ("config: Config", "class Wide(Config): ...\nconfig = Wide(deep=found)\n"),
        ("config: Data", ""),
    ],
)
def test_an_attribute_of_unknown_classes_may_be_what_any_says(
    tmp_path: Path, parameter: str, more: str
) -> None:
    config = f"{_OTHERS}class Config:\n    deep = False\n{more}"
    model = _TYPED.format(field="", parameter=parameter, value="config")
    (found,) = heat(tmp_path, {"config.py": config, "model.py": model})
    assert found == f"model.py: step: {_RUNS}"


_SETS = """
    def main(args):
        if {test}:
            args.deep = True

    parser.add_argument("--wide", {wide})
    """


@pytest.mark.parametrize(
    ("test", "wide", "is_off"),
    [
        ("args.wide", "action='store_true'", True),
        ("not args.wide", "action='store_true'", False),
        ("args.wide", "default=True", False),
        ("args.wide and is_fast()", "action='store_true'", True),
        ("is_fast()", "action='store_true'", False),
    ],
)
def test_what_is_set_under_an_option_that_is_off_keeps_its_default(
    tmp_path: Path, test: str, wide: str, is_off: bool
) -> None:
    train = _DECLARES.format(said="action='store_true'", given="args.deep", more="")
    sources = {**_CALLS, "train.py": train, "more.py": _SETS.format(test=test, wide=wide)}
    heat_, option = ("presumed", ", but not by default: Net(deep=False)") if is_off else ("step", "")
    assert heat(tmp_path, sources)[0] == f"model.py: {heat_}: {_RUNS} -> Net.extra -> Net.last{option}"


def test_what_is_set_under_what_is_set_under_each_other_is_set(tmp_path: Path) -> None:
    train = _DECLARES.format(said="action='store_true'", given="args.deep", more="")
    sets = "if args.wide:\n    args.deep = True\nif args.deep:\n    args.wide = True\n"
    sources = {
        **_CALLS,
        "train.py": train,
        "more.py": f"parser.add_argument('--wide', default=False)\n{sets}",
    }
    assert heat(tmp_path, sources)[0] == f"model.py: step: {_RUNS} -> Net.extra -> Net.last"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("Net(**options)", f"presumed: {_RUNS}, but not by default: self.deep=False"),
        ("Other(deep=True)", f"presumed: {_RUNS}, but not by default: self.deep=False"),
        ("Net(deep=True)", f"step: {_RUNS}"),
        ("Net()\nclass Wide(Net):\n    deep = True", f"step: {_RUNS}"),
    ],
)
def test_an_attribute_of_self_is_what_classes_of_other_files_say_that_are_its_kin(
    tmp_path: Path, made: str, expected: str
) -> None:
    sources = {
        "base.py": """
            from torch import nn

            class Base(nn.Module):
                def __init__(self, deep=False):
                    super().__init__()
                    self.deep = deep

            class Other:
                deep = 3
            """,
        "model.py": """
            from base import Base

            class Net(Base):
                def forward(self, x):
                    if self.deep:
                        here()
            """,
        "main.py": f"from base import Other\nfrom model import Net\nnet = {made}\n",
    }
    assert heat(tmp_path, sources) == [f"model.py: {expected}"]


def test_what_is_none_by_default_and_may_be_data_is_named_and_runs_in_steps(tmp_path: Path) -> None:
    config = "class Parts:\n    def __init__(self, mask=None):\n        self.mask = mask"
    (found,) = heat(
        tmp_path, {"config.py": config, "model.py": _MODEL.format(test="self.config.mask is not None")}
    )
    assert found == f"model.py: step: {_RUNS}, but not by default: self.config.mask=None"


_CALLS = {
    "model.py": """
        from torch import nn

        class Net(nn.Module):
            def __init__(self, deep=False):
                super().__init__()
                self.deep = deep

            def forward(self, x):
                if self.deep:
                    x = self.extra(x)
                return self.more(x)

            def extra(self, x):
                return self.last(self.more(x))

            def last(self, x):
                return here()

            def more(self, x):
                return here()
        """,
    "train.py": """
        from model import Net

        def run(deep):
            return Net(**deep)
        """,
}


def test_what_is_called_under_an_option_is_presumed_unless_something_else_calls_it(tmp_path: Path) -> None:
    assert heat(tmp_path, _CALLS) == [
        f"model.py: presumed: {_RUNS} -> Net.extra -> Net.last, but not by default: Net(deep=False)",
        f"model.py: step: {_RUNS} -> Net.more",
    ]


def test_what_a_loop_calls_under_an_option_is_presumed(tmp_path: Path) -> None:
    sources = {
        "train.py": """
            def train(loader, show=False):
                for batch in loader:
                    if show:
                        helper(batch)

            def helper(batch):
                here()
            """,
        "other.py": "from train import train\ntrain(loader, **options)\n",
    }
    (found,) = heat(tmp_path, sources)
    chain = f"{tmp_path}/train.py:2 loop over loader -> helper"
    assert found == f"train.py: presumed: {chain}, but not by default: train(show=False)"


_WORD = {
    "boxes.py": """
        class Boxes:
            def {name}(self, x):
                return here()
        """,
    "model.py": """
        from torch import nn
        from boxes import Boxes

        class Net(nn.Module):
            def __init__(self, scores=False):
                super().__init__()
                self.scores = scores
                self.boxes = Boxes()

            def forward(self, x):
                if self.scores:
                    self.boxes.{name}(x)
                {more}
                return x
        """,
    "train.py": "from model import Net\n\n\ndef run(options):\n    return Net(**options)\n",
}
WORDS = {
    "what only an option lets run": (
        "forward_batch",
        "pass",
        f"presumed: {_RUNS} -> Boxes.forward_batch, but not by default: Net(scores=False)",
    ),
    "what something else calls, too": (
        "forward_batch",
        "self.boxes.forward_batch(x)",
        "step: Boxes.forward_batch is a step by its name",
    ),
    "what an object of an unknown class may be": (
        "forward_batch",
        "x.boxes.forward_batch(x)",
        "step: Boxes.forward_batch is a step by its name",
    ),
    "what libraries call by that name": (
        "training_step",
        "pass",
        "step: Boxes.training_step is a step by its name",
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_word_makes_no_step_of_what_is_called_by_options_alone(tmp_path: Path, name: str) -> None:
    method, more, expected = WORDS[name]
    sources = {path: text.replace("{name}", method).replace("{more}", more) for path, text in _WORD.items()}
    assert heat(tmp_path, sources) == [f"boxes.py: {expected}"]


@pytest.mark.parametrize(
    "made",
    [
        "Net(True)",
        "Net(deep=1)",
        "Net(deep=args.deep)",
        "make(deep=args.deep)\nmake = Net if args.net else Other",
    ],
)
def test_an_option_that_the_project_turns_on_counts_for_nothing(tmp_path: Path, made: str) -> None:
    sources = {**_CALLS, "train.py": f"from model import Net\nnet = {made}\n"}
    assert heat(tmp_path, sources)[0] == f"model.py: step: {_RUNS} -> Net.extra -> Net.last"


_CLIPS = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self, size, clip=-1):
            super().__init__()
            self.clip = clip

        def forward(self, x):
            if self.clip > 0:
                here()
    """


def test_an_argument_that_a_setting_of_the_same_default_is_given_for_is_off(tmp_path: Path) -> None:
    build = "def build(args):\n    return Net(1, clip=args.clip)"
    train = f"from model import Net\nparser.add_argument('--clip', default=-1)\n{build}\n"
    (found,) = heat(tmp_path, {"model.py": _CLIPS, "train.py": train})
    assert found == f"model.py: presumed: {_RUNS}, but not by default: Net(clip=-1)"


_OF_A_LIBRARY = """
    from library import Engine

    class Trainer(Engine):
        def __init__(self, amp=False, **kwargs):
            super().__init__({given}, iterate=self.iterate)

        def training_step(self, engine: Trainer, batch):
            if engine.amp and engine.scaler is not None:
                here()
    """


@pytest.mark.parametrize(
    ("given", "base", "is_off"),
    [
        ("amp=amp", "from library import Engine", True),
        ("**kwargs", "from library import Engine", False),
        ("amp=amp", "from .engine import Engine", False),
        ("amp=amp", "from pkg.engine import Engine", False),
    ],
)
def test_a_base_of_a_library_keeps_what_it_is_given_by_its_name(
    tmp_path: Path, given: str, base: str, is_off: bool
) -> None:
    trainer = _OF_A_LIBRARY.replace("from library import Engine", base).format(given=given)
    engine = "class Engine:\n    def __init__(self, amp, **kwargs):\n        self.amp = amp\n"
    sources = {"pkg/__init__.py": "", "pkg/a.py": trainer, "pkg/engine.py": engine}
    (found,) = heat(tmp_path, sources)
    heat_, option = ("presumed", ", but not by default: engine.amp=False") if is_off else ("step", "")
    assert found == f"pkg/a.py: {heat_}: Trainer.training_step is a step by its name{option}"


_IMPORTED = """
    from torch import nn
    {imports}

    class Net(nn.Module):
        def forward(self, x):
            if {test}:
                here()
    """
_YACS = "from yacs.config import CfgNode\ncfg = CfgNode()\ncfg.NET = CfgNode()\ncfg.NET.DEEP = False\n"


@pytest.mark.parametrize(
    ("imports", "test", "config", "option"),
    [
        ("from config import cfg", "cfg.NET.DEEP", _YACS, "cfg.NET.DEEP=False"),
        ("from .config import cfg as config", "config.NET.DEEP", _YACS, "config.NET.DEEP=False"),
        ("import config as cfg", "cfg.DEEP", "DEEP = False\n", "cfg.DEEP=False"),
        ("from config import config", "config['deep']", "config = {'deep': False}\n", "config.deep=False"),
        ("from config import cfg", "cfg.NET.DEEP", _YACS.replace("False", "True"), ""),
        ("import tables", "tables.DEEP", "DEEP = False\n", ""),
    ],
)
def test_settings_that_are_imported_have_options(
    tmp_path: Path, imports: str, test: str, config: str, option: str
) -> None:
    model = _IMPORTED.format(imports=imports, test=test)
    (found,) = heat(tmp_path, {"model.py": model, "config.py": config})
    ending = f"presumed: {_RUNS}, but not by default: {option}" if option else f"step: {_RUNS}"
    assert found == f"model.py: {ending}"


_DECLARES = """
    import argparse
    from model import Net

    def options():
        parser = argparse.ArgumentParser()
        parser.add_argument("--deep", {said})
        return parser.parse_args()

    def build(args):
        return Net(deep={given})

    build(options())
    {more}
    """


@pytest.mark.parametrize(
    ("said", "given", "more", "is_on"),
    [
        ("action='store_true'", "args.deep", "", False),
        ("default=False", "args.deep", "", False),
        ("default=True", "args.deep", "", True),
        ("default=None", "args.deep", "", True),
        ("action='store_true'", "not args.deep", "", True),
        ("action='store_true'", "args.deep", "args.deep = True", True),
        ("action='store_true'", "args.deep", "args.deep = args.deeper", True),
    ],
)
def test_an_argument_that_is_an_attribute_of_settings_is_what_that_is_by_default(
    tmp_path: Path, said: str, given: str, more: str, is_on: bool
) -> None:
    sources = {**_CALLS, "train.py": _DECLARES.format(said=said, given=given, more=more)}
    off = "presumed", ", but not by default: Net(deep=False)"
    heat_, option = ("step", "") if is_on else off
    assert heat(tmp_path, sources)[0] == f"model.py: {heat_}: {_RUNS} -> Net.extra -> Net.last{option}"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("Net(1, **options)", f"presumed: {_RUNS}, but not by default: Net(clip=0.0)"),
        ("Net(1, clip=0.5)", f"step: {_RUNS}, but not by default: Net(clip=0.0)"),
        ("Net(1)", "cold: nobody passes clip"),
    ],
)
def test_what_is_taken_out_of_keywords_may_be_passed_by_one(tmp_path: Path, made: str, expected: str) -> None:
    model = """
        from torch import nn

        class Net(nn.Module):
            def __init__(self, size, **kwargs):
                super().__init__()
                self.clip = kwargs.pop("clip", 0.0)

            def forward(self, x):
                if self.clip > 0:
                    here()
        """
    (found,) = heat(tmp_path, {"model.py": model, "train.py": f"from model import Net\nnet = {made}\n"})
    assert found == f"model.py: {expected}"


def test_a_word_that_an_edit_passes_counts_until_another_takes_it_away(tmp_path: Path) -> None:
    sources = {
        "config.py": "class Config:\n    kind = 'sine'\n    deep = False\n",
        "model.py": _MODEL.format(test="self.config.kind == 'rotary'").replace("here()", "x.item()"),
        "main.py": "",
    }
    heat(tmp_path, sources)
    for main in (
        "",
        "make(kind='rotary')\n",
        "",
        "make(deep='very', kind='sine')\n",
        "f({'kind': 'rotary'})\n",
    ):
        (tmp_path / "main.py").write_text(main, encoding="utf-8")
        assert found_in(tmp_path) == (["OVH404"] if "rotary" in main else []), main


def found_in(folder: Path) -> list[str]:
    """What is found in the model, with what a run before has left."""
    files.forget()
    targets = others(folder)
    examiner = Examiner(lambda target: LINTER)
    workspace = Workspace(folder, targets, others, lambda: examiner, cache=Cache(folder / ".cache", "key"))
    (model,) = (target for target in targets if target.path.name == "model.py")
    found = [one.code for one in workspace.findings(model)]
    workspace.save()
    return found


@pytest.mark.parametrize(
    ("default", "stored", "heats"),
    [
        ("False", "args.deep = 0", "presumed"),
        ("False", "args.deep = 1", "step"),
        ("False", "args.deep = found", "step"),
        ("True", "args.deep = False", "step"),
    ],
)
def test_an_attribute_of_the_name_that_is_set_to_nothing_turns_no_option_on(
    tmp_path: Path, default: str, stored: str, heats: str
) -> None:
    sources = {
        "model.py": f"""
            from torch import nn

            class Net(nn.Module):
                def __init__(self, deep={default}):
                    self.deep = deep

                def forward(self, x):
                    if self.deep is not {default}:
                        here()
            """,
        "train.py": f"from model import Net\nnet = Net(**options)\n{stored}\n",
    }
    assert heat(tmp_path, sources)[0].split(": ")[1] == heats


_COLLATING = """
    import torch
    from torch.utils.data import DataLoader

    def collate_rows(rows):
        here()
        return torch.stack(rows)

    def collate_quads(rows):
        here()
        return torch.stack(rows)

    def loader(data, quad={default}):
        return DataLoader(data, collate_fn={given})
    """
HANDED = {
    "what an option picks": (("False", "collate_quads if quad else collate_rows"), ["step", "presumed"]),
    "what an option drops": (("False", "collate_rows if not quad else collate_quads"), ["step", "presumed"]),
    "an option that is on": (("True", "collate_quads if quad else collate_rows"), ["presumed", "step"]),
    "what hangs on data": (("False", "collate_quads if data else collate_rows"), ["step", "step"]),
}


@pytest.mark.parametrize("name", HANDED)
def test_what_is_handed_over_by_an_option_alone_is_no_step_for_its_name(tmp_path: Path, name: str) -> None:
    (default, given), expected = HANDED[name]
    main = f"""
        from data import loader

        parser.add_argument("--quad", default={default})
        opt = parser.parse_args()
        loader(rows, quad=opt.quad)
        """
    sources = {"data.py": _COLLATING.format(default=default, given=given), "main.py": main}
    assert [one.split(": ")[1] for one in heat(tmp_path, sources)] == expected


_SCRIPT = """
    {head}

    for batch in loader:
        loss = model(batch)
        loss.backward()
        if {test}:
            here()
    """
CONSTANTS = {
    "a number": ("CLIP = 0.0", "CLIP > 0", "presumed", ", but not by default: CLIP=0.0"),
    "a number that is none": ("CLIP = -1", "CLIP >= 0", "presumed", ", but not by default: CLIP=-1"),
    "a word": ("MODE = 'fast'", "MODE == 'whole'", "presumed", ", but not by default: MODE='fast'"),
    "a number that is enough": ("CLIP = 1.0", "CLIP > 0", "step", ""),
    "one of two": ("CLIP = 0.0\nif len(sys.argv) > 1: CLIP = 1.0", "CLIP > 0", "step", ""),
    "one that is counted": ("CLIP = 0\nCLIP += 1", "CLIP > 0", "step", ""),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_of_a_program_is_an_option(tmp_path: Path, name: str) -> None:
    head, test, expected, ending = CONSTANTS[name]
    source = _SCRIPT.format(head=head.replace("\n", "\n    "), test=test)
    (found,) = heat(tmp_path, {"train.py": source})
    assert found.startswith(f"train.py: {expected}: train.py:")
    assert found.partition(" loop over loader")[2] == ending
    (found,) = heat(
        tmp_path, {"train.py": source, "run.py": "import train\ntrain.CLIP = 2\ntrain.MODE = find()"}
    )
    assert found.startswith("train.py: step: train.py:")


def test_a_number_that_a_function_holds_is_no_option(tmp_path: Path) -> None:
    source = """
    def train(loader, model):
        limit = 3
        for batch in loader:
            loss = model(batch)
            loss.backward()
            if limit > 4:
                here()
    """
    assert heat(tmp_path, {"train.py": source}) == ["train.py: cold: never runs (line 6)"]


def test_an_attribute_that_another_method_sets_is_what_it_is_made_of(tmp_path: Path) -> None:
    net = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self, parts=1):
            super().__init__()
            self.parts = parts
            self.prepare()

        def prepare(self):
            self.split = self.parts > 1

        def forward(self, x):
            if self.split:
                here()
    """
    sources = {"net.py": net, "main.py": "from net import Net\nnet = Net()"}
    assert heat(tmp_path, sources) == ["net.py: cold: nobody passes parts"]
    sources["net.py"] = net + "\n        def join(self):\n            self.split = False\n"
    assert heat(tmp_path, sources) == [f"net.py: step: {_RUNS}"]
