"""Small page images in a terminal that can show them, and pages opened in a browser where there is one."""

import os
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from rich.console import RenderableType

from taec.experiment.console import out

COLUMNS = 28
"""Width of a picture in the terminal: four fit side by side in 120 columns, and headings can be read."""

PLAIN = ("dumb", "linux")
"""Values of TERM whose terminals show no pictures, and would show the question about them."""

Drawing = Callable[[Image.Image], RenderableType]


def drawing() -> Drawing | None:
    """What draws an image in this terminal, by Kitty's graphics protocol or Sixel (iTerm2 has that too); None where it can neither.

    The terminal is asked, so both its ends have to be there.
    """
    if os.environ.get("TERM", "dumb") in PLAIN or not (out.is_terminal and sys.__stdin__ and sys.__stdin__.isatty()):
        return None
    from textual_image import renderable

    kind = renderable.Image
    if kind not in (renderable.SixelImage, renderable.TGPImage):
        return None
    return lambda image: kind(image, width=COLUMNS, height="auto")


def open_in_browser(page: Path) -> bool:
    """Open a file in the user's browser. False where there is no screen to show one: a text browser would take the terminal."""
    has_screen = sys.platform in ("darwin", "win32") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    try:
        return has_screen and webbrowser.open(page.as_uri())
    except webbrowser.Error:
        return False
