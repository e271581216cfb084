// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Step mode over the real compiler: columns of the IR, and what names and values mean.
#include "tests/gui/StepFixture.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::StepModel;
using views::StepView;

/// The line that stores.
static int storeOf(const views::CodeView &code) {
  const std::string &text = code.document().text();
  return static_cast<int>(
      std::count(text.begin(), text.begin() + static_cast<long>(text.find("tt.store")), '\n'));
}

/// Puts the column of TTGIR in front, at that line.
static int goToStore(Steps &test, views::CodeView &code) {
  test.window.dock(QStringLiteral("stage.ttgir"))->raise();
  code.setFocus();
  code.setCurrentLine(storeOf(code));
  return storeOf(code);
}

TEST_CASE("operations of TTGIR are stepped, and its lines have breakpoints",
          "[gui][worker][step]") {
  Steps test;
  test.view.unitField().setCurrentIndex(1);
  test.view.stageField().setCurrentIndex(1);
  test.press(Qt::Key_F10);
  views::CodeView &code = test.window.stageColumn(StageId::Ttgir)->codeView();
  const int first = code.stepLine();
  CHECK(first > 0);
  test.press(Qt::Key_F10);
  CHECK(code.stepLine() > first);
  code.setFocus();
  const int store = storeOf(code);
  code.setCurrentLine(store);
  QTest::keyClick(&code, Qt::Key_F9);
  test.press(Qt::Key_F7);
  CHECK(code.stepLine() == store);
  CHECK(test.line() == 26);
}

TEST_CASE("a line of a column gets a condition in the names of the IR, by keys",
          "[gui][worker][step]") {
  Steps test;
  test.view.stageField().setCurrentIndex(1);
  views::StageColumn &column = *test.window.stageColumn(StageId::Ttgir);
  views::CodeView &code = column.codeView();
  const int store = goToStore(test, code);
  QTest::keyClick(&code, Qt::Key_F9, Qt::ShiftModifier);
  QPointer<QInputDialog> dialog = test.window.findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  CHECK(dialog->windowTitle() == QStringLiteral("Breakpoint in TTGIR, line %1").arg(store + 1));
  // What is offered is about a value that the line works on.
  CHECK(dialog->comboBoxItems().front().startsWith(u"any(isnan(%"));
  dialog->setTextValue(QStringLiteral("%gone > 90"));
  dialog->accept();
  CHECK(dialog->isVisible());
  CHECK(dialog->labelText().contains(u"TTGIR has no value %gone."));
  dialog->setTextValue(QStringLiteral("max(z) > 90"));
  dialog->accept();
  CHECK(code.breakpointLines() == std::map<int32_t, std::string>{{store, "max(z) > 90"}});
  // A dialog that closes does not always hand the keys back on this platform.
  test.window.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&test.window));
  // Program 3 writes 96 and more, program 0 at most 31.
  test.press(Qt::Key_F7);
  CHECK(test.window.steps()->state()->isAtEnd);
  test.view.programField(0).setValue(3);
  REQUIRE(test.waitFor([&] { return test.line() == 22; }));
  test.press(Qt::Key_F7);
  CHECK(code.stepLine() == store);
  CHECK(test.view.reasonText() == u"‘max(z) > 90’ is true");
  // The marks stay with their lines where the column shows only what differs.
  column.setComparison({views::Comparison::With::Baseline});
  CHECK(code.breakpointLines().empty());
  CHECK(code.stepLine() == -1);
  column.setComparison({});
  CHECK(code.breakpointLines().contains(store));
  CHECK(code.stepLine() == store);
}

TEST_CASE("a breakpoint of a stage is reached, or said not to be", "[gui][worker][step]") {
  Steps test;
  views::CodeView &code = test.window.stageColumn(StageId::Ttgir)->codeView();
  const int store = goToStore(test, code);
  QTest::keyClick(&code, Qt::Key_F9);
  // Nothing is stepped through yet: what is begun executes that stage.
  CHECK(test.view.stage() == StageId::Ttgir);
  CHECK(test.window.statusBar()->currentMessage() ==
        u"Step executes TTGIR from now on, which has the breakpoint.");
  test.press(Qt::Key_F7);
  CHECK(code.stepLine() == store);
  CHECK(test.view.reasonText() == QStringLiteral("Breakpoint in TTGIR, line %1").arg(store + 1));
  CHECK(test.view.staleText().isEmpty());
  // Of another stage it is not reached, which is said as long as that is so.
  test.view.stageField().setCurrentIndex(0);
  REQUIRE(test.waitFor([&] { return test.window.steps()->state()->stage == StageId::Ttir; }));
  REQUIRE(test.waitFor([&] { return !test.window.steps()->isBusy(); }));
  CHECK(test.view.staleText() == u"Breakpoints in TTGIR are not reached: TTIR is executed. Options "
                                 u"→ Stage → TTGIR begins anew there.");
  test.window.action(QStringLiteral("clearBreakpoints"))->trigger();
  CHECK(code.breakpointLines().empty());
  CHECK(test.view.staleText().isEmpty());
  // From the palette, back.
  test.window.action(QStringLiteral("stepTtgir"))->trigger();
  REQUIRE(test.waitFor([&] { return test.window.steps()->state()->stage == StageId::Ttgir; }));
}

TEST_CASE("breakpoints of stages and the stage that is stepped are there at the next start",
          "[gui][worker][step]") {
  Steps test;
  test.window.steps()->setCondition(StageId::Ttgir, 12, "max(%offs) > 3");
  const QObject *page = test.window.currentPage();
  const app::StageBreakpoints breakpoints = test.window.steps()->stageBreakpoints(page);
  REQUIRE(breakpoints.size() == 1);
  test.window.close();
  test.fixture.open();
  MainWindow &window = *test.fixture.window;
  REQUIRE(window.restoreSession());
  CHECK(window.steps()->stageBreakpoints(window.currentPage()) == breakpoints);
  CHECK(window.steps()->view()->stage() == StageId::Ttgir);
  // They are the file's: another one has none.
  test.fixture.openAndWait(test.fixture.write("other.py", kScaled));
  CHECK(window.steps()->stageBreakpoints(window.currentPage()).empty());
}

TEST_CASE("the buffers of a stepped TTGIR are listed and shown as pictures",
          "[gui][worker][step]") {
  Steps test(R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "product"
# grid = [1]
# [args]
# a_ptr = { dtype = "fp32", shape = [32, 64], init = "arange" }
# b_ptr = { dtype = "fp32", shape = [64, 32], init = "ones" }
# out_ptr = { dtype = "fp32", shape = [32, 32] }
# ///


@triton.jit
def product(a_ptr, b_ptr, out_ptr):
    row = tl.arange(0, 32)
    deep = tl.arange(0, 16)
    acc = tl.zeros((32, 32), tl.float32)
    for i in range(4):
        a = tl.load(a_ptr + row[:, None] * 64 + (i * 16 + deep)[None, :])
        b = tl.load(b_ptr + (i * 16 + deep)[:, None] * 32 + row[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(out_ptr + row[:, None] * 32 + row[None, :], acc)
)");
  test.view.unitField().setCurrentIndex(1);
  test.view.stageField().setCurrentIndex(1);
  test.press(Qt::Key_F10);
  // The ring of the factor, of which a copy fills one slot.
  const auto buffer = [&] {
    for (int row = 0; row < test.view.model().rowCount(); ++row)
      if (test.view.model().index(row, StepModel::Type).data().toString() ==
          u"fp32[3, 32, 16] shared")
        return row;
    return -1;
  };
  for (int i = 0; i < 200 && buffer() < 0; ++i)
    test.press(Qt::Key_F10);
  REQUIRE(buffer() >= 0);
  const QString name = test.view.model().index(buffer(), StepModel::Ssa).data().toString();
  const auto preview = [&] {
    return test.view.model().index(buffer(), StepModel::Value).data().toString();
  };
  CHECK(preview() == u"all 0");
  for (int i = 0; i < 200 && preview() == u"all 0"; ++i)
    test.press(Qt::Key_F10);
  CHECK(preview().startsWith(u"[0, 1, 2, 3, …]"));
  CHECK(test.view.model().index(buffer(), 0).data(StepModel::ChangedRole).toBool());
  test.view.table().setCurrentIndex(test.view.model().index(buffer(), 0));
  REQUIRE(test.waitFor([&] {
    return !test.window.steps()->isBusy() && test.view.picture().isDrawn() &&
           test.view.picture().titleText().startsWith(name);
  }));
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.waitFor([&] { return preview() == u"all 0"; }));
}

TEST_CASE("names show what lines without an operation bind them to", "[gui][worker][step]") {
  std::string text = kScaled;
  const std::string store = "    tl.store(out_ptr + offs, z, mask=mask)\n";
  text.replace(text.find(store), store.size(),
               "    x, z = z, x\n"
               "    flag = 7\n"
               "    tl.store(out_ptr + offs, x + z + flag, mask=mask)\n");
  Steps test(text);
  for (int i = 0; i < 8 && test.line() != 26; ++i)
    test.press(Qt::Key_F10);
  REQUIRE(test.line() == 26);
  const QString x = test.value(QStringLiteral("x")), z = test.value(QStringLiteral("z"));
  CHECK(x != z);
  CHECK(test.value(QStringLiteral("flag")).isEmpty());
  test.press(Qt::Key_F10);
  CHECK(test.line() == 27);
  CHECK(test.value(QStringLiteral("x")) == z);
  CHECK(test.value(QStringLiteral("z")) == x);
  test.press(Qt::Key_F10);
  CHECK(test.line() == 28);
  CHECK(test.value(QStringLiteral("flag")) == u"7");
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.line() == 27);
  CHECK(test.value(QStringLiteral("flag")).isEmpty());
}

TEST_CASE("a chosen value that is gone leaves the next row alone", "[gui][worker][step]") {
  Steps test;
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  test.choose(QStringLiteral("mask"));
  for (int i = 0; i < 2; ++i)
    test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.value(QStringLiteral("mask")).isEmpty());
  CHECK_FALSE(test.view.table().currentIndex().isValid());
  for (int i = 0; i < 2; ++i)
    test.press(Qt::Key_F10);
  CHECK(test.view.table().currentIndex().siblingAtColumn(StepModel::Name).data().toString() ==
        u"mask");
}

/// A kernel with a constexpr, and a second one without its names.
static const std::string kTwoKernels = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "copy"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [32], init = "arange" }
# [constexprs]
# BLOCK = 16
# ///


@triton.jit
def copy(x_ptr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x_ptr + offs)
    tl.store(x_ptr + offs, a * 2)


# /// tilescope
# kernel = "fill"
# grid = [1]
# [args]
# out_ptr = { dtype = "fp32", shape = [8] }
# ///


@triton.jit
def fill(out_ptr):
    zeros = tl.zeros((8,), tl.float32)
    tl.store(out_ptr + tl.arange(0, 8), zeros)
)";

/// The words in the place of a picture.
static QString wordsOf(views::StepPicture &picture) {
  for (const QLabel *label : picture.findChildren<QLabel *>())
    if (label->isVisibleTo(&picture) && label->text().endsWith(u'.'))
      return label->text();
  return {};
}

/// Goes to a row of the variables with the arrow keys.
static void goToRow(Steps &test, const QString &name) {
  QTableView &table = test.view.table();
  table.setFocus();
  QTest::keyClick(&table, Qt::Key_Home, Qt::ControlModifier);
  for (int i = 0; i < test.view.model().rowCount(); ++i) {
    if (table.currentIndex().siblingAtColumn(StepModel::Name).data().toString() == name)
      break;
    QTest::keyClick(&table, Qt::Key_Down);
  }
  REQUIRE(table.currentIndex().siblingAtColumn(StepModel::Name).data().toString() == name);
  REQUIRE(test.waitFor([&] { return !test.window.steps()->isBusy(); }));
}

TEST_CASE("an address is told in words, not as a number with a mean", "[gui][worker][step]") {
  Steps test(kTwoKernels);
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  goToRow(test, QStringLiteral("a"));
  REQUIRE(test.waitFor([&] { return test.view.picture().isDrawn(); }));
  goToRow(test, QStringLiteral("x_ptr"));
  REQUIRE(test.waitFor([&] { return !test.view.picture().isDrawn(); }));
  CHECK(wordsOf(test.view.picture()) == u"x_ptr points to x_ptr[0].");
  CHECK(test.view.picture().titleText() == u"x_ptr  pointer<fp32>");
  CHECK_FALSE(test.view.picture().modeField().isEnabled());
  // It stays so at the next line.
  test.press(Qt::Key_F10);
  CHECK(wordsOf(test.view.picture()) == u"x_ptr points to x_ptr[0].");
}

TEST_CASE("a chosen constexpr has its value beside it, and no elements of another",
          "[gui][worker][step]") {
  Steps test(kTwoKernels);
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  goToRow(test, QStringLiteral("a"));
  REQUIRE(test.waitFor([&] { return test.view.picture().isDrawn(); }));
  goToRow(test, QStringLiteral("BLOCK"));
  CHECK_FALSE(test.view.picture().isDrawn());
  CHECK(wordsOf(test.view.picture()) == u"BLOCK is 16.");
  test.press(Qt::Key_F10);
  CHECK(wordsOf(test.view.picture()) == u"BLOCK is 16.");
  CHECK(test.view.table().currentIndex().siblingAtColumn(StepModel::Name).data().toString() ==
        u"BLOCK");
}

TEST_CASE("what was chosen of one kernel is not looked for in another", "[gui][worker][step]") {
  Steps test(kTwoKernels);
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  goToRow(test, QStringLiteral("offs"));
  REQUIRE(test.waitFor([&] { return test.view.picture().isDrawn(); }));
  test.goToLine(31);
  REQUIRE(test.waitFor([&] {
    const CompileController &compile = *test.window.compileController();
    return compile.document()->kernel() == "fill" && compile.isCurrent() && !compile.isRunning();
  }));
  test.window.action(QStringLiteral("stepRestart"))->trigger();
  REQUIRE(test.waitFor([&] {
    return !test.window.steps()->isBusy() && test.view.positionLine().contains(u"fill, line");
  }));
  CHECK_FALSE(wordsOf(test.view.picture()).contains(u"offs"));
  test.press(Qt::Key_F10);
  REQUIRE(test.waitFor([&] { return test.view.picture().isDrawn(); }));
  CHECK(test.view.picture().titleText() == u"zeros  fp32[8]");
}

TEST_CASE("a function of another file is shown where the program is, and left again",
          "[gui][worker][step]") {
  Steps test;
  test.fixture.write("helpers.py", "import triton\nimport triton.language as tl\n\n\n"
                                   "@triton.jit\ndef scaled(x, k):\n    y = x * k\n"
                                   "    return y + 1\n");
  std::string text = kScaled;
  const size_t begin = text.find("@triton.jit\ndef scaled"),
               end = text.find("@triton.jit\ndef scale(");
  text.erase(begin, end - begin);
  text.insert(0, "from helpers import scaled\n");
  test.fixture.openAndWait(test.fixture.write("imports.py", text));
  EditorPage *kernel = test.window.currentPage();
  test.view.setWatches({QStringLiteral("max(offs)")});
  for (int i = 0; i < 4; ++i)
    test.press(Qt::Key_F10);
  const int call = test.line();
  test.press(Qt::Key_F11);
  REQUIRE(test.window.currentPage()->title() == u"helpers.py");
  CHECK(test.window.editor()->hasFocus());
  CHECK(test.line() == 7);
  CHECK(test.view.frameField().itemText(0) == u"scaled, helpers.py line 7");
  CHECK(test.view.staleText().isEmpty());
  test.press(Qt::Key_F10);
  CHECK(test.line() == 8);
  test.press(Qt::Key_F11, Qt::ShiftModifier);
  CHECK(test.window.currentPage() == kernel);
  CHECK(test.line() == call + 1);
  // The breakpoints of the kernel's file hold in the other one, too.
  test.window.editor()->toggleBreakpoint(static_cast<uint32_t>(call));
  const CompileController &compile = *test.window.compileController();
  REQUIRE(test.waitFor([&] { return compile.isCurrent() && !compile.isRunning(); }));
  test.press(Qt::Key_F10, Qt::ControlModifier);
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  REQUIRE(test.line() == call);
  test.press(Qt::Key_F11);
  REQUIRE(test.window.currentPage() != kernel);
  test.press(Qt::Key_F7);
  CHECK(test.window.currentPage() == kernel);
  CHECK(test.line() == call + 1);
  CHECK(test.view.reasonText().startsWith(u"Breakpoint in line"));
  // Watches belong to the file that is stepped through.
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("scale.py")));
  REQUIRE(test.waitFor([&] { return test.window.compileController()->isCurrent(); }));
  test.press(Qt::Key_F10);
  CHECK(test.view.watches().isEmpty());
}

TEST_CASE("unsigned values are unsigned in the view", "[gui][worker][step]") {
  std::string text = kScaled;
  text.replace(text.find("dtype = \"fp32\""), 14, "dtype = \"u8\"");
  text.replace(text.find("scaled(x, 2.0)"), 14, "x + 200");
  text.replace(text.find("other=0.0"), 9, "other=0");
  text.replace(text.find("x_ptr * 2 + 1"), 13, "x_ptr + 200");
  Steps test(text);
  for (int i = 0; i < 5; ++i)
    test.press(Qt::Key_F10);
  CHECK(test.value(QStringLiteral("z"), StepModel::Type) == u"uint8[16]");
  CHECK(test.value(QStringLiteral("z")).contains(u"200 … 215"));
  test.choose(QStringLiteral("z"));
  CHECK(test.view.picture().tableModel().index(0, 3).data().toString() == u"203");
}
