"""Make README's pictures from the example graph: ``python tools/pictures.py`` (needs Chromium and the ``dev`` extra).

The explorer with one statement picked, and what a terminal shows of a question. Both are what the program prints, photographed.
"""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "images")
QUESTION = "Why were berths sold twice?"
PICKED = "Booking Gateway"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PAGE = """<body style="margin:0;background:#16181d"><pre style="margin:0;padding:20px 24px;color:#d7dae0;width:max-content;
font:15px/1.5 'DejaVu Sans Mono',monospace">{text}</pre></body>"""


def main() -> int:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("google-chrome")
    os.makedirs(FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as play:
        shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(scratch, "docs"))
        for words in (["extract", "docs"], ["render"]):
            _kgraph(scratch, *words)
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        _explorer(browser, scratch)
        _answer(browser, scratch)
        browser.close()
    return 0


def _kgraph(folder: str, *words: str) -> str:
    command = [sys.executable, "-m", "kgraph", "--name", "demo", "--quiet", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def _explorer(browser: Any, folder: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(f"file://{folder}/.karpathy-graphs/demo/graph.html")
    page.wait_for_selector("html[data-searchable]", state="attached", timeout=60_000)
    page.evaluate("name => kgraph.pickNode(kgraph.graph.names.indexOf(name))", PICKED)
    page.wait_for_timeout(1000)
    page.screenshot(path=os.path.join(FOLDER, "explorer.png"))


def _answer(browser: Any, folder: str) -> None:
    """``query`` on a terminal of 100 columns."""
    import pty

    parent, child = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
    words = ["query", QUESTION, "--max-tokens", "500"]
    command = [sys.executable, "-m", "kgraph", *words]
    done = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=child, stderr=subprocess.DEVNULL, env=environment
    )  # fmt: skip
    os.close(child)
    read = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        read += part
    done.wait()
    text = (
        f'$ kgraph query "{QUESTION}" --max-tokens 500\n'
        + read.decode().replace("\r\n", "\n").rstrip()
    )
    page = browser.new_page(device_scale_factor=1.5)
    page.set_content(PAGE.format(text=html.escape(text)))
    page.locator("pre").screenshot(path=os.path.join(FOLDER, "answer.png"))


if __name__ == "__main__":
    sys.exit(main())
