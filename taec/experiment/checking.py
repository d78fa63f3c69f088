"""One tiny request that holds everything a run needs (a picture, a tool, the settings), and what the reply says about the endpoint."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taec.backbones import openai_chat
from taec.backbones.base import Backbone
from taec.core.chat import Message, Reply
from taec.core.images import EncodedImage, ImageRules, encode
from taec.systems import prompts
from taec.systems.agent.tools import ANSWER

if TYPE_CHECKING:
    from PIL import Image

NUMBER = "4831"
QUESTION = "What is the number after 'Total' in the picture?"
SYSTEM = "Answer the question from the picture by calling the tool add_answer_node."

ADVICE = (
    (r"tool.?choice.*requires|enable-auto-tool-choice|tool-call-parser|does not support tools|tool use",
     "the server has no tool parser. vLLM: --enable-auto-tool-choice --tool-call-parser hermes, and a chat template that knows tools"),
    (r"at most \d+ image|too many images|image.{0,40}limit|limit.{0,40}image",
     "the server takes fewer images: set backbone.messages.max_images to its limit, or raise that (vLLM: --limit-mm-per-prompt)"),
    (r"temperature", "this model refuses the temperature: set backbone.request.temperature=null (the manifest will say so)"),
    (r"max_(completion_)?tokens", "the token limit has another name here: set backbone.request.token_limit to the other of its two"),
    (r"reasoning_effort|thinking", "this model does not know the way thinking is switched off: see backbone.request.thinking"),
    (r"image|multimodal|vision", "the model takes no images, or not in this form: a run needs a vision-language model"),
    (r"parallel_tool_calls", "set backbone.request.parallel_tool_calls=null"),
    (r"strict", "set backbone.request.strict_tools=false"),
    (r"model.{0,60}(not.{0,5}(found|exist)|does not exist|unknown)|no such model", "the endpoint has no such model: see backbone.model"),
)  # fmt: skip
"""Words in an endpoint's answer, and what to change; the first that fits counts."""

BY_OUTCOME = {
    "connection_error": "nothing answers there: see backbone.base_url, and whether the server runs",
    "key_refused": "the key is refused: see the variable that backbone.api_key_env names",
    "quota_exhausted": "the key's quota is used up",
    "timeout": "the endpoint is slow: see backbone.timeouts.total",
    "not_a_completion": "what answers there is no chat endpoint: backbone.base_url usually ends in /v1",
    "unreadable_body": "what answers there is no chat endpoint: backbone.base_url usually ends in /v1",
    "truncated": "the reply was cut off: raise backbone.request.max_tokens",
    "unparsed_tool_call": "the call came as text. Give the server a tool parser, or set backbone.replies.recover_calls=true",
    "no_tool_call": "the model answered in words. Its server may drop tools (a chat template without them), or it cannot call any",
    "empty_response": "the reply was empty; thinking may have used up backbone.request.max_tokens",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that works or does not, and what to change or to know."""

    works: bool
    text: str
    advice: str = ""


async def ask(backbone: Backbone, rules: ImageRules) -> Reply:
    """The reply to the request. Raises InfrastructureError where the endpoint cannot be used at all."""
    try:
        parts = (prompts.question_line(QUESTION), prompts.PICTURE.format(number=1), picture(rules))
        return await backbone.reply([Message.system(SYSTEM), Message.user(*parts)], (ANSWER,), "auto")
    finally:
        await backbone.close()


def picture(rules: ImageRules) -> EncodedImage:
    """A small picture with a number on it, as a run would send it."""
    return encode(_drawn(), 120_000, rules)


def _drawn() -> "Image.Image":
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (448, 224), "white")
    ImageDraw.Draw(image).text((30, 80), f"Total: {NUMBER}", fill="black", font=ImageFont.load_default(52))
    return image


def findings(reply: Reply, model: openai_chat.Settings | None) -> list[Finding]:
    """What a reply shows. `model` are the settings of a served model."""
    if reply.failure:
        return [Finding(False, f"the request ({reply.outcome}): {reply.failure}", advice(reply.outcome, reply.failure))]
    found = [Finding(True, f"the connection; {reply.model} answered")]
    if not reply.calls:
        said = f", but said: {reply.text[:100]}" if reply.text else ""
        return [*found, Finding(False, f"tool calls ({reply.outcome}): the model called none{said}", advice(reply.outcome, ""))]
    call = reply.calls[0]
    sound = call.name == ANSWER.name and not call.fault
    found.append(Finding(sound, f"tool calls: {call.name}({_written(call.arguments)})" + (f", {call.fault}" if call.fault else "")))
    if sound:
        seen = NUMBER in str(call.arguments.get("answer", ""))
        hint = "" if seen else f"the picture shows {NUMBER}. The server may drop images, or the model cannot read it"
        found.append(Finding(seen, "pictures: the number was read" if seen else "pictures: the number was not read", hint))
    return found + (_further(reply, model) if model else [])


def advice(outcome: str, said: str) -> str:
    """What to change, by the outcome's name or by the endpoint's words."""
    if outcome in BY_OUTCOME:
        return BY_OUTCOME[outcome]
    if re.search(r"refuses|HTTP 40[13]", said):
        return BY_OUTCOME["key_refused"]
    found = next((hint for words, hint in ADVICE if re.search(words, said, re.IGNORECASE | re.DOTALL)), "")
    if not found and "HTTP 404" in said:
        return "there is no such address or model: backbone.base_url usually ends in /v1; see also backbone.model"
    return found


def _further(reply: Reply, model: openai_chat.Settings) -> list[Finding]:
    """What a run's numbers will lack; nothing of it stops a run."""
    found = []
    if reply.usage is None:
        found.append(Finding(True, "answers without usage", "the endpoint reports no tokens: rows have none, and budgets cannot be kept"))
    else:
        found.append(Finding(True, f"usage: {reply.usage.prompt_tokens} tokens in, {reply.usage.completion_tokens} out"))
    if None in (model.prices.input, model.prices.output):
        found.append(Finding(True, "prices are unknown", "costs will be unknown; set backbone.prices.input and backbone.prices.output"))
    found += [Finding(True, f"not met: {topic}") for topic in openai_chat.unmet(model.request)]
    found += [Finding(True, f"noticed: {one.kind}", one.detail[:200]) for one in reply.incidents]
    return found


def _written(arguments: object) -> str:
    text = str(dict(arguments)) if isinstance(arguments, dict) else str(arguments)
    return text[:120]
