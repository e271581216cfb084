// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The form of a launch over the real compile worker: what is typed there is checked, marked, and
// written into the file.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/run/RunController.h"
#include "profiler/data/Npy.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/common/tensor/TensorModel.h"
#include "views/editor/FixPopup.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QWheelEvent>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const char *const kCopy = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "copy"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn", guessed = true }
# o_ptr = { dtype = "fp32", shape = ["n"], init = "empty" }
# n     = "n"
# [constexprs]
# BLOCK = 256
# ///
@triton.jit
def copy(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def double(y_ptr, M, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + i, mask=i < M)
    tl.store(y_ptr + i, y * 2, mask=i < M)
)py";

namespace {
struct FormFixture {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};

  FormFixture() { fixture.openAndWait(fixture.write("copy.py", kCopy)); }

  template <typename Widget> Widget *field(const char *name) {
    for (Widget *widget : fixture.window->findChildren<Widget *>())
      if (widget->accessibleName() == QString::fromLatin1(name) && !widget->isHidden())
        return widget;
    return nullptr;
  }
  /// Replaces a field's text.
  QLineEdit *type(const char *name, const char *text) {
    auto *edit = field<QLineEdit>(name);
    REQUIRE(edit != nullptr);
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, QString::fromLatin1(text));
    return edit;
  }
  /// Replaces a field's text and leaves it.
  void enter(const char *name, const char *text) {
    QTest::keyClick(type(name, text), Qt::Key_Return);
  }
  bool isMarked(const char *name) {
    const auto *edit = field<QLineEdit>(name);
    return edit && edit->property("invalid").toBool();
  }
  bool says(const char *words) {
    return fixture.editor().utf8Text().find(words) != std::string::npos;
  }
};
} // namespace

TEST_CASE("a wrong size is one problem, marked on its field until it is right", "[gui][worker]") {
  FormFixture test;
  CHECK_FALSE(test.isMarked("n"));
  test.enter("n", "abc");
  REQUIRE(QTest::qWaitFor([&] { return test.isMarked("n"); }, kPatienceMs));
  CHECK(test.says("# n = \"abc\"\n"));
  const auto *edit = test.field<QLineEdit>("n");
  CHECK(edit->accessibleDescription().contains(u"`abc` is not defined"));
  CHECK(edit->toolTip().contains(u"`abc` is not defined"));
  // In words beside the field, too, and nothing else is called wrong.
  int numWrong = 0;
  const auto *form = test.fixture.window->findChild<views::RunFormView *>();
  for (const QLabel *label : form->findChildren<QLabel *>())
    numWrong += !label->isHidden() && label->property("tone").toString() == u"error";
  CHECK(numWrong == 1);
  CHECK_FALSE(test.isMarked("programs"));
  CHECK_FALSE(test.isMarked("x_ptr shape"));
  REQUIRE(QTest::qWaitFor(
      [&] {
        return test.fixture.window->problems()->model().count(compiler::Severity::Error) == 1;
      },
      kPatienceMs));

  test.enter("n", "512");
  REQUIRE(QTest::qWaitFor([&] { return !test.isMarked("n"); }, kPatienceMs));
  CHECK(test.says("# n = 512\n"));
  CHECK(test.field<QLineEdit>("n")->accessibleDescription().isEmpty());
}

TEST_CASE("a constexpr that makes shapes wrong is marked, too, with the reason", "[gui][worker]") {
  FormFixture test;
  std::string text = kCopy;
  const auto replace = [&](const std::string &old, const char *with) {
    text.replace(text.find(old), old.size(), with);
  };
  replace("# [sizes]\n# n = 1000\n", "");
  replace("# n     = \"n\"\n# [constexprs]\n", "# [constexprs]\n# n = 1000\n");
  replace("o_ptr, n, BLOCK", "o_ptr, n: tl.constexpr, BLOCK");
  test.fixture.openAndWait(test.fixture.write("constexpr.py", text));
  CHECK_FALSE(test.isMarked("n"));
  test.enter("n", "-1");
  REQUIRE(QTest::qWaitFor([&] { return test.isMarked("n"); }, kPatienceMs));
  CHECK(test.isMarked("x_ptr shape"));
  CHECK(test.field<QLineEdit>("n")->accessibleDescription().startsWith(u"x_ptr shape uses it: "));
  const auto *form = test.fixture.window->findChild<views::RunFormView *>();
  bool isExplained = false;
  for (const QLabel *label : form->findChildren<QLabel *>())
    isExplained |= !label->isHidden() && label->text().startsWith(u"shape: an extent ");
  CHECK(isExplained);
}

TEST_CASE("what cannot be expected is not the fault of a size that it names", "[gui][worker]") {
  FormFixture test;
  std::string text = kCopy;
  text.replace(text.find("init = \"empty\""), 14,
               "init = \"empty\", expected = \"np.bincount(x_ptr, minlength=n)\"");
  test.fixture.openAndWait(test.fixture.write("count.py", text));
  QTest::keyClick(test.fixture.window->editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return test.isMarked("o_ptr expected"); }, kPatienceMs));
  CHECK_FALSE(test.isMarked("n"));
}

TEST_CASE("a size that cannot be one is wrong at its own field alone", "[gui][worker]") {
  FormFixture test;
  for (const char *wrong : {"-5", "1.5"}) {
    test.enter("n", wrong);
    REQUIRE(QTest::qWaitFor([&] { return test.isMarked("n"); }, kPatienceMs));
    CHECK_FALSE(test.isMarked("x_ptr shape"));
    CHECK_FALSE(test.isMarked("o_ptr shape"));
    CHECK(test.field<QLineEdit>("n")->toolTip().startsWith(u"a size "));
    test.enter("n", "512");
    REQUIRE(QTest::qWaitFor([&] { return !test.isMarked("n"); }, kPatienceMs));
  }
}

TEST_CASE("Escape takes back what was typed into a field", "[gui][worker]") {
  FormFixture test;
  auto *size = test.type("n", "77");
  QTest::keyClick(size, Qt::Key_Escape);
  CHECK(size->text() == u"1000");
  CHECK(size->hasFocus());
  QTest::keyClick(size, Qt::Key_Tab);
  CHECK(test.says("# n = 1000\n"));
}

TEST_CASE("types and initial data are chosen from lists", "[gui][worker]") {
  FormFixture test;
  auto *dtype = test.field<QComboBox>("x_ptr dtype");
  REQUIRE(dtype != nullptr);
  CHECK(dtype->currentText() == QStringLiteral("fp32"));
  CHECK_FALSE(dtype->isEditable());
  // Scrolling the form over the list chooses nothing.
  QWheelEvent scroll(QPointF(5, 5), dtype->mapToGlobal(QPointF(5, 5)), QPoint(), QPoint(0, -120),
                     Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(dtype, &scroll);
  CHECK(dtype->currentText() == QStringLiteral("fp32"));
  dtype->setFocus();
  QTest::keyClick(dtype, Qt::Key_Up);
  CHECK(test.says("# x_ptr = { dtype = \"bf16\", shape"));
  auto *init = test.field<QComboBox>("o_ptr init");
  REQUIRE(init != nullptr);
  CHECK(init->currentText() == QStringLiteral("empty"));
  init->setFocus();
  QTest::keyClick(init, Qt::Key_Down);
  CHECK(test.says("# o_ptr = { dtype = \"fp32\", shape = [\"n\"], init = \"zeros\" }"));
}

TEST_CASE("a shape is edited in the form, and is not a guess any longer", "[gui][worker]") {
  FormFixture test;
  const auto *shape = test.field<QLineEdit>("x_ptr shape");
  REQUIRE(shape != nullptr);
  CHECK(shape->text() == QStringLiteral("n"));
  CHECK(shape->accessibleDescription().startsWith(u"guessed"));
  test.enter("x_ptr shape", "2, max(n, 8)");
  CHECK(
      test.says("# x_ptr = { dtype = \"fp32\", shape = [2, \"max(n, 8)\"], init = \"randn\" }\n"));
  REQUIRE(QTest::qWaitFor(
      [&] { return test.field<QLineEdit>("x_ptr shape")->accessibleDescription().isEmpty(); },
      kPatienceMs));
}

TEST_CASE("a run takes what was typed into the form, finished by Enter or not", "[gui][worker]") {
  FormFixture test;
  auto *size = test.type("n", "77");
  CHECK(test.says("# n = 1000\n"));
  QTest::keyClick(size, Qt::Key_F5);
  CHECK(test.says("# n = 77\n"));
  auto &view = *test.fixture.window->findChild<views::RunView *>();
  REQUIRE(QTest::qWaitFor([&] { return view.results().isLoaded(); }, kPatienceMs));
  const int numCells = view.tableModel().rowCount() * view.tableModel().columnCount();
  CHECK((numCells >= 77 && numCells < 100));
}

TEST_CASE("what an output should be is stated in the form, and every run checks it",
          "[gui][worker]") {
  FormFixture test;
  MainWindow &window = *test.fixture.window;
  auto *view = window.findChild<views::RunView *>();
  // Beside the output, or in the list above it.
  const auto remarks = [&] {
    QStringList said;
    for (QLabel *label : view->findChildren<QLabel *>())
      if (label->accessibleName() == u"Elements worth a look" && !label->isHidden())
        said << label->text();
    const auto *findings = view->findChild<QListWidget *>();
    for (int row = 0; row < findings->count(); ++row)
      said << findings->item(row)->text();
    return said.join(u'\n');
  };
  const auto runSays = [&](const QString &words) {
    QTest::keyClick(window.editor(), Qt::Key_F5);
    return QTest::qWaitFor([&] { return remarks().contains(words); }, kPatienceMs);
  };
  CHECK(test.field<QLineEdit>("x_ptr expected") == nullptr);
  test.enter("o_ptr expected", "x_ptr");
  REQUIRE(test.says("init = \"empty\", expected = \"x_ptr\" }\n"));
  REQUIRE(runSays(QStringLiteral("agrees with what is expected")));
  test.enter("o_ptr expected", "max(x_ptr, 0.5)");
  REQUIRE(runSays(QStringLiteral("elements differ</b> from what is expected")));
  const auto &problems = window.problems()->model().diagnostics();
  const auto found = std::ranges::find_if(problems, [](const compiler::Diagnostic &each) {
    return each.message.find("differ from what the launch block expects") != std::string::npos;
  });
  REQUIRE(found != problems.end());
  CHECK(found->message.find("written by program") != std::string::npos);
  const std::string text = test.fixture.editor().utf8Text();
  CHECK(found->range.begin.line ==
        static_cast<uint32_t>(std::count(
            text.begin(), text.begin() + static_cast<long>(text.find("tl.store")), '\n')));
  test.enter("o_ptr expected", "nothing.npy");
  REQUIRE(runSays(QStringLiteral("could not be checked")));
  // An unknown name is the block's problem, not a wrong result.
  test.enter("o_ptr expected", "x + 1");
  REQUIRE(runSays(QStringLiteral("is not defined")));
  bool isUnchecked = false;
  for (const QLabel *label : view->findChildren<QLabel *>()) {
    isUnchecked |= label->text().contains(u"; `o_ptr` could not be checked");
    CHECK_FALSE(label->text().contains(u"not as it should be"));
  }
  CHECK(isUnchecked);
  const auto &warned = window.problems()->model().diagnostics();
  const auto unchecked = std::ranges::find_if(warned, [](const compiler::Diagnostic &each) {
    return each.message.find("`x` is not defined; the names here are ") != std::string::npos;
  });
  REQUIRE(unchecked != warned.end());
  CHECK(unchecked->severity == compiler::Severity::Warning);
  // A file beside the kernel's.
  const profiler::Tensor tensor = profiler::makeTensor(
      profiler::Dtype::Fp32, {1000}, {.kind = profiler::TensorInit::Kind::Randn, .seed = 0});
  REQUIRE(profiler::writeNpy(
      test.fixture.folder.filePath(QStringLiteral("right.npy")).toStdString(), tensor));
  test.enter("o_ptr expected", "right.npy");
  REQUIRE(runSays(QStringLiteral("agrees with what is expected")));
  test.enter("o_ptr expected", "");
  CHECK(test.says("init = \"empty\" }\n"));
}

TEST_CASE("a parameter without a value is added to the launch block by the form", "[gui][worker]") {
  FormFixture test;
  const std::string text = test.fixture.editor().utf8Text();
  const size_t at = text.find("o_ptr, n, BLOCK");
  test.fixture.editor().goTo(
      {static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')),
       static_cast<uint32_t>(at - text.rfind('\n', at) - 1)});
  test.fixture.type("o2_ptr, ");
  auto *form = test.fixture.window->findChild<views::RunFormView *>();
  const auto addButton = [&]() -> QPushButton * {
    for (QPushButton *button : form->findChildren<QPushButton *>())
      if (button->text() == u"Add o2_ptr to the launch block" && !button->isHidden())
        return button;
    return nullptr;
  };
  REQUIRE(QTest::qWaitFor([&] { return addButton() != nullptr; }, kPatienceMs));
  addButton()->setFocus();
  QTest::keyClick(addButton(), Qt::Key_Space);
  CHECK(test.says("# o2_ptr = { dtype = \"fp32\", shape = [\"n\"]"));
  REQUIRE(QTest::qWaitFor([&] { return addButton() == nullptr; }, kPatienceMs));
  CHECK(test.field<QLineEdit>("o2_ptr shape") != nullptr);
}

TEST_CASE("an output of another shape than the inputs is expected as a sum over an axis",
          "[gui][worker]") {
  FormFixture test;
  MainWindow &window = *test.fixture.window;
  test.enter("x_ptr shape", "n, 2");
  test.enter("o_ptr expected", "x_ptr");
  const auto warned = [&](const char *words) {
    return QTest::qWaitFor(
        [&] {
          return std::ranges::any_of(window.problems()->model().diagnostics(),
                                     [&](const compiler::Diagnostic &each) {
                                       return each.message.find(words) != std::string::npos;
                                     });
        },
        kPatienceMs);
  };
  // Before anything runs: both shapes, and what leads on.
  CHECK(warned("`x_ptr` has the shape [1000, 2], which does not fit [1000] of `o_ptr`; "
               "`sum(x_ptr, axis=1)` has one axis less"));
  test.enter("o_ptr expected", "x_ptr.sum(axis=1) - x_ptr.sum(axis=1)");
  REQUIRE(test.says("expected = \"x_ptr.sum(axis=1) - x_ptr.sum(axis=1)\""));
  QTest::keyClick(window.editor(), Qt::Key_F5);
  // It is worked out, and the copy is another thing.
  CHECK(warned("differ from what the launch block expects"));
}

TEST_CASE("the example of what to expect is made of the launch's inputs", "[gui][worker]") {
  FormFixture test;
  CHECK(test.field<QLineEdit>("o_ptr expected")->placeholderText() ==
        u"not checked; e.g. x_ptr * 2");
  // A narrow column cuts it off.
  CHECK(test.field<QLineEdit>("o_ptr expected")->toolTip() == u"not checked; e.g. x_ptr * 2");
}

TEST_CASE("a second kernel gets a block of its own", "[gui][worker]") {
  FormFixture test;
  QPushButton *create = test.fixture.writeBlockButton();
  REQUIRE(create != nullptr);
  CHECK(create->isHidden());
  // The kernel is chosen in the tool bar.
  auto *kernels = test.field<QComboBox>("Kernel");
  REQUIRE(kernels != nullptr);
  kernels->setFocus();
  QTest::keyClick(kernels, Qt::Key_Down);
  REQUIRE(QTest::qWaitFor([&] { return !create->isHidden(); }, kPatienceMs));
  CHECK(create->toolTip().contains(u"double"));
  create->setFocus();
  QTest::keyClick(create, Qt::Key_Space);
  const std::string text = test.fixture.editor().utf8Text();
  INFO(text);
  const std::string source = kCopy;
  const size_t second = source.find("@triton.jit\ndef double");
  CHECK(text.starts_with(source.substr(0, second)));
  CHECK(text.ends_with(source.substr(second)));
  CHECK(test.says("# kernel = \"double\"\n# grid = [\"cdiv(M, BLOCK)\"]\n"));
  CHECK(test.says("# M = 4000\n"));
  // It is the one that is shown and run from now on.
  REQUIRE(QTest::qWaitFor([&] { return create->isHidden(); }, kPatienceMs));
  CHECK(test.field<QLineEdit>("y_ptr shape") != nullptr);
}

TEST_CASE("a launch block is written for the newest text", "[gui][worker]") {
  FormFixture test;
  QSignalSpy settled(test.fixture.window.get(), &MainWindow::settled);
  const std::string source = kCopy;
  std::string text = source.substr(source.find("@triton.jit\ndef double"));
  test.fixture.editor().replaceText(
      QString::fromStdString(source.substr(0, source.find("# ///")) + text));
  REQUIRE(settled.wait(kPatienceMs));
  // What is known is of the text before, in which there is no second array.
  text.replace(text.find("(y_ptr"), 6, "(y_ptr, bias_ptr");
  text.replace(text.find("y * 2"), 5, "y + tl.load(bias_ptr + i, mask=i < M)");
  test.fixture.editor().replaceText(
      QString::fromStdString(source.substr(0, source.find("# ///")) + text));
  test.fixture.window->action(QStringLiteral("writeLaunch"))->trigger();
  REQUIRE(QTest::qWaitFor([&] { return test.says("# ///"); }, kPatienceMs));
  CHECK(test.says("# bias_ptr = {"));
  CHECK(test.says("# M = 4000\n"));
}

TEST_CASE("after a block was written, typing goes on where the cursor was", "[gui][worker]") {
  FormFixture test;
  const std::string source = kCopy;
  const size_t last = source.find("    tl.store(y_ptr");
  test.fixture.editor().goTo(
      {static_cast<uint32_t>(std::count(source.begin(), source.begin() + last, '\n')), 4});
  QPushButton *create = test.fixture.writeBlockButton();
  REQUIRE(QTest::qWaitFor([&] { return !create->isHidden(); }, kPatienceMs));
  create->setFocus();
  QTest::keyClick(create, Qt::Key_Space);
  QWidget *focused = test.fixture.window->focusWidget();
  REQUIRE(focused == &test.fixture.editor());
  QTest::keyClick(focused, Qt::Key_End);
  QTest::keyClicks(focused, QStringLiteral("  # typed"));
  CHECK(test.says("tl.store(y_ptr + i, y * 2, mask=i < M)  # typed\n"));
}

TEST_CASE("a wrong option is marked where it is stated, and the columns say so", "[gui][worker]") {
  FormFixture test;
  const std::string text = test.fixture.editor().utf8Text();
  test.fixture.editor().replaceText(QString::fromStdString(std::string(text).replace(
      text.find("# ///\n@triton"), 6, "# [options]\n# num_warps = 3\n# ///\n")));
  REQUIRE(QTest::qWaitFor([&] { return test.isMarked("num_warps"); }, kPatienceMs));
  const auto &model = test.fixture.window->problems()->model();
  CHECK(model.count(compiler::Severity::Error) == 1);
  const views::StageColumn *column = test.fixture.window->stageColumn(compiler::StageId::Ttgir);
  CHECK(QTest::qWaitFor([&] { return column->staleText().startsWith(u"Stale: "); }, kPatienceMs));
  test.enter("num_warps", "8");
  CHECK(QTest::qWaitFor(
      [&] { return !test.isMarked("num_warps") && column->staleText().isEmpty(); }, kPatienceMs));
}

TEST_CASE("an extent that the kernel cannot use is marked on its field", "[gui][worker]") {
  FormFixture test;
  test.enter("BLOCK", "100");
  REQUIRE(QTest::qWaitFor([&] { return test.isMarked("BLOCK"); }, kPatienceMs));
  CHECK(test.field<QLineEdit>("BLOCK")->toolTip().contains(u"must be a power of 2, but is 100"));
  test.enter("BLOCK", "128");
  CHECK(QTest::qWaitFor([&] { return !test.isMarked("BLOCK"); }, kPatienceMs));
}

TEST_CASE("a parameter without a value gets one by Ctrl+. at its declaration", "[gui][worker]") {
  FormFixture test;
  const std::string text = test.fixture.editor().utf8Text();
  test.fixture.editor().goTo(rangeOf(text, "o_ptr, n, BLOCK").begin);
  test.fixture.type("scale, ");
  REQUIRE(QTest::qWaitFor([&] { return test.fixture.editor().hasFixes(); }, kPatienceMs));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Left);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Left);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Period, Qt::ControlModifier);
  auto *popup = test.fixture.editor().findChild<views::FixPopup *>();
  REQUIRE(popup != nullptr);
  CHECK(popup->fixes().front().edit.title == "add `scale` to the launch block");
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return test.says("# scale = "); }, kPatienceMs));
}

TEST_CASE("F5 on a kernel without a launch block writes one of guesses, and runs it",
          "[gui][worker]") {
  FormFixture test;
  const std::string source = kCopy;
  const size_t second = source.find("@triton.jit\ndef double");
  test.fixture.editor().goTo(
      {static_cast<uint32_t>(std::count(source.begin(), source.begin() + second, '\n')) + 1, 4});
  auto *kernels = test.field<QComboBox>("Kernel");
  REQUIRE(QTest::qWaitFor([&] { return kernels->currentText() == u"double"; }, kPatienceMs));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return test.says("# kernel = \"double\"\n"); }, kPatienceMs));
  views::RunView &view = *test.fixture.window->findChild<views::RunView *>();
  CHECK(QTest::qWaitFor([&] { return view.results().numOutputs() == 1; }, kPatienceMs));
  // Undo takes the block away again.
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.fixture.editor().utf8Text() == source);
}
