# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compiles the examples and tests that each word that a user may ask about in a column has a page of help:
operations and layouts of the IR, instructions of LLVM IR, PTX and SASS. SASS is read where `nvdisasm` is there."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# These have what no example has: tensor cores, pipelines, exchanges through shared memory.
LESSONS = [ROOT / "resources" / "lessons" / name / "solution.py" for name in ("matmul-pipelined", "flash-attention", "transpose")]

# Words without a page, and why.
WITHOUT_PAGE = {
    "ttir": {"tt.return": "it ends a kernel"},
    "ttgir": {"tt.return": "it ends a kernel"},
    "llir": {
        "define": "the head of a function",
        "declare": "the head of a function that is elsewhere",
        "attributes": "facts for LLVM's passes",
        "source_filename": "the head of the file",
        "target": "the head of the file",
        "unreachable": "it marks what is never reached",
    },
    "ptx": {},
    "sass": {},
}

SUFFIX = {"llir": " (LLVM)", "ptx": " (PTX)"}
VALUE = r"(?:[%@][\w.:#\"-]+(?:, )?)*"


def words_of(stage, line):
    """The words of a line that name what is done there."""
    if stage in ("ttir", "ttgir"):
        operation = re.match(rf'\s*(?:{VALUE} = )?"?([a-z]+\.[a-z_.]+)', line)
        return ([operation[1]] if operation else []) + re.findall(r"#tt[a-z]*\.[a-z_]+", line)
    if stage == "llir":
        found = re.match(r"\s*(?:%[\w.]+ = )?(?:(?:tail|musttail|notail) )?([a-z_]+)(?=\s|$)", line)
        return [found[1]] if found and not line.startswith(("!", ";")) else []
    if stage == "ptx":
        found = re.match(r"\s*(?:@!?%p\d+\s+)?([a-z][a-z0-9_]*(?:\.[a-z0-9_:]+)*)(?:\s+[%$\[{\d-]|;)", line)
        return [found[1]] if found else []
    found = re.match(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9]*(?:\.[A-Z0-9_.]+)?)", line)
    return [found[1]] if found else []


class ColumnWordsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        told = subprocess.run([PROGRAM, "help", "--all", "--json"], capture_output=True, text=True, timeout=60)
        cls.topics = {page["topic"].lower() for page in json.loads(told.stdout)["pages"]}

    def has_page(self, stage, word):
        """As F1 looks a word up: with fewer and fewer of its parts."""
        word = word.lower()
        while word:
            if word in self.topics or word + SUFFIX.get(stage, "").lower() in self.topics:
                return True
            word = word.rpartition(".")[0]
        return False

    def test_the_words_in_columns_have_pages(self):
        seen, missing = {}, set()
        with tempfile.TemporaryDirectory() as folder:
            for number, path in enumerate(EXAMPLES + LESSONS):
                for target in ("cuda:80", "cuda:90"):
                    out = pathlib.Path(folder) / f"{number}-{target[-2:]}"
                    compiled = subprocess.run(
                        [PROGRAM, "compile", path, "--target", target, "--emit", "ttir,ttgir,llir,ptx,sass", "-o", out],
                        capture_output=True,
                        text=True,
                        timeout=120,
                    )
                    self.assertIn(compiled.returncode, (0, 3), compiled.stderr)
                    for file in out.iterdir():
                        stage = file.suffix[1:]
                        for line in file.read_text(errors="replace").splitlines():
                            for word in words_of(stage, line):
                                seen.setdefault(stage, set()).add(word)
        for stage, words in seen.items():
            missing |= {f"{stage}: {word}" for word in words if not self.has_page(stage, word) and word not in WITHOUT_PAGE[stage]}
        self.assertEqual(sorted(missing), [])
        # The reader of words has read something.
        self.assertIn("#ttg.blocked", seen["ttgir"])
        self.assertIn("tt.load", seen["ttir"])
        self.assertIn("getelementptr", seen["llir"])
        self.assertGreater(len(seen["ptx"]), 40)
        if "sass" in seen:
            self.assertGreater(len(seen["sass"]), 40)

    def test_words_that_users_asked_about_have_pages(self):
        for stage, word in (
            ("sass", "MUFU.EX2"),
            ("ptx", "barrier.sync"),
            ("ptx", "bar.sync"),
            ("ttgir", "#ttg.swizzled_shared"),
            ("ptx", "mbarrier.try_wait.parity.shared.b64"),
            ("ttgir", "#ttng.tensor_memory_encoding"),
        ):
            self.assertTrue(self.has_page(stage, word), word)
        self.assertFalse(self.has_page("sass", "NOSUCHWORD"))


if __name__ == "__main__":
    unittest.main()
