// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The value that the layout diagram shows for a cursor, over the real compiler.
#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const std::string kText = R"(import triton
import triton.language as tl


@triton.jit
def rotate(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = x * 2.0 - x * x + 1.0
    for i in range(4):
        y += x
    tl.store(o_ptr + offs, y, mask=mask)
)";

namespace {
struct Rotate {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  views::LayoutDiagram &diagram = *fixture.window->layoutDiagram();

  Rotate() { fixture.openAndWait(fixture.write("rotate.py", kText)); }

  void type(const char *keys) { fixture.type(keys); }
  QString shown() const {
    return diagram.current()
               ? QStringLiteral("%1 %2").arg(QString::fromStdString(diagram.current()->op),
                                             QString::fromStdString(diagram.current()->elementType))
               : QString();
  }
  /// Puts the cursor so many bytes into a part of the text; the diagram follows behind the
  /// painting.
  void expect(const std::string &part, uint32_t offset, const char *wanted) {
    Position position = rangeOf(kText, part).begin;
    position.column += offset;
    fixture.editor().goTo(position);
    const QString text = QString::fromLatin1(wanted);
    INFO(part << " at " << offset << ": " << wanted);
    const bool isShown = QTest::qWaitFor([&] { return shown() == text; }, 3000);
    INFO("shown is " << shown().toStdString());
    CHECK(isShown);
  }
};
} // namespace

TEST_CASE("a cursor on a name, or before its line, shows what is assigned",
          "[gui][worker][layout]") {
  Rotate test;
  test.expect("mask = offs", 0, "arith.cmpi i1");
  test.expect("offs = tl.program_id", 1, "arith.addi i32");
  test.expect("mask = offs", 2, "arith.cmpi i1");
  test.expect("x = tl.load", 0, "tt.load f32");
  test.expect("mask = offs", 4, "arith.cmpi i1");
  test.expect("x = tl.load", 1, "tt.load f32");
  test.expect("y = x * 2.0", 0, "arith.addf f32");
  // The line's start and its indentation.
  test.expect("    mask = offs", 0, "arith.cmpi i1");
  test.expect("    x = tl.load", 2, "tt.load f32");
  test.expect("    offs = ", 0, "arith.addi i32");
  test.expect("    y = x * 2.0", 2, "arith.addf f32");
  // An operation inside of a larger expression, and the end of the whole.
  test.expect("x * x + 1.0", 5, "arith.mulf f32");
  test.expect("x * x + 1.0", 11, "arith.addf f32");
  test.expect("x = tl.load", 0, "tt.load f32");
  test.expect("y += x", 0, "arith.addf f32");
  test.expect("x = tl.load", 0, "tt.load f32");
  test.expect("y += x", 6, "arith.addf f32");
}

TEST_CASE("the numbers of a condition's layout are those of its bits and bytes",
          "[gui][worker][layout]") {
  Rotate test;
  test.expect("mask = offs", 0, "arith.cmpi i1");
  CHECK(test.diagram.infoText().contains(QStringLiteral("in memory)")));
  CHECK_FALSE(test.diagram.infoText().contains(QStringLiteral("(0 bytes)")));
}

TEST_CASE("the last picture stays, marked stale, while a line is typed", "[gui][worker][layout]") {
  Rotate test;
  test.expect("x = tl.load", 0, "tt.load f32");
  CHECK_FALSE(test.diagram.isStale());
  QTest::keyClick(&test.fixture.editor(), Qt::Key_End);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Return);
  test.type("z = undefined_name");
  CHECK(QTest::qWaitFor([&] { return test.diagram.isStale(); }, 20000));
  CHECK(test.diagram.current() != nullptr);
  CHECK(test.diagram.tensorCanvas().content().grid.numCells > 0);
  for (int i = 0; i < 14; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.type("x");
  CHECK(QTest::qWaitFor([&] { return !test.diagram.isStale(); }, 20000));
}
