// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is chosen in the tool bar: what it says, and that it survives a restart.
#include "app/ide/run/RunController.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/ElidedComboBox.h"

#include <QComboBox>
#include <QLineEdit>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static constexpr const char *kTuned = R"py(import triton
import triton.language as tl


@triton.jit
def plain(x_ptr):
    tl.store(x_ptr, 1.0)


@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128}, num_warps=8)],
    key=["n"])
@triton.jit
def tuned(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 1.0)
)py";

static constexpr const char *kTwoLaunches = R"py(# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [111] }
# ///
# /// tilescope
# kernel = "k"
# name = "large"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [222] }
# ///
import triton
import triton.language as tl


@triton.jit
def k(x_ptr):
    tl.store(x_ptr, 1.0)
)py";

namespace {
struct ChoiceFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};
  /// What a compile says that it compiled for when nothing was chosen.
  std::string usualTarget = "cuda:90";

  ChoiceFixture() {
    backend.answer = [this](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->kernel = request.selection.kernel;
      result->kernels = {"plain", "tuned"};
      result->target = request.selection.target.empty() ? usualTarget : request.selection.target;
      result->constexprs = request.selection.constexprs;
      result->options = request.selection.options;
      result->files.front() = {request.path, request.text};
      return result;
    };
  }
  const compiler::Selection &asked() const { return backend.requests.back().selection; }
  QComboBox *box(const char *name) {
    for (QComboBox *each : fixture.window->findChildren<QComboBox *>())
      if (each->accessibleName() == QString::fromLatin1(name))
        return each;
    FAIL("no such choice");
    return nullptr;
  }
  void choose(const char *name, Qt::Key key) {
    QSignalSpy settled(fixture.window.get(), &MainWindow::settled);
    box(name)->setFocus();
    QTest::keyClick(box(name), key);
    REQUIRE(settled.wait(5000));
  }
  void restart() {
    fixture.window->close();
    fixture.open();
    QSignalSpy settled(fixture.window.get(), &MainWindow::settled);
    REQUIRE(fixture.window->restoreSession());
    REQUIRE(settled.wait(5000));
    // The effect of the restored cursor comes with the next paint.
    fixture.window->repaint();
    QTest::qWait(100);
  }
};
} // namespace

TEST_CASE("kernel, configuration and pin of a file are kept over a restart", "[gui][document]") {
  ChoiceFixture test;
  test.fixture.openAndWait(test.fixture.write("tuned.py", kTuned));
  // The cursor is in the other kernel.
  test.fixture.editor().goTo({5, 4});
  QTest::qWait(50);
  test.choose("Kernel", Qt::Key_Down);
  CHECK(test.asked().kernel == "tuned");
  test.choose("Configuration", Qt::Key_End);
  CHECK(test.asked().constexprs.at("BLOCK") == "128");
  test.fixture.openAndWait(test.fixture.write("other.py", kTwoLaunches));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.asked().kernel == "tuned");

  test.restart();
  CHECK(test.asked().kernel == "tuned");
  CHECK(test.asked().constexprs.at("BLOCK") == "128");
  CHECK(test.asked().options.at("num_warps") == "8");
  CHECK(test.box("Kernel")->currentText() == u"tuned");
  CHECK_FALSE(test.fixture.window->action(QStringLiteral("pinKernel"))->isChecked());

  QTest::keyClick(&test.fixture.editor(), Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  test.restart();
  CHECK(test.asked().kernel == "tuned");
  CHECK(test.fixture.window->action(QStringLiteral("pinKernel"))->isChecked());
}

TEST_CASE("a kernel's configuration stays while the cursor is in another kernel",
          "[gui][document]") {
  ChoiceFixture test;
  test.fixture.openAndWait(test.fixture.write("tuned.py", kTuned));
  views::KernelEditor &editor = test.fixture.editor();
  // What is compiled last may be the file's other kernel.
  const auto document = [&] { return test.fixture.window->compileController()->document(); };
  const auto block = [&] {
    const auto &values = document()->choice.constexprs;
    return values.contains("BLOCK") ? values.at("BLOCK") : std::string();
  };
  const auto goTo = [&](uint32_t line, const char *kernel) {
    editor.goTo({line, 4});
    REQUIRE(QTest::qWaitFor([&] { return document()->kernel() == kernel; }));
  };
  goTo(5, "plain");
  test.choose("Kernel", Qt::Key_Down);
  REQUIRE(document()->kernel() == "tuned");
  test.choose("Configuration", Qt::Key_End);
  REQUIRE(block() == "128");
  goTo(6, "plain");
  CHECK(block().empty());
  goTo(13, "tuned");
  CHECK(block() == "128");
  CHECK(document()->choice.options.at("num_warps") == "8");
  // The tool bar shows it, and what is chosen then stays, too.
  const auto shown = [&] { return test.box("Configuration")->currentText(); };
  REQUIRE(QTest::qWaitFor([&] { return shown().contains(u"128"); }));
  test.choose("Configuration", Qt::Key_Home);
  REQUIRE(QTest::qWaitFor([&] { return block() != "128"; }));
  const std::string chosen = block();
  goTo(6, "plain");
  goTo(13, "tuned");
  CHECK(block() == chosen);
}

TEST_CASE("the launch of a file is kept over a restart", "[gui][document]") {
  ChoiceFixture test;
  test.fixture.openAndWait(test.fixture.write("two.py", kTwoLaunches));
  const DocumentPointer &document = test.fixture.window->compileController()->document();
  test.fixture.window->compileController()->setChoice(chooseLaunch(*document, 1));
  test.restart();
  CHECK(test.fixture.window->compileController()->document()->launch == 1);
}

TEST_CASE("a target that was not chosen is named", "[gui][document]") {
  ChoiceFixture test;
  CHECK(test.box("Target")->currentText() == u"default: cuda:90  H100, H200");
  test.usualTarget = "cuda:80";
  test.fixture.openAndWait(test.fixture.write("k.ttir", "module {\n}\n"));
  CHECK(test.box("Target")->currentText() == u"document: cuda:80  A100");
  CHECK(test.box("Target")->currentData().toString().isEmpty());
  test.choose("Target", Qt::Key_End);
  CHECK(test.box("Target")->currentText() == u"cpu:neoverse-v1  SVE");
  CHECK(test.box("Target")->itemText(0) == u"default: cuda:90  H100, H200");
}

TEST_CASE("the chosen target is read as a whole on a small screen", "[gui][document]") {
  ChoiceFixture test;
  test.fixture.window->resize(1366, 768);
  test.fixture.openAndWait(test.fixture.write("two.py", kTwoLaunches));
  const auto *targets = qobject_cast<views::ElidedComboBox *>(test.box("Target"));
  REQUIRE(targets);
  INFO("width " << targets->width() << ", wanted " << targets->sizeHint().width());
  CHECK(targets->shownText() == targets->currentText());
}

TEST_CASE("no target is listed twice", "[gui][document]") {
  ChoiceFixture test;
  const auto numListed = [&](const char *target) {
    int num = 0;
    for (int i = 0; i < test.box("Target")->count(); ++i)
      num += test.box("Target")->itemText(i).contains(QString::fromLatin1(target));
    return num;
  };
  for (const char *target : {"cuda:80", "cuda:90", "cuda:120"})
    CHECK(numListed(target) == 1);
  test.usualTarget = "cuda:80";
  test.fixture.openAndWait(test.fixture.write("k.ttir", "module {\n}\n"));
  for (const char *target : {"cuda:80", "cuda:90", "cuda:120"})
    CHECK(numListed(target) == 1);
  // Nor where the default is chosen by name, which stays the choice for other documents.
  test.fixture.window->action(QStringLiteral("target.cuda:90"))->trigger();
  CHECK(test.box("Target")->currentText() == u"cuda:90  H100, H200");
  CHECK(test.box("Target")->itemText(0) == u"the document's, or the default");
  CHECK(numListed("cuda:90") == 1);
  test.choose("Target", Qt::Key_Home);
  CHECK(test.box("Target")->currentData().toString().isEmpty());
}

/// `kTuned` with a launch block for the tuned kernel.
static std::string tunedWithBlock() {
  std::string text = kTuned;
  text.insert(text.find("@triton.autotune"), R"(# /// tilescope
# kernel = "tuned"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [512] }
# n = 512
# [constexprs]
# BLOCK = 32
# [options]
# num_warps = 1
# ///
)");
  return text;
}

TEST_CASE("a value that is edited in a launch block takes the place of the chosen configuration",
          "[gui][document]") {
  ChoiceFixture test;
  test.fixture.openAndWait(test.fixture.write("tuned.py", tunedWithBlock()));
  CHECK(test.asked().constexprs.at("BLOCK") == "32");
  test.choose("Configuration", Qt::Key_End);
  CHECK(test.asked().constexprs.at("BLOCK") == "128");
  CHECK(test.asked().options.at("num_warps") == "8");
  const auto field = [&](const char *name) {
    for (QLineEdit *edit : test.fixture.window->findChildren<QLineEdit *>())
      if (edit->accessibleName() == QString::fromLatin1(name))
        return edit;
    return static_cast<QLineEdit *>(nullptr);
  };
  // The form says of the block's values that they are not in use.
  REQUIRE(field("BLOCK") != nullptr);
  CHECK(field("BLOCK")->text() == u"32");
  CHECK(field("BLOCK")->accessibleDescription() == u"not used: the chosen configuration has 128");
  CHECK(field("num_warps")->accessibleDescription() == u"not used: the chosen configuration has 8");
  // Values that it does not replace may be edited.
  const auto enter = [&](const char *name, const char *text) {
    QSignalSpy settled(test.fixture.window.get(), &MainWindow::settled);
    field(name)->setFocus();
    QTest::keyClick(field(name), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field(name), QString::fromLatin1(text));
    QTest::keyClick(field(name), Qt::Key_Return);
    REQUIRE(settled.wait(5000));
  };
  enter("n", "300");
  CHECK(test.asked().constexprs.at("BLOCK") == "128");
  enter("BLOCK", "64");
  CHECK(test.asked().constexprs.at("BLOCK") == "64");
  CHECK(test.asked().options.at("num_warps") == "1");
  CHECK(test.box("Configuration")->currentText() == u"as launched");
  CHECK(field("num_warps")->accessibleDescription().isEmpty());

  // The same in the text, through a moment in which it cannot be read.
  test.choose("Configuration", Qt::Key_End);
  CHECK(test.asked().constexprs.at("BLOCK") == "128");
  const std::string text = test.fixture.editor().utf8Text();
  const size_t value = text.find("# BLOCK = 64");
  const auto line = static_cast<uint32_t>(
      std::count(text.begin(), text.begin() + static_cast<long>(value), '\n'));
  test.fixture.editor().goTo({line, 12});
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  CHECK(test.box("Configuration")->currentText() != u"as launched");
  QSignalSpy settled(test.fixture.window.get(), &MainWindow::settled);
  test.fixture.type("16");
  REQUIRE(settled.wait(5000));
  REQUIRE(QTest::qWaitFor([&] { return test.asked().constexprs.at("BLOCK") == "16"; }, 5000));
  CHECK(test.box("Configuration")->currentText() == u"as launched");
}

TEST_CASE("a chosen configuration is followed while its entry is edited, and dropped with it",
          "[gui][document]") {
  ChoiceFixture test;
  test.fixture.openAndWait(test.fixture.write("tuned.py", tunedWithBlock()));
  test.choose("Configuration", Qt::Key_End);
  REQUIRE(test.asked().constexprs.at("BLOCK") == "128");
  const auto placeOf = [&](const std::string &part) {
    const std::string text = test.fixture.editor().utf8Text();
    const size_t at = text.find(part);
    const size_t begin = text.rfind('\n', at) + 1;
    const auto line = std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    return Position{static_cast<uint32_t>(line), static_cast<uint32_t>(at - begin)};
  };
  // Every key is a moment of its own, also the one in which there is no value at all.
  test.fixture.editor().goTo(placeOf("}, num_warps=8"));
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  REQUIRE(QTest::qWaitFor([&] { return test.asked().constexprs.at("BLOCK") == "1"; }, 5000));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.fixture.type("256");
  REQUIRE(QTest::qWaitFor([&] { return test.asked().constexprs.at("BLOCK") == "256"; }, 5000));
  CHECK(test.asked().options.at("num_warps") == "8");
  REQUIRE(QTest::qWaitFor(
      [&] { return test.box("Configuration")->currentText() == u"BLOCK=256  num_warps=8"; }, 5000));

  // The entry goes.
  test.fixture.editor().goTo(placeOf(", triton.Config({\"BLOCK\": 256"));
  QTest::keyClick(&test.fixture.editor(), Qt::Key_End, Qt::ShiftModifier);
  test.fixture.type("],");
  REQUIRE(QTest::qWaitFor([&] { return test.asked().constexprs.at("BLOCK") == "32"; }, 5000));
  REQUIRE(QTest::qWaitFor(
      [&] { return test.box("Configuration")->currentText() == u"as launched"; }, 5000));
  CHECK(test.box("Configuration")->count() == 2);
}
