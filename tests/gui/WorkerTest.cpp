// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The window over the real compile worker: keys go in, what the views show comes out.
#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "tests/support/Sanitized.h"
#include "tests/support/ThreadTime.h"
#include "views/common/tensor/TensorModel.h"
#include "views/editor/HoverCard.h"
#include "views/layout/LayoutDiagram.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

#include <csignal>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::DiagnosticKind;
using compiler::StageId;
using compiler::TestHook;

namespace {

/// Environment for workers that obey test hooks and keep their reproducers in a folder of the test.
struct WorkerEnvironment {
  QTemporaryDir crashes;
  WorkerEnvironment() {
    qputenv("TILESCOPE_TEST_HOOKS", "1");
    qputenv("TILESCOPE_CRASH_DIR", crashes.path().toUtf8());
    qputenv("TILESCOPE_MEMORY_LIMIT_MB", "2500");
  }
};

struct WorkerFixture : WorkerEnvironment {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;

  /// Types and waits until everything shows the compile of exactly this text.
  void typeAndSettle(const char *keys) {
    QSignalSpy settled(&window, &MainWindow::settled);
    fixture.type(keys);
    REQUIRE(QTest::qWaitFor(
        [&] {
          return !settled.isEmpty() && window.compileController()->latest() &&
                 window.compileController()->latest()->result()->revision ==
                     window.compileController()->request().revision &&
                 !window.compileController()->isRunning();
        },
        kPatienceMs));
  }

  const compiler::Diagnostic *problem(DiagnosticKind kind) {
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      if (diagnostic.kind == kind)
        return &diagnostic;
    return nullptr;
  }

  std::string stageText(StageId stage) {
    return window.stageColumn(stage)->codeView().document().text();
  }

  /// A key makes the compiler do `action`; the window says so and goes on with the next key.
  void checkDeath(TestHook hook, DiagnosticKind kind, const std::string &words) {
    fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
    REQUIRE(stageText(StageId::Ttgir).find("tt.load") != std::string::npos);
    fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
    typeAndSettle(" * ");
    const qint64 before = worker.processId();
    worker.setTestHook(hook);
    typeAndSettle("3");
    const compiler::Diagnostic *found = problem(kind);
    REQUIRE(found != nullptr);
    CHECK(found->message.find(words) != std::string::npos);
    CHECK(found->message.find("TTGIR") != std::string::npos);
    CHECK(window.stageColumn(StageId::Ttgir)->isStale());
    // The last good content stays.
    CHECK(stageText(StageId::Ttgir).find("tt.load") != std::string::npos);

    QTest::keyClick(window.editor(), Qt::Key_Backspace);
    typeAndSettle("2");
    CHECK(problem(kind) == nullptr);
    CHECK(window.compileController()->latest()->result()->stage(StageId::Ptx) != nullptr);
    CHECK(worker.processId() != before);
    CHECK(worker.processId() > 0);
  }
};

} // namespace

TEST_CASE("a crash of the compiler is a problem, and the next key compiles again",
          "[gui][worker]") {
  WorkerFixture test;
  test.checkDeath({TestHook::Action::Crash, "ttgir"}, DiagnosticKind::StageCrashed, "crashed");
  // The reproducer was written where the diagnostic says.
  CHECK_FALSE(QDir(test.crashes.path()).isEmpty());
}

TEST_CASE("without a compiler, requests end when their time is up", "[gui][worker]") {
  WorkerConnection worker(QStringLiteral("/bin/false"));
  worker.setDeadlines(20, 40);
  QSignalSpy unavailable(&worker, &CompileBackend::unavailable);
  REQUIRE(unavailable.wait(kPatienceMs));
  CHECK(worker.processId() == 0);
  worker.compile({}, {});
  QTest::qWait(100);
  worker.compile({}, {});
  worker.compile({}, {});
  QTest::qWait(100);
  CHECK(worker.processId() == 0);
}

TEST_CASE("a hanging compiler is ended, and the next key compiles again", "[gui][worker]") {
  WorkerFixture test;
  test.worker.setDeadlines(1000, 8000);
  test.checkDeath({TestHook::Action::Hang, "ttgir"}, DiagnosticKind::StageTimedOut,
                  "took too long");
}

TEST_CASE("a compiler out of memory is a problem, and the next key compiles again",
          "[gui][worker]") {
  // The bookkeeping needs terabytes: memory is not limited.
  if (kIsSanitized)
    return;
  WorkerFixture test;
  test.checkDeath({TestHook::Action::ExhaustMemory, "ttgir"}, DiagnosticKind::StageOutOfMemory,
                  "ran out of memory");
}

namespace {
/// Qt's warnings while it lives.
class QtWarnings {
public:
  QtWarnings() : m_before(qInstallMessageHandler(note)) { s_all.clear(); }
  ~QtWarnings() { qInstallMessageHandler(m_before); }
  static QString all() { return s_all.join(u'\n'); }

private:
  static void note(QtMsgType, const QMessageLogContext &, const QString &text) { s_all << text; }
  static inline QStringList s_all;
  QtMessageHandler m_before;
};
} // namespace

TEST_CASE("workers that were replaced, and the last one, end before their connection does",
          "[gui][worker]") {
  const QtWarnings warnings;
  {
    WorkerFixture test;
    test.worker.setDeadlines(300, 60000);
    test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
    test.fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
    test.fixture.type(" * ");
    const qint64 before = test.worker.processId();
    const auto isReplaced = [&] { return test.worker.processId() != before; };
    // A request that never began is dropped together with its hook, so every one carries a hook
    // until one of them hangs and the next one replaces the worker.
    for (int round = 0; round < 20 && !isReplaced(); ++round) {
      test.worker.setTestHook({TestHook::Action::Hang, "ttir"});
      test.fixture.type(round % 2 == 0 ? "3" : " + 7");
      (void)QTest::qWaitFor(isReplaced, 1000);
    }
    REQUIRE(isReplaced());
  }
  CHECK_FALSE(QtWarnings::all().contains(u"QProcess"));
}

TEST_CASE("a hanging compile does not hold up the newest edit", "[gui][worker]") {
  WorkerFixture test;
  test.worker.setDeadlines(500, 60000);
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  test.fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
  test.fixture.type(" * ");
  test.worker.setTestHook({TestHook::Action::Hang, "ttir"});
  test.fixture.type("3");
  test.typeAndSettle("7");
  CHECK(test.stageText(StageId::Ttir).find("3.700000e+01") != std::string::npos);
}

/// Processor time of this thread so far.
namespace {
/// Notes when the editor was last painted.
class PaintWatcher : public QObject {
public:
  explicit PaintWatcher(QWidget *widget) { widget->installEventFilter(this); }
  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() == QEvent::Paint)
      ++numPaints;
    return false;
  }
  int numPaints = 0;
};
} // namespace

TEST_CASE("the newest edit wins, and typing never waits", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  views::KernelEditor &editor = test.fixture.editor();
  editor.goTo(rangeOf(sampleSource(), "x + y").end);
  PaintWatcher watcher(editor.viewport());
  std::vector<double> latenciesMs;
  std::vector<double> workMs;
  // Fifty keys, none of which waits for what the one before set going.
  std::string keys;
  while (keys.size() < 50)
    keys += keys.size() < 45 ? " + 1." : "5";
  QSignalSpy settled(&test.window, &MainWindow::settled);
  for (const char key : keys) {
    const int before = watcher.numPaints;
    QElapsedTimer timer;
    timer.start();
    const double workBefore = tests::threadTimeMs();
    QTest::keyClick(&editor, key);
    while (watcher.numPaints == before && timer.elapsed() < 5000)
      QCoreApplication::processEvents();
    latenciesMs.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    workMs.push_back(tests::threadTimeMs() - workBefore);
  }
  std::sort(latenciesMs.begin(), latenciesMs.end());
  std::sort(workMs.begin(), workMs.end());
  std::cout << "key to paint: median " << latenciesMs[25] << " ms, 95th percentile "
            << latenciesMs[47] << " ms, longest " << latenciesMs.back() << " ms\n";
  std::cout << "work of the window's thread: median " << workMs[25] << " ms, 95th percentile "
            << workMs[47] << " ms, longest " << workMs.back() << " ms\n";
  // How long a key takes to be seen depends on what else the machine does; the work does not.
  const double slowdown = kSlowdown;
  CHECK(workMs[25] < 16.0 * slowdown);
  CHECK(workMs[47] < 33.0 * slowdown);

  CompileController &compile = *test.window.compileController();
  REQUIRE(QTest::qWaitFor(
      [&] {
        return !compile.isRunning() && compile.latest() &&
               compile.latest()->result()->revision == compile.request().revision;
      },
      kPatienceMs));
  CHECK(compile.request().text == editor.utf8Text());
  CHECK(editor.utf8Text().find("x + y" + keys) != std::string::npos);
  const std::string shown = test.stageText(StageId::Ttir);
  CHECK(shown.find("1.55555") != std::string::npos);
  // The views show the result of compiling the whole text, with nothing before it.
  settled.clear();
  compile.recompile();
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.stageText(StageId::Ttir) == shown);
}

/// A product of blocks, in which 128 lanes hold every element of a factor.
static std::string productOf(const std::string &extent) {
  return "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef product(out_ptr):\n"
         "    a = tl.full([" +
         extent + ", " + extent +
         "], 1.0, tl.float32)\n"
         "    b = tl.dot(a, a, input_precision=\"ieee\")\n"
         "    tl.store(out_ptr, tl.sum(b))\n";
}

TEST_CASE("a kernel of the largest blocks that there are opens like any other",
          "[gui][worker][timed]") {
  WorkerFixture test;
  const auto open = [&](const char *name, const std::string &text) {
    const double before = tests::threadTimeMs();
    test.fixture.openAndWait(test.fixture.write(name, text));
    return tests::threadTimeMs() - before;
  };
  const double smallMs = open("small.py", productOf("64"));
  const std::string text = productOf("1024");
  const double largeMs = open("large.py", text);
  std::cout << "work of the window's thread to open 64 x 64: " << smallMs
            << " ms, 1024 x 1024: " << largeMs << " ms\n";
  // Visiting 134 million places takes a minute.
  CHECK(largeMs < smallMs + 1000);
  // From `tl.full` to the line of the product and back, as the arrow keys lead.
  const views::LayoutDiagram &diagram = *test.window.layoutDiagram();
  test.fixture.editor().goTo(rangeOf(text, "tl.full").begin);
  for (Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Up, Qt::Key_Right}) {
    const double before = tests::threadTimeMs();
    QTest::keyClick(test.window.editor(), key);
    QCoreApplication::processEvents();
    CHECK(tests::threadTimeMs() - before < 500);
    REQUIRE(diagram.current() != nullptr);
    CHECK(diagram.current()->shape == std::vector<int64_t>{1024, 1024});
  }
  // The first value of the list is the factor that every lane holds: 134 million places.
  auto *values = diagram.findChild<QComboBox *>();
  values->setFocus();
  double most = 0;
  // Effects of earlier keys may still choose the value at the cursor.
  CHECK(QTest::qWaitFor(
      [&] {
        const double before = tests::threadTimeMs();
        QTest::keyClick(values, Qt::Key_Home);
        QCoreApplication::processEvents();
        most = std::max(most, tests::threadTimeMs() - before);
        return diagram.infoText().contains(QStringLiteral("every element held 128 times"));
      },
      5000));
  CHECK(most < 500);
}

TEST_CASE("a launch runs from the keyboard, and its output is shown in three ways",
          "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  auto *view = test.window.findChild<views::RunView *>();
  REQUIRE(view != nullptr);
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return view->results().isLoaded(); }, kPatienceMs));
  CHECK(view->statusText().contains(QStringLiteral("97 programs")));
  CHECK(view->isVisible());
  // The outputs are in the order of the arguments; only what the kernel wrote differs from before.
  const QList<QComboBox *> choices = view->findChildren<QComboBox *>();
  const auto mode = std::find_if(choices.begin(), choices.end(), [](const QComboBox *box) {
    return box->findText(QStringLiteral("Histogram")) >= 0;
  });
  REQUIRE(mode != choices.end());
  (*mode)->setFocus();
  for (const char *name : {"Table", "Histogram"}) {
    QTest::keyClick(*mode, Qt::Key_Down);
    CHECK((*mode)->currentText() == QString::fromLatin1(name));
  }
  CHECK(view->tableModel().rowCount() * view->tableModel().columnCount() >= 98432);
}

TEST_CASE("a forked stage is edited and compiles onward", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ptx = test.stageText(StageId::Ptx);
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.window.action(QStringLiteral("forkTtir"))->trigger();
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.window.currentPage()->title() == QStringLiteral("vector_add.ttir"));
  CHECK(test.window.currentPage()->isModified());
  views::KernelEditor &editor = test.fixture.editor();
  const std::string ttir = editor.utf8Text();
  const SourceRange sum = rangeOf(ttir, "arith.addf");
  editor.selectRange({{sum.begin.line, sum.begin.column + 6}, sum.end, 0});
  test.typeAndSettle("mulf");
  CHECK(test.stageText(StageId::Ttgir).find("arith.mulf") != std::string::npos);
  CHECK(test.stageText(StageId::Ptx) != ptx);
}

TEST_CASE("files of IR compile onward from their stage", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ttir = test.stageText(StageId::Ttir);
  const std::string ttgir = test.stageText(StageId::Ttgir);
  const std::string ptx = test.stageText(StageId::Ptx);
  // Values are called as in the source.
  CHECK(ttir.find("%x_ptr: !tt.ptr<f32>") != std::string::npos);
  CHECK(ttir.find("%offsets = ") != std::string::npos);
  CHECK(ttgir.find("%mask = ") != std::string::npos);
  CHECK(test.window.stageColumn(StageId::Ttir)->headerText().contains(QStringLiteral("mapped")));
  const std::string llir = test.stageText(StageId::LlvmIr);
  struct Entry {
    const char *name;
    const std::string &text;
    StageId stage;
    bool hasLayouts;
  };
  for (const Entry &entry : {Entry{"add.ttir", ttir, StageId::Ttir, true},
                             Entry{"add.ttgir", ttgir, StageId::Ttgir, true},
                             Entry{"add.llir", llir, StageId::LlvmIr, false},
                             Entry{"add.ptx", ptx, StageId::Ptx, false}}) {
    INFO(entry.name);
    test.fixture.openAndWait(test.fixture.write(entry.name, entry.text));
    const auto result = test.window.compileController()->latest()->result();
    for (const compiler::Diagnostic &diagnostic : result->diagnostics)
      UNSCOPED_INFO(diagnostic.message);
    REQUIRE(result->stage(StageId::Ptx) != nullptr);
    CHECK(result->stage(StageId::Ptx)->ok);
    CHECK(test.stageText(StageId::Ptx).find("ld.global") != std::string::npos);
    // The stages before the document are not those of the file that was open before.
    for (const StageId before : {StageId::Ttir, StageId::Ttgir})
      CHECK(test.stageText(before).empty() == (before < entry.stage));
    CHECK((test.window.layoutDiagram()->current() != nullptr) == entry.hasLayouts);
  }
}

TEST_CASE("a document in TTGIR shows types, layouts and parameters, and runs nothing unasked",
          "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ttgir = test.stageText(StageId::Ttgir);
  test.fixture.openAndWait(test.fixture.write("add.ttgir", ttgir));
  // The cursor moves by a key to the line of the loaded block; the diagram follows.
  const size_t end = ttgir.find(" = tt.load");
  const size_t begin = ttgir.rfind('%', end);
  const std::string name = ttgir.substr(begin, end - begin);
  const SourceRange load = rangeOf(ttgir, name);
  test.fixture.editor().goTo({load.begin.line - 1, load.begin.column});
  QTest::keyClick(test.window.editor(), Qt::Key_Down);
  const compiler::LayoutFacts *shown = test.window.layoutDiagram()->current();
  REQUIRE(shown != nullptr);
  CHECK(shown->value == name);
  CHECK(shown->stageLine == load.begin.line);
  // The type of a value where it is used.
  const SourceRange use = rangeOf(ttgir, name + ", %");
  test.fixture.editor().goTo(use.begin);
  QTest::keyClick(test.window.editor(), Qt::Key_K, Qt::ControlModifier);
  auto *card = test.window.editor()->findChild<views::HoverCard *>();
  REQUIRE(card != nullptr);
  REQUIRE(card->isVisible());
  CHECK(card->text().contains(QStringLiteral("fp32[1024] · #ttg.blocked")));

  // The parameters are those of the document; a launch block is written in its kind of comment.
  QLineEdit *parameter = nullptr;
  for (QLineEdit *edit : test.window.findChildren<QLineEdit *>())
    if (edit->accessibleName() == u"x_ptr")
      parameter = edit;
  REQUIRE(parameter != nullptr);
  CHECK(parameter->text() == QStringLiteral("*fp32"));
  CHECK(parameter->isReadOnly());
  QPushButton *create = test.fixture.writeBlockButton();
  create->setFocus();
  QTest::keyClick(create, Qt::Key_Space);
  const std::string edited = test.fixture.editor().utf8Text();
  CHECK(edited.starts_with("// /// tilescope\n// kernel = \"vector_add\"\n"));
  CHECK(edited.ends_with(ttgir));
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  auto *view = test.window.findChild<views::RunView *>();
  CHECK(QTest::qWaitFor(
      [&] {
        return view->statusText().contains(QStringLiteral(
            "The interpreter runs kernel files and TTIR. Choose a GPU to run TTGIR."));
      },
      kPatienceMs));
}

TEST_CASE("a document in TTIR runs from its launch block", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ttir = test.stageText(StageId::Ttir);
  test.fixture.openAndWait(test.fixture.write(
      "add.ttir", "// /// tilescope\n// grid = [2]\n// [args]\n"
                  "// x_ptr = { dtype = \"fp32\", shape = [2048], init = \"randn\" }\n"
                  "// y_ptr = { dtype = \"fp32\", shape = [2048], init = \"randn\" }\n"
                  "// out_ptr = { dtype = \"fp32\", shape = [2048] }\n// n = 2048\n// ///\n" +
                      ttir));
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  auto *view = test.window.findChild<views::RunView *>();
  REQUIRE(QTest::qWaitFor([&] { return view->numOutputs() > 0; }, kPatienceMs));
  CHECK(view->statusText().contains(QStringLiteral("2 programs")));
}

TEST_CASE("the launch blocks of the examples say nothing that is not carried out",
          "[gui][worker]") {
  WorkerFixture test;
  for (const char *name : {"vector_add.py", "fused_softmax.py", "matmul.py"}) {
    INFO(name);
    std::ifstream file(std::string(TILESCOPE_EXAMPLES "/") + name);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    test.fixture.openAndWait(test.fixture.write(name, text));
    for (const compiler::Diagnostic &found : test.window.problems()->model().diagnostics())
      CHECK((found.kind == compiler::DiagnosticKind::LaunchBlockInvalid ? found.message : "") ==
            "");
  }
}

TEST_CASE("a kernel without a launch block runs as is suggested", "[gui][worker]") {
  WorkerFixture test;
  // The product of matrices, without its block.
  std::ifstream file(TILESCOPE_EXAMPLES "/matmul.py");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t begin = text.find("# /// tilescope");
  const size_t end = text.find("# ///\n", begin);
  REQUIRE(end != std::string::npos);
  text.erase(begin, end + 6 - begin);
  test.fixture.openAndWait(test.fixture.write("product.py", text));
  QPushButton *create = test.fixture.writeBlockButton();
  CHECK(QTest::qWaitFor([&] { return create->isVisible(); }, kPatienceMs));
  create->setFocus();
  QTest::keyClick(create, Qt::Key_Space);
  const std::string edited = test.fixture.editor().utf8Text();
  INFO(edited);
  CHECK(edited.find("# grid = [\"cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)\"]") != std::string::npos);
  CHECK(edited.find("# stride_am = \"K\"\n") != std::string::npos);
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  auto *view = test.window.findChild<views::RunView *>();
  REQUIRE(QTest::qWaitFor([&] { return view->numOutputs() > 0; }, kPatienceMs));
  // Nothing outside of the tensors, no race.
  INFO(view->statusText().toStdString());
  for (const compiler::Diagnostic &found : test.window.problems()->model().diagnostics())
    // Tools of the machine may be missing.
    CHECK((found.severity == compiler::Severity::Note ? "" : found.message) == "");
}

TEST_CASE("a problem leads to the calls that led there, by keys", "[gui][worker]") {
  WorkerFixture test;
  const std::string text = "import triton\nimport triton.language as tl\n\n\n"
                           "@triton.jit\ndef helper(x):\n    return x + lost\n\n\n"
                           "@triton.jit\ndef kernel(x_ptr):\n"
                           "    o = tl.arange(0, 16)\n    x = tl.load(x_ptr + o)\n"
                           "    y = helper(x)\n    z = tl.topk(x, 3)\n"
                           "    tl.store(x_ptr + o, y + z)\n";
  test.fixture.openAndWait(test.fixture.write("kernel.py", text));
  views::ProblemsModel &model = test.window.problems()->model();
  REQUIRE(model.rowCount() == 2);
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  const auto press = [&](Qt::Key key) {
    tree->setFocus();
    QTest::keyClick(tree, key);
  };
  QTest::keyClick(test.window.editor(), Qt::Key_F8);
  CHECK(test.fixture.editor().cursor() == rangeOf(text, "lost").begin);
  press(Qt::Key_Down);
  press(Qt::Key_Return);
  CHECK(test.fixture.editor().cursor() == rangeOf(text, "helper(x)\n    z").begin);
  // An error inside the library is the call's fault.
  press(Qt::Key_Down);
  press(Qt::Key_Return);
  CHECK(test.fixture.editor().cursor() == rangeOf(text, "tl.topk(x, 3)").begin);
  CHECK_FALSE(test.fixture.editor().hasSelectedText());
}
