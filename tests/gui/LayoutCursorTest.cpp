// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The value that the layout diagram shows for a cursor, over the real compiler.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/stages/StageColumn.h"

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
  /// Types lines behind the one that ends with a part of the text.
  void typeBelow(const std::string &part, const std::vector<const char *> &lines) {
    fixture.editor().goTo(rangeOf(fixture.editor().utf8Text(), part).end);
    for (const char *line : lines) {
      QTest::keyClick(&fixture.editor(), Qt::Key_Escape);
      QTest::keyClick(&fixture.editor(), Qt::Key_Return);
      fixture.type(line);
    }
    QTest::keyClick(&fixture.editor(), Qt::Key_Escape);
  }
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

static const std::string kPair = R"py(import triton
import triton.language as tl


@triton.jit
def turned(p, q):
    return p - q * 2.0, p + q * 3.0


@triton.jit
def pair(x_ptr, out_ptr):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i)
    y = tl.load(x_ptr + 64 + i)
    a, b = turned(x, y)
    tl.store(out_ptr + i, a)
    tl.store(out_ptr + 64 + i, b)
)py";

TEST_CASE("a block without an operation of its own is shown or explained",
          "[gui][worker][layout]") {
  Rotate test;
  // A function of the library stands for its call.
  test.typeBelow("x = tl.load(x_ptr + offs, mask=mask)",
                 {"acc = tl.zeros((BLOCK,), tl.float32)", "x += acc", "unused = x * acc"});
  const auto text = [&] { return test.fixture.editor().utf8Text(); };
  const auto goTo = [&](const std::string &part, uint32_t offset) {
    Position position = rangeOf(text(), part).begin;
    position.column += offset;
    test.fixture.editor().goTo(position);
  };
  const auto isCurrent = [&] {
    const CompileController &compile = *test.fixture.window->compileController();
    return compile.isCurrent() && !compile.isRunning() && compile.latest()->result()->ok;
  };
  INFO(text());
  REQUIRE(QTest::qWaitFor(isCurrent, kPatienceMs));
  goTo("tl.zeros((", 4);
  CHECK(QTest::qWaitFor([&] { return test.shown() == u"arith.constant f32"; }, 3000));
  goTo("unused = x", 2);
  const auto says = [&](const char *words) {
    return QTest::qWaitFor(
        [&] {
          return test.diagram.tensorCanvas().emptyText().contains(QString::fromLatin1(words));
        },
        3000);
  };
  CHECK(says("removed `unused`: it is never used"));
}

TEST_CASE("a call that returns several values shows the first of them", "[gui][worker][layout]") {
  Rotate test;
  test.fixture.openAndWait(test.fixture.write("pair.py", kPair));
  Position call = rangeOf(kPair, "a, b = turned").begin;
  for (const uint32_t column : {0U, 3U, 7U, 9U}) {
    INFO("column " << column);
    test.fixture.editor().goTo({0, 0});
    QTest::qWait(50);
    test.fixture.editor().goTo({call.line, call.column + column});
    CHECK(QTest::qWaitFor([&] { return test.shown() == u"arith.subf f32"; }, 3000));
  }
}

namespace {
/// The example with loads, products and stores in a loop, which is pipelined.
struct Product {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  std::string text;

  explicit Product(const char *target) {
    window.compileController()->setChosenTarget(target);
    QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"));
    REQUIRE(file.open(QIODevice::ReadOnly));
    text = file.readAll().toStdString();
    fixture.openAndWait(fixture.write("matmul.py", text));
  }
  void goTo(const std::string &part, uint32_t offset) {
    Position position = rangeOf(text, part).begin;
    position.column += offset;
    fixture.editor().goTo(position);
  }
  /// Whether a line with these words comes into sight in a column when the cursor comes to a part.
  bool shows(const char *stage, const char *words, const std::string &part, uint32_t offset) {
    window.dock(QString::fromLatin1(stage))->show();
    window.dock(QString::fromLatin1(stage))->raise();
    goTo("import triton", 0);
    const uint32_t away = rangeOf(text, "import triton").begin.line;
    REQUIRE(QTest::qWaitFor([&] { return window.focusState()->selected().position.line == away; },
                            10000));
    auto *column =
        qobject_cast<views::StageColumn *>(window.dock(QString::fromLatin1(stage))->widget());
    views::CodeView &view = column->codeView();
    // A column that comes to the front may ask for its stage first.
    REQUIRE(QTest::qWaitFor(
        [&] {
          return view.isVisible() && !view.visibleRegion().isEmpty() &&
                 !view.document().text().empty() && !window.compileController()->isRunning();
        },
        kPatienceMs));
    view.scrollToLine(0);
    goTo(part, offset);
    return QTest::qWaitFor(
        [&] {
          for (int32_t line = 0; line < view.document().numLines(); ++line)
            if (view.isLineVisible(line) &&
                view.document().line(line).find(words) != std::string_view::npos)
              return true;
          return false;
        },
        3000);
  }
};
} // namespace

TEST_CASE("columns and diagram show what computes an expression, not what was made for it",
          "[gui][worker][layout]") {
  for (const char *target : {"cuda:80", "cuda:90", "cuda:100"}) {
    INFO(target);
    Product test(target);
    // Small enough that the constants at the top are out of sight then.
    test.window.resize(1366, 500);
    test.window.restoreDefaultLayout();
    QTest::qWait(50);
    CHECK(test.shows("stage.ttir", "tt.load", "a = tl.load", 6));
    // On the name that is assigned inside of a loop, too.
    CHECK(test.shows("stage.ttir", "tt.load", "a = tl.load", 0));
    CHECK(test.shows("stage.ttir", "tt.load", "a = tl.load", 3));
    if (std::string_view(target) == "cuda:80")
      CHECK(test.shows("stage.ttgir", "ttg.async_copy_global_to_local", "a = tl.load", 6));
    CHECK(test.shows("stage.ttir", "tt.dot", "tl.dot(", 4));
    CHECK(test.shows("stage.ttgir",
                     std::string_view(target) == "cuda:90" ? "ttng.warp_group_dot " : "tt.dot",
                     "tl.dot(", 4));
    test.goTo("tl.dot(", 4);
    REQUIRE(test.window.layoutDiagram()->current() != nullptr);
    const bool isAccumulator = QTest::qWaitFor(
        [&] {
          const compiler::LayoutFacts *shown = test.window.layoutDiagram()->current();
          return shown->shape == std::vector<int64_t>{64, 64} && shown->elementType == "f32";
        },
        3000);
    INFO(test.window.layoutDiagram()->titleText().toStdString());
    CHECK(isAccumulator);
    test.goTo("tl.zeros((", 4);
    // The zeros themselves, or the accumulator of the loop that they became.
    CHECK(QTest::qWaitFor(
        [&] {
          const compiler::LayoutFacts *shown = test.window.layoutDiagram()->current();
          return shown && shown->value.starts_with("%accumulator") && shown->op != "tt.dot" &&
                 shown->op != "ttng.warp_group_dot";
        },
        3000));
  }
}

TEST_CASE("while the text does not compile, links move with the lines that are typed",
          "[gui][worker][layout]") {
  Rotate test;
  test.expect("x = tl.load", 6, "tt.load f32");
  test.typeBelow("BLOCK: tl.constexpr):", {"wrong = undefined_name", "m = tl.ma"});
  REQUIRE(QTest::qWaitFor([&] { return test.diagram.isStale(); }, 20000));
  const auto goTo = [&](const std::string &part, uint32_t offset) {
    Position position = rangeOf(test.fixture.editor().utf8Text(), part).begin;
    position.column += offset;
    test.fixture.editor().goTo(position);
  };
  const views::FocusState &focus = *test.fixture.window->focusState();
  const auto isOn = [&](const std::string &part) {
    const Position begin = rangeOf(kText, part).begin;
    return QTest::qWaitFor(
        [&] {
          return !focus.selected().sources.empty() &&
                 focus.selected().sources.front().begin == begin;
        },
        3000);
  };
  goTo("x * x + 1.0", 2);
  CHECK(isOn("x * x"));
  CHECK(QTest::qWaitFor([&] { return test.shown() == u"arith.mulf f32"; }, 3000));
  goTo("mask = offs", 4);
  CHECK(QTest::qWaitFor([&] { return test.shown() == u"arith.cmpi i1"; }, 3000));
  // What is typed in a new line is linked to nothing, and what was shown stays.
  goTo("wrong = undefined", 2);
  CHECK(QTest::qWaitFor([&] { return focus.selected().isNew; }, 3000));
  CHECK(test.shown() == u"arith.cmpi i1");
  // A line of a column leads to its line in the text as it is now.
  views::StageColumn &column = *test.fixture.window->stageColumn(compiler::StageId::Ttgir);
  const views::CodeDocument &document = column.codeView().document();
  for (int32_t line = 0; line < document.numLines(); ++line)
    if (document.line(line).find("tt.store") != std::string_view::npos)
      Q_EMIT column.codeView().lineActivated(line, 4);
  const uint32_t wanted = rangeOf(test.fixture.editor().utf8Text(), "tl.store").begin.line;
  CHECK(QTest::qWaitFor([&] { return test.fixture.editor().cursor().line == wanted; }, 3000));
}

TEST_CASE("in a document of TTGIR the cursor's line shows its own value", "[gui][worker][layout]") {
  Product test("cuda:80");
  const compiler::Stage *stage =
      test.window.compileController()->latest()->result()->stage(compiler::StageId::Ttgir);
  REQUIRE(stage);
  const std::string ttgir = stage->text;
  test.fixture.openAndWait(test.fixture.write("matmul.ttgir", ttgir));
  test.text = test.fixture.editor().utf8Text();
  const auto shows = [&](const char *line, const auto &isRight) {
    INFO(line);
    test.goTo(line, 2);
    const bool isShown = QTest::qWaitFor(
        [&] {
          const compiler::LayoutFacts *shown = test.window.layoutDiagram()->current();
          return shown && isRight(*shown);
        },
        3000);
    INFO(test.window.layoutDiagram()->titleText().toStdString());
    CHECK(isShown);
  };
  shows("arith.constant dense", [](const auto &facts) { return facts.op == "arith.constant"; });
  shows("ttg.async_copy_global_to_local", [](const auto &facts) { return facts.shared; });
  shows("tt.dot", [](const auto &facts) { return facts.op == "tt.dot"; });
}
