"""`python -m taec serve backbone=reader`: an embedded backbone as an OpenAI-compatible endpoint on this machine, until Ctrl-C."""

import socket
from ipaddress import ip_address

from taec.backbones.base import Backbone
from taec.commands.arguments import Arguments, require_none
from taec.core.errors import UsageError
from taec.experiment.compose import configurations
from taec.experiment.config import ServeSettings
from taec.experiment.console import say
from taec.experiment.locations import cache_folder
from taec.experiment.money import served
from taec.experiment.registry import option


def main(asked: Arguments) -> int:
    """Serve until stopped."""
    require_none(asked)
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    if len(configs) > 1:
        raise UsageError("serve offers one backbone; leave -m out")
    (config,) = configs
    if served(config.options["backbone"]):
        raise UsageError(f"backbone={config.option('backbone')} is an endpoint already; serve offers embedded backbones: backbone=reader")
    settings = config.plain.serve
    listener = listen(settings)
    with listener:
        backbone: Backbone = option("backbone", config.module("backbone")).build(
            config.options["backbone"], cache_folder(config.plain.cache.folder)
        )
        _serve(backbone, settings, listener)
    return 0


def listen(settings: ServeSettings) -> socket.socket:
    """A listening socket: who comes before the model is ready waits. Raises UsageError where the port cannot be used."""
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


def _serve(backbone: Backbone, settings: ServeSettings, listener: socket.socket) -> None:
    import uvicorn

    from taec.serving.app import Limits, make_app

    host, port = listener.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"
    model = str(backbone.identity()["model"]).split()[0]
    app = make_app(backbone, Limits(settings.max_body_bytes, settings.concurrency, settings.queue))
    say(f"{model} at {url} (Ctrl-C stops). To use it:")
    say(f"  python -m taec backbone=openai_compatible backbone.base_url={url} backbone.model={model} backbone.api_key_env=null")
    # longer than clients keep idle connections, so that none is closed under a request
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_keep_alive=60, access_log=False)).run(sockets=[listener])
