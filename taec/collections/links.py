"""The pages that a PDF's outline and its link annotations lead to.

Outlines may loop and links may be without number: both walks are bounded.
"""

import ctypes
from collections.abc import Mapping, Sequence
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

MAX_ENTRIES = 5_000
"""Outline entries that are followed, and link annotations of a page (ours: long handbooks have some hundreds)."""
MAX_DEPTH = 15
"""Levels of an outline that are followed."""
CONTENTS_WITHIN = 30
"""Pages from the start among which a printed table of contents is looked for (ours)."""
CONTENTS_LINKS = 4
"""Different pages that it leads to at least (ours)."""


def outline(document: pdfium.PdfDocument) -> tuple[int, ...]:
    """Numbers of the pages that outline entries lead to, in order, each once. pdfium's own walk ends at an entry seen before."""
    targets: dict[int, None] = {}
    for entry in islice(document.get_toc(max_depth=MAX_DEPTH), MAX_ENTRIES):
        target = entry.get_dest()
        if target is not None and (index := target.get_index()) is not None:
            targets[index + 1] = None
    return tuple(targets)


def annotations(document: pdfium.PdfDocument, page: pdfium.PdfPage) -> tuple[int, ...]:
    """Numbers of the pages that a page's link annotations lead to, in order, each once."""
    targets: dict[int, None] = {}
    position, link = ctypes.c_int(0), pdfium_c.FPDF_LINK()
    for _ in range(MAX_ENTRIES):
        if not pdfium_c.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
            break
        target = pdfium_c.FPDFLink_GetDest(document, link)
        if not target and (action := pdfium_c.FPDFLink_GetAction(link)):
            target = pdfium_c.FPDFAction_GetDest(document, action)
        index = pdfium_c.FPDFDest_GetDestPageIndex(document, target) if target else -1
        if index >= 0:
            targets[index + 1] = None
    return tuple(targets)


def joined(entries: Sequence[int], by_page: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """For each page of a document the pages that it leads to: its own annotations, and the outline.

    `by_page` has every page, with its annotations' targets. An outline entry is on no page; it counts as standing on the printed
    table of contents, the page near the start with the most annotations, or on the first page where there is none.
    """
    front = [number for number in by_page if number <= CONTENTS_WITHIN and len(by_page[number]) >= CONTENTS_LINKS]
    contents = max(front, key=lambda number: (len(by_page[number]), -number), default=min(by_page, default=1))
    found: dict[int, tuple[int, ...]] = {}
    for number, targets in by_page.items():
        further = entries if number == contents else ()
        kept = tuple(dict.fromkeys(target for target in (*targets, *further) if target != number and target in by_page))
        if kept:
            found[number] = kept
    return found
