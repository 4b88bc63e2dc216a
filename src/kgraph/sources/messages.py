"""Conversations: Slack and Discord exports, generic lists of messages, WhatsApp and IRC logs. Each message is a block and an anchor."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kgraph.model import Block, Document, Json, Link, Span
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import Decoded, decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.json_text import NOTHING, Value, gather, gather_stretch, parse
from kgraph.sources.limits import Unreadable
from kgraph.sources.outline import Heading, outline
from kgraph.sources.plain import bare_links
from kgraph.tuples import NamedTuple

_SLACK_LINK = re.compile(r"<(https?://[^|>\s]+)(?:\|([^>]*))?>")
_SLACK_MARK = re.compile(
    r"<@(?P<user>[UWB][A-Z0-9]+)(?:\|(?P<label>[^<>|]*))?>|<#[CG][A-Z0-9]+\|(?P<channel>[^<>|]+)>|<!(?P<all>here|channel|everyone)[^<>]*>"
    r"|&(?P<sign>amp|lt|gt);"
)
_SIGNS = {"amp": "&", "lt": "<", "gt": ">"}
_WHATSAPP = re.compile(
    r"^\u200e?\[?(\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?[ \u00a0\u202f]+\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u00a0\u202f]?[APap]\.?[Mm]\.?)?)\]?"
    r"(?: -)? ([^:\r\n]{1,60}): (.*)$"
)
_IRC = re.compile(
    r"^(?:\[?(\d{4}-\d\d-\d\d[T ])?(\d{1,2}:\d{2}(?::\d{2})?)\]?\s+)?(?:<[ @+%&~]?([^<>\s]{1,40})>|\*\s([^\s]{1,40}))\s(.*)$"
)


class Message(NamedTuple):
    identity: str
    author: Value
    stamp: Value
    text: Value
    thread: str = ""  # the message that this one answers
    more: tuple[Value, ...] = ()  # what hangs on it: attachments, further parts


def chat_in(value: Value) -> tuple[str, list[Message]] | None:
    """The format and messages of a JSON value, if it is a conversation."""
    if isinstance(value.content, dict):
        messages = value.get("messages").items()
        if (
            messages
            and value.get("channel", "guild").content is not None
            and messages[0].get("author", "content").content is not None
        ):
            return "discord", [_discord(message) for message in messages]
        return chat_in(value.get("messages")) if messages else None
    listed = [item for item in value.items() if isinstance(item.content, dict)]
    if not listed or len(listed) < len(value.items()):
        return None
    if all(
        item.get("ts").content is not None
        and item.get("type", "user", "bot_id").content is not None
        for item in listed[:20]
    ):
        return "slack", [_slack(item) for item in listed]
    if all(
        item.get("text", "message", "content", "body").content is not None
        and _author(item) is not NOTHING
        for item in listed[:20]
    ):
        return "chat", [_generic(item, number) for number, item in enumerate(listed, 1)]
    return None


def read_json_chat(
    raw: Raw, decoded: Decoded, value: Value, found: tuple[str, list[Message]]
) -> Document:
    form, messages = found
    names = _users_beside(raw) if form == "slack" else {}
    gathered = Gatherer(decoded)
    log = Log(gathered, names, form == "slack")
    log.add(messages)
    metadata: dict[str, Json] = {"participants": sorted(log.participants)}
    title = ""
    if form == "discord":
        channel = value.get("channel")
        metadata |= {
            key: text for key in ("name", "topic", "category") if (text := channel.get(key).text())
        }
        title = channel.get("name").text()
    return gathered.document(
        raw, Parts(form, (), log.blocks, log.links(), metadata, title, log.anchors)
    )


class Log:
    """Messages being gathered as ``[time] author: text``, an answer after what it answers. ``marked``: Slack's marks stand in the texts."""

    def __init__(self, gathered: Gatherer, names: Mapping[str, str], marked: bool = False) -> None:
        self.headings: list[Heading] = []
        self._marked = marked
        self.blocks: list[Block] = []
        self.anchors: dict[str, Span] = {}
        self.participants: set[str] = set()
        self._gathered = gathered
        self._names = names

    def add(self, messages: Sequence[Message]) -> None:
        for message in _by_thread(messages):
            if message.text.text() or message.more:
                self._message(message)

    def heading(self, title: Value) -> None:
        """Whatever follows is a conversation of this title."""
        start = self._gathered.length
        gather(self._gathered, title)
        if self._gathered.length > start:
            self.blocks.append(Block("heading", start, self._gathered.length, "1"))
            shown = " ".join(self._gathered.since(start).split())
            self._gathered.put("\n\n", title.end, title.end)
            self.headings.append(Heading(1, shown, start, self._gathered.length))

    def document(self, raw: Raw, form: str) -> Document:
        metadata: dict[str, Json] = {"participants": sorted(self.participants)}
        sections = outline(self.headings, self._gathered.length)
        return self._gathered.document(
            raw, Parts(form, sections, self.blocks, self.links(), metadata, "", self.anchors)
        )

    def links(self) -> list[Link]:
        text = self._gathered.text()
        found = [
            Link(match[2] or match[1], match[1], *match.span())
            for match in _SLACK_LINK.finditer(text)
        ]
        taken = {link.start + 1 for link in found}
        return [*found, *(link for link in bare_links(text) if link.start not in taken)]

    def _message(self, message: Message) -> None:
        gathered = self._gathered
        start = gathered.length
        if message.stamp.text():
            gathered.put("[", message.stamp.start, message.stamp.start)
            stamp = message.stamp.text()
            shown = _clock(stamp)
            gather(gathered, message.stamp) if shown == stamp else gathered.put(
                shown, message.stamp.start, message.stamp.end
            )
            gathered.put("] ", message.stamp.end, message.stamp.end)
        author = self._names.get(message.author.text(), message.author.text())
        if author:
            self.participants.add(author)
            if author == message.author.text():
                gather(gathered, message.author)
            else:
                gathered.put(author, message.author.start, message.author.end)
            gathered.put(": ", message.author.end, message.author.end)
        parts = [part for part in (message.text, *message.more) if part.text()]
        for number, part in enumerate(parts):
            if number:
                gathered.put("\n", part.start, part.start)
            self._text(part)
        anchor = f"msg-{message.identity}"
        self.blocks.append(Block("message", start, gathered.length, message.identity))
        self.anchors.setdefault(anchor, Span(start, gathered.length))
        gathered.put("\n", parts[-1].end, parts[-1].end)

    def _text(self, value: Value) -> None:
        """A text as people saw it: ``<@U1>`` is a name, ``<#C1|general>`` a channel, ``&amp;`` a sign."""
        if not self._marked or not isinstance(value.content, str):
            gather(self._gathered, value)
            return
        last, end = value.start + 1, value.end - 1
        for match in _SLACK_MARK.finditer(self._gathered.raw, last, end):
            gather_stretch(self._gathered, last, match.start())
            self._gathered.put(self._meant(match), *match.span())
            last = match.end()
        gather_stretch(self._gathered, last, end)

    def _meant(self, match: re.Match[str]) -> str:
        if match["user"]:
            return "@" + self._names.get(match["user"], match["label"] or match["user"])
        if match["channel"]:
            return "#" + match["channel"]
        return f"@{match['all']}" if match["all"] else _SIGNS[match["sign"]]


def read_whatsapp(raw: Raw, decoded: Decoded) -> Document:
    return _line_log(raw, decoded, "whatsapp", _WHATSAPP)


def read_irc(raw: Raw, decoded: Decoded) -> Document:
    return _line_log(raw, decoded, "irc", _IRC)


def log_format(text: str) -> str:
    """``whatsapp`` or ``irc`` if most of a text's first lines are such messages, else ''."""
    lines = [line for line in text[:8000].splitlines()[:60] if line.strip()]
    for form, pattern in (("whatsapp", _WHATSAPP), ("irc", _IRC)):
        matching = sum(pattern.match(line) is not None for line in lines)
        if matching >= 3 and matching * 2 >= len(lines):
            return form
    return ""


def _line_log(raw: Raw, decoded: Decoded, form: str, pattern: re.Pattern[str]) -> Document:
    """A log of lines; a line that begins no message goes on with the one before. Messages are numbered."""
    blocks: list[Block] = []
    participants: set[str] = set()
    for line in re.finditer(r"[^\r\n]+", decoded.text):
        match = pattern.match(line.group())
        if match:
            author = match[2] if form == "whatsapp" else match[3] or match[4]
            participants.add(author)
            blocks.append(Block("message", line.start(), line.end(), str(len(blocks) + 1)))
        elif blocks and not (form == "irc" and re.match(r"\s*(?:\[?\d|---|\*\*\*)", line.group())):
            blocks[-1] = blocks[-1]._replace(end=line.end())
    anchors = {f"msg-{block.info}": Span(block.start, block.end) for block in blocks}
    metadata: dict[str, Json] = {"participants": sorted(participants)}
    links = list(bare_links(decoded.text))
    return from_text(raw, decoded, Parts(form, (), blocks, links, metadata, "", anchors))


def slack_names(users: Value) -> dict[str, str]:
    """Slack's user ids and the names shown for them."""
    found: dict[str, str] = {}
    for user in users.items():
        profile = user.get("profile")
        name = (
            profile.get("real_name").text()
            or user.get("real_name").text()
            or profile.get("display_name").text()
            or user.get("name").text()
        )
        if name and user.get("id").text():
            found[user.get("id").text()] = name
    return found


def slack_messages(value: Value) -> list[Message]:
    return [_slack(item) for item in value.items() if isinstance(item.content, dict)]


def _users_beside(raw: Raw) -> dict[str, str]:
    """The list of users one folder up, as Slack lays its export out, but only if that is still below the source root."""
    if not raw.path or raw.uri.startswith("/") or raw.uri.count("/") < 1:
        return {}
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(raw.path))), "users.json")
    if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > 20_000_000:
        return {}
    try:
        with open(path, "rb") as file:
            return slack_names(parse(decode(file.read()).text))
    except (OSError, Unreadable):
        return {}


def _by_thread(messages: Sequence[Message]) -> Iterable[Message]:
    """Answers right after what they answer, in their order."""
    known = {message.identity for message in messages}
    answers: dict[str, list[Message]] = {}
    for message in messages:
        if message.thread and message.thread != message.identity and message.thread in known:
            answers.setdefault(message.thread, []).append(message)
    for message in messages:
        if not (message.thread and message.thread != message.identity and message.thread in known):
            yield message
            yield from answers.get(message.identity, ())


def _discord(item: Value) -> Message:
    author = item.get("author")
    reply = item.get("reference").get("messageId").text()
    return Message(
        item.get("id").text(),
        author.get("nickname", "name"),
        item.get("timestamp"),
        item.get("content"),
        reply,
    )


def _slack(item: Value) -> Message:
    profile = item.get("user_profile")
    author = (
        profile.get("real_name", "display_name")
        if profile is not NOTHING
        else item.get("user", "username", "bot_id")
    )
    stamp = item.get("ts")
    more = [
        part
        for attached in item.get("attachments").items()
        for name in ("pretext", "title", "text")
        if (part := attached.get(name)) is not NOTHING
    ]
    more += [
        part
        for file in item.get("files").items()
        if (part := file.get("title", "name")) is not NOTHING
    ]
    if not item.get("text").text():
        more = [*_texts_in(item.get("blocks")), *more]
    return Message(
        stamp.text(),
        author if author is not NOTHING else item.get("user", "username"),
        stamp,
        item.get("text"),
        item.get("thread_ts").text(),
        tuple(part for part in more if part.text()),
    )


def _texts_in(value: Value, depth: int = 0) -> Iterator[Value]:
    """The texts of Slack's blocks, however they are nested."""
    if depth > 12:
        return
    if isinstance(value.content, dict):
        text = value.content.get("text")
        if text is not None and isinstance(text.content, str):
            yield text
        for name in ("text", "elements", "fields", "blocks"):
            inner = value.content.get(name)
            if inner is not None and not isinstance(inner.content, str):
                yield from _texts_in(inner, depth + 1)
    for item in value.items():
        yield from _texts_in(item, depth + 1)


# -- exports of conversations with models -------------------------------------------------------------------------------------------


def conversations_in(value: Value) -> list[tuple[Value, list[Message]]]:
    """The conversations of a ChatGPT or Claude export, each with its title; none if it is no such export."""
    listed = value.items() or (
        [value] if value.get("mapping", "chat_messages") is not NOTHING else []
    )
    found = []
    for one in listed:
        if one.get("mapping") is not NOTHING:
            found.append((one.get("title"), list(_chatgpt(one))))
        elif one.get("chat_messages") is not NOTHING:
            found.append(
                (
                    one.get("name", "title"),
                    [_claude(item) for item in one.get("chat_messages").items()],
                )
            )
    return found if found and len(found) == len(listed) else []


def read_conversations(
    raw: Raw, decoded: Decoded, found: list[tuple[Value, list[Message]]]
) -> Document:
    log = Log(Gatherer(decoded), {})
    for title, messages in found:
        if title is not NOTHING:
            log.heading(title)
        log.add(messages)
    return log.document(raw, "chat")


def _chatgpt(one: Value) -> Iterator[Message]:
    """The messages of the branch that was last shown, in its order."""
    nodes: dict[str, Value] = one.get("mapping").content
    name = one.get("current_node").text()
    path: list[str] = []
    while name in nodes and name not in path:
        path.append(name)
        name = nodes[name].get("parent").text()
    for name in reversed(path) if path else nodes:
        message = nodes[name].get("message")
        parts = [
            part for part in message.get("content").get("parts").items() if part.text().strip()
        ]
        role = message.get("author").get("name", "role")
        if parts and role.text() in ("user", "assistant"):
            yield Message(
                message.get("id").text() or name,
                role,
                message.get("create_time"),
                parts[0],
                "",
                tuple(parts[1:]),
            )


def _claude(item: Value) -> Message:
    parts = [
        part for one in item.get("content").items() if (part := one.get("text")) is not NOTHING
    ]
    text = item.get("text")
    first, rest = (text, []) if text.text() else (parts[0], parts[1:]) if parts else (NOTHING, [])
    return Message(
        item.get("uuid").text(), item.get("sender"), item.get("created_at"), first, "", tuple(rest)
    )


def _generic(item: Value, number: int) -> Message:
    identity = item.get("id", "message_id", "uuid").text() or str(number)
    stamp = item.get("ts", "timestamp", "time", "date", "created_at", "datetime")
    return Message(
        identity,
        _author(item),
        stamp,
        item.get("text", "message", "content", "body"),
        item.get("thread", "reply_to", "parent").text(),
    )


def _author(item: Value) -> Value:
    found = item.get("author", "user", "from", "sender", "name", "role", "username")
    return (
        found.get("name", "nickname", "display_name", "id")
        if isinstance(found.content, dict)
        else found
    )


def _clock(stamp: str) -> str:
    """Seconds since 1970 as a time; anything else as it is."""
    if not re.fullmatch(r"\d{9,10}(?:\.\d+)?|\d{13}", stamp):
        return stamp
    import time

    seconds = int(stamp) / 1000 if len(stamp) == 13 else float(stamp)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
