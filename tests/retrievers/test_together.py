import asyncio
from collections.abc import Sequence
from threading import Event, current_thread

import pytest

from taec.retrievers.together import Together

PATIENCE = 20
"""Seconds after which a test that would wait for ever fails."""


class Held:
    """Answers with the length of the batch, once `go` is set; keeps the batches and the threads that worked."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()
        self.batches: list[list[str]] = []
        self.threads: set[str] = set()

    def __call__(self, asked: Sequence[str]) -> list[str]:
        self.batches.append(list(asked))
        self.threads.add(current_thread().name)
        self.begun.set()
        assert self.go.wait(PATIENCE)
        if "wrong" in asked:
            raise ValueError("wrong")
        return [word.upper() for word in asked]


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def together(held: Held) -> Together[str, str]:
    return Together(held, 3, lambda: None)


async def busy(held: Held, together: Together[str, str], words: Sequence[str]) -> list["asyncio.Task[str]"]:
    """The first of `words` is being answered, the others wait."""
    tasks = [asyncio.create_task(together.ask(words[0]))]
    assert await asyncio.to_thread(held.begun.wait, PATIENCE)
    tasks += [asyncio.create_task(together.ask(word)) for word in words[1:]]
    await asyncio.sleep(0)
    return tasks


async def test_what_waits_is_answered_together_and_no_more_than_most(held: Held, together: Together[str, str]) -> None:
    tasks = await busy(held, together, "abcdef")
    held.go.set()
    assert await asyncio.gather(*tasks) == list("ABCDEF")
    assert held.batches == [["a"], ["b", "c", "d"], ["e", "f"]]


async def test_an_error_reaches_all_who_shared_and_nobody_else(held: Held, together: Together[str, str]) -> None:
    tasks = await busy(held, together, ["a", "wrong", "b"])
    held.go.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert found[0] == "A"
    assert [str(error) for error in found[1:]] == ["wrong", "wrong"]
    assert await together.ask("later") == "LATER"


async def test_who_gives_up_is_left_out_and_disturbs_nobody(held: Held, together: Together[str, str]) -> None:
    tasks = await busy(held, together, "abc")
    tasks[0].cancel()
    tasks[1].cancel()
    await asyncio.wait(tasks[:2])
    held.go.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each) for each in found] == [asyncio.CancelledError, asyncio.CancelledError, str]
    assert held.batches == [["a"], ["c"]]


def test_any_event_loop_may_ask(held: Held, together: Together[str, str]) -> None:
    held.go.set()
    assert [asyncio.run(together.ask(word)) for word in "ab"] == ["A", "B"]


def test_a_loop_that_ends_before_its_answer_leaves_the_next_one_served(held: Held, together: Together[str, str]) -> None:
    async def leave() -> None:
        await busy(held, together, "ab")

    asyncio.run(leave())
    held.go.set()
    assert asyncio.run(together.ask("c")) == "C"


async def test_the_thread_is_prepared_once(held: Held) -> None:
    prepared: list[str] = []
    held.go.set()
    together = Together(held, 3, lambda: prepared.append(current_thread().name))
    assert await asyncio.gather(together.ask("a"), together.ask("b")) == ["A", "B"]
    assert prepared == list(held.threads)
