"""The recorded form of a trajectory: one JSON object a line of `trajectories.jsonl`, the same in every version that can read it."""

from pydantic import BaseModel, ConfigDict

from taec.core.trajectory import Ending, Memory, ModelCall, Node, Search, Trajectory


class TrajectoryRecord(BaseModel):
    """Everything that happened for one question.

    `nodes` is the action graph in the order of its making, the root first, each naming its parents; `memories` are the retained
    pictures in graph order, `calls` the model calls and `searches` the retrievals in the order they were made. Their keys are the
    fields of the classes in `taec.core.trajectory`; images are page ids with an optional box, never bytes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question_id: str
    question: str
    answer: str | None
    ending: Ending
    failure: str
    nodes: tuple[Node, ...]
    memories: tuple[Memory, ...]
    calls: tuple[ModelCall, ...]
    searches: tuple[Search, ...]
    slots: tuple[str, ...]
    slot_source: str
    notices: dict[str, int]
    events: tuple[str, ...]


def record(question_id: str, trajectory: Trajectory) -> TrajectoryRecord:
    """The record of a trajectory as it stands now."""
    return TrajectoryRecord(
        question_id=question_id,
        question=trajectory.question,
        answer=trajectory.answer,
        ending=trajectory.ending,
        failure=trajectory.failure,
        nodes=trajectory.graph.nodes,
        memories=trajectory.graph.memories,
        calls=tuple(trajectory.calls),
        searches=tuple(trajectory.searches),
        slots=trajectory.slots,
        slot_source=trajectory.slot_source,
        notices=dict(trajectory.notices),
        events=tuple(trajectory.events),
    )
