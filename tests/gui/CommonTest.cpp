// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/LineDiff.h"
#include "compiler/support/Text.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/common/Correlation.h"
#include "views/common/CountedText.h"
#include "views/common/FollowUp.h"
#include "views/common/LineTints.h"
#include "views/common/MovedPlaces.h"
#include "views/common/NearestSpinBox.h"
#include "views/common/QuotedCode.h"
#include "views/common/StageSyntax.h"
#include "views/common/Theme.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QScrollBar>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::StageId;

static std::string script(const std::string &before, const std::string &after) {
  std::string result;
  const auto oldLines = splitLines(before);
  const auto newLines = splitLines(after);
  for (const DiffLine &line : diffLines(oldLines, newLines)) {
    result += line.kind == DiffKind::Same ? "=" : line.kind == DiffKind::Added ? "+" : "-";
    result += line.newLine >= 0 ? newLines[line.newLine] : oldLines[line.oldLine];
  }
  return result;
}

TEST_CASE("a field takes a number that is too large for the largest", "[gui][common]") {
  NearestSpinBox field;
  field.setPrefix(QStringLiteral("dim 0: "));
  field.setRange(0, 511);
  field.setKeyboardTracking(false);
  field.show();
  const auto entered = [&](const char *keys) {
    field.selectAll();
    QTest::keyClicks(&field, QString::fromLatin1(keys));
    QTest::keyClick(&field, Qt::Key_Return);
    return field.value();
  };
  CHECK(entered("60") == 60);
  CHECK(entered("600") == 511);
  CHECK(field.text() == u"dim 0: 511");
  CHECK(entered("99999999999") == 511);
  CHECK(entered("7") == 7);
}

TEST_CASE("differences are the shortest script", "[gui][common]") {
  CHECK(script("a\nb\nc\n", "a\nx\nc\n") == "=a-b+x=c");
  CHECK(script("", "a\nb\n") == "+a+b");
  CHECK(script("a\nb\n", "") == "-a-b");
  CHECK(script("a\nb\nc\nd\n", "b\nc\nd\ne\n") == "-a=b=c=d+e");
  CHECK(script("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n").size() == 2 * (4 + 5));
}

TEST_CASE("a script turns the old text into the new one", "[gui][common]") {
  // A fixed sequence of pseudo-random texts of few different lines: many ways to match.
  uint32_t state = 7;
  auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 24; };
  for (int round = 0; round < 200; ++round) {
    std::string texts[2];
    for (std::string &text : texts)
      for (uint32_t i = next() % 20; i > 0; --i)
        text += std::string(1, static_cast<char>('a' + next() % 4)) + "\n";
    const auto before = splitLines(texts[0]);
    const auto after = splitLines(texts[1]);
    std::vector<std::string_view> oldSide, newSide;
    for (const DiffLine &line : diffLines(before, after)) {
      if (line.kind != DiffKind::Added)
        oldSide.push_back(before[line.oldLine]);
      if (line.kind != DiffKind::Removed)
        newSide.push_back(after[line.newLine]);
    }
    REQUIRE(oldSide == before);
    REQUIRE(newSide == after);
  }
}

TEST_CASE("long unchanged stretches are folded in a listing", "[gui][common]") {
  std::string before, after;
  for (int i = 0; i < 100; ++i) {
    before += "line " + std::to_string(i) + "\n";
    after += i == 50 ? "changed\n" : "line " + std::to_string(i) + "\n";
  }
  const UnifiedDiff diff = unifiedDiff(before, after, 2);
  CHECK(diff.numAdded == 1);
  CHECK(diff.numRemoved == 1);
  CHECK(diff.lines.size() == 1 + 2 + 2 + 2 + 1);
  CHECK(diff.text.find("48 unchanged lines") != std::string::npos);
}

TEST_CASE("stages are joined on the places they came from", "[gui][common]") {
  const Correlation correlation(tests::sampleResult());
  const SourceRange load =
      tests::rangeOf(tests::sampleSource(), "tl.load(x_ptr + offsets, mask=mask)");
  const auto ttir = correlation.relate(StageId::Ttir, {load});
  CHECK(std::count(ttir.begin(), ttir.end(), Relation::SameRange) == 1);
  CHECK(ttir[10] == Relation::SameRange);
  CHECK(ttir[9] == Relation::SameLine);
  const auto ptx = correlation.relate(StageId::Ptx, {load});
  CHECK(std::count(ptx.begin(), ptx.end(), Relation::SameRange) == 2);
  CHECK(correlation.sourcesOf(StageId::Ttir, 10) == std::vector<SourceRange>{load});
  CHECK(correlation.relate(StageId::Sass, {load}).empty());
}

TEST_CASE("places move with edits above, beside and inside of their lines", "[gui][common]") {
  const auto moved = [](const char *before, const char *after, Position position) {
    const auto place = MovedPlaces(before, after).moved(position);
    return place ? std::to_string(place->line) + ":" + std::to_string(place->column)
                 : std::string("gone");
  };
  CHECK(moved("a\nbcd\n", "new\na\nbcd\n", {1, 2}) == "2:2");
  // Several edits: between them everything is as it was.
  CHECK(moved("a\nb\nc\nd\n", "0\na\nb\n1\nc\nd\n", {1, 0}) == "2:0");
  CHECK(moved("a\nb\nc\nd\n", "0\na\nb\n1\nc\nd\n", {3, 0}) == "5:0");
  // In an edited line the letters tell.
  CHECK(moved("x = a + b\n", "x = a * c + b\n", {0, 8}) == "0:12");
  CHECK(moved("x = a + b\n", "x = a * c + b\n", {0, 4}) == "0:4");
  CHECK(moved("a\nb\nc\n", "a\nc\n", {1, 0}) == "gone");
  CHECK(moved("a\nb\n", "a\nb1\nb2\n", {1, 0}) == "gone");
  CHECK(moved("a\n", "a\nb\n", {1, 0}) == "2:0");
  const MovedPlaces places("a\nb\nc\n", "0\na\nb\nC\n");
  CHECK(places.unchangedLine(1) == 2u);
  CHECK_FALSE(places.unchangedLine(2));
  CHECK(places.moved(SourceRange{{0, 0}, {2, 0}, 0}) == SourceRange{{1, 0}, {3, 0}, 0});
}

TEST_CASE("the smallest expression under the cursor is meant", "[gui][common]") {
  const Correlation correlation(tests::sampleResult());
  const std::string source = tests::sampleSource();
  const SourceRange inner = tests::rangeOf(source, "x_ptr + offsets");
  CHECK(correlation.rangesAt(inner.begin) == std::vector<SourceRange>{inner});
  const SourceRange outer = tests::rangeOf(source, "tl.load(x_ptr + offsets, mask=mask)");
  CHECK(correlation.rangesAt(outer.begin) == std::vector<SourceRange>{outer});
  CHECK(correlation.rangesAt({0, 3}).empty());
}

TEST_CASE("the share of mapped lines leaves out blank ones", "[gui][common]") {
  const Correlation correlation(tests::sampleResult());
  CHECK(correlation.mappedShare(StageId::Ttir) == Approx(14.0 / 17));
}

static ColorRole roleAt(TextLanguage language, std::string_view line, std::string_view word) {
  const size_t at = line.find(word);
  for (const ColoredToken &token : colorLine(language, line))
    if (token.begin <= at && at < token.begin + token.length)
      return token.role;
  return ColorRole::Text;
}

TEST_CASE("stages are coloured by what their words mean", "[gui][common]") {
  const std::string_view mlir =
      "  %3 = tt.load %2, %mask : tensor<128x!tt.ptr<f32>, #blocked> loc(#loc3)";
  CHECK(roleAt(TextLanguage::Mlir, mlir, "tt.load") == ColorRole::Language);
  CHECK(roleAt(TextLanguage::Mlir, mlir, "%mask") == ColorRole::Argument);
  CHECK(roleAt(TextLanguage::Mlir, mlir, "tensor") == ColorRole::Type);
  CHECK(roleAt(TextLanguage::Mlir, mlir, "#blocked") == ColorRole::Attribute);
  CHECK(roleAt(TextLanguage::Mlir, "%0 = arith.constant dense<1.0> : f32 // why", "// why") ==
        ColorRole::Comment);
  const std::string_view ptx = "\t@%p1 ld.global.v4.b32 { %r11, %r12 }, [ %rd1 + 16 ];";
  CHECK(roleAt(TextLanguage::Ptx, ptx, "ld.global") == ColorRole::Language);
  CHECK(roleAt(TextLanguage::Ptx, ptx, "%rd1") == ColorRole::Register);
  CHECK(roleAt(TextLanguage::Ptx, ptx, "16") == ColorRole::Number);
  CHECK(roleAt(TextLanguage::Llvm, "  %5 = load float, ptr %4, align 4 ; hint", "float") ==
        ColorRole::Type);
  CHECK(roleAt(TextLanguage::Sass, "  LDG.E.128 R4, [R2.64] ;", "R4") == ColorRole::Register);
  for (const char *line : {"", "\"open", "%", "@", "#{", "-", "/* open", "'"})
    for (auto language : {TextLanguage::Ast, TextLanguage::Mlir, TextLanguage::Llvm,
                          TextLanguage::Ptx, TextLanguage::Sass})
      for (const ColoredToken &token : colorLine(language, line))
        CHECK(token.begin + token.length <= std::string_view(line).size());
}

TEST_CASE("folds hide what lies between braces", "[gui][common]") {
  CodeDocument document("module {\n  func {\n    a\n    b\n  }\n}\n");
  CHECK(document.folds() == std::vector<FoldRange>{{0, 5}, {1, 4}});
  document.setCollapsed(1, true);
  CHECK(document.rows() == std::vector<int32_t>{0, 1, 4, 5});
  CHECK(document.rowOf(3) == 1);
  document.setCollapsed(1, false);
  CHECK(document.rows().size() == 6);
}

TEST_CASE("a code view follows the keyboard and the mouse", "[gui][common]") {
  CodeView view;
  view.resize(500, 300);
  view.setText("first line\nsecond line\nthird line\n", TextLanguage::Plain);
  view.show();
  QSignalSpy activated(&view, &CodeView::lineActivated);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(120, 4));
  REQUIRE(activated.size() == 1);
  CHECK(activated[0][0].toInt() == 0);
  QTest::keyClick(&view, Qt::Key_Down);
  CHECK(view.currentLine() == 1);
  QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
  CHECK(view.selectedText() == QStringLiteral("first line\nsecond line\nthird line"));
  CHECK(view.find(QStringLiteral("third"), {}, true));
  CHECK(view.currentLine() == 2);
  CHECK(view.selectedText() == QStringLiteral("third"));
  CHECK_FALSE(view.find(QStringLiteral("fourth"), {}, true));
  FindOptions expression;
  expression.regularExpression = true;
  CHECK(view.find(QStringLiteral("^s\\w+"), expression, true));
  CHECK(view.selectedText() == QStringLiteral("second"));
}

TEST_CASE("lines whose text is out of sight at the left come back into view", "[gui][common]") {
  CodeView view;
  view.resize(300, 120);
  std::string text;
  for (int line = 0; line < 60; ++line)
    text += "    v" + std::to_string(line) + std::string(200, '+') + "\n";
  view.setText(text, TextLanguage::Plain);
  view.show();
  QScrollBar *bar = view.horizontalScrollBar();
  bar->setValue(bar->maximum());
  QTest::keyClick(&view, Qt::Key_Home);
  CHECK(bar->value() == 0);

  bar->setValue(bar->maximum());
  QTest::keyClick(&view, Qt::Key_Down);
  // Four blanks may stay out of sight.
  const int indent = static_cast<int>(4 * QFontMetricsF(view.font()).horizontalAdvance(u'0'));
  CHECK(bar->value() < 2 * indent);

  bar->setValue(bar->maximum());
  view.scrollToLine(40);
  CHECK(bar->value() < 2 * indent);
  CHECK(view.isLineVisible(40));

  // What is in sight stays where it is.
  bar->setValue(3);
  QTest::keyClick(&view, Qt::Key_Down);
  CHECK(bar->value() == 3);
}

TEST_CASE("fifty thousand lines are shown and searched at once", "[gui][common][timed]") {
  std::string text;
  for (int i = 0; i < 50000; ++i)
    text += "\tadd.s32 \t%r" + std::to_string(i) + ", %r" + std::to_string(i + 1) + ", 4;\n";
  CodeView view;
  view.resize(600, 900);
  view.show();
  view.setText(text, TextLanguage::Ptx);
  QElapsedTimer timer;
  timer.start();
  const int frames = 30;
  for (int i = 0; i < frames; ++i) {
    view.verticalScrollBar()->setValue(i * 1600);
    view.grab();
  }
  // Generous: the test machine may be busy. A view that lays out everything needs seconds for each.
  CHECK(timer.elapsed() / frames < 300);
  CHECK(view.find(QStringLiteral("%r49999,"), {}, true));
  CHECK(view.currentLine() >= 49998);
}

TEST_CASE("other numbers of values are not changes", "[gui][common]") {
  const UnifiedDiff inserted = unifiedIrDiff("%0 = tt.load %x_1\n"
                                             "%1 = arith.addf %0, %x_1\n"
                                             "tt.store %1, %0\n",
                                             "%0 = tt.load %x_1\n"
                                             "%1 = arith.mulf %0, %0\n"
                                             "%2 = arith.addf %0, %x_1\n"
                                             "tt.store %2, %0\n");
  CHECK(inserted.numAdded == 1);
  CHECK(inserted.numRemoved == 0);
  // Other operands are one, though the lines differ in their numbers alone.
  const UnifiedDiff swapped = unifiedIrDiff("%0 = tt.load %a\n%1 = tt.load %b\ntt.store %0, %1\n",
                                            "%0 = tt.load %a\n%1 = tt.load %b\ntt.store %1, %0\n");
  CHECK(swapped.numAdded == 1);
  CHECK(swapped.numRemoved == 1);
  // A number that is not a name's is part of the code.
  CHECK(unifiedIrDiff("%c = arith.constant 1\n", "%c = arith.constant 2\n").numAdded == 1);
  CHECK(unifiedIrDiff("add.f32 %f3, %f1, %f2;\n", "add.f32 %f7, %f5, %f6;\n").numAdded == 0);
}

TEST_CASE("marks of related lines are beside the text, not on it", "[gui][common]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  CodeView view;
  view.resize(300, 200);
  std::string text;
  for (int line = 0; line < 8; ++line)
    text += std::string(300, 'W') + "\n";
  view.setText(text, TextLanguage::Plain);
  std::vector<Relation> relations(8, Relation::None);
  relations[0] = Relation::SameRange;
  view.setRelations(relations);
  view.show();
  REQUIRE(QTest::qWaitForWindowExposed(&view));
  const QImage image = view.viewport()->grab().toImage();
  int numMarked = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = image.width() - 4; x < image.width(); ++x) {
      const QColor color = image.pixelColor(x, y);
      numMarked += color == theme()[ColorRole::FocusEdge];
      REQUIRE((color == theme()[ColorRole::FocusEdge] || color == theme()[ColorRole::Base]));
    }
  CHECK(numMarked > 0);
}

TEST_CASE("work that follows is done once, in the next event", "[gui][common]") {
  int numDone = 0;
  FollowUp work(nullptr, [&] { ++numDone; });
  work.request();
  work.request();
  CHECK(numDone == 0);
  QCoreApplication::processEvents();
  CHECK(numDone == 1);
  work.request();
  work.finish();
  CHECK(numDone == 2);
  work.finish();
  QCoreApplication::processEvents();
  CHECK(numDone == 2);
  work.request();
  work.cancel();
  QCoreApplication::processEvents();
  CHECK(numDone == 2);
}

TEST_CASE("one of something is not several", "[gui][common]") {
  CHECK(countedText(1, "program") == u"1 program");
  CHECK(countedText(0, "program") == u"0 programs");
  CHECK(countedText(uint64_t(4), "warp") == u"4 warps");
  CHECK(countedText(QStringLiteral("1"), QStringLiteral("stage")) == u"1 stage");
  CHECK(countedText(QStringLiteral("…"), QStringLiteral("stage")) == u"… stages");
}

TEST_CASE("lines keep their tints while others come and go", "[gui][common]") {
  views::LineTints tints;
  tints.follow("x = load()\ny = x * 2\nstore(y)\n");
  CHECK(tints.of({0, 1, 2, 3, -1}) == std::vector<int32_t>{0, 1, 2, -1, -1});
  tints.follow("x = load()\nz = load()\ny = x * 2\nstore(y)\n");
  CHECK(tints.of({0, 1, 2, 3}) == std::vector<int32_t>{0, 2, 1, 2});
  // One that is being typed keeps its own.
  tints.follow("x = load()\nz = load(p)\ny = x * 2\nstore(y)\n");
  CHECK(tints.of({0, 1, 2, 3}) == std::vector<int32_t>{0, 2, 1, 2});
  tints.follow("import m\nx = load()\nz = load(p)\ny = x * 2\nstore(y)\n");
  CHECK(tints.of({1, 2, 3, 4}) == std::vector<int32_t>{0, 2, 1, 2});
  CHECK(tints.of(0) != tints.of(1));
  tints.follow("y = x * 2\nstore(y)\n");
  CHECK(tints.of({0, 1}) == std::vector<int32_t>{1, 2});
}

TEST_CASE("code in words is painted in quotes", "[gui][common]") {
  CHECK(quotedCode(QStringLiteral("`a` and `b`, cut `c…")) == u"‘a’ and ‘b’, cut ‘c…");
  applyTheme(loadTheme(QStringLiteral("dark")));
  const auto painted = [](const char16_t *text) {
    QLabel label(QString::fromUtf16(text));
    label.resize(240, 24);
    return label.grab().toImage();
  };
  CHECK(painted(u"`x` is not defined") == painted(u"‘x’ is not defined"));
  CHECK_FALSE(painted(u"`x` is not defined") == painted(u"x is not defined"));
}
