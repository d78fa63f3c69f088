"""What a collection's report says of its pages."""

import re
from collections.abc import Iterator, Sequence

from taec.collections.captioning import Captioned
from taec.collections.opening import is_mangled
from taec.collections.rendered import RenderedDocument
from taec.documents.base import Document
from taec.documents.troubles import Trouble

PLACEHOLDER = re.compile(r"please wait.{0,80}(not eventually replaced|proper contents)|requires adobe", re.IGNORECASE | re.DOTALL)
"""What forms of the XFA kind show in viewers that cannot fill them in."""
SHORT = 2_000
"""Characters of a text layer up to which a page may say nothing else (ours: such pages have some 600)."""


def findings(document: Document, rendered: RenderedDocument, pages: Sequence[Captioned]) -> Iterator[Trouble]:
    """The troubles of one document that could be opened, page by page."""
    name = document.name
    for refused in rendered.refused:
        yield Trouble(refused.kind, name, refused.text, refused.number)
    blank = [page for page in pages if page.page.blank]
    mangled = blank and len(blank) == len(pages) and not document.images and is_mangled(document.path)
    for page in pages:
        number = page.page.number
        if page.page.blank:
            why = ": the bytes of this file went through a text decoder (U+FFFD in place of data)" if mangled else ""
            form = ": its form is of the XFA kind, which only Adobe's programs show" if rendered.opened.xfa else ""
            yield Trouble("blank", name, f"has no ink{why or form}", number)
        elif len(page.page.text) <= SHORT and PLACEHOLDER.search(page.page.text):
            yield Trouble("placeholder", name, "only says that another program is needed to show it", number)
        elif page.source == "none":
            yield Trouble("no text", name, "has no text that could be read", number)
        if page.useless:
            by = f"its caption is from {page.source.replace('_', ' ')}" if page.source != "none" else "and OCR reads nothing on it"
            yield Trouble("useless text", name, f"has a text layer that is no text; {by}", number)
        if page.turn:
            yield Trouble("turned", name, f"was turned by {page.turn} degrees against the clock to be read", number)
        if page.failure:
            yield Trouble("no description", name, f"was not described: {page.failure}", number)
        if page.page.note:
            yield Trouble("numbering", name, page.page.note, number)
