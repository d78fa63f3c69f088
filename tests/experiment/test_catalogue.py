"""Groups and options as the folders have them."""

from pathlib import Path

from hydra import compose, initialize_config_dir

from taec.experiment.catalogue import catalogue
from taec.experiment.locations import shipped
from taec.experiment.registry import KINDS


def test_folders_add_up(tmp_path: Path) -> None:
    for name in (
        "a/system/one.yaml",
        "a/system/two.yaml",
        "b/system/three.yaml",
        "b/judge/x.yaml",
        "b/judge/_shared.yaml",
        "b/readme.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert catalogue([tmp_path / "a", tmp_path / "b"]) == {"judge": ("x",), "system": ("one", "three", "two")}


def test_every_shipped_option_of_a_kind_has_a_module() -> None:
    from taec.experiment.registry import settings_class

    shipped_options = catalogue([shipped("conf")])
    for kind in KINDS:
        for name in shipped_options[kind]:
            with initialize_config_dir(str(shipped("conf")), version_base="1.3"):
                chosen = compose(f"{kind}/{name}")[kind]
            assert settings_class(kind, chosen.get("module", name)).model_fields["name"], f"{kind}={name}"
