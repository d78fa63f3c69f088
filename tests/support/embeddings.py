"""An embeddings endpoint on loopback: vectors that follow from the words of a text, or from the pixels of a picture."""

import base64
import io
from collections.abc import Sequence
from hashlib import sha256
from http.server import BaseHTTPRequestHandler

import numpy as np
from PIL import Image

from support.standin import Json, Say, Seen, Standin
from taec.retrievers.bm25 import tokens

DIMENSIONS = 64


def vector(text: str) -> list[float]:
    """The sum of a random direction for each word; not of length 1."""
    total = np.zeros(DIMENSIONS)
    for word in tokens(text):
        total += np.random.default_rng(int(sha256(word.encode()).hexdigest()[:8], 16)).standard_normal(DIMENSIONS)
    return [float(value) for value in total]


def picture(url: str) -> list[float]:
    """The picture at 8 x 8 grey pixels."""
    data = base64.b64decode(url.removeprefix("data:image/jpeg;base64,"))
    with Image.open(io.BytesIO(data)) as image:
        return [float(value) for value in np.asarray(image.convert("L").resize((8, 8))).ravel()]


def answer(body: Json) -> Say:
    """Vectors in reverse order, told apart by their index, as the protocol allows."""
    if "messages" in body:
        first = body["messages"][1]["content"][0]
        found = [picture(first["image_url"]["url"]) if first["type"] == "image_url" else vector(first["text"])]
    else:
        found = [vector(text) for text in body["input"]]
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(found)]
    return Say({"object": "list", "data": data[::-1], "model": body["model"], "usage": {"prompt_tokens": 7, "total_tokens": 7}})


class EmbeddingServer(Standin):
    """Plays `answers` in order and then answers as it should."""

    def __init__(self, answers: Sequence[Say] = ()) -> None:
        super().__init__(answers, lambda seen: answer(seen.body))

    def answer(self, handler: BaseHTTPRequestHandler, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)
            chosen = self._answers.pop(0) if self._answers else self._otherwise(seen)
        self._send(handler, chosen)
