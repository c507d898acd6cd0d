"""Batches, and their way to the device."""

import torch


class Sequences:
    """Endless arithmetic sequences modulo the vocabulary: easy to learn, nothing to download."""

    def __init__(self, vocabulary: int, context: int, batch: int, steps: int, seed: int = 0):
        self.vocabulary = vocabulary
        self.context = context
        self.batch = batch
        self.steps = steps
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.steps

    def __iter__(self):
        for _ in range(self.steps):
            start = torch.randint(self.vocabulary, (self.batch, 1), generator=self.generator)
            step = torch.randint(1, 4, (self.batch, 1), generator=self.generator)
            tokens = (start + step * torch.arange(self.context + 1)) % self.vocabulary
            yield tokens[:, :-1], tokens[:, 1:]


class DeviceLoader:
    """Copies each batch to the device, on a stream of its own if asked for."""

    def __init__(self, loader, device: torch.device, copy_stream: bool = False):
        self.loader = loader
        self.device = device
        if device.type == "cuda":
            self.stream = torch.cuda.Stream(device) if copy_stream else torch.cuda.current_stream(device)

    def __iter__(self):
        for batch in self.loader:
            yield self.copy(batch)

    def copy(self, batch):
        if self.device.type != "cuda":
            return tuple(part.to(self.device) for part in batch)
        compute = torch.cuda.current_stream(self.device)
        self.stream.wait_stream(compute)
        with torch.cuda.stream(self.stream):
            batch = tuple(part.to(self.device, non_blocking=True) for part in batch)
        compute.wait_stream(self.stream)
        for part in batch:
            part.record_stream(compute)
        return batch
