#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Checks the links of all Markdown files: each leads to a file, and to a heading of it where it names one.

Run without arguments from anywhere; exits 1 and lists every link that leads nowhere.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)|^\s*\[[^\]]+\]:\s+(\S+)", re.M)
CODE = re.compile(r"^(```|~~~).*?^\1\s*$|`[^`\n]*`", re.M | re.S)


def anchors(path):
    """The names that sites and GitHub give to the headings of a page."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", path.read_text(), flags=re.M | re.S)
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", text, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words).strip()))
    return found


def broken(page):
    """What is wrong with the links of a page."""
    for groups in LINK.findall(CODE.sub("", page.read_text())):
        target = groups[0] or groups[1]
        if "://" in target or target.startswith(("mailto:", "tilescope:", "live:")):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        if not other.exists():
            yield f"`{target}`: there is no such file"
        elif anchor and anchor not in anchors(other):
            yield f"`{target}`: the page has no such heading"


def main():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    pages = [ROOT / name for name in listed] or [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"),
                                                 *ROOT.glob("resources/**/*.md")]
    found = [f"{page.relative_to(ROOT)}: {problem}" for page in pages for problem in broken(page)]
    print("\n".join(found) or f"{len(pages)} pages have no broken link")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
