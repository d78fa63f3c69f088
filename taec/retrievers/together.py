"""Work that is waiting at the same time, done as one batch."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Together(Generic[Asked, Answer]):
    """Hands what is asked to `answer`, in a thread of its own: at once where it is idle, otherwise with all else that waits for it.

    `answer` takes up to `most` at a time and gives as many answers, in order; what it raises, each of them gets. `prepare` is called
    once in that thread. Who gives up waiting disturbs nobody. No event loop is remembered: any may ask. There is one thread, since
    two would halve what is shared: whoever has more processors starts more workers.
    """

    def __init__(self, answer: Callable[[Sequence[Asked]], Sequence[Answer]], most: int, prepare: Callable[[], None]) -> None:
        self._answer = answer
        self._most = most
        self._lock = Lock()
        self._waiting: deque[tuple[Asked, Future[Answer]]] = deque()
        self._thread = ThreadPoolExecutor(1, "together", prepare)

    async def ask(self, asked: Asked) -> Answer:
        """The answer to `asked`, or what was raised over it."""
        future: Future[Answer] = Future()
        with self._lock:
            self._waiting.append((asked, future))
        self._thread.submit(self._next)  # one call for each that is asked: a call that finds nobody waiting came second
        return await asyncio.wrap_future(future)

    def _next(self) -> None:
        with self._lock:
            taken = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
        wanted = [(asked, future) for asked, future in taken if future.set_running_or_notify_cancel()]
        if not wanted:
            return
        try:
            answers = self._answer([asked for asked, _ in wanted])
            for (_, future), answer in zip(wanted, answers, strict=True):
                future.set_result(answer)
        except BaseException as error:
            for _, future in wanted:
                if not future.done():
                    future.set_exception(error)
