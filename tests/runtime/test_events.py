"""`EventPool` on events that only count, and on the simulated device."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from typing import Any

import pytest
import torch

from overhead_runtime import EventPool, wait_stream


class Event:
    """Remembers what it was recorded on."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.recorded: list[Any] = []

    def record(self, stream: Any) -> None:
        """Record, as a device event."""
        self.recorded.append(stream)


class Stream:
    """Remembers what it waits for."""

    def __init__(self, stream_id: int, index: int = 0) -> None:
        self.stream_id, self.device = stream_id, torch.device("cuda", index)
        self.waits: list[Any] = []

    def wait_event(self, event: Event) -> None:
        """Wait for what the event holds now, as a device does."""
        self.waits.append(event.recorded[-1])


@pytest.fixture
def pool() -> EventPool:
    Event.made = 0
    return EventPool(Event, maxsize=2)


def test_an_event_given_back_is_used_again(pool: EventPool) -> None:
    first = pool.acquire(0)
    second = pool.acquire(0)
    assert first is not second
    pool.release(first, 0)
    assert pool.acquire("cuda:0") is first
    assert Event.made == 2


def test_devices_do_not_share_events(pool: EventPool) -> None:
    event = pool.acquire(0)
    pool.release(event, 0)
    assert pool.acquire(1) is not event
    assert pool.acquire(torch.device("cuda", 0)) is event


def test_no_more_than_maxsize_are_kept(pool: EventPool) -> None:
    events = [pool.acquire(0) for _ in range(5)]
    for event in events:
        pool.release(event, 0)
    assert {id(pool.acquire(0)) for _ in range(2)} <= {id(event) for event in events}
    assert pool.acquire(0) not in events


def test_waiting_orders_streams_and_creates_once(pool: EventPool) -> None:
    producer, consumer, other = Stream(1), Stream(2), Stream(3)
    for _ in range(10):
        pool.wait(consumer, producer)
        pool.wait(consumer, other)
        pool.wait(consumer, Stream(2))
    assert consumer.waits == [producer, other] * 10
    assert Event.made == 1
    pool.wait(Stream(2, index=1), consumer)
    assert Event.made == 1
    pool.wait(consumer, Stream(2, index=1))
    assert Event.made == 2


def test_an_event_whose_block_raised_is_not_used_again(pool: EventPool) -> None:
    with pytest.raises(KeyError), pool.event(0) as lost:
        raise KeyError
    with pool.event(0) as event:
        assert event is not lost
    assert pool.acquire(0) is event


def test_wrong_uses_are_named(pool: EventPool) -> None:
    event = pool.acquire(0)
    pool.release(event, 0)
    with pytest.raises(RuntimeError, match="given back before"):
        pool.release(event, 0)
    with pytest.raises(TypeError, match="event is a NoneType"):
        pool.release(None, 0)
    with pytest.raises(ValueError, match="maxsize must be at least 1, got 0"):
        EventPool(Event, maxsize=0)


def test_threads_never_hold_the_same_event() -> None:
    pool = EventPool(Event)
    held: dict[int, int] = {}
    wrong: list[int] = []

    def body(thread: int) -> None:
        for _ in range(500):
            event = pool.acquire(0)
            if held.setdefault(id(event), thread) != thread:
                wrong.append(thread)
            del held[id(event)]
            pool.release(event, 0)

    threads = [threading.Thread(target=body, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_starts_empty(pool: EventPool) -> None:
    event = pool.acquire(0)
    pool.release(event, 0)
    pid = os.fork()
    if pid == 0:
        os._exit(int(pool.acquire(0) is event))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert pool.acquire(0) is event


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.usefixtures("simulated_cuda")
def test_what_holds_a_pool_can_be_copied_and_pickled() -> None:
    pool = EventPool(maxsize=5)
    pool.wait(torch.cuda.current_stream(), torch.cuda.Stream())
    event = pool.acquire()
    pool.release(event)
    for copied in (copy.copy(pool), copy.deepcopy([pool])[0], pickle.loads(pickle.dumps(pool))):
        assert copied.acquire() is not event
        assert copied._maxsize == 5
        copied.release(copied.acquire())
        pid = os.fork()
        if pid == 0:
            os._exit(sum(map(len, copied._idle.values())))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert pool.acquire() is event


@pytest.mark.usefixtures("simulated_cuda")
def test_counts_on_the_device(overhead_budget: Any) -> None:
    side, main = torch.cuda.Stream(), torch.cuda.current_stream()
    pool = EventPool()
    pool.wait(main, side)
    with overhead_budget(event_create=0, event_record=3, event_wait=3):
        for _ in range(3):
            pool.wait(main, side)
            pool.wait(side, side)
    with overhead_budget(event_create=1, event_record=1, event_wait=1):
        wait_stream(main, side)
    with overhead_budget(event_create=0, event_record=0, event_wait=0):
        wait_stream(main, torch.cuda.current_stream())
        wait_stream(side, side)
