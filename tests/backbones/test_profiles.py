"""The shipped profiles: each composes, is checked, and keeps to the protocol or says why not."""

import pytest
from support.served import settings

from taec.backbones.openai_chat import OpenAIChat, sent, unmet
from taec.experiment.catalogue import catalogue
from taec.experiment.compose import configurations
from taec.experiment.locations import shipped

NAMES = [name for name in catalogue([shipped("conf")])["backbone"] if name != "reader"]
URL = "http://127.0.0.1:1/v1"


def test_the_papers_models_are_there() -> None:
    named = {"gemini", "kimi", "gpt", "gpt_4o_mini", "qwen2_5_vl_7b", "qwen2_5_vl_3b", "qwen3_vl_4b", "vrag_rl_7b", "openai_compatible"}
    assert named <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_is_protocol_or_says_why_not(name: str) -> None:
    found = settings(URL, name)
    fields, excuses = sent(found.request), " ".join(unmet(found.request))
    assert found.name == name
    assert fields.get("temperature") == 0.3 or "temperature omitted" in excuses
    assert None not in fields.values()
    assert found.request.tool_choice["required"] == "required" or "tool_choice required" in excuses


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_is_an_option_of_the_command_line(name: str) -> None:
    (config,) = configurations([f"backbone={name}", "backbone.model=other", f"backbone.base_url={URL}", "backbone.api_key_env=[A,B]"])
    assert config.option("backbone") == name
    assert config.module("backbone") == "openai_chat"
    assert "-" + name + "-" in config.run_name


def test_another_key_or_another_pace_is_the_same_run() -> None:
    plain, other, hotter = (
        configurations(["backbone=gemini", *more])[0].digest
        for more in ((), ("backbone.api_key_env=OTHER", "backbone.limits.requests_per_minute=5", "backbone.prices.input=1"),
                     ("backbone.request.temperature=1.0",))
    )  # fmt: skip
    assert plain == other != hotter


def test_nothing_heavy_is_imported_before_a_call() -> None:
    import subprocess
    import sys

    code = "import sys, taec.backbones.openai_chat; print([m for m in ('openai', 'httpx2') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    assert OpenAIChat.__module__ == "taec.backbones.openai_chat"
