# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What reports make of names, paths and texts that mean something to HTML, Markdown, spreadsheets and scripts."""

import csv
import html.parser
import io
import json
import re

from harness import Case
from texts import BODY, kernel

SCRIPT = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"
PATHS = (f"k{SCRIPT}.py".replace("/", ""), "k'\"&lt;.py", "=cmd|' !A1.py", "k|`x`|[a](b).py", "-k.py", "k\n# forged\n.py", "k\x1b[2J.py",
         "+1+1.py", "@SUM(1).py", "k\u202eyp.py", "\xe9\xe8.py")


class Page(html.parser.HTMLParser):
    """The elements of a page, and its data."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.scripts, self.tags, self.handlers, self.policy = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        facts = dict(attributes)
        self.handlers += [name for name in facts if name.startswith("on")]
        if tag == "script":
            self.scripts.append([facts, ""])
        if tag == "meta" and facts.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = facts["content"]

    def handle_data(self, data):
        if self.scripts and self.lasttag == "script":
            self.scripts[-1][1] += data


def check_page(source):
    def check(ending):
        text = (ending.out / "r.html").read_text(errors="replace")
        page = Page(text)
        assert "default-src 'none'" in page.policy and "unsafe-inline'; script" not in page.policy, page.policy
        assert [facts.get("id") for facts, _ in page.scripts] == ["report-data", None], page.scripts
        assert not page.handlers and "img" not in page.tags, "markup of a text became the page's"
        assert re.search(r"script-src 'nonce-[A-Za-z0-9+/=]+'", page.policy), page.policy
        data = json.loads(page.scripts[0][1])
        found = data["kernels"][0]
        given = found["source"].encode() if "source_base64" not in found else __import__("base64").b64decode(found["source_base64"])
        assert given == source, "the source is not embedded byte for byte"
        if found["ok"]:
            lost = [stage["name"] for stage in found["stages"] if stage.get("text") and not any(stage["sources"])]
            assert not lost, f"lines of {lost} come from no line of the source"
    return check


def check_csv(ending):
    rows = list(csv.reader(io.StringIO((ending.out / "r.csv").read_text(errors="replace"), newline="")))
    assert len(rows) == 2 and len(rows[0]) == len(rows[1]), rows
    assert not any(re.match(r"[=+@\t\r]|-(?![0-9.])", field) for field in rows[1]), rows[1]


def check_markdown(ending):
    text = (ending.out / "r.md").read_text(errors="replace")
    text = re.sub(r"(?ms)^(`{3,})[a-z]*\n.*?^\1$", "", text)
    assert not re.search(r"^# forged", text, re.M), "a name forged a heading"
    assert not re.search(r"(?<!\\)<(script|img|!--)", text), "markup outside of code"


def check_json(source):
    def check(ending):
        found = json.loads((ending.out / "r.json").read_text())["kernels"][0]
        given = found["source"].encode() if "source_base64" not in found else __import__("base64").b64decode(found["source_base64"])
        assert given == source, "the source is not kept byte for byte"
    return check


def report(name, path, text, form, **more):
    source = text if isinstance(text, bytes) else text.encode()
    check = {"html": check_page(source), "json": check_json(source), "csv": check_csv, "md": check_markdown}[form]
    return Case("reports", f"{name}, {form}", ["{tilescope}", "report", "--on", "cpu", "-o", "{out}/r." + form, "--", path],
                {path: source, "out/x": ""}, status=(0, 1), says="", check=check, seconds=40, **more)


def cases():
    for index, path in enumerate(PATHS):
        for form in ("html", "csv", "md"):
            yield report(f"path {index}", path, kernel(), form)
    texts = {
        "script in a comment": kernel() + f"# {SCRIPT}\n", "comment in a comment": kernel() + "# <!-- <script> ]]> </style>\n",
        "Windows line ends": kernel().replace("\n", "\r\n"), "no line end": kernel().rstrip("\n"),
        "fences": kernel() + "# ``` \n'''\n```\n# forged\n'''\n", "long fences": kernel() + "'''\n" + "`" * 500 + "\n# forged\n'''\n",
        "Latin-1": (kernel() + "# caf\xe9\n").encode("latin-1"), "control characters": kernel() + "# \x01\x1b[2J\x7f\n",
        "separators": kernel() + "# \u2028\u2029\n", "mark of UTF-8": b"\xef\xbb\xbf" + kernel().encode(),
        "script in a constant": kernel().replace('BLOCK = "8"', "BLOCK = \"8\"\nS = \"'" + SCRIPT + "'\"")
                                .replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, S: tl.constexpr"),
        "script in an argument": kernel().replace("x_ptr =", f"\"{SCRIPT.replace('/', '')}\" ="),
        "script in a message": kernel(body=BODY.replace("tl.load", "tl.static_assert(False, '" + SCRIPT + "') + tl.load")),
        "script in a launch": kernel().replace("# [sizes]", f"# name = \"{SCRIPT}\"\n# [sizes]"),
    }
    for name, text in texts.items():
        for form in ("html", "md", "json"):
            yield report(name, "k.py", text, form)
