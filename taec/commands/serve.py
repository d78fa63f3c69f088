"""`python -m taec serve`: an embedded backbone as an OpenAI-compatible endpoint, or a retriever as a read-only service, until Ctrl-C."""

import socket
from ipaddress import ip_address

from taec.backbones.base import Backbone
from taec.commands.arguments import Arguments, require_none
from taec.core.errors import UsageError
from taec.experiment.compose import configurations
from taec.experiment.config import Config, ServeSettings
from taec.experiment.console import say
from taec.experiment.locations import cache_folder
from taec.experiment.money import served
from taec.experiment.overrides import parse
from taec.experiment.registry import option

KINDS = ("backbone", "retriever")


def main(asked: Arguments) -> int:
    """Serve until stopped."""
    require_none(asked)
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    if len(configs) > 1:
        raise UsageError("serve offers one backbone or retriever; leave -m out")
    (config,) = configs
    if _kind(asked.words) == "backbone":
        _serve_backbone(config)
    else:
        from taec.commands import serve_retriever

        serve_retriever.serve(config, asked.words)
    return 0


def _kind(words: list[str]) -> str:
    """What is to be served: the group that the command line names. Raises UsageError where it names both or neither."""
    named = {override.key_or_group.split(".")[0] for override in parse(words)[0]}
    kinds = [kind for kind in KINDS if kind in named]
    if len(kinds) != 1:
        what = "both backbone= and retriever= are named" if kinds else "neither backbone= nor retriever= is named"
        raise UsageError(
            f"serve offers one of two, and {what}: python -m taec serve backbone=reader, or python -m taec serve retriever=dense"
        )
    return kinds[0]


def listen(settings: ServeSettings) -> socket.socket:
    """A listening socket: who comes before the first answer can be given waits. Raises UsageError where the port cannot be used."""
    family = socket.AF_INET6 if ip_address(settings.host).version == 6 else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(settings.concurrency + settings.queue)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"serve.port={settings.port} cannot be used on {settings.host}: {error.strerror}. Name another, or 0 for any."
        ) from None
    return listener


def address(listener: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _serve_backbone(config: Config) -> None:
    if served(config.options["backbone"]):
        raise UsageError(f"backbone={config.option('backbone')} is an endpoint already; serve offers embedded backbones: backbone=reader")
    settings = config.plain.serve
    if not settings.is_loopback or settings.token_env is not None:
        raise UsageError(
            "serve.host has to be an address of this machine's own, 127.0.0.1 or ::1, and serve.token_env null: "
            "a backbone's endpoint asks for no key"
        )
    with listen(settings) as listener:
        backbone: Backbone = option("backbone", config.module("backbone")).build(
            config.options["backbone"], cache_folder(config.plain.cache.folder)
        )
        _offer(backbone, settings, listener)


def _offer(backbone: Backbone, settings: ServeSettings, listener: socket.socket) -> None:
    import uvicorn

    from taec.serving.app import make_app
    from taec.serving.limits import Limits
    from taec.serving.workers import Patience, ServerConfig

    url = f"{address(listener)}/v1"
    model = str(backbone.identity()["model"]).split()[0]
    limits = Limits(settings.max_body_bytes, settings.concurrency, settings.queue, settings.request_seconds)
    say(f"{model} at {url} (Ctrl-C stops). To use it:")
    say(f"  python -m taec backbone=openai_compatible backbone.base_url={url} backbone.model={model} backbone.api_key_env=null")
    patience = Patience(settings.request_seconds, settings.connections)
    uvicorn.Server(ServerConfig(lambda: make_app(backbone, limits), patience)).run(sockets=[listener])
