"""Google's generateContent. Its schema dialect knows ``nullable`` and ``enum``, but neither type lists nor ``additionalProperties``."""

from __future__ import annotations

from urllib.parse import quote

from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import ServerFailed
from kgraph.models.port import Request
from kgraph.models.wire import Wire, number_at, shape_of, text_at

BASE_URL = "https://generativelanguage.googleapis.com"
_FILTERED = frozenset(
    ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY")
)
_KEPT = ("description", "enum", "format", "minItems", "maxItems", "minimum", "maximum")


class Gemini:
    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"gemini/{self._model}"

    def complete(self, request: Request) -> Reply:
        path = f"/v1beta/models/{quote(self._model, safe='')}:generateContent"
        return reply_in(self._wire.post(path, body_for(request)), self.name)

    def close(self) -> None:
        self._wire.close()


def body_for(request: Request) -> Json:
    settings: dict[str, Json] = {"maxOutputTokens": request.max_output_tokens}
    if request.temperature is not None:
        settings["temperature"] = request.temperature
    if request.schema is not None:
        settings["responseMimeType"] = "application/json"
        settings["responseSchema"] = dialect(request.schema)
    return {
        "systemInstruction": {"parts": [{"text": request.instructions}]},
        "contents": [{"role": "user", "parts": [{"text": request.prompt}]}],
        "generationConfig": settings,
    }


def dialect(schema: Json) -> Json:
    """A strict JSON Schema in Gemini's subset. What the subset can't say is left to kgraph's own checks."""
    if not isinstance(schema, dict):
        return {}
    branches = schema.get("anyOf") or schema.get("oneOf") or []
    real = [branch for branch in branches if branch.get("type") != "null"]
    if len(real) == 1:
        return dialect(
            {**{k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}, **real[0]}
        ) | _nullable(len(branches) > 1)
    said: dict[str, Json] = {key: schema[key] for key in _KEPT if key in schema}
    if real:
        return (
            said
            | {"anyOf": [dialect(branch) for branch in real]}
            | _nullable(len(real) < len(branches))
        )
    if "const" in schema:
        said["enum"] = [schema["const"]]
    if "enum" in said:
        said["enum"] = [value for value in said["enum"] if value is not None]
    types = schema.get("type", "string")
    names = types if isinstance(types, list) else [types]
    concrete = [name for name in names if name != "null"]
    if len(concrete) > 1:
        return said | {"anyOf": [{"type": name} for name in concrete]} | _nullable("null" in names)
    said["type"] = concrete[0] if concrete else "string"
    said |= _nullable("null" in names)
    if "properties" in schema:
        said["properties"] = {name: dialect(inner) for name, inner in schema["properties"].items()}
        said["propertyOrdering"] = list(schema["properties"])
        said["required"] = list(schema.get("required", []))
    if "items" in schema:
        said["items"] = dialect(schema["items"])
    return said


def _nullable(yes: bool) -> dict[str, Json]:
    return {"nullable": True} if yes else {}


def reply_in(answer: Json, name: str) -> Reply:
    used = Usage(
        number_at(answer, "usageMetadata", "promptTokenCount"),
        number_at(answer, "usageMetadata", "candidatesTokenCount")
        + number_at(answer, "usageMetadata", "thoughtsTokenCount"),
    )
    model = text_at(answer, "modelVersion") or name
    blocked = text_at(answer, "promptFeedback", "blockReason")
    if blocked:
        return Reply("", "filter", used, model)
    candidate = shape_of(answer, "candidates", 0)
    if not isinstance(candidate, dict):
        raise ServerFailed(f"{name} answered without a candidate")
    parts = shape_of(candidate, "content", "parts")
    parts = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    text = "".join(text_at(part, "text") for part in parts if not part.get("thought"))
    reason = text_at(candidate, "finishReason")
    stop = "length" if reason == "MAX_TOKENS" else "filter" if reason in _FILTERED else "end"
    thought = (
        any(part.get("thought") for part in parts)
        or number_at(answer, "usageMetadata", "thoughtsTokenCount") > 0
    )
    return Reply(text, stop, used, model, thinking_only=thought and not text.strip())
