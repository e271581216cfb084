#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the rules reject, on made-up folders and lines."""

import pathlib
import tempfile
import unittest

import check_includes
import check_links
import check_names
import check_sizes
import check_words
import folder_graph


class Names(unittest.TestCase):
    def repeated(self, *texts):
        return list(check_names.repeated(enumerate(texts)))

    def test_one_name_in_one_namespace(self):
        header = "namespace a::b {\n\nstruct Kernel : Base {\n  int x;\n};\n\n} // namespace a::b\n"
        self.assertEqual(self.repeated(header, header.replace("struct", "class")), ["a::b::Kernel"])

    def test_other_namespaces_and_declarations(self):
        self.assertEqual(self.repeated(
            "namespace a {\nstruct Kernel {\n};\n} // namespace a\n",
            "namespace b {\nstruct Kernel {\n};\n} // namespace b\n",
            "namespace a {\nstruct Kernel;\nnamespace {\nstruct Kernel {\n};\n} // namespace\n} // namespace a\n"), [])


class Links(unittest.TestCase):
    def broken(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "other.md").write_text("# Other\n\n## A part, of it\n\n```sh\n# not a heading\n```\n")
            (root / "page.md").write_text(text)
            return list(check_links.broken(root / "page.md"))

    def test_links_that_lead_somewhere(self):
        self.assertEqual(self.broken("# Top\n[a](other.md) [b](other.md#a-part-of-it) [c](#top) [d](https://x.y/z)\n"
                                     "`[code](nowhere.md)`\n"), [])

    def test_links_that_lead_nowhere(self):
        for target in ("nowhere.md", "other.md#not-a-heading", "#a-part-of-it"):
            self.assertEqual(len(self.broken(f"# Top\n[a]({target})\n")), 1, target)


class Sizes(unittest.TestCase):
    LIST = "# a comment\n\nOne class:\n  a/Long.h 300\n  a/Long.cpp 420\n"

    def faults(self, **sizes):
        return list(check_sizes.faults({f"a/{name.replace('_', '.')}": lines for name, lines in sizes.items()},
                                       check_sizes.listed(self.LIST)))

    def test_within_limits_or_the_list(self):
        self.assertEqual(self.faults(A_h=250, A_cpp=400, Long_h=300, Long_cpp=401), [])

    def test_too_long(self):
        (fault,) = self.faults(A_h=251, Long_h=300, Long_cpp=420)
        self.assertIn("a/A.h has 251 lines, and files like it at most 250", fault)

    def test_the_list_only_shrinks(self):
        grown, short = self.faults(Long_h=301, Long_cpp=400)
        self.assertIn("a/Long.cpp has 400 lines and needs no place", grown + short)
        self.assertIn("a/Long.h has 301 lines, 1 more than", grown + short)
        (gone,) = self.faults(Long_h=300)
        self.assertIn("a/Long.cpp is in sizes.txt and does not exist", gone)

    def test_every_entry_has_a_reason(self):
        with self.assertRaises(ValueError):
            check_sizes.listed("  a/Long.h 300\n")


class Circles(unittest.TestCase):
    def faults(self, *pairs):
        return list(folder_graph.circles(pairs))

    def test_one_way_is_no_fault(self):
        self.assertEqual(self.faults(("a/x/A.h", "a/y/B.h"), ("a/y/B.h", "a/z/C.h"),
                                     ("a/x/A.h", "a/z/C.h"), ("a/x/A.h", "a/x/D.h")), [])

    def test_two_folders(self):
        (fault,) = self.faults(("a/x/A.h", "a/y/B.h"), ("a/y/C.cpp", "a/x/D.h"))
        self.assertIn("the parts of a include each other in a circle: x → y → x", fault)
        self.assertIn("a/y/C.cpp includes a/x/D.h", fault)

    def test_three_folders(self):
        (fault,) = self.faults(("x/A.h", "y/B.h"), ("y/B.h", "z/C.h"), ("z/C.h", "x/D.h"))
        self.assertIn("the project include each other in a circle: x → y → z → x", fault)

    def test_a_folder_and_the_one_inside(self):
        (fault,) = self.faults(("a/A.h", "a/in/B.h"), ("a/in/B.cpp", "a/C.h"))
        self.assertIn(". → in → .", fault)

    def test_parts_of_different_inner_folders(self):
        # No folder of files is in a circle; `dialects` and `analysis` are.
        (fault,) = self.faults(("c/dialects/transforms/P.cpp", "c/analysis/A.h"),
                               ("c/analysis/A.h", "c/dialects/ir/D.h"))
        self.assertIn("analysis → dialects → analysis", fault)


class Drawing(unittest.TestCase):
    ARROWS = {"low": set(), "middle": {"low"}, "top": {"low", "middle"}}

    def test_arrows_point_down_and_implied_ones_are_left_out(self):
        self.assertEqual(folder_graph.draw(self.ARROWS), "top    → middle\nmiddle → low\nlow")

    def test_a_document_must_have_the_drawing(self):
        with tempfile.TemporaryDirectory() as folder:
            document = pathlib.Path(folder) / "doc.md"
            document.write_text(f"a\n{folder_graph.BEGIN}\n{folder_graph.END}\nb\n")
            self.assertEqual(len(folder_graph.compare(document, self.ARROWS, False)), 1)
            self.assertEqual(folder_graph.compare(document, self.ARROWS, True), [])
            self.assertEqual(folder_graph.compare(document, self.ARROWS, False), [])
            changed = self.ARROWS | {"top": {"low"}}
            self.assertIn("differs", folder_graph.compare(document, changed, False)[0])

    def test_rules_must_not_lead_in_a_circle(self):
        (fault,) = folder_graph.compare(pathlib.Path("none"), {"a": {"b"}, "b": {"a"}}, False)
        self.assertIn("a → b → a", fault)


class Rules(unittest.TestCase):
    def faults(self, path, target):
        return list(check_includes.check_file(path, [(7, target)]))

    def test_arrows_that_are_not_in_the_table(self):
        for path, target in (("compiler/inference/A.cpp", "compiler/frontend/Emitter.h"),
                             ("compiler/dialects/ttg/ir/A.cpp", "compiler/dialects/ttng/ir/Dialect.h"),
                             ("compiler/dialects/tt/ir/A.cpp", "compiler/analysis/AxisInfo.h"),
                             ("compiler/transforms/ttg/A.cpp", "compiler/conversion/tt_to_ttg/Passes.h"),
                             ("compiler/layout/A.cpp", "compiler/layout/picture/CellMap.h"),
                             ("views/run/A.cpp", "views/editor/KernelEditor.h"),
                             ("app/ide/page/A.cpp", "app/ide/run/RunController.h")):
            self.assertEqual(len(self.faults(path, target)), 1, f"{path} → {target}")
            self.assertIn(f"{path}:7", self.faults(path, target)[0])

    def test_arrows_of_the_table(self):
        for path, target in (("compiler/frontend/A.cpp", "compiler/inference/GuessSearch.h"),
                             ("compiler/transforms/ttg/A.cpp", "compiler/dialects/ttng/ir/Dialect.h"),
                             ("views/run/A.cpp", "views/common/Theme.h"),
                             ("app/ide/run/A.cpp", "app/ide/compile/CompileController.h")):
            self.assertEqual(self.faults(path, target), [])

    def test_folders_without_a_rule(self):
        self.assertIn("no rule", self.faults("compiler/new/A.cpp", "compiler/support/Result.h")[0])
        self.assertEqual(len(self.faults("app/launch/A.cpp", "compiler/new/A.h")), 1)

    def test_headers_from_outside(self):
        self.assertEqual(len(self.faults("compiler/inference/A.cpp", "mlir/IR/BuiltinOps.h")), 1)
        self.assertEqual(len(self.faults("views/run/A.cpp", "llvm/ADT/StringRef.h")), 1)
        self.assertEqual(self.faults("compiler/frontend/A.cpp", "mlir/IR/BuiltinOps.h"), [])


class Words(unittest.TestCase):
    def faults(self, code, path="app/launch/A.cpp"):
        return check_words.check_file(path, code)

    def test_decisions_by_the_words_of_a_message(self):
        for code in ('if (error.message.find("is not defined") != npos)',
                     'result.message.starts_with("out of resource")',
                     'each.text().message->contains("x")',
                     'note.str().starts_with("see current operation")',
                     'field.problem.startsWith(message)',
                     'sentence.ends_with(kReason)',
                     'if (error.message == "no GPU")',
                     'std::ranges::find(all, words, &Diagnostic::message)'):
            (fault,) = self.faults("\n" + code)
            self.assertIn("app/launch/A.cpp:2", fault)

    def test_what_is_no_decision(self):
        for code in ('m_notes.find(line)', 'text += error.message;', '// message.find("x")',
                     'problems.contains(place)', 'if (error.message.empty())',
                     'one.message == other.message'):
            self.assertEqual(self.faults(code), [])

    def test_readers_of_foreign_texts(self):
        code = 'if (message.find("inline asm") == npos)'
        self.assertEqual(self.faults(code, "compiler/pipeline/LlvmStages.cpp"), [])

    def test_types_that_became_words_too_early(self):
        for code in ('fail(DiagnosticKind::A, "got " + toString(type));',
                     'call.fail(0, DiagnosticKind::A,\n"got (" + value.describe() + ")",\n{});',
                     'return reject("`" + name + "` is " + shapeToString(shape));',
                     'diagnostic.message = "got " + value.describe();'):
            (fault,) = self.faults(code, "compiler/frontend/A.cpp")
            self.assertIn("compiler/frontend/A.cpp:1", fault)
        for code in ('fail(DiagnosticKind::A, {"got {}", type});',
                     'fail(DiagnosticKind::A, "words", {"a note: " + toString(type)});'):
            self.assertEqual(self.faults(code, "compiler/frontend/A.cpp"), [])


if __name__ == "__main__":
    unittest.main()
