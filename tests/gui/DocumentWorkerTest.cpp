// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents over the real compile worker.
#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/layout/LayoutDiagram.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QPushButton>
#include <QStatusBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

namespace {
struct DocumentWorkerFixture {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;

  void waitForResult() {
    // A key's request is made in a separate event.
    QCoreApplication::processEvents();
    CompileController &compile = *window.compileController();
    REQUIRE(
        QTest::qWaitFor([&] { return compile.isCurrent() && !compile.isRunning(); }, kPatienceMs));
  }
  const compiler::CompileResult &result() {
    return *window.compileController()->latest()->result();
  }
  std::string stageText(StageId stage) {
    return window.stageColumn(stage)->codeView().document().text();
  }
};
} // namespace

TEST_CASE("the template of a new file compiles without a problem", "[gui][worker][document]") {
  DocumentWorkerFixture test;
  test.window.action(QStringLiteral("new"))->trigger();
  test.waitForResult();
  for (const compiler::Diagnostic &diagnostic : test.window.problems()->model().diagnostics())
    UNSCOPED_INFO(diagnostic.message);
  CHECK(test.window.problems()->model().diagnostics().empty());
  CHECK(test.stageText(StageId::Ptx).find(".entry kernel") != std::string::npos);
}

TEST_CASE("a kernel that stores nothing yet gets the sizes of what it loads",
          "[gui][worker][document]") {
  DocumentWorkerFixture test;
  test.fixture.openAndWait(
      test.fixture.write("started.py", "import triton\nimport triton.language as tl\n\n\n"
                                       "@triton.jit\ndef k(x_ptr, n, BLOCK: tl.constexpr = 128):\n"
                                       "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                                       "    x = tl.load(x_ptr + i, mask=i < n)\n"));
  QPushButton *create = test.fixture.writeBlockButton();
  CHECK(QTest::qWaitFor([&] { return create->isVisible(); }, kPatienceMs));
  create->setFocus();
  QTest::keyClick(create, Qt::Key_Space);
  const std::string edited = test.fixture.editor().utf8Text();
  INFO(edited);
  CHECK(edited.find("# x_ptr = { dtype = \"fp32\", shape = [\"n\"]") != std::string::npos);
  CHECK(test.window.statusBar()->currentMessage() ==
        u"The launch block is written. The kernel stores nothing yet: results are written with "
        u"tl.store.");
}

TEST_CASE("a fork compiles for the warps of its kernel and keeps its launch",
          "[gui][worker][document]") {
  DocumentWorkerFixture test;
  std::string text = sampleSource();
  text.replace(text.find("num_warps = 4"), 13, "num_warps = 8");
  test.fixture.openAndWait(test.fixture.write("vector_add.py", text));
  for (const char *fork : {"forkTtir", "forkLlir", "forkPtx"}) {
    INFO(fork);
    test.window.openFile(test.fixture.folder.filePath(QStringLiteral("vector_add.py")));
    test.waitForResult();
    test.window.action(QString::fromLatin1(fork))->trigger();
    test.waitForResult();
    for (const compiler::Diagnostic &diagnostic : test.result().diagnostics)
      UNSCOPED_INFO(diagnostic.message);
    CHECK(test.result().ok);
    CHECK(test.result().metadata.numWarps == 8);
    CHECK_FALSE(test.result().launch.plan.empty());
  }
}

TEST_CASE("a launch value that is being typed compiles nothing for guesses",
          "[gui][worker][document]") {
  DocumentWorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ptx = test.stageText(StageId::Ptx);
  test.fixture.editor().goTo(rangeOf(sampleSource(), "BLOCK = 1024").end);
  test.fixture.type("+");
  test.waitForResult();
  CHECK_FALSE(test.result().ok);
  CHECK(test.result().stage(StageId::Ttir) == nullptr);
  CHECK(test.window.stageColumn(StageId::Ptx)->isStale());
  CHECK(test.stageText(StageId::Ptx) == ptx);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  test.waitForResult();
  CHECK(test.result().ok);
  CHECK_FALSE(test.window.stageColumn(StageId::Ptx)->isStale());
}

TEST_CASE("a launch block that cannot be read, or names no kernel, leaves the last good stages",
          "[gui][worker][document]") {
  DocumentWorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ptx = test.stageText(StageId::Ptx);
  REQUIRE_FALSE(ptx.empty());
  const auto checkKept = [&](const char *where, const char *typed) {
    INFO(where << typed);
    test.fixture.editor().goTo(rangeOf(sampleSource(), where).end);
    test.fixture.type(typed);
    test.waitForResult();
    CHECK_FALSE(test.result().ok);
    CHECK(test.stageText(StageId::Ptx) == ptx);
    CHECK(test.window.stageColumn(StageId::Ptx)->staleText().contains(u"last good"));
    CHECK(test.window.layoutDiagram()->current() != nullptr);
    test.fixture.editor().undo();
    test.waitForResult();
    REQUIRE(test.result().ok);
  };
  // No number, no TOML, and no kernel.
  checkKept("BLOCK = 1024", "x");
  checkKept("BLOCK = 1024", "[");
  checkKept("kernel = \"vector_add", "x");
}

namespace {
/// A kernel that calls a function of another file, and both files on the disk.
struct ImportFixture : DocumentWorkerFixture {
  static std::string helpers(const char *op) {
    return std::string("import triton\nimport triton.language as tl\n\n\n"
                       "@triton.jit\ndef twist(x):\n    return x ") +
           op + " 3.0\n";
  }
  static std::string kernel() {
    return "import triton\nimport triton.language as tl\nfrom helpers import twist\n\n"
           "# /// tilescope\n# grid = [1]\n# [args]\n"
           "# x_ptr = { dtype = \"fp32\", shape = [16], init = \"arange\" }\n"
           "# out_ptr = { dtype = \"fp32\", shape = [16] }\n# ///\n\n\n"
           "@triton.jit\ndef k(x_ptr, out_ptr):\n    i = tl.arange(0, 16)\n"
           "    tl.store(out_ptr + i, twist(tl.load(x_ptr + i)))\n";
  }
  QString path;

  ImportFixture() {
    fixture.write("helpers.py", helpers("-"));
    path = fixture.write("kernel.py", kernel());
    fixture.openAndWait(path);
  }
  bool waitForTtir(const char *operation) {
    return QTest::qWaitFor(
        [&] { return stageText(StageId::Ttir).find(operation) != std::string::npos; }, kPatienceMs);
  }
  /// Types another operation into the tab of the imported file.
  void editHelpers(const char *operation) {
    window.openFile(fixture.folder.filePath(QStringLiteral("helpers.py")));
    fixture.editor().selectRange({{6, 13}, {6, 14}, 0});
    fixture.type(operation);
  }
  views::RunView &run() { return *window.findChild<views::RunView *>(); }
};
} // namespace

TEST_CASE("an imported file that another program changes is compiled anew",
          "[gui][worker][document]") {
  ImportFixture test;
  REQUIRE(test.waitForTtir("arith.subf"));
  test.fixture.write("helpers.py", ImportFixture::helpers("+"));
  CHECK(test.waitForTtir("arith.addf"));
  // One that is gone is missed, and taken again when it is back.
  QFile::remove(test.fixture.folder.filePath(QStringLiteral("helpers.py")));
  CHECK(QTest::qWaitFor(
      [&] { return test.window.compileController()->isCurrent() && !test.result().ok; },
      kPatienceMs));
  test.fixture.write("helpers.py", ImportFixture::helpers("*"));
  CHECK(test.waitForTtir("arith.mulf"));
}

TEST_CASE("what is typed into an imported file is compiled before it is saved, and run",
          "[gui][worker][document]") {
  ImportFixture test;
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return test.run().statusText().startsWith(u"1 program in"); },
                          kPatienceMs));
  CHECK(test.run().results().outdatedReason().isEmpty());
  test.editHelpers("+");
  test.window.openFile(test.path);
  CHECK(test.waitForTtir("arith.addf"));
  CHECK(QTest::qWaitFor(
      [&] { return test.run().results().outdatedReason().contains(u"the imported `helpers.py`"); },
      kPatienceMs));
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return test.run().results().outdatedReason().isEmpty(); },
                          kPatienceMs));
  // Saving changes nothing of what was compiled and run.
  test.window.openFile(test.fixture.folder.filePath(QStringLiteral("helpers.py")));
  QTest::keyClick(test.window.editor(), Qt::Key_S, Qt::ControlModifier);
  test.window.openFile(test.path);
  test.waitForResult();
  CHECK(test.stageText(StageId::Ttir).find("arith.addf") != std::string::npos);
  CHECK(test.run().results().outdatedReason().isEmpty());
}
