// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What stays on show between files, between kernels and while a text is broken, and what does not.
#include "app/ide/compile/KeptResults.h"
#include "app/ide/window/KernelBar.h"
#include "tests/gui/StateFixture.h"
#include "views/passes/PassesView.h"
#include "views/registers/RegistersView.h"
#include "views/run/FindingsList.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

static std::string kernelText(const std::string &name) {
  return "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef " + name +
         "(x_ptr):\n    tl.store(x_ptr, 1.0)\n";
}

static const char *const kTwoBlocks = R"py(import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"B": 64}, num_warps=2), triton.Config({"B": 128}, num_warps=8)], key=[])
@triton.jit
def tuned(x_ptr, B: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, B), 1.0)
)py";

static const char *const kLaunched = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "bias_act"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [111] }
# ///
@triton.jit
def bias_act(x_ptr):
    tl.store(x_ptr, 1.0)
)py";

namespace {
/// A window over a compiler whose stages name their kernel, and which tells how it is doing.
struct KeptFixture : StateFixture {
  KeptFixture() {
    backend.answer = [answer = backend.answer](const compiler::CompileRequest &request) {
      auto result = std::make_shared<compiler::CompileResult>(*answer(request));
      const bool isRead = request.text.find('?') == std::string::npos;
      if (!isRead)
        *result = *brokenResult();
      result->files = {{request.path, request.text}};
      // A launch block may name another one.
      if (request.text.find("def " + result->kernel + "(") == std::string::npos)
        result->kernels.clear();
      for (compiler::Stage &stage : result->stages)
        if (stage.ok)
          stage.text += "// of " + result->kernel + "\n";
      result->options = request.selection.options;
      return result;
    };
  }

  bool shows(const std::string &kernel) {
    for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
      if (window.stageColumn(stage)->codeView().document().text().find("// of " + kernel + "\n") ==
          std::string::npos)
        return false;
    return window.layoutDiagram()->current() != nullptr;
  }
  bool showsNothing() {
    for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
      if (!window.stageColumn(stage)->codeView().document().text().empty() ||
          !window.stageColumn(stage)->staleText().isEmpty())
        return false;
    return window.layoutDiagram()->current() == nullptr && window.passes()->model().rowCount() == 0;
  }
  QComboBox *box(const char *name) {
    for (QComboBox *each : window.findChildren<QComboBox *>())
      if (each->accessibleName() == QString::fromLatin1(name))
        return each;
    FAIL("no such choice");
    return nullptr;
  }
  /// What tool bar and status bar say in words.
  QString told() {
    QStringList words;
    for (const QWidget *bar : {static_cast<QWidget *>(window.findChild<KernelBar *>()),
                               static_cast<QWidget *>(window.statusBar())})
      for (const QLabel *label : bar->findChildren<QLabel *>())
        if (label->isVisible())
          words << label->text();
    return words.join(u'|');
  }
  bool waitFor(const std::function<bool()> &holds) { return QTest::qWaitFor(holds, kPatienceMs); }
  void settle(const std::function<void()> &act) {
    QSignalSpy settled(&window, &MainWindow::settled);
    act();
    const CompileController &compile = *window.compileController();
    REQUIRE(waitFor([&] {
      return !settled.isEmpty() && compile.isCurrent() && !compile.isRunning() &&
             compile.document()->source->text == fixture.editor().utf8Text();
    }));
  }
};
} // namespace

TEST_CASE(
    "a file that comes back shows its last good stages at once, and keeps them when it breaks",
    "[gui][document]") {
  KeptFixture test;
  test.open("alpha.py", kernelText("alpha"));
  test.open("beta.py", kernelText("beta"));
  REQUIRE(test.shows("beta"));
  // The compiler is busy.
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.press(Qt::Key_PageUp, Qt::ControlModifier);
  REQUIRE(test.window.currentPage()->path().endsWith(u"alpha.py"));
  CHECK(test.shows("alpha"));
  // It is of this very text: nothing about it is old.
  CHECK_FALSE(
      QTest::qWaitFor([&] { return test.window.stageColumn(StageId::Ptx)->isStale(); }, 600));
  test.backend.answer = answer;
  test.fixture.editor().goTo({6, 4});
  test.settle([&] { test.fixture.type("wrong;"); });
  CHECK(test.shows("alpha"));
  CHECK(test.window.stageColumn(StageId::Ttir)->staleText().contains(u"last good"));
  CHECK(test.window.layoutDiagram()->isStale());
  // Broken as it is, it comes back as it was left.
  test.settle([&] { test.press(Qt::Key_PageDown, Qt::ControlModifier); });
  CHECK(test.shows("beta"));
  test.settle([&] { test.press(Qt::Key_PageUp, Qt::ControlModifier); });
  CHECK(test.shows("alpha"));
  CHECK(test.window.stageColumn(StageId::Ttir)->staleText().contains(u"last good"));
}

TEST_CASE("a kernel that was good keeps its stages while the text above does not parse",
          "[gui][document]") {
  KeptFixture test;
  std::string two = kTwoKernels;
  two.replace(two.find("wrong"), 5, "1.0");
  test.open("two.py", two);
  REQUIRE(test.shows("first"));
  test.goToKernel(10, "second");
  REQUIRE(test.waitFor([&] { return test.shows("second"); }));
  test.fixture.editor().goTo({0, 0});
  test.settle([&] { test.fixture.type("?"); });
  CHECK(test.shows("second"));
  test.settle([&] { test.fixture.editor().goTo({5, 6}); });
  CHECK(test.window.compileController()->document()->kernel() == "first");
  CHECK(test.shows("first"));
  CHECK(test.window.stageColumn(StageId::Ttir)->staleText().contains(u"last good"));
}

TEST_CASE("while another file compiles, nothing of the one before is on show", "[gui][document]") {
  KeptFixture test;
  test.open("tuned.py", kTwoBlocks);
  REQUIRE(test.waitFor([&] { return test.box("Configuration")->isVisible(); }));
  test.fixture.editor().goTo({7, 4});
  test.settle([&] { test.fixture.type("wrong;"); });
  REQUIRE(test.lists("`wrong` is not defined"));
  REQUIRE(test.told().contains(u"does not compile"));
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.window.openFile(test.fixture.write("alpha.py", kernelText("alpha")));
  CHECK(test.showsNothing());
  CHECK(test.window.stageColumn(StageId::Ttir)->headerText() == u"compiling…");
  CHECK(test.messages().empty());
  CHECK(test.problemsText() == u"Compiling…");
  CHECK(test.waitFor([&] { return !test.box("Configuration")->isVisible(); }));
  CHECK(test.told().contains(u"… warps"));
  CHECK_FALSE(test.told().contains(u"registers"));
  CHECK_FALSE(test.told().contains(u"compile"));
  // Also after a while, in which what is old is marked.
  QTest::qWait(400);
  CHECK(test.showsNothing());
  test.backend.answer = answer;
  test.settle([&] { test.fixture.type(" "); });
  CHECK(test.shows("alpha"));
  CHECK(test.told().contains(u"registers"));
}

TEST_CASE("a chosen configuration is not told the facts of the one before", "[gui][document]") {
  KeptFixture test;
  test.open("tuned.py", kTwoBlocks);
  REQUIRE(test.told().contains(u"registers"));
  const auto answer = std::exchange(test.backend.answer, nullptr);
  QComboBox *configurations = test.box("Configuration");
  configurations->setFocus();
  QTest::keyClick(configurations, Qt::Key_End);
  CHECK(test.told().contains(u"… warps  ·  … stages"));
  CHECK_FALSE(test.told().contains(u"registers"));
  // The code of the one before stays, and is marked as such.
  CHECK(test.shows("tuned"));
  CHECK(test.waitFor([&] { return test.window.stageColumn(StageId::Ptx)->isStale(); }));
  CHECK(test.window.stageColumn(StageId::Ptx)->staleText().contains(u"what was chosen before"));
}

TEST_CASE("a picture of the configuration before is not called one of an earlier text",
          "[gui][document]") {
  KeptFixture test;
  test.open("tuned.py", kTwoBlocks);
  const views::RegistersView &registers = *test.window.findChild<views::RegistersView *>();
  test.window.action(QStringLiteral("view.registers"))->trigger();
  REQUIRE(test.waitFor([&] { return registers.hasContent(); }));
  const auto answer = std::exchange(test.backend.answer, nullptr);
  const auto note = [&] {
    QString found;
    for (const QLabel *label : registers.findChildren<QLabel *>())
      if (!label->isHidden() && label->text().startsWith(u"Stale"))
        found = label->text();
    return found;
  };
  QComboBox *configurations = test.box("Configuration");
  configurations->setFocus();
  QTest::keyClick(configurations, Qt::Key_End);
  REQUIRE(test.waitFor([&] { return !note().isEmpty(); }));
  CHECK(note().contains(u"what was chosen before"));
}

TEST_CASE(
    "while a definition is broken, kernel and launch block stay, and a run says what is wrong",
    "[gui][document]") {
  KeptFixture test;
  // The kernel of the template has long got another name.
  QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier);
  REQUIRE(test.waitFor([&] { return test.window.compileController()->isCurrent(); }));
  test.settle([&] { test.fixture.editor().replaceText(QString::fromLatin1(kLaunched)); });
  REQUIRE(test.box("Kernel")->currentText() == u"bias_act");
  REQUIRE(test.box("Launch")->currentText() == u"bias_act");
  test.fixture.editor().goTo({11, 3});
  test.settle([&] {
    for (int i = 0; i < 3; ++i)
      test.press(Qt::Key_Backspace);
    test.fixture.type("?");
  });
  CHECK(test.window.compileController()->document()->kernel() == "bias_act");
  CHECK(test.box("Kernel")->currentText() == u"bias_act");
  CHECK(test.box("Launch")->currentText() == u"bias_act");
  CHECK(test.shows("bias_act"));
  const size_t numRuns = test.runs.requests.size();
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == numRuns);
  auto &view = *test.window.findChild<views::RunView *>();
  CHECK(view.statusText() == u"Not run: the text has a syntax error in line 12.");
  // The message leads there.
  auto *findings = view.findChild<views::FindingsList *>();
  REQUIRE(findings->count() > 0);
  test.fixture.editor().goTo({0, 0});
  findings->setFocus();
  findings->setCurrentRow(0);
  QTest::keyClick(findings, Qt::Key_Return);
  CHECK(test.fixture.editor().cursor().line == 11);
  CHECK(test.window.focusWidget() == &test.fixture.editor());
  CHECK_FALSE(test.window.currentPage()->isReadOnly());
  // So does a click.
  test.fixture.editor().goTo({0, 0});
  QTest::mouseClick(findings->viewport(), Qt::LeftButton, {},
                    findings->visualItemRect(findings->item(0)).center());
  CHECK(test.fixture.editor().cursor().line == 11);
}

TEST_CASE("a launch block that names no kernel of the file takes none away", "[gui][document]") {
  KeptFixture test;
  test.open("launched.py", kLaunched);
  REQUIRE(test.shows("bias_act"));
  test.fixture.editor().goTo(rangeOf(kLaunched, "\"bias_act\"").end);
  test.settle([&] {
    test.press(Qt::Key_Left);
    test.press(Qt::Key_Backspace);
  });
  REQUIRE_FALSE(test.window.compileController()->latest()->result()->ok);
  CHECK(test.box("Kernel")->currentText() == u"bias_act");
  CHECK(test.shows("bias_act"));
  CHECK(test.window.stageColumn(StageId::Ttir)->staleText().contains(u"last good"));
  CHECK(test.window.layoutDiagram()->isStale());
}

TEST_CASE("a value that cannot be read leaves the last good stages as stale ones",
          "[gui][document]") {
  KeptFixture test;
  test.open("launched.py", kLaunched);
  test.fixture.editor().goTo(rangeOf(kLaunched, "[111]").end);
  test.settle([&] { test.fixture.type("x"); });
  REQUIRE_FALSE(test.window.compileController()->latest()->result()->ok);
  CHECK(test.shows("bias_act"));
  for (const StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
    CHECK(test.window.stageColumn(stage)->staleText().contains(u"last good"));
}

TEST_CASE("results are kept for a bounded number of kernels, those looked at last",
          "[gui][document]") {
  const QObject one, other;
  KeptResults kept;
  const auto keep = [&](const QObject &file, const std::string &kernel, size_t numBytes) {
    auto result = std::make_shared<compiler::CompileResult>();
    result->stages.push_back({StageId::Ttir, true, false, 0, std::string(numBytes, 'x'), {}});
    kept.keep({&file, std::make_shared<const views::Correlation>(result),
               makeDocument(1, makeSource({}, kernelText(kernel)), {}, {})});
  };
  const auto has = [&](const QObject &file, const std::string &kernel) {
    return kept.find(&file, kernel) != nullptr;
  };
  keep(one, "a", 1);
  keep(one, "a", 2);
  CHECK(kept.size() == 1);
  CHECK_FALSE(has(other, "a"));
  for (int i = 0; i < 7; ++i)
    keep(other, "k" + std::to_string(i), 1);
  // Looked at, it outlives one that was made after it.
  CHECK(has(one, "a"));
  keep(other, "new", 1);
  CHECK(kept.size() == KeptResults::kMostKept);
  CHECK(has(one, "a"));
  CHECK_FALSE(has(other, "k0"));
  // One that is too large leaves room for itself alone.
  keep(one, "large", KeptResults::kMostBytes);
  CHECK(kept.size() == 1);
  CHECK(has(one, "large"));
  kept.forget(&one);
  CHECK(kept.size() == 0);
}

TEST_CASE("a diagram says nothing about a text that does not compile", "[gui][document]") {
  KeptFixture test;
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = std::make_shared<compiler::CompileResult>(*answer(request));
    result->layouts.clear();
    result->values.clear();
    return result;
  };
  test.open("alpha.py", kernelText("alpha"));
  const auto said = [&] { return test.window.layoutDiagram()->tensorCanvas().emptyText(); };
  REQUIRE(said().contains(u"single numbers only"));
  test.fixture.editor().goTo({6, 4});
  test.settle([&] { test.fixture.type("wrong;"); });
  CHECK_FALSE(said().contains(u"single numbers only"));
  CHECK(said().contains(u"does not compile"));
}

TEST_CASE("a document in IR keeps its kernel while it cannot be read", "[gui][document]") {
  KeptFixture test;
  test.backend.answer = [](const compiler::CompileRequest &request) {
    const bool isRead = request.text.find('x') == std::string::npos;
    auto result = isRead ? sampleResult() : brokenResult();
    result->files = {{request.path, request.text}};
    result->kernel = isRead ? "k" : "";
    result->kernels = isRead ? std::vector<std::string>{"k"} : std::vector<std::string>();
    return result;
  };
  test.open("k.ttir", "module {\n}\n");
  REQUIRE(test.box("Kernel")->currentText() == u"k");
  test.settle([&] { test.fixture.type("x"); });
  REQUIRE_FALSE(test.window.compileController()->latest()->result()->ok);
  CHECK(test.box("Kernel")->currentText() == u"k");
  // Another document is another matter.
  test.settle([&] { test.window.openFile(test.fixture.write("y.ttir", "module {x\n}\n")); });
  CHECK(test.box("Kernel")->currentText().isEmpty());
}

TEST_CASE("what is assumed about a kernel stays in the form while the text does not parse",
          "[gui][document]") {
  KeptFixture test;
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = std::make_shared<compiler::CompileResult>(*answer(request));
    result->signature.clear();
    if (result->ok)
      result->signature["x_ptr"] = "*fp32:16";
    return result;
  };
  test.open("alpha.py", kernelText("alpha"));
  const auto hasField = [&] {
    for (const QLineEdit *field : test.window.findChildren<QLineEdit *>())
      if (field->accessibleName() == u"x_ptr" && !field->isHidden())
        return true;
    return false;
  };
  REQUIRE(hasField());
  test.fixture.editor().goTo({0, 0});
  test.settle([&] { test.fixture.type("?"); });
  CHECK(hasField());
  // Another file's are not mixed up with it.
  test.settle(
      [&] { test.window.openFile(test.fixture.write("beta.py", "? " + kernelText("beta"))); });
  CHECK_FALSE(hasField());
}
