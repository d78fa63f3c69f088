"""The agent's three tools (paper, A.1). What the model reads of them is generated from these definitions."""

from pydantic import BaseModel, ConfigDict, Field

from taec.core.tools import Tool


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore")


class AddSearchNode(_Arguments):
    """Arguments of a search."""

    id: str = Field(description="A short unique title for this search, such as 'revenue_2021'.")
    parent_ids: list[str] = Field(description="Ids of the earlier nodes that this search follows from; ['root'] for a new line of inquiry.")
    query: str = Field(min_length=1, description="What to look for, as a search query that differs from all earlier ones.")


class UsefulPicture(_Arguments):
    """One picture worth keeping."""

    picture: int = Field(description="The number k of 'Picture k'.")
    priority_score: int = Field(ge=1, le=5, description="How useful the picture is for the question: 1 (slightly) to 5 (decisive).")


class UsefulRegion(UsefulPicture):
    """One picture worth keeping, and the part of it that matters."""

    region: list[int] = Field(
        default_factory=list,
        description="Where the evidence stands: [left, top, right, bottom], each from 0 to 1000 of the picture's width or height. "
        "Leave out to keep the whole page.",
    )


class SummarizeAndMemorize(_Arguments):
    """Arguments of a summary."""

    summarize: str = Field(
        min_length=1,
        description="One to three sentences on what the pictures say about the question. Say plainly what is clearly stated, "
        "or that no relevant information was found.",
    )
    memorize: list[UsefulPicture] = Field(default_factory=list, description="The useful pictures only; leave out the others.")


class SummarizeAndMemorizeRegions(SummarizeAndMemorize):
    """Arguments of a summary where parts of pages can be kept."""

    memorize: list[UsefulRegion] = Field(default_factory=list, description="The useful pictures only; leave out the others.")  # type: ignore[assignment]


class _Resolved(_Arguments):
    """What a summary holds besides where requirements are tracked (specification, section 3, variant `semantic`)."""

    resolved: list[str] = Field(
        default_factory=list,
        description="Those of the listed requirements that what was seen so far settles, spelt as they are listed; leave out the others.",
    )


class SummarizeAndResolve(SummarizeAndMemorize, _Resolved):
    """Arguments of a summary that also says which requirements are settled."""


class SummarizeAndResolveRegions(SummarizeAndMemorizeRegions, _Resolved):
    """The same, where parts of pages can be kept."""


class AddAnswerNode(_Arguments):
    """Arguments of the answer."""

    parent_ids: list[str] = Field(default_factory=list, description="Ids of the nodes that the answer rests on.")
    answer: str = Field(min_length=1, description="The final answer, as short as the question allows.")


SEARCH = Tool("add_search_node", "Search the collection once. The found pages come back as pictures.", AddSearchNode)
SUMMARIZE = Tool(
    "summarize_and_memorize", "After every search: record what its pictures say and which of them to keep.", SummarizeAndMemorize
)
ANSWER = Tool("add_answer_node", "Give the final answer. This ends the work on the question.", AddAnswerNode)


def summarize(*, regions: bool, resolved: bool) -> Tool[SummarizeAndMemorize]:
    """The summary tool: with parts of pages to keep, and with requirements to report on, where those are in use."""
    plain, tracked = (SummarizeAndMemorizeRegions, SummarizeAndResolveRegions) if regions else (SummarizeAndMemorize, SummarizeAndResolve)
    return Tool(SUMMARIZE.name, SUMMARIZE.description, tracked if resolved else plain)


def resolved(arguments: SummarizeAndMemorize) -> list[str]:
    """The requirements that a summary reports as settled."""
    return arguments.resolved if isinstance(arguments, _Resolved) else []
