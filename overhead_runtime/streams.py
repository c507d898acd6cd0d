"""`wait_stream`: order two streams, with no event where they are one and the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

__all__ = ["wait_stream"]


def wait_stream(consumer: torch.Stream, producer: torch.Stream) -> None:
    """Make later work on `consumer` wait for the work already queued on `producer`.

    What ``consumer.wait_stream(producer)`` does, except that nothing is created, recorded or waited for
    when both are the same stream: work on one stream is in order already. Streams are compared by device
    and id, so that two objects for one stream are equal, and ids that two devices share are not.

    Args:
        consumer: the stream that waits; a `torch.Stream` or a subclass such as `torch.cuda.Stream`.
        producer: the stream waited for.

    Raises:
        AttributeError: an argument is no stream; it is named.
    """
    try:
        # Ids first: reading a device makes a new object each time.
        if consumer.stream_id == producer.stream_id and consumer.device == producer.device:
            return
    except AttributeError:
        for name, value in (("consumer", consumer), ("producer", producer)):
            if not hasattr(value, "stream_id"):
                raise AttributeError(
                    f"wait_stream: {name} is a {type(value).__name__}, not a stream"
                ) from None
        raise
    consumer.wait_stream(producer)
