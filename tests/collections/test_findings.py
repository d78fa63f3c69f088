from pathlib import Path

import pytest

from taec.collections.captioning import Captioned
from taec.collections.findings import SHORT, findings
from taec.collections.pages import Opened, StoredImage
from taec.collections.rendered import RenderedDocument
from taec.documents.base import Document

WAIT = "Please wait... If this message is not eventually replaced by the proper contents of the document, "


@pytest.mark.parametrize(("text", "kinds"), [(WAIT, ["placeholder"]), ("Filing requires Adobe Reader. " + "word " * SHORT, [])])
def test_only_a_page_that_says_little_else_is_a_placeholder(text: str, kinds: list[str]) -> None:
    page = StoredImage(1, 9, 9, "digest", 1, text)
    found = findings(Document("a.pdf", Path("a.pdf")), RenderedDocument(Opened(1, (), True), (page,), ()), [Captioned(Path(), page, text)])
    assert [trouble.kind for trouble in found] == kinds
