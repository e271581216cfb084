#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a report in a headless browser: content, independence of the network, correlation, print.

Usage: report_page_test.py WRITER [KEEP_FOLDER]. WRITER is the program that writes the sample report. Exits with 77 (skipped)
where there is no Chromium.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROBE = """
<script nonce="NONCE">
addEventListener("load", () => {
  const root = document.querySelector(".correlated");
  const column = (name) => root.querySelector(`.column[data-stage="${name}"]`);
  const hot = (name) => [...column(name).querySelectorAll(".ln.hot i")].map((i) => i.textContent);
  const fire = (line, kind) => line.dispatchEvent(new MouseEvent(kind, {bubbles: true}));
  const source = (n) => column("source").querySelectorAll(".ln")[n - 1];
  const found = {};
  found.before = hot("ttir").length;
  fire(source(10), "mouseover");
  found.hover = {source: hot("source"), ttir: hot("ttir"), ptx: hot("ptx")};
  fire(column("ptx").querySelectorAll(".ln")[8], "mouseover");
  found.back = {source: hot("source"), ttir: hot("ttir")};
  fire(source(12), "click");
  fire(source(7), "mouseover");
  found.pinned = hot("source");
  document.activeElement.blur();
  root.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
  found.escaped = hot("source").length;
  const box = root.querySelector('input[data-show="ttir"]');
  box.click();
  found.hidden = column("ttir").hidden;
  found.width = document.documentElement.scrollWidth <= innerWidth;
  found.background = getComputedStyle(document.body).backgroundColor;
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
</script>
"""


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, page, *options):
        command = [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update", "--no-first-run",
                   "--virtual-time-budget=3000", f"--user-data-dir={self.folder}/profile",
                   *options, page.as_uri()]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        return result.stdout


def requests_beyond_the_file(net_log):
    """URLs that the page asked for, other than itself."""
    text = net_log.read_text(errors="replace")
    urls = set(re.findall(r'"url":"([^"]+)"', text))
    # What the browser itself does on the side is on its maker's hosts; nothing in a report is.
    own = re.compile(r"^(file|data|chrome|chrome-extension|about|devtools):|google(apis)?\.com|gstatic\.com|gvt1\.com")
    return sorted(url for url in urls if not own.search(url))


def check_content(page, browser):
    dom = browser.run(page, "--window-size=1600,1000", "--dump-dom")
    for part in ("vector_add", "tt.load", "ld.global", "Layouts", "81 % of peak", "✓ matches",
                 "3 mismatches, first at [17]", "Roofline", "Environment", "Not measured: no GPU"):
        assert part in dom, part
    assert dom.count("<figure>") == 6, dom.count("<figure>")
    data = json.loads(re.search(r'id="report-data">(.*?)</script>', dom, re.S).group(1))
    assert data["kernels"][0]["kernel"] == "vector_add"


def check_self_contained(page, browser, folder):
    text = page.read_text()
    for attribute in re.findall(r'(?:src|href)="([^"]*)"', text):
        assert attribute.startswith("#"), attribute
    # Patterns of the page's own pictures are named as `url(#name)`.
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    net_log = folder / "net.json"
    browser.run(page, f"--log-net-log={net_log}", "--dump-dom")
    assert not requests_beyond_the_file(net_log), requests_beyond_the_file(net_log)


def check_policy(page, browser, folder):
    """A script that got into the page with a kernel's text does not run, and what it names is not loaded."""
    intruder = '<script>document.body.dataset.broken = "yes"</script><img src="data:," onerror="document.body.id=1">'
    broken = folder / "broken.html"
    broken.write_text(page.read_text().replace("</body>", intruder + "</body>"))
    dom = browser.run(broken, "--dump-dom")
    assert intruder.split(">")[0] in dom and "data-broken" not in dom and '<body id="1"' not in dom, "an intruder ran"


def probe(page, browser, folder, *options):
    probed = folder / "probed.html"
    text = page.read_text()
    nonce = re.search(r"'nonce-([^']+)'", text).group(1)
    probed.write_text(text.replace("</body>", PROBE.replace("NONCE", nonce) + "</body>"))
    dom = browser.run(probed, *options, "--dump-dom")
    return json.loads(re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S).group(1))


def check_correlation(page, browser, folder):
    found = probe(page, browser, folder, "--window-size=1600,1000")
    assert found["before"] == 0, found
    assert found["hover"] == {"source": ["10"], "ttir": ["11", "12", "13"], "ptx": ["12"]}, found
    assert found["back"] == {"source": ["7"], "ttir": ["4"]}, found
    assert found["pinned"] == ["12"], found
    assert found["escaped"] == 0, found
    assert found["hidden"] is True, found
    assert found["width"], "the page is wider than the window"
    narrow = probe(page, browser, folder, "--window-size=600,900")
    assert narrow["width"], "the page is wider than a narrow window"
    dark = probe(page, browser, folder, "--window-size=1600,1000", "--force-dark-mode")
    light = found["background"]
    assert dark["background"] != light, (light, dark["background"])


def check_pictures(page, browser, folder):
    shot = folder / "report.png"
    browser.run(page, "--window-size=1600,1400", f"--screenshot={shot}")
    assert shot.stat().st_size > 30000
    browser.run(page, "--window-size=1600,1400", "--force-dark-mode",
                f"--screenshot={folder / 'dark.png'}")
    pdf = folder / "report.pdf"
    browser.run(page, f"--print-to-pdf={pdf}", "--no-pdf-header-footer")
    assert pdf.read_bytes().startswith(b"%PDF")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        print("skipped: no Chromium (package: chromium)")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary).resolve()
        folder.mkdir(exist_ok=True)
        page = folder / "report.html"
        subprocess.run([sys.argv[1], str(page)], check=True)
        browser = Browser(program, temporary)
        check_content(page, browser)
        check_self_contained(page, browser, folder)
        check_policy(page, browser, folder)
        check_correlation(page, browser, folder)
        check_pictures(page, browser, folder)
    print("the report shows what it should, alone and in print")
    return 0


if __name__ == "__main__":
    sys.exit(main())
