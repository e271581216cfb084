# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Tests `tilescope lesson` and `tilescope grade` as a teacher uses them."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = sys.argv.pop()
LESSONS = pathlib.Path(__file__).parents[2] / "resources" / "lessons"

HEAD = """import triton
import triton.language as tl

# /// tilescope
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"]EXPECTED }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
"""
EXPECTED = ', expected = "2 * x_ptr"'
BODY = """    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, FACTOR * x, mask=offsets < n)
"""
OUTSIDE = """    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, 2 * x)
"""


def tilescope(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class LessonTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, text, expected=EXPECTED):
        path = self.path / name
        path.write_text(HEAD.replace("EXPECTED", expected) + text)
        return path

    def test_a_new_lesson_is_right(self):
        lesson = self.path / "first"
        self.assertEqual(tilescope("lesson", "new", lesson).returncode, 0)
        checked = tilescope("lesson", "check", lesson, "--json")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        document = json.loads(checked.stdout)
        self.assertTrue(document["ok"])
        goals = document["lessons"][0]["goals"]
        self.assertEqual([goal["start"]["verdict"] for goal in goals], ["not met", "met"])
        self.assertEqual([goal["solution"]["verdict"] for goal in goals], ["met", "met"])
        again = tilescope("lesson", "new", lesson)
        self.assertEqual(again.returncode, 1)
        self.assertIn("exists already", again.stderr)

    def test_faults_of_a_lesson_are_told(self):
        lesson = self.path / "first"
        tilescope("lesson", "new", lesson)
        start = (lesson / "start.py").read_text()
        solution = (lesson / "solution.py").read_text()
        (lesson / "start.py").write_text(solution)
        (lesson / "solution.py").write_text(start)
        checked = tilescope("lesson", "check", self.path)
        self.assertEqual(checked.returncode, 1)
        self.assertIn('start.py already meets the goal "Every element', checked.stdout)
        self.assertIn('solution.py does not meet the goal "Every element', checked.stdout)
        self.assertIn("0 of 1 lessons are right", checked.stdout)

    def test_a_folder_without_lessons_is_an_error(self):
        checked = tilescope("lesson", "check", self.path)
        self.assertEqual(checked.returncode, 1)
        self.assertIn("has no lesson", checked.stderr)
        missing = tilescope("lesson", "check", self.path / "nowhere")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("cannot read", missing.stderr)

    def test_files_are_graded_by_their_launch_blocks(self):
        files = [
            self.write("solved.py", BODY.replace("FACTOR", "2")),
            self.write("wrong.py", BODY.replace("FACTOR", "3")),
            self.write("outside.py", OUTSIDE),
            self.write("broken.py", "    x = tl.lode(x_ptr)\n"),
            self.write("unchecked.py", BODY.replace("FACTOR", "2"), expected=""),
        ]
        graded = tilescope("grade", *files, "--json")
        self.assertEqual(graded.returncode, 1)
        grades = [each["grade"] for each in json.loads(graded.stdout)["files"]]
        self.assertEqual(grades, ["solved", "wrong", "faulty", "faulty", "unchecked"])
        self.assertEqual(tilescope("grade", files[0]).returncode, 0)
        self.assertIn("1000 elements of `out_ptr` are wrong", tilescope("grade", files[1]).stdout)

    def test_a_folder_stands_for_its_kernels_and_of_a_lesson_for_those_named_after_it(self):
        for learner in ("ann", "bob"):
            (self.path / learner).mkdir()
            solution = (LESSONS / "puzzle-clip" / "solution.py").read_text()
            (self.path / learner / "puzzle-clip.py").write_text(solution)
            (self.path / learner / "helpers.py").write_text("width = 4\n")
        self.write("bob/wrong.py", BODY.replace("FACTOR", "3"))
        graded = tilescope("grade", self.path, "--json")
        names = [pathlib.Path(each["file"]).name for each in json.loads(graded.stdout)["files"]]
        self.assertEqual(names, ["puzzle-clip.py", "puzzle-clip.py", "wrong.py"])
        for lesson in ("puzzle-clip", "puzzle 1", "Puzzle 1: clip", LESSONS / "puzzle-clip"):
            graded = tilescope("grade", self.path, "--lesson", lesson, "--json")
            self.assertEqual(graded.returncode, 0, graded.stdout + graded.stderr)
            self.assertEqual(len(json.loads(graded.stdout)["files"]), 2)
        (self.path / "none").mkdir()
        (self.path / "none" / "helpers.py").write_text("width = 4\n")
        refused = tilescope("grade", self.path / "none")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("has a kernel", refused.stderr)
        unknown = tilescope("grade", self.path, "--lesson", "Puzzle 99")
        self.assertIn("no lesson is named `Puzzle 99`", unknown.stderr)

    def test_files_are_graded_by_a_lesson_with_launches_of_its_own(self):
        lesson = self.path / "first"
        tilescope("lesson", "new", lesson)
        # What the learner's own block expects does not count.
        cheat = self.write("cheat.py", BODY.replace("FACTOR", "3"), expected="")
        graded = tilescope("grade", cheat, lesson / "solution.py", "--lesson", lesson, "--json")
        files = json.loads(graded.stdout)["files"]
        self.assertEqual([each["grade"] for each in files], ["wrong", "solved"])
        self.assertEqual([each["met"] for each in files], [1, 2])

    def test_right_results_of_a_kernel_that_reads_outside_are_faulty(self):
        masked = {
            "matmul-tiled": "None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)",
            "transpose": "cols[None, :], mask=mask)",
        }
        for name, load in masked.items():
            right = (LESSONS / name / "solution.py").read_text()
            self.assertIn(load, right)
            attempt = self.path / f"{name}.py"
            attempt.write_text(right.replace(load, load.split(", mask")[0] + ")"))
            graded = tilescope("grade", attempt, "--lesson", LESSONS / name, "--json")
            file = json.loads(graded.stdout)["files"][0]
            self.assertEqual((file["grade"], file["met"]), ("faulty", file["goals"] - 1), file)
            self.assertRegex(file["reason"], r"reads `[ax]_ptr\[100, 0\]`")

    def test_a_goal_about_time_is_held_against_a_kernel_of_the_lesson(self):
        lesson = self.path / "first"
        tilescope("lesson", "new", lesson)
        # The same results, later.
        slow = (lesson / "solution.py").read_text()
        body = slow.index("    x = tl.load")
        slow = slow[:body] + "    for again in range(0, 200):\n        tl.debug_barrier()\n" + slow[body:]
        (lesson / "naive.py").write_text(slow)
        toml = lesson / "lesson.toml"
        goals = '[[goals]]\nkind = "time"\ntext = "fast"\nat_most = AT_MOST\nbaseline = "naive.py"\nmet_at_start = true\n'
        before = toml.read_text()
        toml.write_text(before + "\n" + goals.replace("AT_MOST", "0.8"))
        graded = json.loads(tilescope("grade", lesson / "solution.py", lesson / "naive.py", "--lesson", lesson, "--json").stdout)
        files = graded["files"]
        self.assertEqual([each["grade"] for each in files], ["solved", "wrong"], files)
        self.assertRegex(files[1]["reason"], r"^not measured; the model's estimate.* of `naive.py`$")
        self.assertIn("which is 1.00 of the", files[1]["reason"])
        toml.write_text(before + "\n" + goals.replace("AT_MOST", "0.8").replace("naive.py", "no.py"))
        broken = tilescope("lesson", "check", lesson)
        self.assertEqual(broken.returncode, 1)
        self.assertIn("no.py", broken.stderr)

    def test_times_are_not_measured_by_a_processor(self):
        for command in (["grade", LESSONS / "softmax" / "start.py"], ["lesson", "check", LESSONS / "softmax"]):
            refused = tilescope(*command, "--on", "cpu")
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("`--on cpu` cannot measure", refused.stderr)

    def test_the_curriculum_is_one_page_and_one_zip(self):
        lesson = self.path / "own"
        self.assertEqual(tilescope("lesson", "new", lesson).returncode, 0)
        output = self.path / "out"
        exported = tilescope("lesson", "export", lesson, "--all", "-o", output)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertNotIn("largest element of a", exported.stderr + exported.stdout)
        names = [path.stem for path in output.glob("*.html")]
        self.assertEqual(sorted(names), sorted(path.stem for path in output.glob("*.zip")))
        self.assertGreater(len(names), 30)
        page = (output / "curriculum.html").read_text()
        for name in names:
            if name != "curriculum":
                self.assertIn(f'<a href="#{name}">', page)
                self.assertIn(f'<section class="lesson" id="{name}">', page)
        with zipfile.ZipFile(output / "curriculum.zip") as together:
            folders = {entry.split("/")[0] for entry in together.namelist()}
        self.assertEqual(folders, set(names) - {"curriculum"})
        self.assertIn("own", folders)
        none = tilescope("lesson", "export", "-o", output)
        self.assertEqual(none.returncode, 1)
        self.assertIn("no lesson is named", none.stderr)

    def test_progress_tells_who_is_stuck_at_which_goal(self):
        def keep(name, lessons):
            folder = self.path / "collected" / name
            folder.mkdir(parents=True)
            (folder / "progress.json").write_text(json.dumps({"version": 1, "lessons": lessons}))

        solved = {"met": 2, "goals": 2, "open": [], "solved_at": "2026-01-31 12:00 UTC"}
        keep("anna", {"transpose": solved})
        keep("ben", {"transpose": {"met": 1, "goals": 2, "open": ["Stores use all bytes"]}})
        keep("cleo", {"transpose": {"met": 1, "goals": 2, "open": ["Stores use all bytes"]}})
        told = tilescope("lesson", "progress", self.path / "collected")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("transpose: solved by 1 of 3", told.stdout)
        self.assertIn('at "Stores use all bytes": ben, cleo', told.stdout)
        document = json.loads(tilescope("lesson", "progress", self.path / "collected", "--json").stdout)
        self.assertEqual(document["lessons"]["transpose"]["solved"], ["anna"])
        self.assertEqual(document["without_progress"], [])
        self.assertNotIn("not counted", told.stdout)
        # A learner without a file is named; one whose folder was copied into another is found there.
        (self.path / "collected" / "dan").mkdir()
        (self.path / "collected" / ".Trash-1000").mkdir()
        keep("eve/lessons", {"transpose": solved})
        told = tilescope("lesson", "progress", self.path / "collected")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("transpose: solved by 2 of 4", told.stdout)
        self.assertIn("not counted, since the folder has no progress.json: dan\n", told.stdout)
        document = json.loads(tilescope("lesson", "progress", self.path / "collected", "--json").stdout)
        self.assertEqual(document["learners"], ["anna", "ben", "cleo", "eve"])
        self.assertEqual(document["without_progress"], ["dan"])
        (self.path / "collected" / "fay").mkdir()
        told = tilescope("lesson", "progress", self.path / "collected")
        self.assertIn("not counted, since their folders have no progress.json: dan, fay\n", told.stdout)
        (self.path / "collected" / "ben" / "progress.json").write_text("[]")
        broken = tilescope("lesson", "progress", self.path / "collected")
        self.assertEqual(broken.returncode, 1)
        self.assertIn("a file of progress in lessons", broken.stderr)
        self.assertIn("transpose: solved by 2 of 3", broken.stdout)
        self.assertEqual(tilescope("lesson", "progress", self.path / "nowhere").returncode, 1)


if __name__ == "__main__":
    unittest.main()
