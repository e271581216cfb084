// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/LineDiff.h"
#include "compiler/support/WordDiff.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/passes/PassesView.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSlider>
#include <QTableView>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::PassRecord;
using compiler::StageId;

static std::string marked(std::string_view line, const std::vector<TextSpan> &words) {
  std::string result;
  for (size_t i = 0; i <= line.size(); ++i) {
    for (const TextSpan &word : words) {
      if (static_cast<size_t>(word.end) == i)
        result += ']';
      if (static_cast<size_t>(word.begin) == i)
        result += '[';
    }
    if (i < line.size())
      result += line[i];
  }
  return result;
}

TEST_CASE("changed words are marked in lines that were replaced", "[gui][passes]") {
  const std::string_view before = "%3 = tt.load %1 : tensor<64xf32>";
  const std::string_view after = "%3 = tt.load %2, %4 : tensor<64xf32>";
  const auto [removed, added] = changedWords(before, after);
  CHECK(marked(before, removed) == "%3 = tt.load [%1] : tensor<64xf32>");
  CHECK(marked(after, added) == "%3 = tt.load [%2, %4] : tensor<64xf32>");
  // Lines that have nothing in common are different lines.
  CHECK(changedWords("tt.return", "%c1_i32 = arith.constant 1 : i32").second.empty());

  const UnifiedDiff diff = unifiedDiff("a = load p\nend\n", "a = load q\nend\n");
  REQUIRE(diff.lines.size() == 3);
  CHECK(diff.lines[0].words == std::vector<TextSpan>{{9, 10}});
  CHECK(diff.lines[1].words == std::vector<TextSpan>{{9, 10}});
  CHECK(diff.lines[2].words.empty());
}

TEST_CASE("changed words are those of the line that does the same", "[gui][passes]") {
  const UnifiedDiff diff = unifiedIrDiff("%v = tt.load %p : tensor<8xf16, #a>\n"
                                         "tt.store %q, %v : tensor<8xf16, #a>\n",
                                         "%v = ttg.convert_layout %p : tensor<8xf16, #a>\n"
                                         "%w = tt.load %v : tensor<8xf16, #b>\n"
                                         "%x = ttg.convert_layout %w : tensor<8xf16, #a>\n"
                                         "tt.store %q, %x : tensor<8xf16, #b>\n");
  REQUIRE(diff.lines.size() == 6);
  const auto lineWith = [&](DiffKind kind, int32_t number) -> const DiffLine & {
    return *std::ranges::find_if(diff.lines, [&](const DiffLine &line) {
      return line.kind == kind &&
             (kind == DiffKind::Removed ? line.oldLine : line.newLine) == number;
    });
  };
  // `tt.load` stays, and its layout is another one; what is new has nothing to be compared with.
  CHECK(lineWith(DiffKind::Added, 0).words.empty());
  CHECK(lineWith(DiffKind::Added, 2).words.empty());
  CHECK(lineWith(DiffKind::Removed, 0).words.size() == 3);
  CHECK(lineWith(DiffKind::Added, 1).words == std::vector<TextSpan>{{0, 2}, {13, 15}, {32, 34}});
}

namespace {
struct Passes {
  FocusState focus;
  PassesView view{&focus};

  explicit Passes(std::vector<PassRecord> records) {
    auto result = tests::sampleResult();
    result->passes = std::move(records);
    view.resize(900, 300);
    view.show();
    view.setResult(result);
  }
  std::string code() { return view.codeView().document().text(); }
};
} // namespace

static PassRecord record(StageId stage, const char *name, const char *ir, bool changed = true) {
  PassRecord result;
  result.stage = stage;
  result.name = name;
  result.changed = changed;
  result.ir = ir;
  return result;
}

TEST_CASE("every pass shows what it did, or says why there is nothing", "[gui][passes]") {
  Passes passes({record(StageId::Ttir, "frontend", "module {\n  %0 = tt.load %x\n}\n"),
                 record(StageId::Ttir, "canonicalize", "module {\n  %0 = tt.load %y\n}\n"),
                 record(StageId::Ttir, "cse", "", false),
                 record(StageId::LlvmIr, "translate-to-llvm-ir", "define void @k() {\n}\n"),
                 record(StageId::LlvmIr, "llvm-optimize", "define void @k() #0 {\n}\n"),
                 record(StageId::Ptx, "nvptx-codegen", ".version 8.7\n"),
                 record(StageId::Ptx, "later", "")});
  const char *const expected[] = {"%0 = tt.load %x",
                                  "%0 = tt.load %y",
                                  "%0 = tt.load %y",
                                  "define void @k() {",
                                  "#0",
                                  ".version 8.7",
                                  ""};
  QAbstractItemModelTester tester(&passes.view.model());
  for (int row = 0; row < 7; ++row) {
    passes.view.selectPass(row);
    INFO(row << ": " << passes.view.titleText().toStdString());
    CHECK_FALSE(passes.view.titleText().isEmpty());
    CHECK(passes.code().find(expected[row]) != std::string::npos);
  }
  passes.view.selectPass(1);
  CHECK(passes.view.codeView().showsDiff());
  passes.view.selectPass(4);
  CHECK(passes.view.codeView().showsDiff());
  CHECK(passes.view.titleText().contains(QStringLiteral("one by one")));
  // A text in another language is not compared with what it was made from.
  passes.view.selectPass(5);
  CHECK_FALSE(passes.view.codeView().showsDiff());
  passes.view.selectPass(6);
  CHECK(passes.view.titleText().contains(QStringLiteral("next compile")));
}

TEST_CASE("a failed pass shows the code before it", "[gui][passes]") {
  Passes passes(
      {record(StageId::Ttir, "frontend", "module {\n}\n"), record(StageId::Ttir, "broken", "")});
  auto result = tests::sampleResult();
  result->passes = {record(StageId::Ttir, "frontend", "module {\n}\n"),
                    record(StageId::Ttir, "broken", "")};
  result->passes[1].failed = true;
  passes.view.setResult(result);
  passes.view.selectPass(1);
  CHECK(passes.view.titleText().contains(QStringLiteral("broken failed")));
  CHECK(passes.code() == "module {\n}\n");
}

TEST_CASE("passes are listed with short names and readable times", "[gui][passes]") {
  PassRecord slow = record(StageId::Ttgir, "tilescope-rewrite-tensor-pointer", "module {\n}\n");
  slow.durationNs = 205'031'000'000;
  PassRecord fast = record(StageId::Ttir, "cse", "", false);
  fast.durationNs = 4'200;
  Passes passes({slow, fast});
  const PassesModel &model = passes.view.model();
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  CHECK(text(0, PassesModel::NameColumn) == QStringLiteral("rewrite-tensor-pointer"));
  CHECK(model.index(0, 0)
            .data(Qt::ToolTipRole)
            .toString()
            .startsWith(QStringLiteral("tilescope-rewrite-tensor-pointer: ")));
  CHECK(text(0, PassesModel::TimeColumn) == QStringLiteral("205,031.0 ms"));
  CHECK(text(1, PassesModel::TimeColumn) == QStringLiteral("0.004 ms"));
}

TEST_CASE("where room is short the times stay and the stages go", "[gui][passes]") {
  Passes passes({record(StageId::Ttgir, "tilescope-coalesce", "module {\n}\n")});
  auto *table = passes.view.findChild<QTableView *>();
  passes.view.resize(1200, 300);
  REQUIRE(QTest::qWaitForWindowExposed(&passes.view));
  CHECK(QTest::qWaitFor([&] { return !table->isColumnHidden(PassesModel::StageColumn); }));
  passes.view.resize(440, 240);
  CHECK(QTest::qWaitFor([&] { return table->isColumnHidden(PassesModel::StageColumn); }));
  const QAbstractItemView &view = *table;
  const int right = table->columnViewportPosition(PassesModel::TimeColumn) +
                    view.sizeHintForColumn(PassesModel::TimeColumn);
  CHECK(right <= table->viewport()->width());
  CHECK(passes.view.model().index(0, 0).data(Qt::ToolTipRole).toString().endsWith(u"(TTGIR)"));
}

TEST_CASE("the keyboard arrives at the list of passes", "[gui][passes]") {
  Passes passes({record(StageId::Ttir, "a", "module {\n}\n"),
                 record(StageId::Ttir, "b", "module\n"), record(StageId::Ttir, "c", "other\n")});
  REQUIRE(QTest::qWaitForWindowExposed(&passes.view));
  passes.view.selectPass(0);
  passes.view.setFocus();
  auto *table = passes.view.findChild<QTableView *>();
  REQUIRE(passes.view.focusProxy() == table);
  QTest::keyClick(table, Qt::Key_Down);
  CHECK(passes.view.selectedPass() == 1);
  // The slider agrees about where down is.
  QTest::keyClick(passes.view.findChild<QSlider *>(), Qt::Key_Down);
  CHECK(passes.view.selectedPass() == 2);
  QTest::keyClick(passes.view.findChild<QSlider *>(), Qt::Key_Up);
  CHECK(passes.view.selectedPass() == 1);
  QTest::keyClick(table, Qt::Key_End);
  CHECK(passes.view.selectedPass() == 2);
  QTest::keyClick(table, Qt::Key_Home);
  CHECK(passes.view.selectedPass() == 0);
}

TEST_CASE("times are read whole in a large font and little room", "[gui][passes]") {
  Passes passes({record(StageId::Ttir, "rewrite-tensor-descriptor-to-pointer", "module {\n}\n")});
  auto *table = passes.view.findChild<QTableView *>();
  REQUIRE(QTest::qWaitForWindowExposed(&passes.view));
  const QAbstractItemView &view = *table;
  for (const int width : {900, 700, 560, 440}) {
    for (const int size : {10, 16, 20}) {
      QFont font = table->font();
      font.setPointSize(size);
      table->setFont(font);
      passes.view.resize(width, 300);
      QTest::qWait(20);
      INFO(width << " at " << size);
      const int left = table->columnViewportPosition(PassesModel::TimeColumn);
      const int needed = view.sizeHintForColumn(PassesModel::TimeColumn);
      CHECK(table->columnWidth(PassesModel::TimeColumn) >= needed);
      CHECK((left + needed <= table->viewport()->width() ||
             table->horizontalScrollBar()->maximum() > 0));
    }
  }
}

TEST_CASE("the list of passes takes what it needs, and the code the rest", "[gui][passes]") {
  Passes passes({record(StageId::Ttgir, "tilescope-coalesce", "module {\n}\n"),
                 record(StageId::Ttgir, "cse", "module\n")});
  auto *table = passes.view.findChild<QTableView *>();
  passes.view.resize(1300, 600);
  REQUIRE(QTest::qWaitForWindowExposed(&passes.view));
  CHECK(QTest::qWaitFor([&] { return passes.view.codeView().width() > 800; }));
  CHECK_FALSE(table->isColumnHidden(PassesModel::StageColumn));
  CHECK(table->horizontalScrollBar()->maximum() == 0);
  // In little room it has half.
  passes.view.resize(440, 240);
  CHECK(QTest::qWaitFor([&] { return passes.view.codeView().width() >= 200; }));
}
