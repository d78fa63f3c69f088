from pathlib import Path

import pypdfium2 as pdfium
import pytest

from taec.collections.links import annotations, joined, outline

OBJECTS = [
    "<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [9 0 R 10 0 R 11 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
    "<< /Type /Outlines /First 7 0 R /Last 8 0 R >>",
    "<< /Title (three) /Parent 6 0 R /Dest [5 0 R /Fit] /Next 8 0 R >>",
    "<< /Title (two, and round again) /Parent 6 0 R /Dest [4 0 R /Fit] /First 7 0 R /Next 7 0 R >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [4 0 R /Fit] >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D [5 0 R /Fit] >> >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://example.org) >> >>",
]


@pytest.fixture
def linked(tmp_path: Path) -> pdfium.PdfDocument:
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(OBJECTS, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer << /Size {len(OBJECTS) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    path = tmp_path / "linked.pdf"
    path.write_text(f"{body}xref\n0 {len(OBJECTS) + 1}\n0000000000 65535 f \n{table}{trailer}")
    return pdfium.PdfDocument(path)


def test_an_outline_that_loops_ends(linked: pdfium.PdfDocument) -> None:
    assert outline(linked) == (3, 2)


def test_annotations_lead_to_pages_and_not_elsewhere(linked: pdfium.PdfDocument) -> None:
    assert annotations(linked, linked[0]) == (2, 3)
    assert annotations(linked, linked[1]) == ()


def test_an_outline_stands_on_the_printed_contents_or_the_first_page() -> None:
    assert joined([5, 9, 1], {1: (), 2: (7,), 5: (), 7: ()}) == {1: (5,), 2: (7,)}
    contents = joined([5, 8], {1: (), 2: (3, 4, 5, 6), 3: (), 4: (), 5: (5,), 6: (), 8: ()})
    assert contents == {2: (3, 4, 5, 6, 8)}
    assert joined([1], {}) == {}
