from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium

from taec.collections.pages import RenderRules
from taec.collections.render import Canvas, render_page

RULES = RenderRules(pixels=40_000, quality=92, memory=1_000_000_000, seconds=60)


def test_a_page_does_not_depend_on_what_was_drawn_before_it(tmp_path: Path, write_pdf: Callable[..., Path]) -> None:
    sizes = [(300, 200), (90, 400), (300, 200), (640, 480), (25, 25)]
    path = write_pdf("a.pdf", [f"text {number}" * number for number in range(len(sizes))], sizes)
    document, canvas = pdfium.PdfDocument(path), Canvas()
    together = [render_page(document, number, RULES, canvas) for number in range(1, 6)]
    assert together == [render_page(document, number, RULES, Canvas()) for number in range(1, 6)]
    assert [page.blank for page in together] == [True, False, False, False, False]
    document.close()
