"""Requests to an endpoint until there is an answer or a fault that waiting cannot mend."""

import random
from collections.abc import Sequence

from taec.backbones.endpoint import Broken, Endpoint
from taec.backbones.faults import Answer, Fault, Kind, fault_of
from taec.backbones.health import Health
from taec.backbones.keys import Key
from taec.backbones.limits import Clock, Lane, Lanes
from taec.backbones.profile import LimitSettings
from taec.backbones.wire import Request
from taec.core.chat import Incident
from taec.core.errors import InfrastructureError


class Calls:
    """Waits as it is told to, gives up a key that is used up, and stops where going on makes no sense.

    `holds` is the field of the body without which an answer is none (`choices` of a completion, `data` of embeddings).
    """

    def __init__(self, endpoint: Endpoint, keys: Sequence[Key], limits: LimitSettings, clock: Clock, holds: str) -> None:
        self._endpoint = endpoint
        self._lanes = Lanes([Lane(key, limits, clock, random.Random()) for key in keys])
        self._health = Health(limits.same_faults)
        self._limits = limits
        self._holds = holds

    @property
    def lanes(self) -> int:
        """How many keys there are."""
        return len(self._lanes)

    async def answer(self, request: Request, incidents: list[Incident]) -> Answer | Fault:
        """The endpoint's answer, or the fault that ends whatever asked; waits are added to `incidents`.

        Raises InfrastructureError where going on makes no sense: no key left, a wrong setting, a server that is gone.
        """
        waited = {"rate_limit": 0.0, "overload": 0.0}
        while True:
            lane = self._lanes.mine()
            await lane.admit(request.tokens)
            if lane.stopped:
                continue
            answer = await self._send(lane, request, incidents)
            fault = _broken(answer) if isinstance(answer, Broken) else fault_of(answer, self._holds)
            if isinstance(answer, Answer):
                self._hear(lane, request, answer, replied=fault is None)
                if fault is None:
                    self._health.worked(request.shape)
                    return answer
            assert fault is not None
            if fault.kind is Kind.ROW:
                self._health.failed(request.shape, fault)
                return fault
            if fault.kind is Kind.STOP_RUN:
                raise InfrastructureError(f"The endpoint refuses {lane.key.name}: {fault.detail}")
            if fault.kind is Kind.STOP_KEY:
                lane.stopped = fault.detail
                incidents.append(Incident("key_stopped", f"{lane.key.name}: {fault.detail}"))
                continue
            wait = lane.refused(fault.wait, slow_down=fault.reason == "rate_limit")
            waited[fault.reason] += wait
            self._require_patience(fault, waited[fault.reason])
            incidents.append(Incident(f"{fault.reason}_wait", f"{wait:.1f} s: {fault.detail}"))

    async def _send(self, lane: Lane, request: Request, incidents: list[Incident]) -> Answer | Broken:
        """Send, and once more at once where a connection was lost before a response began: servers close idle ones when they like."""
        answer = await self._endpoint.send(lane.key, request.body)
        if isinstance(answer, Broken) and answer.unanswered:
            incidents.append(Incident("resent", answer.detail))
            answer = await self._endpoint.send(lane.key, request.body)
        return answer

    def _hear(self, lane: Lane, request: Request, answer: Answer, *, replied: bool) -> None:
        counted = lane.heard(request.tokens, answer.headers)
        if replied:
            usage = answer.body.get("usage") if isinstance(answer.body, dict) else None
            total = usage.get("total_tokens") if isinstance(usage, dict) else None
            lane.answered(request.tokens, total if isinstance(total, int) and not counted else None)

    def _require_patience(self, fault: Fault, waited: float) -> None:
        limits = self._limits
        patience = limits.rate_limit_patience if fault.reason == "rate_limit" else limits.overload_patience
        if waited > patience:
            raise InfrastructureError(
                f"One call would have waited {waited:.0f} s ({fault.reason}), {patience:.0f} s at most: {fault.detail}\n"
                "The same command goes on later."
            )


def _broken(answer: Broken) -> Fault:
    return Fault(Kind.ROW, answer.reason, answer.detail)
