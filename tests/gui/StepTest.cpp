// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Step mode over the real compiler, by keys.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/step/StepController.h"
#include "tests/gui/WindowFixture.h"
#include "views/common/tensor/TensorModel.h"
#include "views/editor/EditorIndicators.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepModel.h"
#include "views/step/StepPicture.h"
#include "views/step/StepView.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::StepModel;
using views::StepView;

/// Lines from 0: the kernel's first is 21.
static const std::string kScaled = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "scale"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [50], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [50], expected = "x_ptr * 2 + 1" }
# n = 50
# ///


@triton.jit
def scaled(x, k):
    y = x * k
    return y + 1


@triton.jit
def scale(x_ptr, out_ptr, n):
    offs = tl.program_id(0) * 16 + tl.arange(0, 16)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    z = scaled(x, 2.0)
    tl.store(out_ptr + offs, z, mask=mask)
)";

namespace {
struct Steps {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  StepView &view = *window.steps()->view();
  QAbstractItemModelTester tester{&view.model()};

  explicit Steps(const std::string &text = kScaled) {
    fixture.openAndWait(fixture.write("scale.py", text));
  }
  bool waitFor(const std::function<bool()> &what) { return QTest::qWaitFor(what, 30000); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(window.editor(), key, modifiers);
    QCoreApplication::processEvents();
    REQUIRE(waitFor([&] { return !window.steps()->isBusy() && view.hasState(); }));
  }
  /// From 1; 0: no program has stopped in the editor.
  int line() const {
    const std::optional<uint32_t> at = window.editor()->stepLine();
    return at ? static_cast<int>(*at) + 1 : 0;
  }
  QString value(const QString &name, int column = StepModel::Value) const {
    for (int row = 0; row < view.model().rowCount(); ++row)
      if (view.model().index(row, StepModel::Name).data() == name)
        return view.model().index(row, column).data().toString();
    return {};
  }
  void choose(const QString &name) {
    for (int row = 0; row < view.model().rowCount(); ++row)
      if (view.model().index(row, StepModel::Name).data() == name)
        view.table().setCurrentIndex(view.model().index(row, 0));
    REQUIRE(waitFor([&] {
      return !window.steps()->isBusy() && view.picture().isDrawn() &&
             view.picture().titleText().startsWith(name);
    }));
  }
  void goToLine(int line) { fixture.editor().goTo({static_cast<uint32_t>(line - 1), 4}); }
};
} // namespace

TEST_CASE("keys step through a kernel, into its functions and back", "[gui][worker][step]") {
  Steps test;
  const Position cursor = test.fixture.editor().cursor();
  test.press(Qt::Key_F10);
  CHECK(test.window.dock(QStringLiteral("step"))->isInFront());
  CHECK(test.line() == 22);
  CHECK(test.view.positionLine().startsWith(u"Program 0 of 4") == false);
  CHECK(test.view.positionLine().startsWith(u"Program 0 · scale, line 22"));
  test.press(Qt::Key_F10);
  CHECK(test.line() == 23);
  CHECK(test.value(QStringLiteral("offs")).startsWith(u"[0, 1, 2, 3, …]"));
  CHECK(test.value(QStringLiteral("offs"), StepModel::Type) == u"int32[16]");
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  CHECK(test.line() == 25);
  test.press(Qt::Key_F11);
  CHECK(test.line() == 16);
  CHECK(test.view.frameField().count() == 2);
  CHECK(test.view.frameField().itemText(1) == u"scale, line 25");
  test.press(Qt::Key_F11, Qt::ShiftModifier);
  CHECK(test.line() == 26);
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.line() == 25);
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(test.line() == 24);
  // The column of the stage that is executed has the place, too.
  CHECK(test.window.stageColumn(StageId::Ttir)->codeView().stepLine() >= 0);
  CHECK(test.window.stageColumn(StageId::Ttgir)->codeView().stepLine() == -1);
  // The cursor stays where it was.
  CHECK(test.fixture.editor().cursor() == cursor);
}

TEST_CASE("a value is shown as a table, and what has changed stands out", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  test.choose(QStringLiteral("x"));
  CHECK(test.view.picture().titleText() == u"x  fp32[16]");
  CHECK(test.view.picture().tableModel().index(0, 3).data().toString() == u"3");
  for (int row = 0; row < test.view.model().rowCount(); ++row) {
    const QString name = test.view.model().index(row, StepModel::Name).data().toString();
    CHECK(test.view.model().index(row, 0).data(StepModel::ChangedRole).toBool() == (name == u"x"));
  }
  for (const char *name : {"value.svg", "value.png"}) {
    const QString path = test.fixture.folder.filePath(QString::fromLatin1(name));
    const bool isWritten =
        path.endsWith(u"svg") ? test.view.exportSvg(path) : test.view.exportPng(path);
    CHECK(isWritten);
    CHECK(QFileInfo(path).size() > 1000);
  }
  // Another program, in the same memory.
  test.view.programField(0).setFocus();
  test.view.programField(0).setValue(3);
  REQUIRE(test.waitFor([&] { return test.line() == 22; }));
  CHECK(test.window.steps()->state()->underWay.size() == 2);
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  CHECK(test.value(QStringLiteral("mask")) == u"2 of 16 true");
}

TEST_CASE("breakpoints stop at their line, with a condition or without", "[gui][worker][step]") {
  Steps test;
  test.goToLine(26);
  QTest::keyClick(test.window.editor(), Qt::Key_F9);
  CHECK(test.fixture.editor().breakpoints() == std::map<uint32_t, std::string>{{25, ""}});
  test.press(Qt::Key_F7);
  CHECK(test.line() == 26);
  test.press(Qt::Key_F7);
  CHECK(test.window.steps()->state()->isAtEnd);
  test.press(Qt::Key_F7, Qt::ShiftModifier);
  CHECK(test.line() == 26);
  // It moves with its line.
  test.goToLine(22);
  QTest::keyClick(test.window.editor(), Qt::Key_Home);
  QTest::keyClick(test.window.editor(), Qt::Key_Return);
  CHECK(test.fixture.editor().breakpoints().contains(26));
  CHECK(test.waitFor([&] { return test.view.staleText().contains(u"earlier text"); }));
  QTest::keyClick(test.window.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.waitFor([&] { return test.view.staleText().isEmpty(); }));
  REQUIRE(test.waitFor([&] {
    const CompileController &compile = *test.window.compileController();
    return compile.isCurrent() && !compile.isRunning();
  }));
  // A condition.
  test.fixture.editor().setBreakpoints({{24, "not all(mask)"}});
  test.press(Qt::Key_F10, Qt::ControlModifier);
  test.press(Qt::Key_F7);
  CHECK(test.window.steps()->state()->isAtEnd);
  test.view.programField(0).setValue(3);
  REQUIRE(test.waitFor([&] { return test.line() == 22; }));
  test.press(Qt::Key_F7);
  CHECK(test.view.reasonText() == u"`not all(mask)` is true");
}

TEST_CASE("breakpoints and watches are there at the next start", "[gui][worker][step]") {
  Steps test;
  test.fixture.editor().setBreakpoints({{22, ""}, {25, "max(z) > 3"}});
  test.view.setWatches({QStringLiteral("max(offs)")});
  test.window.close();
  test.fixture.open();
  MainWindow &window = *test.fixture.window;
  REQUIRE(window.restoreSession());
  CHECK(window.editor()->breakpoints() ==
        std::map<uint32_t, std::string>{{22, ""}, {25, "max(z) > 3"}});
}

TEST_CASE("watch expressions are typed, shown, and removed", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  QTest::keyClicks(&test.view.watchField(), QStringLiteral("max(offs) + n"));
  QTest::keyClick(&test.view.watchField(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 1; }));
  CHECK(test.view.model().index(0, StepModel::Value).data().toString() == u"65");
  test.press(Qt::Key_F10);
  test.view.table().setFocus();
  test.view.table().setCurrentIndex(test.view.model().index(0, 0));
  QTest::keyClick(&test.view.table(), Qt::Key_Delete);
  CHECK(test.waitFor([&] { return test.view.model().numWatches() == 0; }));
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
  const int store = [&] {
    int line = 0;
    const std::string &text = code.document().text();
    for (size_t at = 0; at < text.find("tt.store"); at = text.find('\n', at) + 1)
      ++line;
    return line - 1;
  }();
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
  const std::string &text = code.document().text();
  const auto store = static_cast<int>(
      std::count(text.begin(), text.begin() + static_cast<long>(text.find("tt.store")), '\n'));
  test.window.dock(QStringLiteral("stage.ttgir"))->raise();
  code.setFocus();
  code.setCurrentLine(store);
  QTest::keyClick(&code, Qt::Key_F9, Qt::ShiftModifier);
  QPointer<QInputDialog> dialog = test.window.findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  CHECK(dialog->windowTitle() == QStringLiteral("Breakpoint in TTGIR, line %1").arg(store + 1));
  // What is offered is about a value that the line works on.
  CHECK(dialog->comboBoxItems().front().startsWith(u"any(isnan(%"));
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
  CHECK(test.view.reasonText() == u"`max(z) > 90` is true");
  // The marks stay with their lines where the column shows only what differs.
  column.setComparison({views::Comparison::With::Baseline});
  CHECK(code.breakpointLines().empty());
  CHECK(code.stepLine() == -1);
  column.setComparison({});
  CHECK(code.breakpointLines().contains(store));
  CHECK(code.stepLine() == store);
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

TEST_CASE("a run that differs leads to the write of the first wrong element",
          "[gui][worker][step]") {
  std::string wrong = kScaled;
  wrong.replace(wrong.find("x_ptr * 2 + 1\""), 14, "where(x_ptr < 20, x_ptr * 2 + 1, 0)\"");
  Steps test(wrong);
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  views::ResultsView &results = test.window.findChild<views::RunView *>()->results();
  QLabel *remarks = nullptr;
  REQUIRE(test.waitFor([&] {
    for (QLabel *label : results.findChildren<QLabel *>())
      if (label->text().contains(u"step to the write"))
        remarks = label;
    return remarks != nullptr;
  }));
  Q_EMIT remarks->linkActivated(QStringLiteral("step"));
  REQUIRE(test.waitFor([&] { return test.view.hasState() && !test.window.steps()->isBusy(); }));
  CHECK(test.window.steps()->state()->program == std::array<int32_t, 3>{1, 0, 0});
  CHECK(test.line() == 26);
  CHECK(test.view.reasonText() == u"This writes 41 to element 20 of `out_ptr`");
  CHECK(test.value(QStringLiteral("z")).startsWith(u"[33, "));
}

TEST_CASE("a fault of a run can be stepped to", "[gui][worker][step]") {
  std::string wrong = kScaled;
  wrong.replace(wrong.find("tl.store(out_ptr + offs, z, mask=mask)"), 38,
                "tl.store(out_ptr + offs, z)");
  Steps test(wrong);
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  views::ResultsView &results = test.window.findChild<views::RunView *>()->results();
  QLabel *faults = nullptr;
  REQUIRE(test.waitFor([&] {
    for (QLabel *label : results.findChildren<QLabel *>())
      if (label->text().contains(u"program 3, line 26"))
        faults = label;
    return faults != nullptr;
  }));
  Q_EMIT faults->linkActivated(QStringLiteral("0"));
  REQUIRE(test.waitFor([&] { return test.view.hasState() && !test.window.steps()->isBusy(); }));
  CHECK(test.window.steps()->state()->program[0] == 3);
  CHECK(test.line() == 26);
  CHECK(test.view.reasonText().contains(u"out_ptr[50"));
}

TEST_CASE("a step is answered at once", "[gui][worker][step][timed]") {
  Steps test;
  test.press(Qt::Key_F10);
  std::vector<qint64> times;
  for (int i = 0; i < 20; ++i) {
    QElapsedTimer timer;
    timer.start();
    test.press(i % 2 ? Qt::Key_F10 : Qt::Key_F10, i % 2 ? Qt::ShiftModifier : Qt::NoModifier);
    times.push_back(timer.elapsed());
  }
  std::ranges::sort(times);
  // Mostly what the test itself waits: it looks every 10 ms, and other tests run beside it.
  CHECK(times[times.size() / 2] < 100);
}

TEST_CASE("a kernel without a launch says what stepping needs", "[gui][worker][step]") {
  std::string text = kScaled;
  text.erase(text.find("# /// tilescope"),
             text.find("# ///\n\n") + 6 - text.find("# /// tilescope"));
  Steps test(text);
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  const auto said = [&] {
    for (QLabel *label : test.view.findChildren<QLabel *>())
      if (label->isVisible() && label->text().contains(u"needs a launch"))
        return true;
    return false;
  };
  CHECK(test.waitFor(said));
}

TEST_CASE("in another file, a step begins there", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  views::CodeView &code = test.window.stageColumn(StageId::Ttir)->codeView();
  REQUIRE(code.stepLine() >= 0);
  std::string other = kScaled;
  other.replace(other.find("def scale("), 10, "def other(");
  other.replace(other.find("\"scale\""), 7, "\"other\"");
  test.fixture.openAndWait(test.fixture.write("other.py", other));
  // The mark of the first file is not one of this file's columns.
  CHECK(code.stepLine() == -1);
  CHECK(test.line() == 0);
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  REQUIRE(test.waitFor([&] { return test.line() == 22; }));
  CHECK(test.view.positionLine().contains(u"other, line 22"));
  CHECK(test.view.staleText().isEmpty());
  CHECK(code.stepLine() >= 0);
}

TEST_CASE("in an empty file a step says that there is nothing to step through",
          "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  QTest::keyClick(test.window.editor(), Qt::Key_N, Qt::ControlModifier);
  QTest::keyClick(test.window.editor(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(test.window.editor(), Qt::Key_Delete);
  REQUIRE(test.waitFor([&] { return test.window.editor()->utf8Text().empty(); }));
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  const auto said = [&] {
    for (QLabel *label : test.view.findChildren<QLabel *>())
      if (label->isVisible() && label->text().contains(u"The file is empty"))
        return true;
    return false;
  };
  CHECK(test.waitFor(said));
  CHECK_FALSE(test.view.hasState());
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

TEST_CASE("a step has the editor and the Step view in sight", "[gui][worker][step]") {
  Steps test;
  test.window.resize(1366, 768);
  ViewDock *run = test.window.dock(QStringLiteral("run"));
  ViewDock *step = test.window.dock(QStringLiteral("step"));
  run->show();
  run->raise();
  run->focusView();
  QTest::keyClick(&test.window, Qt::Key_M, Qt::ControlModifier);
  REQUIRE_FALSE(test.window.centralWidget()->isVisible());
  test.window.steps()->goToWrite({0, 0, 0}, {"out_ptr", 3});
  REQUIRE(test.waitFor([&] { return test.view.hasState() && !test.window.steps()->isBusy(); }));
  CHECK(test.window.centralWidget()->isVisible());
  CHECK(step->isInFront());
  CHECK(test.line() == 26);
  // Some variables are in sight.
  const auto rowsInSight = [&] {
    return test.view.table().viewport()->height() /
           test.view.table().verticalHeader()->defaultSectionSize();
  };
  CHECK(test.waitFor([&] { return rowsInSight() >= 5; }));
  INFO(rowsInSight());
  // Behind another tab it comes back with the next step; closed it stays closed.
  run->raise();
  REQUIRE(test.waitFor([&] { return !step->isInFront(); }));
  test.press(Qt::Key_F10, Qt::ShiftModifier);
  CHECK(step->isInFront());
  step->hide();
  test.press(Qt::Key_F10);
  CHECK(step->isHidden());
}

TEST_CASE("a click on the mark of a problem leads to it, elsewhere it sets a breakpoint",
          "[gui][worker][step]") {
  std::string wrong = kScaled;
  wrong.replace(wrong.find("offs < n"), 8, "offs < m");
  Steps test(wrong);
  views::KernelEditor &editor = test.fixture.editor();
  const auto click = [&](int line) {
    editor.revealLine(static_cast<uint32_t>(line - 1));
    const long at = editor.SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE,
                                         static_cast<unsigned long>(line - 1));
    const long y = editor.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, at);
    const int x = editor.marginWidth(views::kNumberMargin) + 4;
    QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, QPoint(x, static_cast<int>(y) + 4));
  };
  REQUIRE(
      test.waitFor([&] { return (editor.markersAtLine(22) & (1U << views::kErrorMarker)) != 0; }));
  click(23);
  CHECK(editor.breakpoints().empty());
  CHECK(editor.cursor().line == 22);
  click(24);
  CHECK(editor.breakpoints() == std::map<uint32_t, std::string>{{23, ""}});
}

TEST_CASE("a breakpoint that no program can reach is told of", "[gui][worker][step]") {
  Steps test(kScaled + "\n\n");
  test.goToLine(24);
  QTest::keyClick(test.window.editor(), Qt::Key_F9);
  CHECK(test.window.statusBar()->currentMessage().isEmpty());
  test.goToLine(28);
  QTest::keyClick(test.window.editor(), Qt::Key_F9);
  CHECK(test.window.statusBar()->currentMessage() ==
        u"No code of the kernel follows line 28, so no program stops there.");
}

TEST_CASE("a condition that cannot be read is asked for again", "[gui][worker][step]") {
  Steps test;
  test.goToLine(24);
  QTest::keyClick(test.window.editor(), Qt::Key_F9, Qt::ShiftModifier);
  QPointer<QInputDialog> dialog = test.window.findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  dialog->setTextValue(QStringLiteral("n = 64"));
  dialog->accept();
  CHECK(dialog->isVisible());
  CHECK(dialog->labelText().contains(u"This cannot be read"));
  CHECK(test.fixture.editor().breakpoints().empty());
  dialog->setTextValue(QStringLiteral("n == 64"));
  dialog->accept();
  CHECK(test.fixture.editor().breakpoints() == std::map<uint32_t, std::string>{{23, "n == 64"}});
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
