from collections.abc import Callable
from pathlib import Path

import pytest

from taec.collections.settings import CaptionSettings, CollectionSettings, PasswordSettings, RenderSettings

WritePdf = Callable[..., Path]


def pdf_bytes(pages: list[str], sizes: list[tuple[int, int]]) -> bytes:
    """A PDF with one line of Helvetica a page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for text, (width, height) in zip(pages, sizes, strict=True):
        stream = f"BT /F1 12 Tf 20 {height // 2} Td ({text}) Tj ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        drawn = f"/Contents {len(objects)} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] {drawn} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n"
    return f"{written}{written.index('xref')}\n%%EOF".encode("latin-1")


@pytest.fixture
def write_pdf(tmp_path: Path) -> WritePdf:
    """Writes a PDF into `tmp_path`: a name, a text a page and, where it matters, sizes in points."""

    def write(name: str, pages: list[str], sizes: list[tuple[int, int]] | None = None) -> Path:
        path = tmp_path / name
        path.write_bytes(pdf_bytes(pages, sizes or [(300, 200)] * len(pages)))
        return path

    return write


@pytest.fixture
def settings() -> CollectionSettings:
    """Small images, and no OCR unless a test asks for it."""
    return CollectionSettings(
        render=RenderSettings(pixels=20_000, quality=80, memory=1_000_000_000, seconds=60.0),
        captions=CaptionSettings(source="text_layer", min_characters=0, ocr_pixels=5_000, model=None, model_pixels=5_000, concurrency=2),
        passwords=PasswordSettings(variables=None, file=None),
    )
