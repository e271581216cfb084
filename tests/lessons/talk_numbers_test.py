# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The numbers that a lesson's text and its talk's notes say of a kernel are those that Tilescope counts."""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

PROGRAM = sys.argv.pop()
LESSONS = pathlib.Path(__file__).parents[2] / "resources" / "lessons"
MIB, KIB = 1 << 20, 1 << 10


@functools.cache
def inspected(lesson, file, sizes="", *more):
    """What `tilescope inspect` says of a file of a lesson."""
    command = [PROGRAM, "inspect", LESSONS / lesson / f"{file}.py", "--json", *more]
    command += ["--set", sizes] if sizes else []
    return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)


def edited(lesson, file, words, others):
    """What `tilescope inspect` says when a learner has put other words in the place of these."""
    text = (LESSONS / lesson / f"{file}.py").read_text()
    assert words in text, (lesson, words)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.py"
        path.write_text(text.replace(words, others))
        command = [PROGRAM, "inspect", path, "--json"]
        return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)


@functools.cache
def compiled(lesson, file):
    """The kernel's PTX."""
    command = [PROGRAM, "compile", LESSONS / lesson / f"{file}.py", "--emit=ptx"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout


def total(document, key, argument, kind=""):
    """Over all accesses of an argument."""
    return sum(
        each[key] for each in document["accesses"] if each.get("argument") == argument and kind in each["kind"]
    )


def each_request(document, argument, kind=""):
    return total(document, "sectors", argument, kind) // total(document, "requests", argument, kind)


def wavefronts(document, kind):
    """Of one program, for the exchange between threads."""
    programs = document["grid"][0] * document["grid"][1] * document["grid"][2]
    return (
        sum(
            each["wavefronts"]
            for each in document["accesses"]
            if each["operation"] == "ttg.convert_layout" and kind in each["kind"]
        )
        // programs
    )


@functools.cache
def checked(lesson):
    """What `tilescope lesson check` says of a lesson."""
    command = [PROGRAM, "lesson", "check", LESSONS / lesson, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)["lessons"][0]


def wave(file):
    """The MiB that the first programs read and that are different, and how often each byte is read."""
    (goal,) = (each for each in checked("matmul-grouped")["goals"] if "first 132 programs" in each["text"])
    return re.search(r"(\d+) MiB of it is different: each byte is read ([\d.]+) times", goal[file]["evidence"]).groups()


def facts():
    """The lesson, the words of its notes, and what the program counts in their place."""

    def start(lesson):
        return inspected(lesson, "start")

    def solution(lesson):
        return inspected(lesson, "solution")

    yield "coalescing", "{:,} sectors: 4 MiB", total(start("coalescing"), "sectors", "x_ptr")
    yield "coalescing", "sectors: {} MiB, for an array of 512 KiB", total(start("coalescing"), "bytes_fetched", "x_ptr") // MIB
    yield "coalescing", "in one request: {} sectors", each_request(solution("coalescing"), "x_ptr")
    yield "coalescing", "{:,} sectors: 512 KiB", total(solution("coalescing"), "sectors", "x_ptr")
    yield "layouts", "{} in place of 64", total(solution("layouts"), "requests", "x_ptr")
    yield "layouts", "in place of {}", total(start("layouts"), "requests", "x_ptr")
    yield "shared-memory", "needs {} wavefronts to write", wavefronts(start("shared-memory"), "store")
    yield "shared-memory", "and {} to read it", wavefronts(start("shared-memory"), "load")
    yield "shared-memory", "A thread takes {} registers", start("shared-memory")["resources"]["registers"]
    yield "shared-memory", "and {} registers a thread", solution("shared-memory")["resources"]["registers"]
    yield "shared-memory", "its tile with {} wavefronts", wavefronts(solution("shared-memory"), "store")
    yield "shared-memory", "and reads it with {}.", wavefronts(solution("shared-memory"), "load")
    yield "transpose", "32 neighbors: {} sectors", each_request(start("transpose"), "x_ptr")
    yield "transpose", "A request touches {} sectors", each_request(start("transpose"), "out_ptr")
    yield "transpose", "The stores move {} MiB", total(start("transpose"), "bytes_fetched", "out_ptr") // MIB
    yield "transpose", "{} sectors a request", each_request(solution("transpose"), "out_ptr")
    yield "transpose", "The stores move {} KiB now", total(solution("transpose"), "bytes_fetched", "out_ptr") // KIB
    yield "transpose", "{} wavefronts to write", wavefronts(solution("transpose"), "store")
    yield "transpose", "and {} to read in each program", wavefronts(solution("transpose"), "load")
    yield "softmax", "Twice in, once out: {:,}", sum(
        each["bytes_fetched"] for each in start("softmax")["accesses"] if each["kind"].startswith("global")
    )
    yield "softmax", "{:,} bytes, once in and once out", sum(
        each["bytes_fetched"] for each in solution("softmax")["accesses"] if each["kind"].startswith("global")
    )
    yield "softmax", "move {:,} bytes: 128 × 784 × 4", total(solution("softmax"), "bytes_fetched", "x_ptr")
    yield "matmul-tiled", "`b_ptr` fetch {} MiB", total(start("matmul-tiled"), "bytes_fetched", "b_ptr") // MIB
    yield "matmul-tiled", "`a_ptr` {} MiB", total(start("matmul-tiled"), "bytes_fetched", "a_ptr") // MIB
    yield "matmul-tiled", "{} sectors together", total(solution("matmul-tiled"), "sectors", "a_ptr")
    yield "matmul-tensor-cores", "There are {} in the loop", compiled("matmul-tensor-cores", "start").count("fma.rn.f32")
    products = compiled("matmul-tensor-cores", "solution").count("wgmma.mma_async.sync.aligned.m64n64k16")
    yield "matmul-tensor-cores", "and {} of them make the step", {2: "two"}[products]
    yield "matmul-pipelined", "three for `b`: {} KiB", solution("matmul-pipelined")["resources"]["shared_bytes"] // KIB
    yield "matmul-pipelined", "took {} KiB", start("matmul-pipelined")["resources"]["shared_bytes"] // KIB
    yield "matmul-pipelined", "takes {} registers in place", solution("matmul-pipelined")["resources"]["registers"]
    yield "matmul-pipelined", "in place of {}.", start("matmul-pipelined")["resources"]["registers"]
    yield "atomics-and-races", "are {} requests in all", total(solution("atomics-and-races"), "requests", "total_ptr")
    yield "occupancy", "A thread takes {} registers", start("occupancy")["resources"]["registers"]
    yield "occupancy", "8 elements a thread: {} registers", solution("occupancy")["resources"]["registers"]
    races = checked("atomics-and-races")["goals"][0]["start"]["evidence"]
    sums = re.search(r"wrong, at \[0\]: ([\d.]+) instead of ([\d.]+)", races).groups()
    last, all_of_them = (float(each) for each in sums)
    yield "atomics-and-races", "with {:.2f}, which is the sum of the last block. The sum of all is {:.2f}.", (last, all_of_them)
    yield "numerics", "4096 / 32,768 = {:.1f}", float(
        re.search(r"\[0\]: ([\d.]+) instead of 1", checked("numerics")["goals"][0]["start"]["evidence"])[1]
    )
    yield "layer-norm", "move {:,} bytes: 64 × 768 × 4", total(solution("layer-norm"), "bytes_fetched", "x_ptr")
    backward = checked("layer-norm-backward")["goals"][0]["start"]["evidence"]
    yield "layer-norm-backward", "({:,} of 49,152", int(re.search(r"(\d+) elements of `dx_ptr` are wrong", backward)[1])
    yield "layer-norm-backward", "{} requests for `dw_ptr`", total(solution("layer-norm-backward"), "requests", "dw_ptr")
    yield "layer-norm-backward", "in place of {} with", total(start("layer-norm-backward"), "requests", "dw_ptr")
    yield "layer-norm-backward", "A thread takes {} registers", solution("layer-norm-backward")["resources"]["registers"]
    yield "layer-norm-backward", "The kernel before took {}", start("layer-norm-backward")["resources"]["registers"]
    yield "matmul-grouped", "all of `b`: {} MiB of it is different. Each byte is read {} times", wave("start")
    yield "matmul-grouped", "{} MiB of what its programs read is different, and each byte is read {} times", wave("solution")
    yield "roofline", "{:,} bytes: 16 again", sum(total(start("roofline"), "bytes_fetched", name) for name in ("a_ptr", "b_ptr"))
    yield "roofline", "both inputs move {:,} bytes", sum(
        total(solution("roofline"), "bytes_fetched", name) for name in ("a_ptr", "b_ptr")
    )
    yield "roofline", "of {} that it takes", solution("roofline")["resources"]["registers"]
    yield "roofline", "The smaller tile takes {}", start("roofline")["resources"]["registers"]
    yield "autotuning", "the loads take {} requests", total(start("autotuning"), "requests", "x_ptr")
    yield "autotuning", "and {} requests for the same bytes", total(solution("autotuning"), "requests", "x_ptr")
    wide = inspected("autotuning", "start", "", "--constexpr", "BLOCK=1024", "--option", "num_warps=8")
    yield "autotuning", "256 threads, needs {}, too", total(wide, "requests", "x_ptr")
    yield "reading-code", "`cvt.rn.f32.f64`: {} of each", compiled("reading-code", "start").count("mul.f64")
    yield "reading-code", "`div.s32`, {} of them", compiled("reading-code", "start").count("div.s32")
    yield "reading-code", "executes {:.0f} instructions now", solution("reading-code")["estimate"]["facts"]["instructions"]
    yield "reading-code", "it executed {:.0f}.", start("reading-code")["estimate"]["facts"]["instructions"]
    for keys in ("128", "8192"):
        document = inspected("flash-attention", "solution", f"n_keys={keys}")
        yield "flash-attention", "{} KiB, whether there are 128 keys or 8192", document["resources"]["shared_bytes"] // KIB


def text_facts():
    """The same of a lesson's text, goals and hints."""

    def start(lesson):
        return inspected(lesson, "start")

    def solution(lesson):
        return inspected(lesson, "solution")

    def goal(lesson, words, file="start"):
        """What was found of the goal with these words."""
        (found,) = (each for each in checked(lesson)["goals"] if words in each["text"])
        return found[file]["evidence"]

    def number(pattern, words):
        return float(re.search(pattern, words)[1].replace(",", ""))

    never = number(r"never writes ([\d,]+) elements", goal("programs-and-masks", "The same when"))
    yield "programs-and-masks", "Only the first {:.0f} elements are right", 1000 - never
    yield "numerics", "every mean is {}", number(r"\[0\]: ([\d.]+) instead of 1", goal("numerics", "`mean_ptr`"))
    yield "coalescing", "lie far apart, that is {} sectors", each_request(start("coalescing"), "x_ptr")
    sectors = each_request(inspected("coalescing", "solution", "", "--constexpr", "BLOCK=128"), "x_ptr")
    yield "coalescing", "that is 128 bytes: {} sectors", {4: "four"}[sectors]
    yield "layouts", "{:.0f} bytes. One instruction can move 16", number(r"moves (\d+) bytes", goal("layouts", "loads 16"))
    kib = start("shared-memory")["resources"]["shared_bytes"] // KIB
    yield "shared-memory", "The tile takes {} KiB of shared memory", kib
    kib = solution("shared-memory")["resources"]["shared_bytes"] // KIB
    yield "shared-memory", "BLOCK = 32: {} KiB, and rows of 128 bytes", kib
    yield "transpose", "request touches {} sectors of 32 bytes", each_request(start("transpose"), "out_ptr")
    loads = total(solution("softmax"), "bytes_fetched", "x_ptr")
    yield "softmax", "784 numbers of 4 bytes are {:,} bytes, so once in and once out is {:,}", (loads, 2 * loads)
    yield "layer-norm", "loaded once: at most {:,} bytes", total(solution("layer-norm"), "bytes_fetched", "x_ptr")
    moved = number(r"([\d,]+) bytes are moved", goal("matmul-tiled", "At most"))
    yield "matmul-tiled", "instead of {:.0f} MB", moved / 1e6
    yield "matmul-tensor-cores", "{} of them in its loop", compiled("matmul-tensor-cores", "start").count("fma.rn.f32")
    tf32 = edited("matmul-tensor-cores", "start", ', input_precision="ieee"', "")
    fetched = total(tf32, "bytes_fetched", "b_ptr") // total(tf32, "bytes_fetched", "a_ptr")
    yield "matmul-tensor-cores", "its sectors are fetched {} times", {4: "four"}[fetched]
    yield "occupancy", "in 4 warps is {} elements per thread", 16384 // start("occupancy")["resources"]["threads"]
    loads = sum(total(solution("roofline"), "bytes_fetched", name) for name in ("a_ptr", "b_ptr"))
    yield "roofline", "The loads move at most {:,} bytes: {} operations for each byte", (loads, 2 * 256**3 // loads)


def notes_of(step):
    """One text for the step, or one for each of its views."""
    return step["notes"] if isinstance(step["notes"], list) else [step["notes"]]


class TalkNumbersTest(unittest.TestCase):
    def test_notes_say_what_is_counted(self):
        if not inspected("occupancy", "start").get("occupancy"):
            self.skipTest("registers need the assembler, which is missing")
        talks = {}
        for lesson, words, number in facts():
            if lesson not in talks:
                script = tomllib.loads((LESSONS / lesson / "present.toml").read_text())
                talks[lesson] = " ".join(re.sub(r"\s+", " ", text) for step in script["steps"] for text in notes_of(step))
            numbers = number if isinstance(number, tuple) else (number,)
            self.assertIn(words.format(*numbers), talks[lesson], lesson)

    def test_texts_say_what_is_counted(self):
        if not inspected("occupancy", "start").get("occupancy"):
            self.skipTest("registers need the assembler, which is missing")
        texts = {}
        for lesson, words, number in text_facts():
            if lesson not in texts:
                script = tomllib.loads((LESSONS / lesson / "lesson.toml").read_text())
                goals = [goal["text"] for goal in script["goals"]]
                parts = [(LESSONS / lesson / "text.md").read_text(), *goals, *script["hints"]]
                texts[lesson] = " ".join(re.sub(r"\s+", " ", part) for part in parts)
            numbers = number if isinstance(number, tuple) else (number,)
            self.assertIn(words.format(*numbers), texts[lesson], lesson)

    def test_every_lesson_has_a_talk(self):
        curriculum = tomllib.loads((LESSONS / "curriculum.toml").read_text())
        lessons = [name for chapter in curriculum["chapters"][:-1] for name in chapter["lessons"]]
        self.assertGreaterEqual(len(lessons), 21)
        for name in lessons:
            self.assertTrue((LESSONS / name / "present.toml").is_file(), name)


if __name__ == "__main__":
    unittest.main()
