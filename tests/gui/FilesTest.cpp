// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a user must not lose: text, session, a way to every command.
#include "app/ide/page/NoticeBar.h"
#include "tests/gui/KeptTexts.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/editor/KernelEditor.h"
#include "views/palette/CommandPalette.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

#include <csignal>
#include <sys/resource.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
struct FilesFixture {
  FakeBackend backend;
  WindowFixture fixture{backend};
  FilesFixture() {
    backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  }
};
} // namespace

TEST_CASE("what was typed comes back after the program was killed", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  const QString path = fixture.write("kernel.py", sampleSource());
  fixture.openAndWait(path);
  fixture.editor().goTo({0, 0});
  fixture.type("# never saved");
  const std::string text = fixture.editor().utf8Text();
  // Nothing is closed and nothing is asked: what is on the disk now is all that a kill leaves.
  REQUIRE(QTest::qWaitFor(
      [&] { return keptTexts(fixture.sessionFolder())[QStringLiteral("kernel.py")] == text; },
      3000));
  const QString left = fixture.folder.filePath(QStringLiteral("left"));
  copyFolder(fixture.sessionFolder(), left);
  CHECK_FALSE(contents(path).contains("never saved"));

  fixture.window.reset();
  QDir(fixture.sessionFolder()).removeRecursively();
  copyFolder(left, fixture.sessionFolder());
  fixture.open();
  REQUIRE(fixture.window->restoreSession());
  CHECK(fixture.editor().utf8Text() == text);
  CHECK(fixture.window->currentPage()->isModified());
  CHECK(fixture.window->currentPage()->path() == path);
  // The first undo takes back nothing that was typed before: saving is still possible and exact.
  QTest::keyClick(fixture.window->editor(), Qt::Key_S, Qt::ControlModifier);
  CHECK(contents(path).toStdString() == text);
  CHECK_FALSE(fixture.window->currentPage()->isModified());
}

TEST_CASE("someone who never pauses is saved as well", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  fixture.editor().goTo({0, 0});
  fixture.type("#");
  QElapsedTimer timer;
  timer.start();
  bool saved = false;
  while (timer.elapsed() < 3000 && !saved) {
    fixture.type("z");
    QTest::qWait(10);
    saved = keptTexts(fixture.sessionFolder())[QStringLiteral("kernel.py")].starts_with("#zzz");
  }
  CHECK(saved);
}

TEST_CASE("files, cursor, theme and text size survive a restart", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  const QString first = fixture.write("first.py", sampleSource());
  const QString second = fixture.write("second.py", sampleSource());
  fixture.openAndWait(first);
  fixture.editor().goTo({5, 2});
  fixture.openAndWait(second);
  QTest::keyClick(fixture.window->editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(fixture.window->currentPage()->path() == first);
  QTest::keyClick(fixture.window->editor(), Qt::Key_Plus, Qt::ControlModifier);
  QTest::keyClick(fixture.window->editor(), Qt::Key_Plus, Qt::ControlModifier);
  CHECK(views::fontZoom() == 2);
  fixture.window->close();
  views::setFontZoom(0);
  fixture.open();
  REQUIRE(fixture.window->restoreSession());
  CHECK(fixture.window->currentPage()->path() == first);
  CHECK(fixture.editor().cursor() == Position{5, 2});
  CHECK(views::fontZoom() == 2);
  QTest::keyClick(fixture.window->editor(), Qt::Key_0, Qt::ControlModifier);
  CHECK(views::fontZoom() == 0);
}

TEST_CASE("a full disk is told of, and the text and the old file stay", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  const QString path = fixture.write("kernel.py", sampleSource());
  fixture.openAndWait(path);
  fixture.editor().goTo({0, 0});
  fixture.type("# does not fit");
  const std::string text = fixture.editor().utf8Text();

  // Writing beyond the limit fails as on a disk without space.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit full = before;
  full.rlim_cur = 64;
  setrlimit(RLIMIT_FSIZE, &full);
  QString message;
  QTimer::singleShot(0, fixture.window.get(), [&] {
    if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
      message = box->text();
      QTest::keyClick(box, Qt::Key_Escape);
    }
  });
  QTest::keyClick(fixture.window->editor(), Qt::Key_S, Qt::ControlModifier);
  setrlimit(RLIMIT_FSIZE, &before);

  CHECK(message.contains(QStringLiteral("cannot write")));
  CHECK(fixture.editor().utf8Text() == text);
  CHECK(fixture.window->currentPage()->isModified());
  CHECK(contents(path).toStdString() == sampleSource());
  fixture.window->activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(fixture.window.get()));
  QTest::keyClick(fixture.window->editor(), Qt::Key_S, Qt::ControlModifier);
  CHECK(contents(path).toStdString() == text);
}

TEST_CASE("every command has a name, a place in the palette and a key of its own", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  std::map<QString, QString> keys;
  for (const QAction *action : fixture.window->actions()) {
    INFO(action->objectName().toStdString());
    CHECK_FALSE(action->text().isEmpty());
    for (const QKeySequence &key : action->shortcuts()) {
      const auto [other, isNew] = keys.emplace(key.toString(), action->objectName());
      INFO(key.toString().toStdString() << " is taken by " << other->second.toStdString());
      CHECK(isNew);
    }
  }
  QTest::keyClick(fixture.window->editor(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  views::CommandPalette *palette = fixture.window->palette();
  REQUIRE(palette->isVisible());
  const int numOffered = palette->model().rowCount();
  CHECK(numOffered >= static_cast<int>(fixture.window->actions().size()) - 1);
  auto *input = palette->findChild<QLineEdit *>();
  QTest::keyClicks(input, QStringLiteral("light theme"));
  QTest::keyClick(input, Qt::Key_Return);
  CHECK_FALSE(views::theme().dark);
  CHECK_FALSE(palette->isVisible());
}

/// Types into the dialog that comes next and presses Return: into a file dialog a path, into a
/// choice the beginning of one.
static void answerNextDialog(const QString &text) {
  auto *timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, text] {
    QWidget *dialog = QApplication::activeModalWidget();
    if (!dialog)
      return;
    timer->stop();
    timer->deleteLater();
    QWidget *field = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
    if (auto *path = qobject_cast<QLineEdit *>(field)) {
      // Not by keys: what the dialog offers meanwhile would take them.
      path->setText(text);
    } else {
      field = dialog->findChild<QComboBox *>();
      QTest::keyClicks(field, text);
    }
    QTest::keyClick(field, Qt::Key_Return);
  });
  timer->start(20);
}

TEST_CASE("a package is told what runs it", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  const auto refusal = [&](const char *name) {
    CHECK_FALSE(fixture.window->openFile(fixture.write(name, std::string("\b\0", 2))));
    for (const NoticeBar *notice : fixture.window->findChildren<NoticeBar *>())
      if (notice->text().contains(QString::fromLatin1(name)))
        return notice->text();
    return QString();
  };
  CHECK(refusal("k.tskernel").contains(u"is a kernel package, not a source file"));
  CHECK(fixture.window->currentPage()->title() == u"kernel.py");
}

TEST_CASE("a folder of Triton's cache opens from the keyboard", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  QDir(fixture.folder.path()).mkpath(QStringLiteral("cache/HASH"));
  fixture.write("cache/HASH/scale.llir", "; LLVM");
  fixture.write("cache/HASH/scale.ttgir", "module {}");
  fixture.write("cache/HASH/scale.json",
                R"({"num_warps": 8, "target": {"backend": "cuda", "arch": 80}})");
  const auto open = [&](const QString &folder) {
    QSignalSpy settled(fixture.window.get(), &MainWindow::settled);
    answerNextDialog(folder);
    QTest::keyClick(fixture.window->editor(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE((settled.size() > 0 || settled.wait(5000)));
  };
  open(fixture.folder.filePath(QStringLiteral("cache/HASH")));
  CHECK(fixture.window->currentPage()->title() == QStringLiteral("scale.ttgir"));
  const compiler::CompileRequest &request = test.backend.requests.back();
  CHECK(request.entry == compiler::StageId::Ttgir);
  CHECK(request.selection.target == "cuda:80");
  CHECK(request.selection.options.at("num_warps") == "8");

  // Of several kernels one is chosen.
  fixture.write("cache/HASH/add.ptx", ".version 8.0");
  answerNextDialog(QStringLiteral("add"));
  QSignalSpy settled(fixture.window.get(), &MainWindow::settled);
  REQUIRE(fixture.window->openFile(fixture.folder.filePath(QStringLiteral("cache/HASH"))));
  REQUIRE(settled.wait(5000));
  CHECK(fixture.window->currentPage()->title() == QStringLiteral("add.ptx"));
  CHECK(test.backend.requests.back().entry == compiler::StageId::Ptx);
  // Facts from beside the other file are not shown for this one.
  CHECK(test.backend.requests.back().selection.options.empty());
}

TEST_CASE("import folders are asked for, used and remembered", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  auto *timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer] {
    QWidget *dialog = QApplication::activeModalWidget();
    if (!dialog)
      return;
    timer->stop();
    timer->deleteLater();
    QTest::keyClicks(dialog->findChild<QPlainTextEdit *>(), QStringLiteral("/kernels/a "));
    QTest::keyClick(dialog->findChild<QPlainTextEdit *>(), Qt::Key_Return);
    QTest::keyClicks(dialog->findChild<QPlainTextEdit *>(), QStringLiteral("/kernels/b/"));
    QTest::keyClick(dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok),
                    Qt::Key_Space);
  });
  timer->start(20);
  fixture.window->action(QStringLiteral("importFolders"))->trigger();
  const std::vector<std::string> folders{"/kernels/a", "/kernels/b"};
  CHECK(test.backend.requests.back().selection.importPaths == folders);
  // Another file and another start know them too.
  fixture.openAndWait(fixture.write("other.py", sampleSource()));
  CHECK(test.backend.requests.back().selection.importPaths == folders);
  fixture.window->close();
  fixture.open();
  fixture.openAndWait(fixture.write("third.py", sampleSource()));
  CHECK(test.backend.requests.back().selection.importPaths == folders);
}

TEST_CASE("the keyboard reaches every view", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  std::set<QString> reached;
  for (int i = 0; i < 16; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    for (const char *id : {"stage.ttir", "stage.ttgir", "layout", "problems"})
      if (fixture.window->dock(QString::fromLatin1(id))->isAncestorOf(QApplication::focusWidget()))
        reached.insert(QString::fromLatin1(id));
  }
  CHECK(reached.size() == 4);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_E, Qt::ControlModifier);
  CHECK(fixture.editor().hasFocus());
  // A view that lies behind another comes to the front with its key.
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_9, Qt::ControlModifier);
  CHECK(fixture.window->dock(QStringLiteral("passes"))->isAncestorOf(QApplication::focusWidget()));
}

TEST_CASE("the keys of editing commands reach them", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", "a = 1\nb = 2\n"));
  auto press = [&](int key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(fixture.window->editor(), static_cast<Qt::Key>(key), modifiers);
    return fixture.editor().utf8Text();
  };
  fixture.editor().goTo({0, 0});
  CHECK(press(Qt::Key_Slash, Qt::ControlModifier) == "# a = 1\nb = 2\n");
  CHECK(press(Qt::Key_Slash, Qt::ControlModifier) == "a = 1\nb = 2\n");
  CHECK(press(Qt::Key_Down, Qt::AltModifier) == "b = 2\na = 1\n");
  CHECK(press(Qt::Key_Up, Qt::AltModifier) == "a = 1\nb = 2\n");
  CHECK(press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier) == "a = 1\na = 1\nb = 2\n");
  CHECK(press(Qt::Key_Z, Qt::ControlModifier) == "a = 1\nb = 2\n");
  CHECK(press(Qt::Key_Y, Qt::ControlModifier) == "a = 1\na = 1\nb = 2\n");
  CHECK(press(Qt::Key_Z, Qt::ControlModifier) == "a = 1\nb = 2\n");
  fixture.editor().goTo({0, 0});
  press(Qt::Key_D, Qt::ControlModifier);
  CHECK(fixture.editor().selectedText() == QStringLiteral("a"));
  press(Qt::Key_A, Qt::ControlModifier);
  CHECK(fixture.editor().selectedText() == QStringLiteral("a = 1\nb = 2\n"));
  const bool dark = views::theme().dark;
  press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(views::theme().dark != dark);
}

TEST_CASE("find and replace work from the keyboard", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.openAndWait(fixture.write("kernel.py", "alpha = 1\nbeta = alpha\n"));
  QTest::keyClick(fixture.window->editor(), Qt::Key_H, Qt::ControlModifier);
  auto *bar = fixture.window->currentPage()->findChild<views::FindBar *>();
  REQUIRE(bar->isVisible());
  const QList<QLineEdit *> inputs = bar->findChildren<QLineEdit *>();
  REQUIRE(inputs.size() == 2);
  inputs[0]->clear();
  QTest::keyClicks(inputs[0], QStringLiteral("alpha"));
  inputs[1]->setFocus();
  QTest::keyClicks(inputs[1], QStringLiteral("gamma"));
  QTest::keyClick(inputs[1], Qt::Key_Return);
  QTest::keyClick(inputs[1], Qt::Key_Return);
  QTest::keyClick(inputs[1], Qt::Key_Return);
  CHECK(fixture.editor().utf8Text() == "gamma = 1\nbeta = gamma\n");
  QTest::keyClick(inputs[1], Qt::Key_Escape);
  CHECK_FALSE(bar->isVisible());
  CHECK(fixture.editor().hasFocus());
}

TEST_CASE("definitions are found in the file, in the project and in the prelude", "[gui][files]") {
  FilesFixture test;
  WindowFixture &fixture = test.fixture;
  fixture.write("helpers.py", "import triton\nimport triton.language as tl\n\n\n"
                              "@triton.jit\ndef square(x):\n    return x * x\n");
  const std::string text = "import triton\nimport triton.language as tl\n"
                           "from helpers import square\n\n\n@triton.jit\ndef twice(x):\n"
                           "    return x + x\n\n\n@triton.jit\ndef kernel(x_ptr):\n"
                           "    x = tl.load(x_ptr)\n    y = twice(x)\n    z = square(y)\n"
                           "    tl.store(x_ptr, tl.sum(z, 0))\n";
  const QString path = fixture.write("kernel.py", text);
  auto follow = [&](const char *word) {
    fixture.openAndWait(path);
    fixture.editor().goTo(rangeOf(text, word).begin);
    QTest::keyClick(fixture.window->editor(), Qt::Key_F12);
    return fixture.window->currentPage();
  };
  const auto wordAtCursor = [&] {
    // What is typed next replaces nothing.
    CHECK_FALSE(fixture.editor().hasSelectedText());
    const Position at = fixture.editor().cursor();
    return fixture.editor().wordAtLineIndex(static_cast<int>(at.line), static_cast<int>(at.column));
  };
  follow("twice(x)\n    z");
  CHECK(fixture.window->currentPage()->path() == path);
  CHECK(wordAtCursor() == QStringLiteral("twice"));
  CHECK(fixture.editor().cursor().line == 6);

  fixture.window->openFile(path);
  fixture.editor().goTo(rangeOf(text, "square(y)").begin);
  QTest::keyClick(fixture.window->editor(), Qt::Key_F12);
  CHECK(fixture.window->currentPage()->path().endsWith(QStringLiteral("/helpers.py")));
  CHECK(wordAtCursor() == QStringLiteral("square"));
  CHECK_FALSE(fixture.window->currentPage()->isReadOnly());

  fixture.window->openFile(path);
  fixture.editor().goTo(rangeOf(text, "sum(z").begin);
  QTest::keyClick(fixture.window->editor(), Qt::Key_F12);
  CHECK(fixture.window->currentPage()->path() == QStringLiteral("<tilescope>/prelude/standard.py"));
  CHECK(wordAtCursor() == QStringLiteral("sum"));
  CHECK(fixture.window->currentPage()->isReadOnly());
  const std::string prelude = fixture.editor().utf8Text();
  fixture.type("x");
  CHECK(fixture.editor().utf8Text() == prelude);
  // It is not compiled, and not part of the session.
  CHECK(test.backend.requests.back().path != "<tilescope>/prelude/standard.py");
  for (const SessionFile &file : fixture.window->session().files)
    CHECK_FALSE(file.path.startsWith(u'<'));
}
