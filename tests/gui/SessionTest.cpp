// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What comes back at the next start, after a crash and with damaged files, too.
#include "tests/gui/Dialogs.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"
#include "tests/gui/Patience.h"

#include <QCheckBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>

#include <csignal>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

struct SessionFixture : FakeWindow {
  const NoticeBar *noticeWith(const char *words) {
    for (const NoticeBar *bar : window->findChildren<NoticeBar *>())
      if (bar->text().contains(QString::fromLatin1(words)))
        return bar;
    return nullptr;
  }
  /// Closes and starts again.
  bool restart() {
    window->close();
    open();
    return window->restoreSession();
  }
  QString inSession(const char *name) { return sessionFolder() + u'/' + QString::fromLatin1(name); }
  void overwrite(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  QString journal() {
    return inSession("") + QDir(sessionFolder()).entryList({QStringLiteral("*.journal")}).value(0);
  }
};

/// Nothing can be written to the disk while it lives.
struct FullDisk {
  rlimit before{};
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{16, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
};

} // namespace

TEST_CASE("undo, redo and cursor go on after a restart", "[gui][session]") {
  SessionFixture test;
  const QString path = test.write("kernel.py", "a = 1\n");
  test.openAndWait(path);
  test.editor().goTo({0, 5});
  test.type("23");
  test.save();
  test.press(Qt::Key_Return, {});
  test.type("b = 2");
  CHECK(test.editor().utf8Text() == "a = 123\nb = 2\n");
  test.press(Qt::Key_Z);
  const std::string undone = test.editor().utf8Text();
  CHECK(undone != "a = 123\nb = 2\n");
  const Position cursor = test.editor().cursor();
  REQUIRE(test.restart());
  CHECK(test.editor().utf8Text() == undone);
  CHECK(test.editor().cursor() == cursor);
  test.press(Qt::Key_Y);
  CHECK(test.editor().utf8Text() == "a = 123\nb = 2\n");
  CHECK(test.page().isModified());
  // Back to what was saved, and beyond.
  for (int i = 0; i < 10 && test.editor().utf8Text() != "a = 123\n"; ++i)
    test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "a = 123\n");
  CHECK_FALSE(test.page().isModified());
  for (int i = 0; i < 10; ++i)
    test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "a = 1\n");
  CHECK(test.page().isModified());
  // A saved file has its history, too.
  test.save();
  REQUIRE(test.restart());
  CHECK_FALSE(test.page().isModified());
  test.press(Qt::Key_Y);
  CHECK(test.editor().utf8Text() != "a = 1\n");
}

TEST_CASE("a text without a file comes back, and a closed one does not", "[gui][session]") {
  SessionFixture test;
  test.press(Qt::Key_N, {});
  test.window->newFile();
  test.editor().goTo({0, 0});
  test.type("# mine");
  const std::string text = test.editor().utf8Text();
  REQUIRE(test.restart());
  CHECK(test.editor().utf8Text() == text);
  CHECK(test.page().path().isEmpty());
  CHECK(test.page().isModified());
  const MessageAnswer answer(QMessageBox::Discard);
  test.press(Qt::Key_W);
  CHECK(answer.text.contains(QStringLiteral("untitled.py")));
  CHECK_FALSE(test.restart());
  CHECK(keptTexts(test.sessionFolder()).empty());
}

TEST_CASE("a damaged session is put aside, and the one before and all texts are there",
          "[gui][session]") {
  SessionFixture test;
  const QString first = test.write("first.py", "a = 1\n");
  test.openAndWait(first);
  REQUIRE(test.restart());
  test.openAndWait(test.write("second.py", "b = 2\n"));
  test.editor().goTo({0, 0});
  test.type("# never saved ");
  test.window->close();
  test.window.reset();
  test.overwrite(test.inSession("session.json"), "{\"files\": [{\"pa");
  test.open();
  REQUIRE(test.window->restoreSession());
  REQUIRE(test.noticeWith("was damaged"));
  CHECK(contents(test.inSession("damaged-1-session.json")) == "{\"files\": [{\"pa");
  std::set<std::string> texts;
  for (const SessionFile &file : test.window->session().files)
    texts.insert(QFileInfo(file.path).fileName().toStdString());
  CHECK(texts == std::set<std::string>{"first.py", "second.py"});
  CHECK(test.window->openFile(test.folder.filePath(QStringLiteral("second.py"))));
  CHECK(test.editor().utf8Text() == "# never saved b = 2\n");
}

TEST_CASE("a damaged journal is put aside, and the file itself is opened", "[gui][session]") {
  SessionFixture test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  test.type("x");
  test.window->close();
  test.window.reset();
  test.overwrite(test.journal(), "nonsense");
  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.editor().utf8Text() == "a = 1\n");
  CHECK(test.noticeWith("was damaged"));
}

TEST_CASE("a session of the first version is taken over", "[gui][session]") {
  SessionFixture test;
  test.window.reset();
  QDir(test.sessionFolder()).removeRecursively();
  test.write("session.json", R"({"files": [{"path": "", "text": "# old", "unsaved": true}],
                                 "theme": "light"})");
  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.editor().utf8Text() == "# old");
  CHECK(test.page().isModified());
}

TEST_CASE("a session that cannot be written is told of and keeps the window from closing silently",
          "[gui][session]") {
  SessionFixture test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  REQUIRE(QTest::qWaitFor([&] { return QFile::exists(test.inSession("session.json")); }, 5000));
  {
    const FullDisk full;
    test.editor().goTo({0, 0});
    test.type("b");
    CHECK(QTest::qWaitFor([&] { return test.noticeWith("cannot be kept") != nullptr; }, 5000));
    const MessageAnswer answer(QMessageBox::Cancel);
    test.window->close();
    CHECK(answer.text.contains(QStringLiteral("kernel.py")));
    CHECK(test.window->isVisible());
  }
  CHECK(QTest::qWaitFor([&] { return !test.noticeWith("cannot be kept"); }, 5000));
  CHECK(keptTexts(test.sessionFolder())[QStringLiteral("kernel.py")] == "ba = 1\n");
  REQUIRE(test.restart());
  CHECK(test.editor().utf8Text() == "ba = 1\n");
}

TEST_CASE("two never write one session", "[gui][session]") {
  SessionFixture test;
  const auto second = SessionStore::open(test.sessionFolder());
  REQUIRE(second);
  CHECK(*second == nullptr);
  // The lock dies with its holder.
  test.window.reset();
  const auto third = SessionStore::open(test.sessionFolder());
  CHECK((third && *third));
  CHECK_FALSE(SessionStore::open(QStringLiteral("/proc/none")));
}

TEST_CASE("what the program worked on when it ended is offered, not opened", "[gui][session]") {
  SessionFixture test;
  const QString good = test.write("good.py", "a = 1\n");
  const QString bad = test.write("bad.py", "b = 2\n");
  test.openAndWait(bad);
  test.type("# unsaved ");
  const QString id = test.page().id();
  const std::string text = test.editor().utf8Text();
  test.openAndWait(good);
  test.window->close();
  test.window.reset();
  CrashMark::Record died{};
  std::copy_n(id.toLatin1().constData(), id.size(), died.busy.begin());
  const QByteArray record(reinterpret_cast<const char *>(&died), sizeof died);
  test.overwrite(test.inSession("running"), record);

  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.window->findChild<QTabWidget *>()->count() == 1);
  CHECK(test.page().path() == good);
  REQUIRE(test.noticeWith("bad.py"));
  // Not chosen: it is kept, and offered again.
  QTest::keyClick(test.noticeWith("bad.py")->findChildren<QPushButton *>()[1], Qt::Key_Space);
  REQUIRE(test.restart());
  CHECK(test.window->findChild<QTabWidget *>()->count() == 1);
  REQUIRE(test.noticeWith("bad.py"));
  QTest::keyClick(test.noticeWith("bad.py")->findChildren<QPushButton *>()[0], Qt::Key_Space);
  CHECK(test.page().path() == bad);
  CHECK(test.editor().utf8Text() == text);
  CHECK_FALSE(test.noticeWith("bad.py"));
  REQUIRE(test.restart());
  CHECK(test.window->findChild<QTabWidget *>()->count() == 2);
}

TEST_CASE("after a kill the next start says which texts it brought back, once", "[gui][session]") {
  SessionFixture test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  test.type("b");
  // The list of files is written in its own time.
  REQUIRE(QTest::qWaitFor(
      [&] {
        return keptTexts(test.sessionFolder())[QStringLiteral("kernel.py")] == "ba = 1\n" &&
               contents(test.inSession("session.json")).contains("kernel.py");
      },
      5000));
  // The files that a kill at this moment leaves.
  const QString left = test.folder.filePath(QStringLiteral("left"));
  QDir().mkpath(left);
  for (const QString &name : QDir(test.sessionFolder()).entryList(QDir::Files))
    REQUIRE(QFile::copy(test.inSession(qPrintable(name)), left + u'/' + name));
  const auto noticeAfter = [&](const QString &folder) {
    test.window.reset();
    MainWindowOptions options;
    auto opened = SessionStore::open(folder);
    REQUIRE((opened && *opened));
    options.session = std::move(*opened);
    test.window = std::make_unique<MainWindow>(&test.backend, options);
    options = {};
    test.window->show();
    REQUIRE(test.window->restoreSession());
    CHECK(test.editor().utf8Text() == "ba = 1\n");
    const NoticeBar *notice = test.noticeWith("ended unexpectedly");
    const QString text = notice ? notice->text() : QString();
    test.window->close();
    return text;
  };
  CHECK(noticeAfter(left) ==
        u"Tilescope ended unexpectedly. Unsaved text was restored (kernel.py).");
  CHECK(noticeAfter(left).isEmpty());
}

TEST_CASE("the mark tells what a process died over", "[gui][session]") {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("running"));
  const auto suspectsAfter = [&](void (*deed)(CrashMark &)) {
    if (const pid_t child = fork(); child == 0) {
      rlimit none{};
      setrlimit(RLIMIT_CORE, &none);
      CrashMark mark(path);
      mark.setCurrent(QStringLiteral("front"));
      mark.watchForCrashes();
      deed(mark);
      kill(getpid(), SIGKILL);
    } else {
      int status = 0;
      waitpid(child, &status, 0);
      CHECK(WIFSIGNALED(status));
    }
    return CrashMark(path).suspects();
  };
  CHECK(suspectsAfter([](CrashMark &) {}).isEmpty());
  CHECK(suspectsAfter([](CrashMark &mark) {
          mark.begin(QStringLiteral("busy"));
          mark.end();
        }).isEmpty());
  CHECK(suspectsAfter([](CrashMark &mark) { mark.begin(QStringLiteral("busy")); }) ==
        QStringList{QStringLiteral("busy")});
  CHECK(suspectsAfter([](CrashMark &) { std::abort(); }) == QStringList{QStringLiteral("front")});
  CHECK(suspectsAfter([](CrashMark &) { std::raise(SIGSEGV); }) ==
        QStringList{QStringLiteral("front")});
  CHECK(CrashMark(path).suspects().isEmpty());
}

TEST_CASE("a text is scrolled after a restart as it was before", "[gui][session]") {
  SessionFixture test;
  std::string lines;
  for (int line = 0; line < 300; ++line)
    lines += "x = " + std::to_string(line) + "\n";
  test.openAndWait(test.write("long.py", lines));
  test.editor().goTo({135, 2});
  test.editor().verticalScrollBar()->setValue(120);
  REQUIRE(test.editor().firstLine() == 120);
  REQUIRE(test.restart());
  CHECK(test.editor().cursor() == Position{135, 2});
  CHECK(QTest::qWaitFor([&] { return test.editor().firstLine() == 120; }, 2000));
  // A text that fits is shown whole, wherever the cursor was.
  test.openAndWait(test.write("short.py", "a = 1\n\n\n\n\n\n\nb = 2\n"));
  test.editor().goTo({7, 0});
  REQUIRE(test.restart());
  CHECK(test.editor().cursor() == Position{7, 0});
  QCoreApplication::processEvents();
  CHECK(test.editor().SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 0);
}

TEST_CASE("a text that comes back below a message has the cursor's line in sight",
          "[gui][session]") {
  std::string lines;
  for (int line = 0; line < 300; ++line)
    lines += "x = " + std::to_string(line) + "\n";
  const auto rowsOf = [](app::EditorPage &page) {
    return static_cast<uint32_t>(page.editor().SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
  };
  const auto begin = [&](app::EditorPage &page) {
    page.begin({}, lines);
    page.resize(800, 600);
  };
  app::EditorPage before;
  begin(before);
  before.setVisible(true);
  REQUIRE(QTest::qWaitForWindowExposed(&before));
  QCoreApplication::processEvents();
  const uint32_t cursor = 120 + rowsOf(before) - 1;
  // As the program starts: the message is there when the window appears.
  app::EditorPage after;
  begin(after);
  after.findChild<app::NoticeBar *>()->present(
      QStringLiteral("Tilescope ended unexpectedly.\nUnsaved text was restored."),
      {{app::NoticeBar::hideText(), {}}});
  after.editor().restorePlace({cursor, 0}, 120);
  after.setVisible(true);
  REQUIRE(QTest::qWaitForWindowExposed(&after));
  REQUIRE(QTest::qWaitFor([&] { return after.editor().firstLine() >= 120; }, kPatienceMs));
  CHECK(QTest::qWaitFor(
      [&] {
        const uint32_t first = after.editor().firstLine();
        return rowsOf(after) < rowsOf(before) && cursor >= first && cursor < first + rowsOf(after);
      },
      20000));
  CHECK(after.editor().firstLine() < cursor);
}

TEST_CASE("quitting says that texts which are not saved are kept, until that is known",
          "[gui][session]") {
  SessionFixture test;
  const auto open = [&] {
    test.window.reset();
    MainWindowOptions options;
    auto opened = SessionStore::open(test.sessionFolder());
    REQUIRE((opened && *opened));
    options.session = std::move(*opened);
    options.saysWhatIsKept = true;
    test.window = std::make_unique<MainWindow>(&test.fake, options);
    test.window->show();
    REQUIRE(QTest::qWaitForWindowActive(test.window.get()));
    (void)test.window->restoreSession();
  };
  open();
  // Where nothing is unsaved, nothing is said.
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  test.window->close();
  CHECK_FALSE(test.window->isVisible());
  open();
  test.type("b");
  {
    const MessageAnswer answer(QMessageBox::Cancel);
    test.window->close();
    CHECK(answer.text == u"One file has changes that are not saved.");
  }
  CHECK(test.window->isVisible());
  const InDialog<QMessageBox> known([&](QMessageBox &box) {
    CHECK(box.informativeText().contains(u"kept"));
    QTest::keyClick(box.checkBox(), Qt::Key_Space);
    QTest::keyClick(&box, Qt::Key_Return);
  });
  test.window->close();
  CHECK_FALSE(test.window->isVisible());
  open();
  CHECK(test.page().isModified());
  test.window->close();
  CHECK_FALSE(test.window->isVisible());
}
