"""From `sweep <file> [overrides]` to a checked study: all faults of its file, space and configurations are told before anything runs."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import JsonValue
from yaml import YAMLError

from taec.core.errors import UsageError
from taec.experiment.catalogue import catalogue, nearest, suggestion
from taec.experiment.compose import Composer
from taec.experiment.config import Config, PlainSettings
from taec.experiment.locations import shipped
from taec.experiment.money import served
from taec.experiment.overrides import parse
from taec.experiment.validation import validated
from taec.records.provenance import redacted
from taec.study.samplers import sampler_faults
from taec.study.settings import StudySettings
from taec.study.space import Values, corners, overrides
from taec.study.storage import storage_fault
from taec.study.study import Study, default_of, replaced

Node = dict[str, JsonValue]


def load(words: Sequence[str], folders: Sequence[Path] = ()) -> Study:
    """The study that the words of a command line ask for. Raises UsageError naming every fault."""
    files = [word for word in words if "=" not in word]
    if len(files) != 1:
        raise UsageError(f"sweep needs one study: python -m taec sweep <file or name>. Shipped: {', '.join(names())}")
    path = study_file(files[0])
    own, others = _separated([word for word in words if word != files[0]])
    settings = validated(StudySettings, _with(_read(path), own), ())
    return _checked(settings, others, files[0], words, tuple(folders))


def names() -> list[str]:
    """The shipped studies."""
    return sorted(path.stem for path in shipped("sweeps").glob("*.yaml"))


def study_file(named: str) -> Path:
    """The file that a path, or the name of a shipped study, means. Raises UsageError where there is none."""
    given = Path(named)
    for path in (given, shipped("sweeps") / f"{given.name}.yaml", shipped("sweeps") / given.name):
        if path.is_file() and (path == given or len(given.parts) == 1 or given.parts[:-1] == ("sweeps",)):
            return path
    raise UsageError(f"{named}: there is no such study; {suggestion(given.stem, names())}")


def _read(path: Path) -> Node:
    try:
        data = OmegaConf.to_container(OmegaConf.load(path), resolve=True)
    except (OSError, YAMLError, OmegaConfBaseException, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{path} holds no mapping; a study has the keys {', '.join(StudySettings.model_fields)}")
    return {str(key): value for key, value in data.items()}


def _separated(words: Iterable[str]) -> tuple[list[tuple[list[str], JsonValue]], list[str]]:
    """Overrides of the study itself, as path and value, and those of the configuration."""
    own: list[tuple[list[str], JsonValue]] = []
    others: list[str] = []
    faults: list[str] = []
    for word in words:
        path = word.partition("=")[0].split(".")
        if path[0] not in StudySettings.model_fields:
            others.append(word)
            faults += _misspelt(word, path)
            continue
        (override, *_), wrong = parse([word])
        faults += wrong
        if path[0] == "space":
            faults.append(f"{word}: the space is the study's file's; copy the file to change it")
        elif override.is_sweep_override():
            faults.append(f"{word}: a study takes one value for each of its keys")
        elif not wrong:
            own.append((path, override.value()))  # type: ignore[arg-type]
    if faults:
        raise UsageError(*faults)
    return own, others


def _misspelt(word: str, path: Sequence[str]) -> list[str]:
    """The fault of a word that is no override of a configuration, and nearly the name of a key of studies."""
    name = path[0].lstrip("+~")
    if name in {*PlainSettings.model_fields, *catalogue([shipped("conf")])} or not (close := nearest(name, StudySettings.model_fields)):
        return []
    return [f"{word}: a study has no key '{name}'; did you mean '{close}'?"]


def _with(data: Node, own: Iterable[tuple[list[str], JsonValue]]) -> Node:
    for path, value in own:
        node = data
        for part in path[:-1]:
            inner = node.setdefault(part, {})
            if not isinstance(inner, dict):
                raise UsageError(f"{'.'.join(path)}: '{part}' holds a single value")
            node = inner
        node[path[-1]] = value
    return data


def _checked(settings: StudySettings, others: Sequence[str], named: str, words: Sequence[str], folders: tuple[Path, ...]) -> Study:
    fixed = (*settings.base, *others)
    searched = [word for word in fixed if word.partition("=")[0].lstrip("+~") in settings.space]
    faults = [f"{word}: the study searches this key; take it out of its space to fix it" for word in searched]
    composer = Composer(folders)
    tune = _composed(composer, [*fixed, *settings.tune], faults)
    report = _composed(composer, [*fixed, *settings.report], faults)
    ends = [(values, _composed(composer, [*fixed, *settings.tune, *overrides(values)], faults)) for values in corners(settings.space)]
    if tune:
        faults += _unmeasured(settings, tune)
    faults += sampler_faults(settings.sampler, settings.space, len(settings.objectives))
    if tune is None or report is None or faults:
        raise UsageError(*dict.fromkeys(faults))
    for key in settings.space:
        default_of(tune, key)
    if fault := storage_fault(settings.storage, tune.plain.tracking.store()):
        raise UsageError(fault)
    command = shlex.join(["python", "-m", "taec", "sweep", *(_shown(word) for word in redacted(words))])
    return Study(settings, command, fixed, folders, tune, report, all(_is_direct(tune, values, config) for values, config in ends))


def _composed(composer: Composer, words: Sequence[str], faults: list[str]) -> Config | None:
    try:
        return composer.configuration(words)
    except UsageError as error:
        faults += error.faults
        return None


def _is_direct(tune: Config, values: Values, composed: Config | None) -> bool:
    """Whether setting values in the defaults gives what composing them gives."""
    try:
        return composed is not None and replaced(tune, values).resolved == composed.resolved
    except (UsageError, KeyError, TypeError):
        return False


def _unmeasured(settings: StudySettings, config: Config) -> Iterator[str]:
    """Objectives that runs of a configuration would leave unknown."""
    acting = served(config.options["backbone"])
    if acting is None:
        lacking = {"cost": "needs prices", "tokens": "needs a model that reports them"}
        name = config.option("backbone")
        yield from (f"the objective {o} {lacking[o]}: {name} is embedded" for o in settings.objectives if o in lacking)
    elif "cost" in settings.objectives and None in (acting.prices.input, acting.prices.output):
        yield f"the objective cost needs prices: set backbone.prices.input and backbone.prices.output of {acting.model}"


def _shown(word: str) -> str:
    """A word of the command without the password of a storage."""
    return "storage=***" if word.startswith("storage=") and "://" in word else word
