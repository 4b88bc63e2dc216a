"""PDFs of our own, each laid out in a way that is hard to read: ``python benchmarks/pdf_samples.py FOLDER`` draws them (needs reportlab).

The text is a shuffled account of a made-up service, so that each file has sentences from which claims are made.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

WIDTH, HEIGHT = A4
SERVICES = "Harbor Lantern Quartz Meridian Falcon Juniper Cobalt Willow Saffron Tundra".split()
STORES = "Redis PostgreSQL Kafka Cassandra Elasticsearch RabbitMQ MinIO Vault Consul Envoy".split()
TEAMS = (
    "Alice Moreau; Bohdan Melnyk; Chidi Okafor; Dana Whitfield; Emre Yilmaz; Farah Haddad".split(
        "; "
    )
)
PATTERNS = (
    "The {a} service stores its sessions in {s} because the older cache lost entries during every failover.",
    "{t} moved {a} from {s} to {r} after the migration window had been extended twice by the operations group.",
    "When {s} becomes unavailable, {a} answers from a local copy that is refreshed every fifteen minutes.",
    "{a} depends on {b}, which publishes its configuration through {s} and reloads it without a restart.",
    "In March {t} reported that {a} had exceeded the memory limit while {s} was compacting its segments.",
    "The postmortem names {s} as the cause, although {a} had been misconfigured since the previous release.",
    "{t} proposed that {b} should replace {a}, since both read the same events from {s}.",
    "Requests from {a} to {b} are retried three times, and each failure is written to {s} with its identifier.",
)  # fmt: skip
CHINESE = "港口服务把会话保存在缓存中。因为旧的系统在每次切换时都会丢失数据，所以团队在三月完成了迁移。当数据库不可用时，服务会从本地副本回答请求。每次失败都会连同编号一起写入日志。"
JAPANESE = "港湾サービスはセッションをキャッシュに保存します。古い仕組みは切り替えのたびにデータを失ったので、三月に移行が行われました。データベースが使えないとき、サービスは手元の写しから答えます。失敗は番号とともに記録されます。"
KOREAN = "항만 서비스는 세션을 캐시에 저장합니다. 이전 시스템은 전환할 때마다 데이터를 잃었기 때문에 팀은 삼월에 이전을 마쳤습니다. 데이터베이스를 쓸 수 없으면 서비스는 로컬 사본으로 응답합니다."
RUSSIAN = "Сервис Гавань хранит свои сеансы в кэше, потому что старая система теряла записи при каждом переключении. В марте команда перенесла данные в новое хранилище. Когда база недоступна, сервис отвечает из местной копии."
GREEK = "Η υπηρεσία Λιμάνι αποθηκεύει τις συνεδρίες της στην κρυφή μνήμη. Τον Μάρτιο η ομάδα μετέφερε τα δεδομένα σε νέα αποθήκη. Όταν η βάση δεν είναι διαθέσιμη, η υπηρεσία απαντά από τοπικό αντίγραφο."
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

Drawer = Callable[[Path], None]
DRAWERS: dict[str, Drawer] = {}


def sample(name: str) -> Callable[[Drawer], Drawer]:
    def keep(drawer: Drawer) -> Drawer:
        DRAWERS[name] = drawer
        return drawer

    return keep


def sentences(seed: str, count: int) -> list[str]:
    chance = random.Random(seed)
    found = []
    for number in range(count):
        a, b = chance.sample(SERVICES, 2)
        s, r = chance.sample(STORES, 2)
        found.append(
            PATTERNS[number % len(PATTERNS)].format(a=a, b=b, s=s, r=r, t=chance.choice(TEAMS))
        )
    return found


def text(seed: str, count: int) -> str:
    return " ".join(sentences(seed, count))


def wrapped(
    content: str, width: float, font: str = "Helvetica", size: float = 10, hyphens: bool = False
) -> list[str]:
    """Lines that fit; with ``hyphens`` long words are broken to fill them."""
    lines = [""]
    for word in content.split():
        trial = f"{lines[-1]} {word}".strip()
        if pdfmetrics.stringWidth(trial, font, size) <= width:
            lines[-1] = trial
            continue
        head = _head(lines[-1], word, width, (font, size)) if hyphens else ""
        if head:
            lines[-1] = f"{lines[-1]} {head}-"
            word = word[len(head) :]
        lines.append(word)
    return lines


def _head(line: str, word: str, width: float, font: tuple[str, float]) -> str:
    for cut in range(len(word) - 3, 2, -1):
        if (
            word.isalpha()
            and word.islower()
            and pdfmetrics.stringWidth(f"{line} {word[:cut]}-", *font) <= width
        ):
            return word[:cut]
    return ""


class Sheet:
    """A canvas that remembers its font."""

    def __init__(self, path: Path, size: tuple[float, float] = A4) -> None:
        self.canvas = Canvas(str(path), pagesize=size, invariant=1)
        self.font("Helvetica", 10)

    def font(self, name: str, size: float) -> None:
        self.name, self.size = name, size
        self.canvas.setFont(name, size)

    def lines(self, lines: list[str], x: float, y: float, leading: float = 13) -> float:
        for line in lines:
            self.canvas.drawString(x, y, line)
            y -= leading
        return y

    def page(self) -> None:
        self.canvas.showPage()
        self.canvas.setFont(self.name, self.size)

    def save(self) -> None:
        self.canvas.save()


def columns(
    path: Path,
    xs: list[float],
    width: float,
    *,
    by_row: bool,
    shift: float = 0.0,
    head: bool = False,
    uneven: bool = False,
) -> None:
    sheet = Sheet(path)
    top = HEIGHT - 80
    if head:
        sheet.font("Helvetica-Bold", 16)
        sheet.lines(["Sessions, caches and failover in the harbor platform"], 70, top)
        sheet.font("Helvetica", 10)
        top = sheet.lines(wrapped(text(path.name + "abstract", 3), WIDTH - 140), 70, top - 40) - 20
    parts = [
        wrapped(text(f"{path.name}{n}", 14 - 5 * n * uneven), width, hyphens=True)[
            : 44 if not head else 30
        ]
        for n in range(len(xs))
    ]
    if by_row:
        for row in range(max(map(len, parts))):
            for n, (x, lines) in enumerate(zip(xs, parts, strict=True)):
                if row < len(lines):
                    sheet.canvas.drawString(x, top - 13 * row - shift * n, lines[row])
    else:
        for n, (x, lines) in enumerate(zip(xs, parts, strict=True)):
            sheet.lines(lines, x, top - shift * n)
    sheet.save()


DRAWERS |= {
    "two-columns-by-column": lambda path: columns(path, [60, 310], 230, by_row=False),
    "two-columns-by-row": lambda path: columns(path, [60, 310], 230, by_row=True),
    "two-columns-narrow-gutter": lambda path: columns(path, [60, 302], 230, by_row=True),
    "two-columns-shifted-lines": lambda path: columns(path, [60, 310], 230, by_row=True, shift=5),
    "two-columns-below-a-head": lambda path: columns(path, [60, 310], 230, by_row=True, head=True),
    "two-columns-uneven": lambda path: columns(path, [60, 310], 230, by_row=True, uneven=True),
    "three-columns-by-row": lambda path: columns(path, [50, 222, 394], 155, by_row=True),
    "three-columns-by-column": lambda path: columns(
        path, [50, 222, 394], 155, by_row=False, head=True
    ),
    "wide-and-narrow-column": lambda path: columns(path, [60, 400], 140, by_row=True),
}


@sample("running-headers")
def running_headers(path: Path) -> None:
    sheet = Sheet(path)
    lines = wrapped(text(path.name, 90), WIDTH - 140, hyphens=True)
    for number, start in enumerate(range(0, len(lines), 40), 1):
        sheet.canvas.drawString(70, HEIGHT - 40, "Harbor Operations Review, volume 7")
        sheet.canvas.drawRightString(WIDTH - 70, HEIGHT - 40, "Confidential draft")
        sheet.lines(lines[start : start + 40], 70, HEIGHT - 80)
        sheet.canvas.drawCentredString(WIDTH / 2, 40, f"Page {number} of 5")
        sheet.page()
    sheet.save()


@sample("left-and-right-headers")
def alternating(path: Path) -> None:
    sheet = Sheet(path)
    lines = wrapped(text(path.name, 130), WIDTH - 140, hyphens=True)
    for number, start in enumerate(range(0, len(lines), 40), 12):
        if number % 2:
            sheet.canvas.drawString(
                70, HEIGHT - 40, f"Failover and its discontents        {number}"
            )
        else:
            sheet.canvas.drawString(70, HEIGHT - 40, f"{number}        Chapter 3. Sessions")
        sheet.lines(lines[start : start + 40], 70, HEIGHT - 80)
        sheet.page()
    sheet.save()


@sample("hyphenated")
def hyphenated(path: Path) -> None:
    sheet = Sheet(path)
    words = (
        text(path.name, 12)
        + " The well-known state-of-the-art failover is a long-term plan, and well-known teams follow it."
    )
    sheet.lines(wrapped(words, 120, hyphens=True)[:56], 60, HEIGHT - 60)
    sheet.save()


@sample("ligatures")
def ligatures(path: Path) -> None:
    _dejavu()
    sheet = Sheet(path)
    sheet.font("DejaVu", 10)
    written = (
        text(path.name, 20)
        + " The first official file was finally left unaffected by difficult traffic."
    )
    for plain, joined in (
        ("ffi", "\ufb03"),
        ("ffl", "\ufb04"),
        ("ff", "\ufb00"),
        ("fi", "\ufb01"),
        ("fl", "\ufb02"),
    ):
        written = written.replace(plain, joined)
    sheet.lines(wrapped(written, WIDTH - 140, "DejaVu"), 70, HEIGHT - 80)
    sheet.save()


@sample("footnotes")
def footnotes(path: Path) -> None:
    sheet = Sheet(path)
    lines = wrapped(text(path.name, 44), WIDTH - 140)
    for page in range(2):
        sheet.font("Helvetica", 10)
        sheet.lines(lines[40 * page : 40 * page + 40], 70, HEIGHT - 60)
        sheet.canvas.line(70, 140, 200, 140)
        sheet.font("Helvetica", 7)
        sheet.lines(
            [
                f"{page + 1} Measured on the staging cluster of Falcon by Dana Whitfield, who uses Redis."
            ],
            70,
            128,
            9,
        )
        sheet.page()
    sheet.save()


@sample("form")
def form(path: Path) -> None:
    sheet = Sheet(path)
    sheet.lines(["Change request"], 70, HEIGHT - 70)
    fields = {
        "Requested by": "Dana Whitfield",
        "Service": "Falcon",
        "Replaces": "Quartz on Cassandra",
        "Reason": "Falcon stores its sessions in Redis.",
    }
    for number, (label, value) in enumerate(fields.items()):
        y = HEIGHT - 110 - 30 * number
        sheet.canvas.drawString(70, y, f"{label}:")
        sheet.canvas.acroForm.textfield(
            name=label, value=value, x=170, y=y - 6, width=300, height=20, fontSize=10
        )
    sheet.lines(wrapped(text(path.name, 5), WIDTH - 140), 70, HEIGHT - 300)
    sheet.save()


def scanned(path: Path, pages_of_text: int) -> None:
    from PIL import Image, ImageDraw

    image = Image.new("L", (620, 877), 255)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(wrapped(text(path.name, 12), 400)):
        pen.text((60, 60 + 16 * row), line, fill=0)
    held = path.with_suffix(".png")
    image.save(held)
    sheet = Sheet(path)
    sheet.canvas.drawImage(str(held), 0, 0, WIDTH, HEIGHT)
    sheet.page()
    for _ in range(pages_of_text):
        sheet.lines(wrapped(text(path.name, 12), WIDTH - 140), 70, HEIGHT - 80)
        sheet.page()
    sheet.save()
    held.unlink()


DRAWERS |= {"scan": lambda path: scanned(path, 0), "scan-and-text": lambda path: scanned(path, 2)}


def asian(path: Path, font: str, content: str) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    sheet = Sheet(path)
    sheet.font(font, 11)
    content = content * 6
    sheet.lines([content[at : at + 36] for at in range(0, len(content), 36)], 70, HEIGHT - 80, 17)
    sheet.save()


DRAWERS |= {
    "chinese": lambda path: asian(path, "STSong-Light", CHINESE),
    "japanese": lambda path: asian(path, "HeiseiMin-W3", JAPANESE),
    "korean": lambda path: asian(path, "HYSMyeongJo-Medium", KOREAN),
}


def vertical(path: Path, tiers: int) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    sheet = Sheet(path)
    sheet.font("HeiseiMin-W3", 11)
    content = JAPANESE * (4 * tiers)
    length = 44 // tiers
    for column, at in enumerate(range(0, len(content), length)):
        tier, place = divmod(column, 22)
        if tier >= tiers:
            break
        for row, char in enumerate(content[at : at + length]):
            sheet.canvas.drawString(
                WIDTH - 90 - 18 * place, HEIGHT - 80 - tier * (14 * length + 40) - 14 * row, char
            )
    sheet.save()


DRAWERS |= {
    "vertical-japanese": lambda path: vertical(path, 1),
    "vertical-japanese-tiers": lambda path: vertical(path, 2),
}


def lettered(path: Path, content: str) -> None:
    _dejavu()
    sheet = Sheet(path)
    sheet.font("DejaVu", 10)
    sheet.lines(wrapped(content * 5, WIDTH - 140, "DejaVu"), 70, HEIGHT - 80)
    sheet.save()


DRAWERS |= {
    "russian": lambda path: lettered(path, RUSSIAN),
    "greek": lambda path: lettered(path, GREEK),
}


@sample("page-turned")
def page_turned(path: Path) -> None:
    sheet = Sheet(path)
    sheet.canvas.setPageRotation(90)
    sheet.canvas.rotate(90)
    sheet.lines(wrapped(text(path.name, 20), WIDTH - 140), 70, -70)
    sheet.save()


@sample("landscape")
def wide(path: Path) -> None:
    sheet = Sheet(path, landscape(A4))
    lines = wrapped(text(path.name, 30), 330)
    sheet.lines(lines[:36], 60, WIDTH - 60)
    sheet.lines(lines[36:70], 440, WIDTH - 60)
    sheet.save()


@sample("stamp-in-the-margin")
def stamped(path: Path) -> None:
    sheet = Sheet(path)
    sheet.canvas.saveState()
    sheet.canvas.rotate(90)
    sheet.lines(["preprint 2611.01234 of 1 November, second version"], 250, -30)
    sheet.canvas.restoreState()
    sheet.lines(wrapped(text(path.name, 26), WIDTH - 160), 80, HEIGHT - 80)
    sheet.save()


def _rows(seed: str, count: int) -> list[list[str]]:
    chance = random.Random(seed)
    head = ["Service", "Store", "Owner", "Latency"]
    return [
        head,
        *(
            [
                chance.choice(SERVICES),
                chance.choice(STORES),
                chance.choice(TEAMS),
                f"{chance.randint(2, 90)} ms",
            ]
            for _ in range(count)
        ),
    ]


@sample("borderless-table")
def borderless(path: Path) -> None:
    sheet = Sheet(path)
    y = sheet.lines(wrapped(text(path.name, 5), WIDTH - 140), 70, HEIGHT - 80) - 15
    for row in _rows(path.name, 9):
        for x, cell in zip((70, 180, 290, 430), row, strict=True):
            sheet.canvas.drawString(x, y, cell)
        y -= 15
    sheet.lines(wrapped(text(path.name + "b", 5), WIDTH - 140), 70, y - 15)
    sheet.save()


def flowing(path: Path, story: list[Any]) -> None:
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1).build(story)


def styles(**given: Any) -> ParagraphStyle:
    return ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=10.5, leading=13, spaceAfter=6, **given
    )


def _paragraphs(seed: str, count: int, style: ParagraphStyle) -> list[Any]:
    return [Paragraph(text(f"{seed}{n}", 5), style) for n in range(count)]


@sample("ruled-table")
def ruled(path: Path) -> None:
    table = Table(_rows(path.name, 12), style=[("GRID", (0, 0), (-1, -1), 0.5, "black")])
    flowing(
        path,
        [
            *_paragraphs(path.name, 3, styles()),
            table,
            Spacer(1, 12),
            *_paragraphs(path.name + "b", 3, styles()),
        ],
    )


@sample("justified")
def justified(path: Path) -> None:
    flowing(path, _paragraphs(path.name, 14, styles(alignment=4)))


@sample("indented-paragraphs")
def indented(path: Path) -> None:
    style = ParagraphStyle(
        "book", fontName="Times-Roman", fontSize=11, leading=13.5, firstLineIndent=16, alignment=4
    )
    flowing(path, _paragraphs(path.name, 16, style))


@sample("bullets")
def bullets(path: Path) -> None:
    lines = sentences(path.name, 24)
    flowing(
        path,
        [Paragraph(line, styles(leftIndent=18, bulletIndent=6), bulletText="•") for line in lines],
    )


@sample("headings-and-bookmarks")
def headed(path: Path) -> None:
    sheet = Sheet(path)
    for number, title in enumerate(("Overview", "Sessions", "Failover", "Recovery")):
        sheet.canvas.bookmarkPage(title)
        sheet.canvas.addOutlineEntry(title, title, 0)
        sheet.font("Helvetica-Bold", 18)
        sheet.lines([title], 70, HEIGHT - 80)
        sheet.font("Helvetica", 10)
        sheet.lines(wrapped(text(f"{path.name}{number}", 12), WIDTH - 140), 70, HEIGHT - 120)
        sheet.page()
    sheet.save()


@sample("word-by-word")
def word_by_word(path: Path) -> None:
    sheet = Sheet(path)
    chance = random.Random(path.name)
    placed = []
    for row, line in enumerate(wrapped(text(path.name, 22), WIDTH - 140)):
        x = 70.0
        for word in line.split():
            placed.append((x, HEIGHT - 80 - 13 * row, word))
            x += pdfmetrics.stringWidth(word + " ", "Helvetica", 10)
    chance.shuffle(placed)
    for x, y, word in placed:
        sheet.canvas.drawString(x, y, word)
    sheet.save()


@sample("lines-from-below")
def from_below(path: Path) -> None:
    sheet = Sheet(path)
    lines = wrapped(text(path.name, 26), WIDTH - 140)
    for row in reversed(range(len(lines))):
        sheet.canvas.drawString(70, HEIGHT - 80 - 13 * row, lines[row])
    sheet.save()


@sample("figure-across-columns")
def figure_across(path: Path) -> None:
    sheet = Sheet(path)
    parts = [wrapped(text(f"{path.name}{n}", 8), 230, hyphens=True)[:20] for n in range(4)]
    for row in range(20):
        for x, lines in zip((60, 310), parts[:2], strict=True):
            if row < len(lines):
                sheet.canvas.drawString(x, HEIGHT - 70 - 13 * row, lines[row])
    sheet.canvas.rect(60, 330, WIDTH - 120, 110)
    sheet.lines(
        [
            "Figure 1. Requests from Falcon to Quartz while Redis was failing over, in thousands an hour."
        ],
        80,
        315,
    )
    for row in range(18):
        for x, lines in zip((60, 310), parts[2:], strict=True):
            if row < len(lines):
                sheet.canvas.drawString(x, 285 - 13 * row, lines[row])
    sheet.save()


@sample("sidebar")
def sidebar(path: Path) -> None:
    sheet = Sheet(path)
    sheet.lines(wrapped(text(path.name, 18), 330, hyphens=True), 60, HEIGHT - 80)
    sheet.font("Helvetica", 8)
    sheet.lines(wrapped(text(path.name + "side", 4), 110, "Helvetica", 8), 430, HEIGHT - 140, 10)
    sheet.save()


@sample("flowing-columns-over-pages")
def over_pages(path: Path) -> None:
    made = BaseDocTemplate(str(path), pagesize=A4, invariant=1)
    frames = [Frame(50, 60, 240, HEIGHT - 130), Frame(305, 60, 240, HEIGHT - 130)]

    def furniture(canvas: Canvas, template: Any) -> None:
        canvas.setFont("Times-Italic", 9)
        canvas.drawString(56, HEIGHT - 45, "Proceedings of the Harbor Workshop")
        canvas.drawCentredString(WIDTH / 2, 35, str(template.page))

    made.addPageTemplates([PageTemplate(frames=frames, onPage=furniture)])
    made.build(_paragraphs(path.name, 40, styles(alignment=4)))


@sample("letter-spaced-heading")
def spaced(path: Path) -> None:
    sheet = Sheet(path)
    writing = sheet.canvas.beginText(70, HEIGHT - 70)
    writing.setFont("Helvetica-Bold", 14)
    writing.setCharSpace(2.0)
    writing.textLine("Incident review")
    sheet.canvas.drawText(writing)
    writing = sheet.canvas.beginText(70, HEIGHT - 100)
    writing.setFont("Helvetica", 10)
    writing.setCharSpace(0)
    for line in wrapped(text(path.name, 20), WIDTH - 140):
        writing.textLine(line)
    sheet.canvas.drawText(writing)
    sheet.save()


@sample("slides")
def slides(path: Path) -> None:
    sheet = Sheet(path, (720, 405))
    for number, title in enumerate(
        ("Why sessions were lost", "What was changed", "What is left to do"), 1
    ):
        sheet.font("Helvetica-Bold", 26)
        sheet.lines([title], 50, 340)
        sheet.font("Helvetica", 16)
        y = 290.0
        for line in sentences(f"{path.name}{number}", 3):
            y = sheet.lines(wrapped("• " + line, 600, "Helvetica", 16), 60, y, 20) - 8
        sheet.font("Helvetica", 9)
        sheet.lines([f"Harbor platform, quarterly review          {number}"], 50, 20)
        sheet.page()
    sheet.save()


def _dejavu() -> None:
    if "DejaVu" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("DejaVu", DEJAVU))


def draw(folder: Path) -> list[Path]:
    return list(_drawn(folder))


def _drawn(folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawer in DRAWERS.items():
        path = folder / f"{name}.pdf"
        try:
            drawer(path)
        except (OSError, ImportError) as error:
            print(f"{name}: not drawn ({error})", file=sys.stderr)
            continue
        yield path


if __name__ == "__main__":
    for drawn in draw(Path(sys.argv[1])):
        print(drawn)
