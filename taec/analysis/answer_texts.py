"""One answered question in the terminal: the pages it was shown, and its trajectory in a few lines."""

from collections.abc import Callable

from taec.analysis.viewer import Answered
from taec.records.rows import Row

SUMMARY = 240
"""Characters of a query, a summary or a hint that the terminal shows; the page has the whole."""


def pages_text(answered: Answered, file: Callable[[str], str]) -> str:
    """Every page that was placed before the model: by which searches, and whether it was kept in memory. `file` gives its image's path."""
    kept = {memory.page_id for memory in answered.record.memories}
    lines = ["Pages shown to the model (* kept in its memory)" if kept else "Pages shown to the model"]
    for page in answered.page_ids:
        searches = [str(number) for number, search in enumerate(answered.record.searches, start=1) if page in search.admitted]
        lines.append(f"  {'*' if page in kept else ' '} {answered.name(page)} (search {', '.join(searches)})")
        lines.append(f"      {file(page)}")
    return "\n".join(lines if answered.page_ids else [*lines, "    none"])


def steps_text(answered: Answered) -> str:
    """The searches with their queries, how many pages each brought, and the beginnings of the summaries."""
    lines = ["Trajectory"]
    if answered.record.slots:
        lines.append(f"  requirements: {'; '.join(answered.record.slots)}")
    for number, step in enumerate(answered.steps, start=1):
        seen = f", {len(step.seen)} seen before" if step.seen else ""
        lines.append(f"  {number}. search: {_short(step.query)} ({step.candidates} candidates, {len(step.pages)} shown{seen})")
        if step.node and step.node.summary:
            lines.append(f"     summary: {_short(step.node.summary)}")
    lines += [f"  hint: {_short(hint)}" for hint in answered.hints]
    return "\n".join(lines)


def calls_line(row: Row) -> str:
    """What the answer took, in one line."""
    parts = [f"{row.searches} searches", f"{row.model_calls} model calls"]
    if row.requirement_calls:
        parts.append(f"{row.requirement_calls} for requirements")
    parts += [f"{row.images} images", f"{row.context_bytes / 1e6:.2f} MB"]
    if row.prompt_tokens is not None and row.completion_tokens is not None:
        parts.append(f"{row.prompt_tokens:,} tokens in, {row.completion_tokens:,} out")
    if row.cost is not None:
        parts.append(f"${row.cost:.4f}")
    return f"  {', '.join(parts)}, {row.seconds:.1f} s; {row.ending.replace('_', ' ')}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY else f"{line[:SUMMARY].rstrip()} ..."
