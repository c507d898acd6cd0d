"""Data for the public programs of ``cuda_programs.py``: made here, small, and the same in every run.

    python benchmarks/cuda_programs_data.py FUNCTION

Each function gets the folder that its program is started in; the command gives it the current one.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any, Final

import torch

__all__ = ["images", "mrpc", "nothing", "shakespeare", "text_and_tokenizer", "wikitext", "words"]

_WORDS: Final = [f"word{number}" for number in range(90)]
_METRIC: Final = '''
import datasets
import evaluate


class Metric(evaluate.Metric):
    """The share of right answers; the hub's metric of this name cannot be had offline."""

    def _info(self):
        number = datasets.Value("int64")
        return evaluate.MetricInfo(
            description="accuracy",
            citation="",
            inputs_description="",
            features=datasets.Features({"predictions": number, "references": number}),
        )

    def _compute(self, predictions, references):
        right = sum(a == b for a, b in zip(predictions, references))
        return {"accuracy": right / len(references)}
'''


def nothing(folder: Path) -> None:
    """For a program that makes its own data."""


def shakespeare(folder: Path) -> None:
    """Tokens of nanoGPT's ``shakespeare_char``."""
    data = folder / "data" / "shakespeare_char"
    for split in ("train", "val"):
        tokens = torch.randint(65, (4096,), generator=torch.Generator().manual_seed(1)).to(torch.uint16)
        (data / f"{split}.bin").write_bytes(tokens.numpy().tobytes())
    meta = {"vocab_size": 65, "itos": dict(enumerate(map(chr, range(65)))), "stoi": {}}
    (data / "meta.pkl").write_bytes(pickle.dumps(meta))


def words(folder: Path) -> None:
    """The three files of the word language model."""
    data = folder / "data" / "wikitext-2"
    data.mkdir(parents=True, exist_ok=True)
    for split in ("train", "valid", "test"):
        (data / f"{split}.txt").write_text(_text(lines=60), encoding="utf-8")


def wikitext(folder: Path) -> None:
    """The file of Lightning's ``WikiText2``, of the least length that its example can split."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "wikitext-2.txt").write_text(_text(lines=6800), encoding="utf-8")


def images(folder: Path) -> None:
    """A folder of images for training and one for evaluation, of two classes."""
    from PIL import Image

    for split, number in (("train", 8), ("val", 4)):
        for position in range(number):
            label = folder / "images" / split / f"class{position % 2}"
            label.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (64, 64), (position * 20, 90, 200)).save(label / f"{position}.png")


def mrpc(folder: Path) -> None:
    """A data set, a metric and a small BERT with random weights, under the names that the hub has."""
    from transformers import BertConfig, BertForSequenceClassification

    data = folder / "nyu-mll" / "glue" / "mrpc"
    data.mkdir(parents=True, exist_ok=True)
    for split, number in (("train", 64), ("validation", 40)):
        rows = [
            {
                "sentence1": _line(place),
                "sentence2": _line(place + place % 2),
                "label": place % 2,
                "idx": place,
            }
            for place in range(number)
        ]
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (data / f"{split}.jsonl").write_text(lines, encoding="utf-8")
    files = "".join(f"  - split: {s}\n    path: mrpc/{s}.jsonl\n" for s in ("train", "validation"))
    card = f"---\nconfigs:\n- config_name: mrpc\n  data_files:\n{files}---\n"
    (data.parent / "README.md").write_text(card, encoding="utf-8")
    _metric(folder, "glue")
    torch.manual_seed(1)
    model = folder / "bert-base-cased"
    _tokenizer(model)
    sizes: dict[str, Any] = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
    }
    BertForSequenceClassification(BertConfig(vocab_size=100, **sizes)).save_pretrained(model)


def text_and_tokenizer(folder: Path) -> None:
    """A text, a tokenizer and the metric that a language model is evaluated with."""
    (folder / "text.txt").write_text(_text(lines=60), encoding="utf-8")
    _tokenizer(folder / "tokenizer")
    _metric(folder, "accuracy")


def _line(number: int) -> str:
    return " ".join(_WORDS[(number * 7 + place) % len(_WORDS)] for place in range(20))


def _text(*, lines: int) -> str:
    return "".join(f"{_line(number)}\n" for number in range(lines))


def _metric(folder: Path, name: str) -> None:
    place = folder / name
    place.mkdir(exist_ok=True)
    (place / f"{name}.py").write_text(_METRIC, encoding="utf-8")


def _tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "eos_token": "[EOS]"}
    vocabulary = {word: number for number, word in enumerate([*special.values(), *_WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **special)
    wrapped.save_pretrained(folder)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path.cwd())
