"""Keys come from the environment, and show nowhere."""

import json
import string

import pytest

from taec.backbones.keys import NO_KEY, Key, Scrubber, read_keys
from taec.core.errors import UsageError

ODD = "sk-" + "".join(c for c in string.printable if c.isprintable() and c not in " ,")


def test_keys_of_several_variables_are_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST", " key-one-111 ,key-two-222,\n")
    monkeypatch.setenv("SECOND", ODD)
    keys = read_keys(["FIRST", "SECOND"])
    assert [key.reveal() for key in keys] == ["key-one-111", "key-two-222", ODD]
    assert repr(keys) == "(Key(FIRST (1 of 2)), Key(FIRST (2 of 2)), Key(SECOND))"
    assert read_keys([]) == (NO_KEY,)


@pytest.mark.parametrize("secret", ["schlüssel-geheim", "two words-secret", "line\nbreak-secret", "tab\tsecret"])
def test_a_key_that_no_header_carries_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    monkeypatch.setenv("THE_KEY", secret)
    with pytest.raises(UsageError, match="THE_KEY") as raised:
        read_keys(["THE_KEY"])
    assert secret not in str(raised.value)


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THE_KEY", raising=False)
    with pytest.raises(UsageError, match="THE_KEY is not set"):
        read_keys(["THE_KEY"])


@pytest.mark.parametrize("spelling", [lambda s: s, json.dumps, repr, lambda s: json.dumps(json.dumps(s))])
def test_every_spelling_is_struck_out(spelling: object) -> None:
    assert callable(spelling)
    text = f"Incorrect API key provided: {spelling(ODD)}."
    scrubbed = Scrubber([Key("K", ODD)]).text(text)
    assert ODD[3:20] not in scrubbed
    assert "***" in scrubbed
    assert Scrubber([Key("K", ODD)]).value({ODD: [ODD, 1, None]}) == {"***": ["***", 1, None]}


def test_placeholders_do_not_tear_texts_apart() -> None:
    assert Scrubber([NO_KEY, Key("K", "x")]).text("EMPTY box") == "EMPTY box"
