"""Models behind litellm (extra ``litellm``): Bedrock, Vertex and whatever else signs its requests in a way of its own."""

from __future__ import annotations

import os
from typing import Any

from kgraph.errors import MissingExtra
from kgraph.model import Reply
from kgraph.models.failures import (
    CallFailed,
    KeyRefused,
    RateLimited,
    Refused,
    ServerFailed,
    TooLong,
    TooSlow,
    Unreachable,
)
from kgraph.models.openai import Manner, body_for, reply_in
from kgraph.models.port import Request
from kgraph.models.secrets import Mask

NAMES = {
    "bedrock": "bedrock/",
    "vertex": "vertex_ai/",
    "litellm": "",
}  # ours, and how litellm's begin


class LiteLLM:
    """``model`` is litellm's own name. Keys and regions come from the variables that litellm names for the provider."""

    def __init__(self, name: str, base_url: str, timeout_seconds: float, mask: Mask) -> None:
        # Else it would fetch a list of prices from the network when it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        try:
            import litellm
            import openai
        except ImportError:
            raise MissingExtra("calling a model through litellm", "litellm") from None
        self._litellm: Any = litellm
        self._errors: Any = openai.OpenAIError  # all of litellm's are
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        self._name = name
        provider, _, model = name.partition("/")
        self._model = NAMES[provider] + model
        self._base_url = base_url
        self._timeout_seconds = timeout_seconds
        self._mask = mask

    @property
    def name(self) -> str:
        return self._name

    def complete(self, request: Request) -> Reply:
        body = body_for(self._model, request, Manner("max_tokens"))
        try:
            answer = self._litellm.completion(
                **body,
                timeout=self._timeout_seconds,
                num_retries=0,
                drop_params=True,
                **({"api_base": self._base_url} if self._base_url else {}),
            )
        except self._litellm.exceptions.ContentPolicyViolationError as error:
            return Reply(self._mask(str(error))[:500], "filter", model=self._name)
        except self._errors as error:
            raise self._failure(error) from None
        return reply_in(answer.model_dump(), self._name)

    def _failure(self, error: Exception) -> CallFailed:
        kinds = self._litellm.exceptions
        said = self._mask(" ".join(str(error).split()))[:500]
        for kind, made in (
            (kinds.ContextWindowExceededError, TooLong),
            (kinds.RateLimitError, RateLimited),
            (kinds.Timeout, TooSlow),
            (kinds.APIConnectionError, Unreachable),
        ):
            if isinstance(error, kind):
                return made(said)
        status = getattr(error, "status_code", 0) or 0
        if status in (401, 403, 404):
            return KeyRefused(said, "look at the key, the region and the model's name")
        return ServerFailed(said) if status >= 500 else Refused(said)

    def close(self) -> None:
        return None
