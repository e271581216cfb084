// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is shown is what is compiled, run, edited and exported.
#include "app/ide/run/RunController.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/editor/EditorIndicators.h"
#include "views/layout/LayoutDiagram.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStatusBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

static const char *const kOwnSizes = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "first"
# grid = [1]
# [sizes]
# n = 111
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# ///


@triton.jit
def first(x_ptr):
    tl.store(x_ptr, 1.0)


# /// tilescope
# kernel = "second"
# grid = [1]
# [sizes]
# n = 222
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# ///


@triton.jit
def second(x_ptr, n):
    tl.store(x_ptr, 2.0)


@triton.jit
def third(x_ptr):
    tl.store(x_ptr, 3.0)
)py";

namespace {
/// A window over results that are of the kernel, the target and the revision that were asked for.
struct DocumentFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};

  DocumentFixture() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->kernel = request.selection.kernel.empty() ? "vector_add" : request.selection.kernel;
      result->kernels = {result->kernel};
      result->target = request.selection.target.empty() ? "cuda:90" : request.selection.target;
      result->files.front() = {request.path, request.text};
      if (!request.recordPassIr)
        for (compiler::PassRecord &pass : result->passes)
          pass.ir.clear();
      return result;
    };
  }
  void open(const char *name, const std::string &text) {
    fixture.openAndWait(fixture.write(name, text));
  }
  const compiler::Selection &asked() const { return backend.requests.back().selection; }
  MainWindow &window() { return *fixture.window; }
  views::KernelEditor &editor() { return fixture.editor(); }

  QComboBox *box(const char *name) {
    for (QComboBox *each : window().findChildren<QComboBox *>())
      if (each->accessibleName() == QString::fromLatin1(name))
        return each;
    FAIL("no such choice");
    return nullptr;
  }
  /// What the Run form shows in its field `n`.
  QString size() {
    // Fields of the form before are on their way out.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    for (QLineEdit *edit : window().findChildren<QLineEdit *>())
      if (edit->accessibleName() == u"n")
        return edit->text();
    return {};
  }
  /// Moves the cursor as a user would: to the line by Ctrl+Home and Down.
  void cursorTo(const char *words) {
    const std::string text = editor().utf8Text();
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<long>(text.find(words)), '\n');
    editor().setFocus();
    long told = -1;
    const QObject listener;
    QObject::connect(&editor(), &views::KernelEditor::cursorMoved, &listener,
                     [&](Position position) { told = position.line; });
    QTest::keyClick(&editor(), Qt::Key_Home, Qt::ControlModifier);
    for (long i = 0; i < line; ++i)
      QTest::keyClick(&editor(), Qt::Key_Down);
    // The editor tells of its cursor with the next paint.
    REQUIRE(QTest::qWaitFor([&] { return told == line; }, 5000));
  }
};
} // namespace

TEST_CASE("the kernel and the form follow the cursor into kernels and launch blocks",
          "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  CHECK(test.asked().kernel == "first");
  CHECK(test.size() == u"111");
  test.cursorTo("tl.store(x_ptr, 2.0)");
  CHECK(test.asked().kernel == "second");
  CHECK(test.size() == u"222");
  CHECK(test.box("Kernel")->currentText() == u"second");
  test.cursorTo("# n = 111");
  CHECK(test.asked().kernel == "first");
  CHECK(test.size() == u"111");
  // Between kernels nothing else is meant.
  test.cursorTo("import triton.language");
  CHECK(test.asked().kernel == "first");
}

TEST_CASE("a pin holds the kernel against the cursor", "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  test.cursorTo("tl.store(x_ptr, 2.0)");
  QTest::keyClick(&test.editor(), Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  CHECK(test.window().action(QStringLiteral("pinKernel"))->isChecked());
  test.cursorTo("tl.store(x_ptr, 1.0)");
  CHECK(test.asked().kernel == "second");
  CHECK(test.size() == u"222");
  QTest::keyClick(&test.editor(), Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  test.cursorTo("tl.store(x_ptr, 3.0)");
  CHECK(test.asked().kernel == "third");
}

TEST_CASE("a kernel chosen in the tool bar brings its launch block into the form",
          "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  QComboBox *kernels = test.box("Kernel");
  REQUIRE(kernels->count() == 3);
  kernels->setFocus();
  QTest::keyClick(kernels, Qt::Key_Down);
  CHECK(test.asked().kernel == "second");
  CHECK(test.size() == u"222");
  // The third has no block: the form offers to write one, and edits no other's.
  QTest::keyClick(kernels, Qt::Key_Down);
  CHECK(test.asked().kernel == "third");
  CHECK(test.size().isEmpty());
  // Its text is in sight, and an edit there stays with it.
  CHECK(test.editor().cursor().line == rangeOf(kOwnSizes, "@triton.jit\ndef third").begin.line);
  CHECK_FALSE(test.asked().signature.contains("n"));
}

TEST_CASE("every open file keeps its kernel and its pin", "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  test.cursorTo("tl.store(x_ptr, 2.0)");
  QTest::keyClick(&test.editor(), Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
  test.open("add.py", sampleSource());
  CHECK(test.asked().kernel == "vector_add");
  CHECK(test.size() == u"98432");
  CHECK_FALSE(test.window().action(QStringLiteral("pinKernel"))->isChecked());
  QTest::keyClick(&test.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.asked().kernel == "second");
  CHECK(test.size() == u"222");
  CHECK(test.window().action(QStringLiteral("pinKernel"))->isChecked());
}

TEST_CASE("the target is that of the GPU that Run uses, else the last choice; columns say it",
          "[gui][document]") {
  DocumentFixture test;
  test.open("add.py", sampleSource());
  QComboBox *targets = test.box("Target");
  targets->setFocus();
  QTest::keyClicks(targets, QStringLiteral("cuda:80"));
  CHECK(test.asked().target == "cuda:80");
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  test.window().compileController()->setRunTarget("cuda:120");
  CHECK(test.asked().target == "cuda:120");
  CHECK(targets->currentData().toString() == u"cuda:120");
  CHECK_FALSE(targets->isEnabled());
  REQUIRE(settled.wait(5000));
  for (StageId stage : {StageId::Ast, StageId::Ttir, StageId::Ttgir, StageId::Ptx})
    CHECK(test.window().stageColumn(stage)->headerText().contains(u"cuda:120"));
  test.window().compileController()->setRunTarget({});
  CHECK(test.asked().target == "cuda:80");
  CHECK(targets->currentData().toString() == u"cuda:80");
}

TEST_CASE("a target of the last session is compiled for, and shown", "[gui][document]") {
  DocumentFixture test;
  QComboBox *targets = test.box("Target");
  targets->setFocus();
  QTest::keyClicks(targets, QStringLiteral("cuda:100"));
  test.fixture.window->close();
  test.fixture.open();
  test.open("add.py", sampleSource());
  CHECK(test.asked().target == "cuda:100");
  CHECK(test.box("Target")->currentData().toString() == u"cuda:100");
}

TEST_CASE("changes by the last pass are shown as soon as the passes are recorded, and named",
          "[gui][document]") {
  DocumentFixture test;
  // No other view records them.
  test.window().dock(QStringLiteral("passes"))->hide();
  test.open("add.py", sampleSource());
  views::StageColumn *column = test.window().stageColumn(StageId::Ttir);
  CHECK_FALSE(test.backend.requests.back().recordPassIr);
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  QComboBox *mode = &column->comparisonField();
  mode->setFocus();
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(mode, Qt::Key_Down);
  CHECK(column->headerText() == QStringLiteral("the passes are being recorded…"));
  CHECK(test.backend.requests.back().recordPassIr);
  REQUIRE(settled.wait(5000));
  CHECK(column->headerText() == QStringLiteral("+0 \u22121 lines by canonicalize"));
  QTest::keyClick(mode, Qt::Key_Home);
  test.window().compileController()->recompile();
  CHECK_FALSE(test.backend.requests.back().recordPassIr);
}

TEST_CASE("a diff is against the baseline of the same kernel, or is not claimed",
          "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  views::StageColumn *column = test.window().stageColumn(StageId::Ttir);
  column->setComparison({views::Comparison::With::Baseline});
  CHECK(column->headerText() == QStringLiteral("no changes since the baseline"));
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    for (compiler::Stage &stage : result->stages)
      stage.text += "// of " + request.selection.kernel + "\n";
    return result;
  };
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  test.cursorTo("tl.store(x_ptr, 2.0)");
  REQUIRE(QTest::qWaitFor([&] { return !test.window().compileController()->isRunning(); }, 5000));
  CHECK(column->headerText() == QStringLiteral("no changes since the baseline"));
  // The first kernel is compared with what it was, not with what it is on coming back.
  test.cursorTo("tl.store(x_ptr, 1.0)");
  CHECK(QTest::qWaitFor([&] { return column->headerText().startsWith(u"+1 "); }, 5000));
  QTest::keyClick(&test.editor(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.window().statusBar()->currentMessage().startsWith(u"The baseline of ‘"));
  CHECK(QTest::qWaitFor([&] { return column->headerText() == u"no changes since the baseline"; },
                        5000));
  test.cursorTo("tl.store(x_ptr, 2.0)");
  test.cursorTo("tl.store(x_ptr, 1.0)");
  CHECK(QTest::qWaitFor([&] { return column->headerText() == u"no changes since the baseline"; },
                        5000));
}

TEST_CASE("a launch value that is being typed marks all stages stale and compiles no guesses",
          "[gui][document]") {
  DocumentFixture test;
  test.open("two.py", kOwnSizes);
  test.cursorTo("# n = 111");
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  QTest::keyClick(&test.editor(), Qt::Key_End);
  QTest::keyClicks(&test.editor(), QStringLiteral("x"));
  REQUIRE(settled.wait(5000));
  for (StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx}) {
    CHECK(test.window().stageColumn(stage)->isStale());
    CHECK(test.window().stageColumn(stage)->staleText().contains(u"launch block has an error"));
  }
  CHECK(test.window().layoutDiagram()->isStale());
  // The editor holds back what is wrong with a line while it is being typed.
  CHECK(QTest::qWaitFor(
      [&] { return test.window().problems()->model().count(compiler::Severity::Error) == 1; },
      5000));
  settled.clear();
  QTest::keyClick(&test.editor(), Qt::Key_Backspace);
  REQUIRE(settled.wait(5000));
  CHECK_FALSE(test.window().stageColumn(StageId::Ttir)->isStale());
  CHECK_FALSE(test.window().layoutDiagram()->isStale());
}

TEST_CASE("what belongs to an earlier revision is marked while the newest compiles",
          "[gui][document]") {
  DocumentFixture test;
  test.open("add.py", sampleSource());
  const auto answer = std::exchange(test.backend.answer, {});
  test.fixture.type("#");
  views::StageColumn *column = test.window().stageColumn(StageId::Ptx);
  CHECK_FALSE(column->isStale());
  QCoreApplication::processEvents();
  QWidget &viewport = *column->codeView().viewport();
  const QPoint begin = viewport.mapTo(&test.window(), QPoint());
  const QSize size = viewport.size();
  REQUIRE(QTest::qWaitFor([&] { return column->isStale(); }, 5000));
  // Nothing moves for the note.
  QCoreApplication::processEvents();
  CHECK(viewport.mapTo(&test.window(), QPoint()).y() == begin.y());
  CHECK(viewport.size() == size);
  CHECK(column->staleText().contains(u"earlier text"));
  CHECK(test.window().layoutDiagram()->isStale());
  test.backend.answer = answer;
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  test.fixture.type("#");
  REQUIRE(settled.wait(5000));
  CHECK_FALSE(column->isStale());
  CHECK_FALSE(test.window().layoutDiagram()->isStale());
}

TEST_CASE("a forked stage carries the launch block with what was compiled", "[gui][document]") {
  DocumentFixture test;
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    result->metadata.numWarps = 8;
    return result;
  };
  test.open("add.py", sampleSource());
  QSignalSpy settled(&test.window(), &MainWindow::settled);
  test.window().action(QStringLiteral("forkTtir"))->trigger();
  REQUIRE(settled.wait(5000));
  const std::string text = test.editor().utf8Text();
  INFO(text);
  CHECK(text.starts_with("// /// tilescope\n// kernel = \"vector_add\"\n"));
  CHECK(text.find("// num_warps  = 8\n") != std::string::npos);
  CHECK(text.find("// out_ptr = { dtype = \"fp32\", shape = [\"n\"] }") != std::string::npos);
  CHECK(test.backend.requests.back().entry == StageId::Ttir);
  CHECK(test.asked().options.at("num_warps") == "8");
}

TEST_CASE("what the machine lacks is said by the column that lacks it, not as a problem",
          "[gui][document]") {
  DocumentFixture test;
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    compiler::Diagnostic lack;
    lack.kind = compiler::DiagnosticKind::ToolMissing;
    lack.severity = compiler::Severity::Note;
    lack.message = "no SASS: `nvdisasm` was not found";
    result->diagnostics.push_back(lack);
    return result;
  };
  test.open("add.py", sampleSource());
  CHECK(test.window().problems()->model().diagnostics().empty());
  CHECK(test.window().stageColumn(StageId::Sass)->staleText().contains(u"nvdisasm"));
}

TEST_CASE("a node of the whole file does not box the whole source", "[gui][document]") {
  DocumentFixture test;
  test.open("add.py", sampleSource());
  const std::string text = test.editor().utf8Text();
  const auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  test.window().focusState()->setHovered({StageId::Ast, {0, 0}, {{{0, 0}, {lines, 0}, 0}}},
                                         nullptr);
  const auto marked = [&](size_t at) {
    return test.editor().SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, views::kFocusIndicator,
                                       static_cast<long>(at)) != 0;
  };
  CHECK(marked(3));
  CHECK_FALSE(marked(text.find("def vector_add")));
}

TEST_CASE("Back returns to where a jump began, and Forward to where it went", "[gui][document]") {
  DocumentFixture test;
  std::string text = sampleSource();
  text += "\n\n@triton.jit\ndef twice(x):\n    return x + x\n";
  text.replace(text.find("x + y, mask"), 5, "twice(x)");
  test.open("add.py", text);
  const SourceRange call = rangeOf(text, "twice(x), mask");
  test.editor().goTo(call.begin);
  test.editor().setFocus();
  QTest::keyClick(&test.editor(), Qt::Key_F12);
  const uint32_t definition = rangeOf(text, "def twice").begin.line;
  REQUIRE(test.editor().cursor().line == definition);
  QTest::keyClick(&test.editor(), Qt::Key_Left, Qt::AltModifier);
  CHECK(test.editor().cursor() == call.begin);
  QTest::keyClick(&test.editor(), Qt::Key_Right, Qt::AltModifier);
  CHECK(test.editor().cursor().line == definition);
  // A place in another file, too.
  test.open("other.py", kOwnSizes);
  QTest::keyClick(&test.editor(), Qt::Key_Left, Qt::AltModifier);
  CHECK(test.window().currentPage()->title() == u"add.py");
  CHECK(test.editor().cursor() == call.begin);
}

TEST_CASE("the configuration that is shown is the one that is compiled", "[gui][document]") {
  DocumentFixture test;
  const char *const tuned = R"py(import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128}, num_warps=4)],
    key=["n"])
@triton.jit
def scale(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 1.0)
)py";
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    result->kernel = "scale";
    result->constexprs = request.selection.constexprs;
    result->constexprs.try_emplace("BLOCK", "128");
    result->options = {{"num_warps", "4"}, {"num_stages", "3"}};
    return result;
  };
  test.open("tuned.py", tuned);
  QComboBox *choice = test.box("Configuration");
  // Without a launch block nothing is "as launched".
  REQUIRE(choice->count() == 2);
  CHECK(choice->currentText() == QStringLiteral("BLOCK=128  num_warps=4"));
}
