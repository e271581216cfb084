// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of a kernel while nothing states how it is launched, typed as a user types it, over
// the real compile worker: no guess makes a mistake compile, no fix changes what is meant, and what
// was guessed is called so.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/run/GuessedBlocks.h"
#include "app/ide/run/RunController.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/editor/FixPopup.h"
#include "views/problems/ProblemsView.h"
#include "views/run/FindingsList.h"
#include "views/run/RunView.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::DiagnosticKind;

static const std::string kHeader = "import triton\n"
                                   "import triton.language as tl\n"
                                   "\n"
                                   "\n"
                                   "@triton.jit\n"
                                   "def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n"
                                   "    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                                   "    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)";

namespace {
/// A window over a file whose last lines are typed by the tests.
struct Beginner {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};

  explicit Beginner(const std::string &text = kHeader) {
    fixture.openAndWait(fixture.write("k.py", text));
    QTest::keyClick(fixture.window->editor(), Qt::Key_End, Qt::ControlModifier);
  }
  views::KernelEditor &editor() { return fixture.editor(); }
  void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&editor(), Qt::Key(key), modifiers);
    QCoreApplication::processEvents();
  }
  /// Keys, a line's end by Enter.
  void type(const QByteArray &keys) {
    for (const char key : keys)
      key == '\n' ? press(Qt::Key_Return) : QTest::keyClick(&editor(), key);
    QCoreApplication::processEvents();
  }
  bool waitFor(const std::function<bool()> &what) { return QTest::qWaitFor(what, kPatienceMs); }
  /// The first problem whose words contain a part; null: none.
  const compiler::Diagnostic *problem(const char *part) {
    for (const compiler::Diagnostic &each : fixture.window->problems()->model().diagnostics())
      if (each.message.find(part) != std::string::npos)
        return &each;
    return nullptr;
  }
  bool says(const char *words) { return editor().utf8Text().find(words) != std::string::npos; }
  /// The fixes that Ctrl+. offers where the cursor is; the list is closed again.
  std::vector<std::string> offered() {
    press(Qt::Key_Period, Qt::ControlModifier);
    std::vector<std::string> titles;
    auto *popup = editor().findChild<views::FixPopup *>();
    if (!popup || !popup->isVisible())
      return titles;
    for (const auto &fix : popup->fixes())
      titles.push_back(fix.edit.title);
    QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
    return titles;
  }
  void goTo(const char *code) { editor().goTo(rangeOf(editor().utf8Text(), code).begin); }
};
} // namespace

TEST_CASE("a block as a condition is an error, whatever its length may be", "[gui][worker]") {
  for (const char *keyword : {"if", "while"}) {
    Beginner test;
    test.press(Qt::Key_Return);
    test.type(QByteArray(keyword) + " offs < n:\ntl.store(out_ptr, 1.0)\n");
    INFO(keyword);
    REQUIRE(test.waitFor([&] { return test.problem("answers at once") != nullptr; }));
    CHECK(test.problem("answers at once")->range.begin.line == 8);
    CHECK(test.problem("answers at once")->severity == compiler::Severity::Error);
  }
}

TEST_CASE("no guess of an extent makes a missing dimension compile", "[gui][worker]") {
  Beginner test("import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                "def k(x_ptr, out_ptr, stride, ROWS: tl.constexpr):\n"
                "    rows = tl.arange(0, ROWS)\n"
                "    cols = tl.arange(0, 32)\n"
                "    v = tl.zeros((ROWS, 32), tl.float32)");
  test.press(Qt::Key_Return);
  // With one row it would compile.
  test.type("tl.store(out_ptr + rows * stride + cols[None, :], v)\n");
  const auto numErrors = [&] {
    return test.fixture.window->problems()->model().count(compiler::Severity::Error);
  };
  REQUIRE(test.waitFor([&] { return numErrors() == 1; }));
  // As it is meant.
  test.goTo(" * stride");
  QTest::keyClicks(&test.editor(), QStringLiteral("[:, None]"));
  CHECK(test.waitFor([&] { return numErrors() == 0; }));
}

TEST_CASE("fixes of names keep their meaning, and near misspellings have one", "[gui][worker]") {
  Beginner test;
  test.press(Qt::Key_Return);
  test.type("y = x.mean()\n");
  REQUIRE(test.waitFor([&] { return test.problem("mean") != nullptr; }));
  test.goTo("mean");
  for (const std::string &title : test.offered()) {
    INFO(title);
    CHECK(title.find("max") == std::string::npos);
    CHECK(title.find("min") == std::string::npos);
  }
  test.press(Qt::Key_End, Qt::ControlModifier);
  test.type("z = tl.laod(x_ptr)\n");
  REQUIRE(test.waitFor([&] { return test.problem("laod") != nullptr; }));
  test.goTo("laod");
  CHECK(test.offered() == std::vector<std::string>{"write `load`"});
}

TEST_CASE("what a function lacks to be a kernel comes by keys, imports included", "[gui][worker]") {
  Beginner test("import numpy as np\n\n\n");
  test.type("def add(x, out):\nout[0] = x[0] + np.e\n");
  REQUIRE(test.waitFor([&] { return test.problem("is a plain Python function") != nullptr; }));
  test.goTo("add");
  test.press(Qt::Key_Period, Qt::ControlModifier);
  auto *popup = test.editor().findChild<views::FixPopup *>();
  REQUIRE((popup && popup->isVisible()));
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(test.waitFor([&] { return test.says("import triton.language as tl\n"); }));
  CHECK(test.says("@triton.jit\ndef add("));
  CHECK(test.says("import numpy as np\n"));
  CHECK(test.waitFor([&] { return test.problem("is a plain Python function") == nullptr; }));
}

TEST_CASE("the prompts of a pasted session go by one fix", "[gui][worker]") {
  Beginner test(">>> import triton\n>>> import triton.language as tl\n>>> @triton.jit\n"
                "... def k(x_ptr):\n...     tl.store(x_ptr, 1.0)\n...\n");
  REQUIRE(test.waitFor([&] { return test.problem("prompt") != nullptr; }));
  CHECK(test.fixture.window->problems()->model().count(compiler::Severity::Error) == 1);
  test.press(Qt::Key_Home, Qt::ControlModifier);
  test.press(Qt::Key_Period, Qt::ControlModifier);
  auto *popup = test.editor().findChild<views::FixPopup *>();
  REQUIRE((popup && popup->isVisible()));
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(test.waitFor([&] {
    return test.says("import triton\nimport triton.language as tl\n@triton.jit\n"
                     "def k(x_ptr):\n    tl.store(x_ptr, 1.0)\n");
  }));
  CHECK(test.waitFor([&] {
    return test.fixture.window->problems()->model().count(compiler::Severity::Error) == 0;
  }));
}

namespace {
/// A sum of each row, whose rows are read from wrong places, in a window that runs.
struct RowSum : Beginner {
  RowSum()
      : Beginner("import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                 "def rowsum(x_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):\n"
                 "    row = tl.program_id(0)\n"
                 "    c = tl.arange(0, BLOCK)\n"
                 "    x = tl.load(x_ptr + row + c, mask=c < cols, other=0.0)\n"
                 "    tl.store(out_ptr + row, tl.sum(x, axis=0))\n") {}
  views::RunView &run() { return *fixture.window->findChild<views::RunView *>(); }
  /// Presses F5, and waits for the end of the run.
  bool runs() {
    press(Qt::Key_F5);
    return waitFor([&] {
      return !run().results().stampText().isEmpty() && run().results().outdatedReason().isEmpty();
    });
  }
  /// Writes what the kernel should have had from the beginning.
  void repair() {
    goTo(" + c, mask");
    QTest::keyClicks(&editor(), QStringLiteral(" * cols"));
    QCoreApplication::processEvents();
  }
  /// The launch block states this shape of `x_ptr`.
  bool hasShape(const char *shape) {
    return says((std::string("x_ptr   = { dtype = \"fp32\", shape = ") + shape).c_str());
  }
};
} // namespace

TEST_CASE("a launch block of guesses follows the kernel until the user changes it",
          "[gui][worker]") {
  RowSum test;
  REQUIRE(test.runs());
  REQUIRE(test.hasShape("[\"cols\"]"));
  test.repair();
  REQUIRE(test.runs());
  CHECK(test.hasShape("[\"rows\", \"cols\"], init = \"randn\", seed = 0 }"));
  CHECK(test.problem("past its last element") == nullptr);
  // Undo brings the block back, which is the user's then.
  const std::string guessed = test.editor().utf8Text();
  test.press(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(test.hasShape("[\"cols\"]"));
  test.press(Qt::Key_Y, Qt::ControlModifier);
  CHECK(test.editor().utf8Text() == guessed);
}

TEST_CASE("a run waits for its launch block when the target becomes another one meanwhile",
          "[gui][worker]") {
  RowSum test;
  app::CompileController &compile = *test.fixture.window->compileController();
  compile.setChosenTarget("cuda:80");
  REQUIRE(compile.isRunning());
  test.press(Qt::Key_F5);
  compile.setChosenTarget("cuda:90");
  CHECK(test.waitFor(
      [&] { return !test.run().results().stampText().isEmpty() && test.hasShape("[\"cols\"]"); }));
}

TEST_CASE("no launch block is guessed of a kernel that does not compile, however soon F5 comes",
          "[gui][worker]") {
  Beginner test;
  test.press(Qt::Key_Return);
  test.type("tl.store(out_ptr + offs, tl.total(x), mask=offs < n)\n");
  REQUIRE(test.fixture.window->compileController()->isRunning());
  test.press(Qt::Key_F5);
  auto &run = *test.fixture.window->findChild<views::RunView *>();
  REQUIRE(test.waitFor([&] { return run.statusText().contains(u"does not compile"); }));
  CHECK_FALSE(test.says("/// tilescope"));
  // What is wrong is put right: then there is one, of the kernel.
  test.goTo("tl.total(x)");
  for (int i = 0; i < 11; ++i)
    test.press(Qt::Key_Delete);
  test.type("x");
  test.press(Qt::Key_F5);
  const bool isWritten = test.waitFor([&] { return test.says("grid = [\"cdiv(n, BLOCK)\"]"); });
  CAPTURE(run.statusText().toStdString(), test.editor().utf8Text());
  CHECK(isWritten);
}

TEST_CASE("a guessed block whose parameters are renamed with the kernel's stays a guess", "[gui]") {
  const auto text = [](const std::string &name, const std::string &value) {
    return "# /// tilescope\n# kernel = \"k\"\n# grid = [1]\n# [args]\n# " + name + " = " + value +
           "\n# ///\n\n\n@triton.jit\ndef k(" + name + "):\n    pass\n";
  };
  GuessedBlocks guesses;
  const QObject file;
  guesses.keep(&file, text("x", "16"), "k");
  const auto isOfOtherText = [&](const std::string &now) {
    return guesses.isOfOtherText(&file, now, profiler::parseLaunchBlocks(now).blocks.front().range);
  };
  CHECK_FALSE(isOfOtherText(text("x", "16")));
  CHECK(isOfOtherText(text("x_ptr", "16")));
  // Another value is the user's.
  CHECK_FALSE(isOfOtherText(text("x_ptr", "17")));
}

TEST_CASE("a launch block of guesses follows the kernel after another start, too",
          "[gui][worker]") {
  RowSum test;
  REQUIRE(test.runs());
  REQUIRE(test.hasShape("[\"cols\"]"));
  test.fixture.window->close();
  test.fixture.open();
  REQUIRE(test.fixture.window->restoreSession());
  REQUIRE(test.hasShape("[\"cols\"]"));
  test.repair();
  REQUIRE(test.runs());
  CHECK(test.hasShape("[\"rows\", \"cols\"], init = \"randn\", seed = 0 }"));
  // As it is now, it is the guess for this text.
  const std::string guessed = test.editor().utf8Text();
  test.fixture.window->close();
  test.fixture.open();
  REQUIRE(test.fixture.window->restoreSession());
  REQUIRE(test.runs());
  CHECK(test.editor().utf8Text() == guessed);
}

TEST_CASE("a launch block that the user has saved is not guessed again", "[gui][worker]") {
  RowSum test;
  REQUIRE(test.runs());
  REQUIRE(test.hasShape("[\"cols\"]"));
  test.press(Qt::Key_S, Qt::ControlModifier);
  REQUIRE_FALSE(test.fixture.window->currentPage()->isModified());
  test.repair();
  REQUIRE(test.runs());
  CHECK(test.hasShape("[\"cols\"]"));
  // What was only guessed of it is still called so.
  REQUIRE(test.waitFor([&] { return test.problem("past its last element") != nullptr; }));
  CHECK(test.problem("past its last element")->severity == compiler::Severity::Warning);
}

TEST_CASE("what the user has stated in a guessed block stays, and a fix guesses the rest again",
          "[gui][worker]") {
  RowSum test;
  REQUIRE(test.runs());
  REQUIRE(test.hasShape("[\"cols\"]"));
  // A size of the user's own.
  const std::string text = test.editor().utf8Text();
  const size_t rows = text.find("# rows = ") + 9;
  const SourceRange number = rangeOf(text, text.substr(rows, text.find('\n', rows) - rows));
  test.editor().selectRange(number);
  QTest::keyClicks(&test.editor(), QStringLiteral("7"));
  test.repair();
  REQUIRE(test.runs());
  CHECK(test.says("# rows = 7\n"));
  CHECK(test.hasShape("[\"cols\"]"));
  REQUIRE(test.waitFor([&] { return test.problem("past its last element") != nullptr; }));
  const compiler::Diagnostic *finding = test.problem("past its last element");
  CHECK(finding->severity == compiler::Severity::Warning);
  auto *findings = test.run().findChild<views::FindingsList *>();
  REQUIRE(findings->count() > 0);
  CHECK(findings->item(0)->text().contains(
      u"the launch block guessed the shape of `x_ptr` for the kernel as it was"));
  CHECK(findings->item(0)->text().endsWith(u"offers: guess the shapes again"));
  // From the finding to its fix by keys, wherever the cursor is.
  test.editor().goTo({0, 0});
  findings->setFocus();
  findings->setCurrentRow(0);
  QTest::keyClick(findings, Qt::Key_Period, Qt::ControlModifier);
  QCoreApplication::processEvents();
  auto *popup = test.editor().findChild<views::FixPopup *>();
  REQUIRE((popup && popup->isVisible()));
  CHECK(popup->fixes().front().edit.title == "guess the shapes again");
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.hasShape("[\"rows\", \"cols\"]"); }));
  CHECK(test.says("# rows = 7\n"));
  REQUIRE(test.runs());
  CHECK(test.problem("past its last element") == nullptr);
}

TEST_CASE("F5 writes a launch block and runs while machine code is still being made",
          "[gui][worker]") {
  // An assembler that does not end.
  QTemporaryDir folder;
  const QString assembler = folder.filePath(QStringLiteral("ptxas"));
  {
    QFile file(assembler);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nexec sleep 600\n");
  }
  REQUIRE(QFile::setPermissions(assembler, QFile::ReadOwner | QFile::ExeOwner));
  const QByteArray ptxas = qgetenv("TILESCOPE_PTXAS"), link = qgetenv("TILESCOPE_NVJITLINK");
  qputenv("TILESCOPE_PTXAS", assembler.toUtf8());
  qputenv("TILESCOPE_NVJITLINK", "none");
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  fixture.window->openFile(
      fixture.write("k.py", kHeader + "\n    tl.store(out_ptr + offs, x, mask=offs < n)\n"));
  QTest::keyClick(fixture.window->editor(), Qt::Key_F5);
  const auto hasBlock = [&] {
    return fixture.editor().utf8Text().find("# /// tilescope") != std::string::npos;
  };
  CHECK(QTest::qWaitFor(hasBlock, kPatienceMs));
  CHECK(fixture.window->compileController()->isRunning());
  ptxas.isNull() ? qunsetenv("TILESCOPE_PTXAS") : qputenv("TILESCOPE_PTXAS", ptxas);
  link.isNull() ? qunsetenv("TILESCOPE_NVJITLINK") : qputenv("TILESCOPE_NVJITLINK", link);
}
