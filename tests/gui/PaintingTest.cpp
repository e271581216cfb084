// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How much is painted, and when: keys must not wait for pictures.
#include "tests/gui/EditorFixture.h"
#include "views/common/PaintSlices.h"

#include <QElapsedTimer>
#include <QPaintEvent>

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;

static constexpr int kRowHeight = 10;
static constexpr int kNumRows = 60;

namespace {
/// Rows that take long to paint, with what was painted for each event.
class SlowRows : public QWidget {
public:
  SlowRows() { resize(100, kNumRows * kRowHeight); }

  std::vector<std::vector<QRect>> events;

  QRegion painted() const {
    QRegion all;
    for (const std::vector<QRect> &parts : events)
      for (const QRect &part : parts)
        all += part;
    return all;
  }

protected:
  void paintEvent(QPaintEvent *event) override {
    events.emplace_back();
    m_slices.paint(event->region(), kRowHeight, 405, [this](const QRect &part) {
      QElapsedTimer timer;
      timer.start();
      while (timer.nsecsElapsed() < 2'000'000) {
      }
      events.back().push_back(part);
    });
  }

private:
  PaintSlices m_slices{this};
};

/// The painted part of a widget.
class PaintedRegion : public QObject {
public:
  explicit PaintedRegion(QWidget *widget) { widget->installEventFilter(this); }
  QRegion region;

  /// Waits until nothing has been painted for a while.
  void settle() {
    m_sinceLast.start();
    REQUIRE(QTest::qWaitFor([&] { return m_sinceLast.elapsed() > 60; }, 5000));
  }

protected:
  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() != QEvent::Paint)
      return false;
    region += static_cast<QPaintEvent *>(event)->region();
    m_sinceLast.start();
    return false;
  }

private:
  QElapsedTimer m_sinceLast;
};
} // namespace

TEST_CASE("what takes long to paint is painted over several events", "[gui][painting]") {
  SlowRows rows;
  rows.show();
  REQUIRE(QTest::qWaitForWindowExposed(&rows));
  REQUIRE(QTest::qWaitFor([&] { return rows.painted() == rows.rect(); }, 5000));
  // The first picture is whole: there is none from before.
  CHECK(rows.events.size() == 1);
  rows.events.clear();
  rows.update();
  REQUIRE(QTest::qWaitFor([&] { return rows.painted() == rows.rect(); }, 5000));
  CHECK(rows.events.size() >= 5);
  for (const std::vector<QRect> &parts : rows.events)
    CHECK(parts.size() <= 3);
  CHECK(rows.events.front().front().contains(50, 405));
  for (const std::vector<QRect> &parts : rows.events)
    for (const QRect &part : parts)
      CHECK((part.top() % kRowHeight == 0 && part.height() % kRowHeight == 0));
}

TEST_CASE("rows are painted whole, and each once", "[gui][painting]") {
  SlowRows rows;
  rows.show();
  REQUIRE(QTest::qWaitForWindowExposed(&rows));
  REQUIRE(QTest::qWaitFor([&] { return rows.painted() == QRegion(rows.rect()); }, 5000));
  rows.events.clear();
  // Painting row 39 for the sake of one pixel would erase the part of it that was painted before.
  rows.update(QRegion(20, 399, 10, 12) + QRegion(50, 391, 10, 4));
  REQUIRE(QTest::qWaitFor([&] { return rows.painted() == QRegion(0, 390, 100, 30); }, 5000));
  int height = 0;
  for (const std::vector<QRect> &parts : rows.events)
    for (const QRect &part : parts)
      height += part.height();
  CHECK(height == 30);
}

TEST_CASE("a picture of a widget is whole", "[gui][painting]") {
  SlowRows rows;
  rows.show();
  REQUIRE(QTest::qWaitFor([&] { return rows.painted() == rows.rect(); }, 5000));
  rows.events.clear();
  rows.grab();
  CHECK(rows.events.size() == 1);
  CHECK(rows.painted() == rows.rect());
}

TEST_CASE("a key has those lines painted that change, not the editor", "[gui][painting]") {
  QString text;
  for (int line = 0; line < 60; ++line)
    text += QStringLiteral("x%1 = %1\n").arg(line);
  EditorFixture fixture(text);
  KernelEditor &editor = fixture.editor;
  // As the window answers a moved cursor and a compile: most is as before.
  std::map<int32_t, int32_t> tinted;
  for (int32_t line = 0; line < 16; line += 2)
    tinted[line] = line % 12;
  compiler::Diagnostic wrong;
  QSignalSpy moved(&editor, &KernelEditor::cursorMoved);
  QObject::connect(&editor, &KernelEditor::cursorMoved, &editor, [&](Position at) {
    editor.setFocusRanges({{{at.line, 0}, {at.line, 2}, 0}, {{12, 0}, {12, 2}, 0}});
    const int32_t last = tinted.rbegin()->first;
    tinted.erase(last);
    tinted[last == 14 ? 15 : 14] = last % 12;
    editor.setTintedLines(tinted);
    wrong.range = {{5, 0}, {5, 2}, 0};
    wrong.message = "wrong at " + std::to_string(at.column);
    editor.setDiagnostics({wrong});
  });
  editor.goTo({9, 6});
  REQUIRE(QTest::qWaitFor([&] { return moved.count() > 0; }, 2000));
  fixture.type("1");
  REQUIRE(moved.wait(2000));
  PaintedRegion painted(editor.viewport());
  painted.settle();
  painted.region = {};
  fixture.type("2");
  REQUIRE(moved.wait(2000));
  painted.settle();
  const auto rowHeight = static_cast<int>(editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0UL));
  int numRows = 0;
  for (int row = 0; row < editor.viewport()->height() / rowHeight; ++row)
    numRows +=
        painted.region.intersects(QRect(0, row * rowHeight, editor.viewport()->width(), rowHeight));
  // The typed one, that of the message, and two of the tints.
  CHECK(numRows >= 4);
  CHECK(numRows <= 6);
}

TEST_CASE("a key between two brackets has its own line painted alone", "[gui][painting]") {
  QString text;
  for (int line = 0; line < 60; ++line)
    text += QStringLiteral("x%1 = %1\n").arg(line);
  EditorFixture fixture(text);
  KernelEditor &editor = fixture.editor;
  QSignalSpy moved(&editor, &KernelEditor::cursorMoved);
  editor.goTo({9, 6});
  REQUIRE(QTest::qWaitFor([&] { return moved.count() > 0; }, 2000));
  fixture.type("+(1");
  REQUIRE(QTest::qWaitFor([&] { return editor.cursor().column == 9; }, 2000));
  PaintedRegion painted(editor.viewport());
  painted.settle();
  painted.region = {};
  // The bracket that the cursor stands before moves on with it.
  moved.clear();
  fixture.type("2");
  REQUIRE(QTest::qWaitFor([&] { return moved.count() > 0; }, 2000));
  painted.settle();
  const auto rowHeight = static_cast<int>(editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0UL));
  CHECK(!painted.region.isEmpty());
  CHECK(painted.region.boundingRect().height() <= 2 * rowHeight);
}

TEST_CASE("a signature that is shown already is not painted again", "[gui][painting]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.putAtEnd();
  fixture.type("y = tl.load(");
  const HoverCard &card = fixture.editor.signatureCard();
  REQUIRE(card.isVisible());
  PaintedRegion painted(const_cast<HoverCard *>(&card));
  REQUIRE(QTest::qWaitFor([&] { return !painted.region.isEmpty(); }, 2000));
  painted.settle();
  painted.region = {};
  QSignalSpy moved(&fixture.editor, &KernelEditor::cursorMoved);
  fixture.type("pp");
  REQUIRE(moved.wait(2000));
  CHECK(card.isVisible());
  painted.settle();
  CHECK(painted.region.isEmpty());
}

TEST_CASE("what is on the screen after typing is what a whole picture shows", "[gui][painting]") {
  QString text;
  for (int line = 0; line < 80; ++line)
    text += QStringLiteral("value_%1 = tl.load(pointer + %1, mask=offsets < %1)\n").arg(line);
  EditorFixture fixture(text);
  KernelEditor &editor = fixture.editor;
  QObject::connect(&editor, &KernelEditor::cursorMoved, &editor, [&](Position at) {
    editor.setFocusRanges({{{at.line, 0}, {at.line, 4}, 0}});
  });
  const auto onScreen = [&] {
    return fixture.window.screen()->grabWindow(fixture.window.winId()).toImage();
  };
  const auto isSame = [&] { return onScreen() == fixture.window.grab().toImage(); };
  editor.goTo({12, 10});
  REQUIRE(QTest::qWaitFor(isSame, 5000));
  const QImage before = onScreen();
  fixture.type("\nx = 1\n\ny = (2)\n");
  CHECK(QTest::qWaitFor(isSame, 5000));
  CHECK(onScreen() != before);
  editor.undo();
  CHECK(QTest::qWaitFor(isSame, 5000));
  QTest::keyClick(&editor, Qt::Key_PageDown);
  CHECK(QTest::qWaitFor(isSame, 5000));
}
