"""Spellings of keys that are texts of objects, made in each step, with the rule that speaks, or why none does."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

from typing import Final

from spelled import Spelling, forward, loop

_PLAN = "@dataclass\nclass Plan:\n    m: int = 1\n    n: int = 2\n"
_FROZEN = _PLAN.replace("@dataclass", "@dataclass(frozen=True)")
_REPR = "class Plan:\n    def __init__(self, m=1):\n        self.m = m\n    def __repr__(self):\n        return f'Plan({self.m})'\n"
_INIT = "self.plan = Plan()\nself.memo = {}"


def _use(body: str, init: str = _INIT, *, above: str = _PLAN, methods: str = "") -> str:
    return forward(f"{body}\nreturn self.lin(x)", init, above=above, methods=methods)


KEYS: Final = [
    # How the key is used.
    Spelling("subscript", _use("y = self.memo[str(self.plan)]"), "OVH201"),
    Spelling("subscript that is stored", _use("self.memo[str(self.plan)] = 1"), "OVH201"),
    Spelling("in", _use("y = str(self.plan) in self.memo"), "OVH201"),
    Spelling("not in", _use("if repr(self.plan) not in self.memo:\n    self.memo = {}"), "OVH201"),
    Spelling("get", _use("y = self.memo.get(str(self.plan))"), "OVH201"),
    Spelling("setdefault", _use("y = self.memo.setdefault(str(self.plan), {})"), "OVH201"),
    Spelling("pop", _use("y = self.memo.pop(repr(self.plan), None)"), "OVH201"),
    Spelling(
        "equality",
        _use("y = str(self.plan) == str(self.last)", "self.plan, self.last = Plan(), Plan()"),
        "OVH201",
    ),
    Spelling("hash", _use("y = hash(str(self.plan))"), "OVH201"),
    Spelling(
        "argument of lru_cache",
        _use(
            "y = work(str(self.plan))", above=_PLAN + "@functools.lru_cache\ndef work(key):\n    return key\n"
        ),
        "OVH201",
    ),
    Spelling(
        "member of a set",
        _use("self.seen.add(str(self.plan))", "self.plan = Plan()\nself.seen = set()"),
        "OVH201",
    ),
    Spelling(
        "digest",
        _use(
            "y = self.memo[hashlib.sha256(str(self.plan).encode()).hexdigest()]",
            above="import hashlib\n" + _PLAN,
        ),
        "OVH201",
    ),
    Spelling("through a name", _use("key = str(self.plan)\ny = self.memo[key]"), "OVH201"),
    Spelling(
        "through two names",
        _use("text = str(self.plan)\nkey = (text, x.dtype)\ny = self.memo.get(key)"),
        "OVH201",
    ),
    Spelling(
        "through a method",
        _use("y = self.memo[self.key()]", methods="def key(self):\n    return str(self.plan)"),
        "OVH201",
    ),
    Spelling(
        "through a property",
        _use("y = self.memo[self.key]", methods="@property\ndef key(self):\n    return str(self.plan)"),
        "OVH201",
    ),
    Spelling(
        "through a function that is given it",
        _use(
            "y = lookup(self.memo, self.plan)",
            above=_PLAN + "def lookup(table, plan):\n    return table.setdefault(str(plan), 2)\n",
        ),
        "OVH201",
    ),
    Spelling(
        "through a function that makes the key",
        _use(
            "y = self.memo[make(self.plan, x.shape)]",
            above=_PLAN + "def make(plan, shape):\n    return f'{plan}|{shape}'\n",
        ),
        "OVH201",
    ),
    # How the text is made.
    Spelling("repr", _use("y = self.memo[repr(self.plan)]"), "OVH201"),
    Spelling("f-string", _use("y = self.memo[f'{self.plan}_{x.dtype}']"), "OVH201"),
    Spelling("f-string with !r", _use("y = self.memo[f'{self.plan!r}']"), "OVH201"),
    Spelling("text of a tuple", _use("y = self.memo[str((self.plan, 1))]"), "OVH201"),
    Spelling("text within a text", _use("y = self.memo[str((str(self.plan), id(x)))]"), "OVH201"),
    Spelling("part of a tuple", _use("y = self.memo[(str(self.plan), x.dtype)]"), "OVH201"),
    Spelling("joined", _use("y = self.memo['-'.join([str(self.plan), str(x.dtype)])]"), "OVH201"),
    Spelling("percent", _use("y = self.memo['%s_%s' % (self.plan, x.dtype)]"), "OVH201"),
    Spelling("format", _use("y = self.memo['{}_{}'.format(self.plan, x.dtype)]"), "OVH201"),
    Spelling("sum of texts", _use("y = self.memo['k' + str(self.plan)]"), "OVH201"),
    Spelling(
        "__repr__ by hand",
        _use("y = self.memo[self.plan.__repr__()]"),
        "",
        "a key of none of 10,840 files of well-known packages is written so",
    ),
    Spelling(
        "json of asdict",
        _use(
            "y = self.memo[json.dumps(asdict(self.plan))]",
            above="import json\nfrom dataclasses import asdict\n" + _PLAN,
        ),
        "OVH201",
    ),
    Spelling(
        "sorted items of keywords",
        _use("y = self.memo[str(sorted(self.kw.items()))]", "self.kw = dict(kw)\nself.memo = {}").replace(
            "precision: str)", "precision: str, **kw)"
        ),
        "OVH201",
    ),
    Spelling(
        "operator that is dispatched",
        "import torch\nHANDLERS = {}\nclass Traced(torch.Tensor):\n    @classmethod\n"
        "    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):\n"
        "        return HANDLERS[str(func)](*args)\n",
        "OVH201",
    ),
    Spelling(
        "types that are dispatched",
        "import torch\nHANDLERS = {}\nclass Traced(torch.Tensor):\n    @classmethod\n"
        "    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):\n"
        "        return HANDLERS[str(args)](*args)\n",
        "",
        "nobody knows what the arguments are",
    ),
    Spelling("sorted vars", _use("y = self.memo[str(sorted(vars(self.plan).items()))]"), "OVH201"),
    # What the object is.
    Spelling("frozen dataclass", _use("y = self.memo[str(self.plan)]", above=_FROZEN), "OVH201"),
    Spelling("class with a repr", _use("y = self.memo[str(self.plan)]", above=_REPR), "OVH201"),
    Spelling(
        "subclass of a dataclass",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan = Wide()\nself.memo = {}",
            above=_PLAN + "@dataclass\nclass Wide(Plan):\n    k: int = 3\n",
        ),
        "OVH201",
    ),
    Spelling(
        "annotated argument",
        _use("y = self.memo[str(self.plan)]", "self.plan = plan\nself.memo = {}").replace(
            "precision: str", "plan: Plan"
        ),
        "OVH201",
    ),
    Spelling(
        "argument that the construction tells",
        _use("y = self.memo[str(self.plan)]", "self.plan = plan\nself.memo = {}").replace(
            "precision: str", "plan"
        )
        + "net = Net(None, None, Plan())\n",
        "OVH201",
    ),
    Spelling(
        "default by or",
        _use("y = self.memo[str(self.plan)]", "self.plan = precision or Plan()\nself.memo = {}").replace(
            "precision: str", "precision: Plan | None = None"
        ),
        "OVH201",
    ),
    Spelling(
        "tuple assignment",
        _use("y = self.memo[str(self.plan)]", "self.plan, self.memo = Plan(), {}"),
        "OVH201",
    ),
    Spelling(
        "field of a dataclass",
        _use(
            "y = self.memo.get(f'gemm_{self.conf.plan}')",
            "self.conf = Conf()\nself.memo = {}",
            above=_PLAN + "@dataclass\nclass Conf:\n    plan: Plan = field(default_factory=Plan)\n",
        ),
        "OVH201",
    ),
    Spelling(
        "factory",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan = build()\nself.memo = {}",
            above=_PLAN + "def build():\n    return Plan(3)\n",
        ),
        "OVH201",
    ),
    Spelling(
        "class method that builds it",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan = Plan.of(1)\nself.memo = {}",
            above=_PLAN + "    @classmethod\n    def of(cls, m):\n        return cls(m)\n",
        ),
        "OVH201",
    ),
    Spelling(
        "item of a list",
        _use("y = self.memo[str(self.plans[0])]", "self.plans = [Plan(), Plan()]\nself.memo = {}"),
        "OVH201",
    ),
    Spelling(
        "items in a loop",
        _use(
            "for plan in self.plans:\n    y = self.memo[str(plan)]",
            "self.plans = [Plan(), Plan()]\nself.memo = {}",
        ),
        "OVH201",
    ),
    Spelling(
        "value of a dict",
        _use("y = self.memo[str(self.plans['a'])]", "self.plans = {'a': Plan()}\nself.memo = {}"),
        "OVH201",
    ),
    Spelling("global object", _use("y = self.memo[str(PLAN)]", above=_PLAN + "PLAN = Plan()\n"), "OVH201"),
    Spelling(
        "local object",
        loop("loss = model(x).sum()\ny = memo[str(plan)]", "plan, memo = Plan(), {}", above=_PLAN),
        "OVH201",
    ),
    Spelling(
        "named tuple",
        _use(
            "y = self.memo[str(self.plan)]",
            above="from typing import NamedTuple\nclass Plan(NamedTuple):\n    m: int = 1\n",
        ),
        "OVH201",
    ),
    Spelling(
        "pydantic",
        _use(
            "y = self.memo.setdefault(self.plan.model_dump_json(), 2)",
            above="from pydantic import BaseModel\nclass Plan(BaseModel):\n    m: int = 1\n",
        ),
        "OVH201",
    ),
    Spelling(
        "attrs",
        _use(
            "y = self.memo[str(self.plan)]",
            above="import attrs\n@attrs.define\nclass Plan:\n    m: int = 1\n",
        ),
        "OVH201",
    ),
    Spelling(
        "attr.s",
        _use(
            "y = self.memo[str(self.plan)]",
            above="import attr\n@attr.s(auto_attribs=True)\nclass Plan:\n    m: int = 1\n",
        ),
        "OVH201",
    ),
    Spelling(
        "dict of settings",
        _use("y = self.memo[str(sorted(self.kw.items()))]", "self.kw = {'a': 1, 'b': 2}\nself.memo = {}"),
        "OVH201",
    ),
    Spelling(
        "dict of dataclasses",
        _use("y = self.memo[str(self.plans)]", "self.plans = {'a': Plan()}\nself.memo = {}"),
        "OVH201",
    ),
    Spelling(
        "OmegaConf",
        _use(
            "y = self.memo[str(self.conf)]",
            "self.conf = OmegaConf.load('conf.yaml')\nself.memo = {}",
            above="from omegaconf import OmegaConf\n",
        ),
        "OVH201",
    ),
    Spelling(
        "known by its name alone",
        _use("y = self.memo[str(self.config)]", "self.config = precision\nself.memo = {}").replace(
            "precision: str", "precision"
        ),
        "OVH201",
    ),
    Spelling(
        "name where it is used", _use("if (key := str(self.plan)) not in self.memo:\n    pass"), "OVH201"
    ),
    Spelling(
        "name where it is made",
        _use("if (key := str(self.plan)):\n    y = self.memo[key]"),
        "OVH201",
    ),
    Spelling(
        "changed copy",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan = dataclasses.replace(Plan(), m=3)\nself.memo = {}",
            above="import dataclasses\n" + _PLAN,
        ),
        "OVH201",
    ),
    Spelling(
        "factory of a field without a class",
        _use(
            "y = self.memo[str(self.conf.plan)]",
            "self.conf = Conf()\nself.memo = {}",
            above=_PLAN + "@dataclass\nclass Conf:\n    plan: object = field(default_factory=Plan)\n",
        ),
        "OVH201",
    ),
    Spelling(
        "settings of OmegaConf",
        _use(
            "y = self.memo[OmegaConf.to_yaml(self.conf)]",
            "self.conf = OmegaConf.create({'a': 1})\nself.memo = {}",
            above="from omegaconf import OmegaConf\n",
        ),
        "OVH201",
    ),
    Spelling(
        "made dataclass",
        _use(
            "y = self.memo[str(self.plan)]",
            above="from dataclasses import make_dataclass\nPlan = make_dataclass('Plan', ['m', 'n'])\n",
        ),
        "",
        "nothing says what class that is; no key of 10,088 files is of one",
    ),
    Spelling(
        "argparse.Namespace",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan, self.memo = Namespace(m=1), {}",
            above="from argparse import Namespace\n",
        ),
        "",
        "its text is that of a library's class, of which nothing is known",
    ),
    Spelling(
        "settings in a Namespace",
        _use(
            "y = self.memo[str(self.options)]",
            "self.options, self.memo = Namespace(m=1), {}",
            above="from argparse import Namespace\n",
        ),
        "OVH201",
    ),
    Spelling(
        "hash of a repr",
        _use(
            "y = self.memo[self.plan]",
            above=_REPR + "    def __hash__(self):\n        return hash(repr(self))\n",
        ),
        "",
        "nothing calls the method by its name; none of 10,088 files writes it so",
    ),
    # Silent, and rightly so.
    Spelling(
        "kept text",
        _use("y = self.memo[self.key]", "self.key = str(Plan())\nself.memo = {}"),
        "",
        "it is made once",
    ),
    Spelling(
        "cached property",
        _use(
            "y = self.memo[self.key]",
            methods="@functools.cached_property\ndef key(self):\n    return str(self.plan)",
        ),
        "",
        "it is made once",
    ),
    Spelling(
        "in an error", _use("if x.dim() > 9:\n    raise ValueError(str(self.plan))"), "", "it is made once"
    ),
    Spelling(
        "object as the key", _use("y = self.memo[self.plan]", above=_FROZEN), "", "nothing is formatted"
    ),
    Spelling("text that is shown", _use("if x.dim() == 9:\n    print(str(self.plan))"), "", "no key"),
    Spelling("text of a number", _use("y = self.memo[f'{self.plan.m}_w']"), "", "one number, not all fields"),
    Spelling(
        "name of a split",
        _use("y = self.memo[f'{self.split}/loss']", "self.split = precision\nself.memo = {}"),
        "",
        "a text of a text",
    ),
    Spelling(
        "name of a module",
        _use("y = self.memo[str(self.depth)]", "self.depth = 3\nself.memo = {}"),
        "",
        "a number",
    ),
    Spelling(
        "cached repr",
        _use(
            "y = self.memo[str(self.plan)]",
            above="from overhead_lint import runtime\n"
            + _PLAN.replace("class Plan", "class Plan(runtime.CachedRepr)"),
        ),
        "",
        "the class keeps its text",
    ),
    Spelling(
        "repr that is kept",
        _use(
            "y = self.memo[str(self.plan)]",
            above="class Plan:\n    text = None\n    def __repr__(self):\n        if self.text is None:\n            self.text = f'{id(self)}'\n        return self.text\n",
        ),
        "",
        "the class keeps its text",
    ),
    Spelling(
        "enumeration",
        _use(
            "y = self.memo[str(self.plan)]",
            "self.plan = Plan.A\nself.memo = {}",
            above="import enum\nclass Plan(enum.Enum):\n    A = 1\n",
        ),
        "",
        "a word",
    ),
]
CODES: Final = ("OVH201", "OVH204")
