import base64
import io
import re
from html.parser import HTMLParser

import pytest
from PIL import Image
from support.world import Store

from taec.analysis.answer_texts import calls_line, pages_text, steps_text
from taec.analysis.viewer import WIDTH, Answered, html
from taec.core.pages import Box
from taec.core.questions import Question
from taec.core.trajectory import Graph, Memory, ModelCall, Search, SentImage, Trajectory
from taec.records.rows import make_row
from taec.records.trajectories import record

NASTY = '<script>alert("x")</script> & {{ 7 * 7777 }}'


def answered(**fields: object) -> Answered:
    """Two searches; page 7 is kept as a region, page 99 is in no collection any more."""
    graph = Graph(NASTY)
    graph.add_search("s1", ["root"], f"first {NASTY}", ["d.pdf_p7", "d.pdf_p99"])
    graph.summarise("s1", f"Seen: {NASTY}", [Memory("d.pdf_p7", "s1", "region", 4, 2.5, 0, 0.5, Box(0.25, 0.5, 0.75, 1.0))])
    graph.add_search("s2", ["s1"], "second", ["d.pdf_p9"])
    sent = SentImage("d.pdf_p7", Box(0.25, 0.5, 0.75, 1.0), 60_000, 200, 250, 9_000)
    trajectory = Trajectory(
        question=NASTY,
        graph=graph,
        answer=NASTY,
        ending="answered",
        calls=[ModelCall("act", (sent,), 100, "ok", ("summarize_and_memorize",), "m-1", 1.0, 1_000, 20)],
        searches=[
            Search(NASTY, 25, ("d.pdf_p7", "d.pdf_p99"), (0.5, 0.0)),
            Search("second", 25, ("d.pdf_p9",), (1.0,), ("d.pdf_p7",)),
        ],
        slots=("alpha",),
        slot_source="keywords",
        notices={"graph_warning": 2},
        events=[NASTY],
    )
    row = make_row(Question("q", NASTY, (NASTY,), "Str", True), trajectory, 2.0, "c0de", "f1f1").model_copy(
        update={"cost": 0.0123, **fields}
    )
    return Answered(row, record("q", trajectory), Store(), [f"Dead end: {NASTY}"], {"system": "taec"})


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_what_models_and_documents_say_is_text_and_never_markup() -> None:
    page = html(answered())
    found = read(page)
    assert "script" not in [tag for tag, _ in found.tags]
    assert found.text.count(NASTY) >= 6
    assert "54439" not in found.text
    assert "default-src 'none'" in page


def test_it_is_self_contained_and_holds_each_page_once() -> None:
    page = html(answered())
    images = re.findall(r'url\("data:image/jpeg;base64,([^"]+)"\)', page)
    assert len(images) == 2
    for data in images:
        assert Image.open(io.BytesIO(base64.b64decode(data))).width <= WIDTH
    links = [attributes["href"] or "" for tag, attributes in read(page).tags if tag == "a"]
    ids = {f"#{attributes['id']}" for _, attributes in read(page).tags if "id" in attributes}
    assert links
    assert set(links) <= ids
    assert not re.search(r"https?://", page)


def test_regions_costs_pixels_and_hints_are_shown() -> None:
    page = html(answered())
    assert page.count("left:25.00%;top:50.00%;width:50.00%;height:50.00%") == 3  # where it was kept, where it was sent, in the gallery
    text = " ".join(read(page).text.split())
    for words in (
        "60,000 → 50,000",
        "$0.0123",
        "1,000 in, 20 out",
        "Dead end:",
        "kept, priority 2.5 (said 4)",
        "graph warning: 2",
        "no image",
    ):
        assert words in text


@pytest.mark.parametrize(("models", "said"), [(("reader-1 (rule-based)",), True), (("gemini-3",), False)])
def test_the_rule_based_reader_is_named(models: tuple[str, ...], said: bool) -> None:
    assert ("embedded rule-based reader" in html(answered(models=models))) is said


def test_no_answer_says_why() -> None:
    assert "No answer: call_ceiling" in html(answered(answer=None, failure="call_ceiling"))


def test_in_the_terminal_pages_searches_and_costs_are_lines() -> None:
    one = answered()
    pages = pages_text(one, lambda page: f"/images/{page}.jpg").splitlines()
    assert pages[1:3] == ["  * d.pdf, page 7 (search 1)", "      /images/d.pdf_p7.jpg"]
    steps = steps_text(one)
    assert "2. search: second (25 candidates, 1 shown, 1 seen before)" in steps
    assert "requirements: alpha" in steps
    assert calls_line(one.row) == "  2 searches, 1 model calls, 1 images, 0.01 MB, 1,000 tokens in, 20 out, $0.0123, 2.0 s; answered"
