"""Trains a small GPT-2, made from a config, with transformers' Trainer, and generates with it."""

import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

model = GPT2LMHeadModel(GPT2Config(vocab_size=128, n_positions=64, n_embd=32, n_layer=2, n_head=2))
tokens = torch.randint(128, (24, 32))
data = [{"input_ids": row, "labels": row} for row in tokens]
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        folder,
        per_device_train_batch_size=4,
        num_train_epochs=1,
        bf16=True,
        logging_steps=2,
        report_to=[],
        save_strategy="no",
        gradient_checkpointing=True,
    )
    Trainer(model, arguments, train_dataset=data).train()
assert model.device.type == "cuda"
prompt = tokens[:2, :8].cuda()
print(model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=8, pad_token_id=0).shape)
