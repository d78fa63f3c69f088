"""One answered question as a self-contained HTML page, from its row, its trajectory and the page images; nothing else is needed."""

import base64
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from PIL import Image

from taec.analysis.tables import METRICS
from taec.core.errors import TaecError
from taec.core.pages import Box, Page, PageStore
from taec.core.trajectory import Memory, Node
from taec.records.rows import Row
from taec.records.trajectories import TrajectoryRecord

TEMPLATE = Path(__file__).with_name("viewer.html.j2")
WIDTH = 720
"""Pixels across of the pages that the HTML carries: text is legible, and thirty of them are 2 MB."""
QUALITY = 70

RULE_BASED = "rule-based"
"""Stands in the model name of the embedded reader."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page placed before the model by a search. `kept` are the memories of it that this search's summary made."""

    page_id: str
    slot_score: float | None
    kept: Sequence[Memory] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One search with what came of it; systems without a graph have no `node`."""

    query: str
    candidates: int
    pages: Sequence[Shown]
    seen: Sequence[str]
    node: Node | None = None


@dataclass(frozen=True)
class Answered:
    """What the page is made of: `hints` are texts of the latest runtime hints, `facts` further lines about the run, by name."""

    row: Row
    record: TrajectoryRecord
    store: PageStore
    hints: Sequence[str] = ()
    facts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The searches in order; those of an agent with their nodes, which are made one a search."""
        nodes = [node for node in self.record.nodes if node.kind == "search"]
        paired = nodes if len(nodes) == len(self.record.searches) else []
        return [self._step(at, paired[at] if paired else None) for at in range(len(self.record.searches))]

    @property
    def page_ids(self) -> Sequence[str]:
        """Every page that was placed before the model, once, in order: those kept in memory first."""
        kept = [memory.page_id for memory in self.record.memories]
        return list(dict.fromkeys([*kept, *(page for search in self.record.searches for page in search.admitted)]))

    @property
    def is_rule_based(self) -> bool:
        """Whether the embedded reader answered: no vision-language model did."""
        return any(RULE_BASED in model for model in self.row.models)

    def regions(self, page_id: str) -> Sequence[Box]:
        """The regions of a page that were kept or sent."""
        sent = [image.box for call in self.record.calls for image in call.images if image.page_id == page_id and image.box]
        kept = [memory.box for memory in self.record.memories if memory.page_id == page_id and memory.box]
        return list(dict.fromkeys([*kept, *sent]))

    def page(self, page_id: str) -> Page | None:
        """The page, None where the collection has it no more."""
        try:
            return self.store.page(page_id)
        except KeyError:
            return None

    def name(self, page_id: str) -> str:
        """The document and page number in words."""
        page = self.page(page_id)
        return f"{page.document}, page {page.number}" if page else page_id

    def _step(self, at: int, node: Node | None) -> Step:
        search = self.record.searches[at]
        scores = dict(zip(search.admitted, search.slot_scores, strict=False))
        memories = [memory for memory in self.record.memories if node and memory.node == node.id]
        pages = [Shown(page, scores.get(page), [each for each in memories if each.page_id == page]) for page in search.admitted]
        return Step(search.query, search.candidates, pages, search.seen, node)


def html(answered: Answered) -> str:
    """The page. Texts of models and documents are escaped; images are inside, each page once."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["percent"] = lambda share: f"{100 * share:.2f}%"
    environment.filters["thousands"] = lambda number: f"{number:,}"
    pages = answered.page_ids
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    numbers = {page: number for number, page in enumerate(pages, start=1)}
    images = dict(_images(answered, pages))
    return template.render(a=answered, row=answered.row, record=answered.record, numbers=numbers, images=images, metrics=METRICS)


def _images(answered: Answered, pages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A data URI for each page whose image is still there."""
    for page in pages:
        try:
            image = answered.store.image(page)
        except (KeyError, TaecError):
            continue
        yield page, f"data:image/jpeg;base64,{base64.b64encode(small_jpeg(image)).decode()}"


def small_jpeg(image: Image.Image) -> bytes:
    """A page at `WIDTH` pixels across, or as wide as it is."""
    image.thumbnail((WIDTH, 4 * WIDTH))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
