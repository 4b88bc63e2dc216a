"""``provider/model`` → a model. One line a provider: where it is, where its address and key come from, how it wants the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kgraph.errors import UsageError
from kgraph.models import anthropic, gemini, litellm, ollama, openai
from kgraph.models.batching import AnthropicBatches, BatchPort, GeminiBatches, OpenAIBatches
from kgraph.models.embedding import Embedder, RemoteEmbedder, ollama_rows, openai_rows
from kgraph.models.port import Model
from kgraph.models.scripted import Recorded
from kgraph.models.secrets import mask_of
from kgraph.models.wire import Address, Wire, require_httpx, shape_of, text_at
from kgraph.tuples import NamedTuple


class Provider(NamedTuple):
    base_url: str
    address_variables: tuple[str, ...]
    key_variables: tuple[str, ...]
    needs_key: bool
    headers: Callable[[str], dict[str, str]]
    make: Callable[[str, Wire, bool], Model]  # (model, wire, at the provider's own address)
    versions: tuple[
        str, ...
    ] = ()  # what people write at the end of an address though the paths have it
    listing: tuple[str, str, str] = (
        "/models",
        "data",
        "id",
    )  # where its models are: path, list, name
    suffix: str = ""  # what a given address lacks


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def _compatible(provider: str) -> Callable[[str, Wire, bool], Model]:
    def make(model: str, wire: Wire, at_home: bool) -> Model:
        own = provider == "openai" and at_home
        return openai.OpenAI(
            model, wire, provider, "max_completion_tokens" if own else "max_tokens"
        )

    return make


# Services that speak OpenAI's API; ``NAME_API_KEY`` is the key and ``NAME_BASE_URL`` another address.
_COMPATIBLE = {
    "openrouter": "https://openrouter.ai/api/v1",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "together": "https://api.together.xyz/v1",
    "fireworks": "https://api.fireworks.ai/inference/v1",
    "xai": "https://api.x.ai/v1",
    "cerebras": "https://api.cerebras.ai/v1",
}
_FULL_PATHS = ("/chat/completions", "/completions", "/models")

PROVIDERS = {
    "anthropic": Provider(
        anthropic.BASE_URL,
        ("ANTHROPIC_BASE_URL",),
        ("ANTHROPIC_API_KEY",),
        True,
        lambda key: {"x-api-key": key, "anthropic-version": anthropic.VERSION},
        lambda model, wire, _: anthropic.Anthropic(model, wire),
        ("/v1",),
        ("/v1/models?limit=1000", "data", "id"),
    ),
    "openai": Provider(
        openai.BASE_URL,
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        ("OPENAI_API_KEY",),
        True,
        _bearer,
        _compatible("openai"),
        _FULL_PATHS,
    ),
    "gemini": Provider(
        gemini.BASE_URL,
        ("GOOGLE_GEMINI_BASE_URL", "GEMINI_BASE_URL"),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        True,
        lambda key: {"x-goog-api-key": key},
        lambda model, wire, _: gemini.Gemini(model, wire),
        ("/v1beta",),
        ("/v1beta/models?pageSize=1000", "models", "name"),
    ),
    "ollama": Provider(
        ollama.BASE_URL,
        ("OLLAMA_HOST",),
        ("OLLAMA_API_KEY",),
        False,
        _bearer,
        lambda model, wire, _: ollama.Ollama(model, wire),
        ("/v1", "/api"),
        ("/api/tags", "models", "name"),
    ),
    "azure": Provider(
        "",
        ("AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT"),
        ("AZURE_OPENAI_API_KEY",),
        True,
        lambda key: {"api-key": key},
        _compatible("azure"),
        _FULL_PATHS,
        suffix="/openai/v1",
    ),
    **{
        name: Provider(
            base_url,
            (f"{name.upper()}_BASE_URL",),
            (f"{name.upper()}_API_KEY",),
            True,
            _bearer,
            _compatible(name),
            _FULL_PATHS,
        )
        for name, base_url in _COMPATIBLE.items()
    },
}


class Place(NamedTuple):
    """Where to call, and how long to wait for a whole answer. ``environ`` is where keys and addresses come from, and the only place."""

    base_url: str
    environ: Mapping[str, str]
    timeout_seconds: float
    clock: Callable[[], float]


def open_model(name: str, place: Place) -> Model:
    """A model by name. Nothing is sent yet. Raises ``UsageError``: unknown provider, no key, no address, no httpx."""
    if name.startswith("recorded/"):
        return Recorded(name.removeprefix("recorded/"))
    if name.partition("/")[0] in litellm.NAMES and "/" in name:
        return litellm.LiteLLM(name, place.base_url, place.timeout_seconds, mask_of(place.environ))
    provider, model, wire, at_home = _connected(name, place)
    return provider.make(model, wire, at_home)


def models_of(name: str, place: Place) -> list[str]:
    """The models that a provider offers to this key, as ``provider/model``. Raises UsageError, CallFailed."""
    if name not in PROVIDERS:
        raise UsageError(
            f"'{name}' is no provider that lists its models", f"these do: {', '.join(PROVIDERS)}"
        )
    provider, _, wire, _ = _connected(f"{name}/-", place)
    path, listed, called = provider.listing
    try:
        answer = wire.get(path)
    finally:
        wire.close()
    rows = answer if isinstance(answer, list) else shape_of(answer, listed)
    found = (
        [text_at(row, called) or text_at(row, "id") for row in rows if isinstance(row, dict)]
        if isinstance(rows, list)
        else []
    )
    return sorted(f"{name}/{model.removeprefix('models/')}" for model in found if model)


def open_batches(name: str, place: Place) -> BatchPort:
    """The batch interface of a model's provider. Raises ``UsageError`` where it has none."""
    makers: dict[str, Callable[[str, Wire], BatchPort]] = {
        "anthropic": AnthropicBatches,
        "openai": OpenAIBatches,
        "gemini": GeminiBatches,
    }
    maker = makers.get(name.partition("/")[0])
    if maker is None:
        raise UsageError(
            f"'{name}' has no batch interface",
            f"these have: {', '.join(makers)}; or leave --batch out",
        )
    _, model, wire, _ = _connected(name, place)
    return maker(model, wire)


def open_embedder(name: str, place: Place) -> Embedder:
    """An embedding model by name. Nothing is sent yet. Raises ``UsageError`` for a provider that has none, MissingExtra."""
    from kgraph.models import local

    if name == local.NAME:
        return local.WordLlama()
    kinds = {"openai": openai_rows, "openrouter": openai_rows, "ollama": ollama_rows}
    rows_in = kinds.get(name.partition("/")[0])
    if rows_in is None:
        known = f"{local.NAME}, {', '.join(f'{provider}/MODEL' for provider in kinds)}"
        hint = (
            f"these do: {known}; for another that speaks OpenAI's API: openai/MODEL with --base-url"
        )
        raise UsageError(f"'{name}' makes no vectors", hint)
    _, _, wire, _ = _connected(name, place)
    return RemoteEmbedder(
        name, wire, "/api/embed" if rows_in is ollama_rows else "/embeddings", rows_in
    )


def key_variables(name: str) -> tuple[str, ...]:
    """The environment variables that a model's provider takes its key from, the first that is set; none for one that isn't known."""
    provider = PROVIDERS.get(name.partition("/")[0])
    return provider.key_variables if provider is not None else ()


def check_name(name: str) -> None:
    """Raises UsageError for what is no ``provider/model`` of a provider that is known."""
    provider, slash, model = name.partition("/")
    if not slash or not model:
        raise UsageError(
            f"'{name}' is not a model",
            f"write it as provider/name; providers: {', '.join((*PROVIDERS, *litellm.NAMES))}, recorded",
        )
    if provider not in PROVIDERS and provider not in litellm.NAMES and provider != "recorded":
        hint = f"known are {', '.join((*PROVIDERS, *litellm.NAMES))}; for another that speaks OpenAI's API: openai/{model} with --base-url"
        raise UsageError(f"there is no provider '{provider}'", hint)


def _connected(name: str, place: Place) -> tuple[Provider, str, Wire, bool]:
    """The provider, its own name for the model, the line to it, and whether that leads to its own address."""
    check_name(name)
    provider_name, _, model = name.partition("/")
    provider = PROVIDERS[provider_name]
    base_url = (
        _first(place.environ, provider.address_variables) if not place.base_url else place.base_url
    )
    if not base_url and not provider.base_url:
        raise UsageError(
            f"where is {provider_name}? it has no address of its own",
            f"give --base-url, or set {provider.address_variables[-1]}",
        )
    at_home = not base_url or base_url.rstrip("/") == provider.base_url
    key = _key_of(
        provider, place.environ, required=provider.needs_key and (at_home or not provider.base_url)
    )
    headers = provider.headers(key) if key or provider_name == "anthropic" else {}
    require_httpx()
    where = _with_scheme(base_url).rstrip("/")
    for version in provider.versions:  # our paths begin with it
        where = where.removesuffix(version)
    if provider.suffix and where and "/openai" not in where:
        where += provider.suffix
    address = Address(
        where or provider.base_url, {name: value for name, value in headers.items() if value}
    )
    return (
        provider,
        model,
        Wire(address, place.timeout_seconds, place.clock, mask_of(place.environ)),
        at_home,
    )


def _key_of(provider: Provider, environ: Mapping[str, str], required: bool) -> str:
    key = _first(environ, provider.key_variables)
    if not key and required:
        names = " or ".join(provider.key_variables)
        raise UsageError(
            f"no key for {provider.base_url}",
            f"set {names} in the environment, or: keyring set kgraph {provider.key_variables[0]}",
        )
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            "the key in the environment holds characters that no key has",
            f"look at {' or '.join(provider.key_variables)}",
        )
    return key


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((value for value in (environ.get(name, "").strip() for name in names) if value), "")


def _with_scheme(base_url: str) -> str:
    """OLLAMA_HOST is often written as ``host:port``."""
    return base_url if "://" in base_url or not base_url else f"http://{base_url}"
