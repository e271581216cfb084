// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Opening and saving keep what a file was: bytes, mode, links, and other programs' changes.
#include "app/ide/files/TextFormat.h"
#include "app/ide/page/NoticeBar.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"
#include "tests/gui/OrdinaryUser.h"
#include "tests/support/ThreadTime.h"
#include "views/problems/ProblemsView.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeView>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
namespace fs = std::filesystem;

namespace {

struct SavingFixture : FakeWindow {
  QTabWidget &tabs() { return *window->findChild<QTabWidget *>(); }
};

struct stat stateOf(const QString &path) {
  struct stat state{};
  lstat(path.toLocal8Bit().constData(), &state);
  return state;
}

} // namespace

TEST_CASE("the format of a text is taken off and put on byte for byte", "[gui][saving]") {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string &bytes :
       {std::string(), std::string("a"), std::string("a\nb"), std::string("a\r\nb\r\n"),
        mark + "a\r\n", mark, std::string("a\r\nb\n"), std::string("a\rb\r"),
        std::string("a\r\r\nb\r\n"), std::string("\r\n\n"), std::string("caf\xe9\r\n")}) {
    const DecodedText decoded = decodeText(bytes);
    CHECK(encodeText(decoded.text, decoded.format) == bytes);
  }
  CHECK(decodeText("a\r\nb\r\n").text == "a\nb\n");
  CHECK_FALSE(decodeText("caf\xe9").isUtf8);
}

TEST_CASE("byte order mark and carriage returns stay, also for new lines", "[gui][saving]") {
  SavingFixture test;
  const QString path = test.write("kernel.py", "\xef\xbb\xbf"
                                               "a = 1\r\nb = 2\r\n");
  test.openAndWait(path);
  CHECK(test.editor().utf8Text() == "a = 1\nb = 2\n");
  test.editor().goTo({0, 5});
  QTest::keyClick(test.window->editor(), Qt::Key_Return);
  test.type("c = 3");
  test.save();
  CHECK(contents(path) == "\xef\xbb\xbf"
                          "a = 1\r\nc = 3\r\nb = 2\r\n");
  // After a restart, too.
  test.window->close();
  test.open();
  REQUIRE(test.window->restoreSession());
  QTest::keyClick(test.window->editor(), Qt::Key_Return);
  test.save();
  CHECK(contents(path).count("\r\n") == 4);
  CHECK(contents(path).count('\n') == 4);

  const QString mixed = test.write("mixed.py", "a = 1\r\nb = 2\n");
  test.openAndWait(mixed);
  test.editor().goTo({0, 0});
  test.type("x");
  test.save();
  CHECK(contents(mixed) == "xa = 1\r\nb = 2\n");
}

TEST_CASE("bytes that are not UTF-8 open read-only and say so", "[gui][saving]") {
  SavingFixture test;
  const QString path = test.write("latin.py", "# caf\xe9\nx = 1\n");
  REQUIRE(test.window->openFile(path));
  CHECK(test.page().notice().text().contains(QStringLiteral("not UTF-8")));
  CHECK(test.page().title() == QStringLiteral("latin.py (read-only)"));
  test.type("y");
  test.save();
  CHECK(contents(path) == "# caf\xe9\nx = 1\n");
  CHECK_FALSE(test.page().isModified());
  // It is open again after a restart, as the file that it is.
  test.window->close();
  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.page().title() == QStringLiteral("latin.py (read-only)"));
}

TEST_CASE("what is not a text file of a sane size is refused with its reason", "[gui][saving]") {
  SavingFixture test;
  test.openAndWait(test.write("kernel.py", sampleSource()));
  const auto refusal = [&](const QString &path) {
    CHECK_FALSE(test.window->openFile(path));
    for (const NoticeBar *notice : test.window->findChildren<NoticeBar *>())
      if (notice->isVisible())
        return notice->text().section(u'\n', -1);
    return QString();
  };
  const auto at = [&](const char *name) { return test.folder.filePath(QString::fromLatin1(name)); };
  REQUIRE(mkfifo(at("pipe.py").toLocal8Bit().constData(), 0600) == 0);
  CHECK(refusal(at("pipe.py")).contains(QStringLiteral("it is a pipe")));
  CHECK(refusal(QStringLiteral("/dev/zero")).contains(QStringLiteral("it is a device")));
  fs::create_symlink("loop.py", at("loop.py").toStdString());
  CHECK(refusal(at("loop.py")).contains(QStringLiteral("symbolic links")));
  CHECK(refusal(test.write("zero.py", std::string("a\0b", 3))).contains(QStringLiteral("is zero")));
  CHECK(refusal(test.write("wide.py", "\xff\xfe"
                                      "a"))
            .contains(QStringLiteral("UTF-16")));
  const QString huge = test.write("huge.py", "");
  fs::resize_file(huge.toStdString(), (64 << 20) + 1);
  CHECK(refusal(huge).contains(QStringLiteral("larger than 64 MiB")));
  CHECK(refusal(at("none.py")).contains(QStringLiteral("No such file")));
}

TEST_CASE("saving keeps mode and link, and write-protected files are marked", "[gui][saving]") {
  SavingFixture test;
  const QString path = test.write("kernel.py", "a = 1\n");
  REQUIRE(chmod(path.toLocal8Bit().constData(), 0640) == 0);
  const QString link = test.folder.filePath(QStringLiteral("link.py"));
  fs::create_symlink("kernel.py", link.toStdString());
  test.openAndWait(link);
  test.editor().goTo({0, 0});
  test.type("b");
  test.save();
  CHECK(contents(path) == "ba = 1\n");
  CHECK(S_ISLNK(stateOf(link).st_mode));
  CHECK((stateOf(path).st_mode & 07777) == 0640);
  // The link and its file are one file: one tab.
  CHECK(test.window->openFile(path) == &test.page());
  CHECK(test.tabs().count() == 1);

  const QString locked = test.write("locked.py", "a = 1\n");
  REQUIRE(chmod(locked.toLocal8Bit().constData(), 0444) == 0);
  test.openAndWait(locked);
  CHECK(test.tabs().tabText(test.tabs().currentIndex()) ==
        QStringLiteral("locked.py (write-protected)"));
  test.type("b");
  {
    const MessageAnswer answer(QMessageBox::Cancel);
    test.save();
    CHECK(answer.text.contains(QStringLiteral("write-protected")));
  }
  CHECK(contents(locked) == "a = 1\n");
  CHECK(test.page().isModified());
  // The way on is offered there, and has a key.
  const QString elsewhere = test.folder.filePath(QStringLiteral("mine.py"));
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  QTimer steps;
  QObject::connect(&steps, &QTimer::timeout, &steps, [&] {
    QWidget *dialog = QApplication::activeModalWidget();
    if (auto *box = qobject_cast<QMessageBox *>(dialog))
      QTest::keyClick(box, Qt::Key_A, Qt::AltModifier);
    else if (auto *files = qobject_cast<QFileDialog *>(dialog)) {
      steps.stop();
      files->findChild<QLineEdit *>()->setText(elsewhere);
      QTest::keyClick(files->findChild<QLineEdit *>(), Qt::Key_Return);
    }
  });
  steps.start(10);
  test.save();
  CHECK(contents(elsewhere) == "ba = 1\n");
  CHECK(test.page().path() == elsewhere);
  CHECK_FALSE(test.page().isModified());
}

TEST_CASE("whether changes are saved is answered by a letter", "[gui][saving]") {
  SavingFixture test;
  for (const auto &[key, isClosed, isSaved] :
       {std::tuple(Qt::Key_C, false, false), std::tuple(Qt::Key_S, true, true),
        std::tuple(Qt::Key_D, true, false)}) {
    INFO(static_cast<char>(key));
    const QString path = test.write("kernel.py", "a = 1\n");
    test.openAndWait(path);
    test.editor().goTo({0, 0});
    test.type("b");
    const int numOpen = test.tabs().count();
    QTimer answer;
    // Until it has the keys, a box takes none.
    QObject::connect(&answer, &QTimer::timeout, &answer, [key = key] {
      if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget()))
        QTest::keyClick(box, key, Qt::AltModifier);
    });
    answer.start(10);
    test.press(Qt::Key_W);
    CHECK(test.tabs().count() == numOpen - (isClosed ? 1 : 0));
    CHECK(contents(path) == (isSaved ? "ba = 1\n" : "a = 1\n"));
    if (!isClosed) {
      test.save();
      test.press(Qt::Key_W);
    }
  }
}

TEST_CASE("saving looks at the file's bytes, not only at its time", "[gui][saving]") {
  SavingFixture test;
  const QString path = test.write("kernel.py", "a = 1\n");
  test.openAndWait(path);
  test.editor().goTo({0, 0});
  test.type("b");
  // The same size and the same time: as with a clock that was set back. Nothing tells of it before
  // the next turn of the event loop.
  const struct stat before = stateOf(path);
  test.write("kernel.py", "z = 9\n");
  const timespec times[2] = {before.st_atim, before.st_mtim};
  REQUIRE(utimensat(AT_FDCWD, path.toLocal8Bit().constData(), times, 0) == 0);
  test.save();
  CHECK(contents(path) == "z = 9\n");
  CHECK(test.page().isModified());
  CHECK(test.page().notice().text().contains(QStringLiteral("Another program")));
  // Again: the question stays.
  test.save();
  CHECK(contents(path) == "z = 9\n");
  const QList<QPushButton *> buttons = test.page().notice().findChildren<QPushButton *>();
  REQUIRE(buttons.size() == 3);
  QTest::keyClick(buttons[0], Qt::Key_Space);
  CHECK(test.page().notice().text().isEmpty());
  test.save();
  CHECK(contents(path) == "ba = 1\n");
  CHECK_FALSE(test.page().isModified());
}

TEST_CASE("a folder without writing, and one that vanished, are told of", "[gui][saving]") {
  SavingFixture test;
  REQUIRE(chmod(test.folder.path().toLocal8Bit().constData(), 0755) == 0);
  QDir(test.folder.path()).mkpath(QStringLiteral("sub"));
  const QString path = test.write("sub/kernel.py", "a = 1\n");
  const QString folder = test.folder.filePath(QStringLiteral("sub"));
  test.openAndWait(path);
  test.editor().goTo({0, 0});
  test.type("b");
  REQUIRE(chmod(folder.toLocal8Bit().constData(), 0555) == 0);
  {
    const OrdinaryUser user;
    const MessageAnswer answer(QMessageBox::Cancel);
    test.save();
    CHECK(answer.text.contains(QStringLiteral("write-protected")));
  }
  CHECK(contents(path) == "a = 1\n");
  REQUIRE(chmod(folder.toLocal8Bit().constData(), 0755) == 0);
  fs::remove_all(folder.toStdString());
  REQUIRE(QTest::qWaitFor([&] { return !test.page().notice().text().isEmpty(); }, 5000));
  CHECK(test.page().notice().text().contains(QStringLiteral("no longer exists on disk")));
  {
    const MessageAnswer answer(QMessageBox::Cancel);
    test.save();
    CHECK(answer.text.contains(QStringLiteral("No such file")));
  }
  CHECK(test.page().isModified());
  // Where there is a folder again, the text is.
  QDir().mkpath(folder);
  QTest::keyClick(test.page().notice().findChildren<QPushButton *>().first(), Qt::Key_Space);
  CHECK(contents(path) == "ba = 1\n");
  CHECK(test.page().notice().text().isEmpty());
}

TEST_CASE("a fork never takes the place of a file", "[gui][saving]") {
  SavingFixture test;
  test.openAndWait(test.write("kernel.py", sampleSource()));
  const QString kernel = QString::fromStdString(sampleResult()->kernel);
  const QString taken =
      test.write((kernel + QStringLiteral(".ttir")).toLatin1().constData(), "mine");
  EditorPage *fork = test.window->forkStage(compiler::StageId::Ttir);
  REQUIRE(fork);
  CHECK(fork->path() == test.folder.filePath(kernel + QStringLiteral("-2.ttir")));
  CHECK(fork->isModified());
  // Somebody makes that file before it is saved: then it is asked.
  test.write((kernel + QStringLiteral("-2.ttir")).toLatin1().constData(), "theirs");
  test.save();
  CHECK(contents(fork->path()) == "theirs");
  CHECK(fork->notice().text().contains(QStringLiteral("Another program")));
  CHECK(contents(taken) == "mine");
}

TEST_CASE("tabs of one name show their folders, and the last file takes its title along",
          "[gui][saving]") {
  SavingFixture test;
  QDir(test.folder.path()).mkpath(QStringLiteral("left"));
  QDir(test.folder.path()).mkpath(QStringLiteral("right"));
  test.openAndWait(test.write("left/kernel.py", "a = 1\n"));
  CHECK(test.tabs().tabText(0) == QStringLiteral("kernel.py"));
  test.openAndWait(test.write("right/kernel.py", "a = 1\n"));
  CHECK(test.tabs().tabText(0) == QStringLiteral("kernel.py – left"));
  CHECK(test.tabs().tabText(1) == QStringLiteral("kernel.py – right"));
  CHECK(test.window->windowTitle() == QStringLiteral("kernel.py – right[*] — Tilescope"));
  QTest::keyClick(test.window->editor(), Qt::Key_W, Qt::ControlModifier);
  CHECK(test.tabs().tabText(0) == QStringLiteral("kernel.py"));
  QTest::keyClick(test.window->editor(), Qt::Key_W, Qt::ControlModifier);
  CHECK(test.tabs().count() == 0);
  CHECK(test.window->windowTitle() == QStringLiteral("Tilescope"));
}

TEST_CASE("a large file is plain: typing in it compiles nothing and stays fluid", "[gui][saving]") {
  SavingFixture test;
  std::string text;
  while (text.size() < (8 << 20))
    text += "    x = tl.load(x_ptr + offsets, mask=offsets < n)  # a line like many others\n";
  const QString path = test.write("large.py", text);
  REQUIRE(test.window->openFile(path));
  CHECK(test.page().isPlain());
  CHECK(test.page().notice().text().contains(QStringLiteral("Ctrl+B")));
  const size_t numRequests = test.fake.requests.size();
  std::vector<double> milliseconds;
  for (int i = 0; i < 60; ++i) {
    const double before = tests::threadTimeMs();
    test.type("x");
    QCoreApplication::processEvents();
    milliseconds.push_back(tests::threadTimeMs() - before);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  // A key that visits the whole text takes seconds.
  CHECK(milliseconds[milliseconds.size() / 2] <= 100);
  CHECK(test.fake.requests.size() == numRequests);
  QTest::keyClick(test.window->editor(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(test.fake.requests.size() == numRequests + 1);
  CHECK(test.fake.requests.back().text.starts_with("xxxx"));
  // Long lines cost as much as many.
  REQUIRE(test.window->openFile(test.write("long.py", "x = " + std::string(30000, '1') + "\n")));
  CHECK(test.page().isPlain());
}

TEST_CASE("what is typed and taken back leaves the file unmodified", "[gui][saving]") {
  SavingFixture test;
  test.openAndWait(test.write("kernel.py", "a = 1\r\nb = 2\r\n"));
  test.editor().goTo({1, 0});
  const auto isModified = [&] { return test.tabs().tabText(0).contains(u'●'); };
  test.type("#");
  CHECK(isModified());
  test.press(Qt::Key_Backspace, {});
  CHECK(QTest::qWaitFor([&] { return !isModified(); }, 2000));
  // Of the same length, but not equal.
  test.type("#");
  test.press(Qt::Key_Delete, {});
  QCoreApplication::processEvents();
  CHECK(isModified());
  test.press(Qt::Key_Z);
  test.press(Qt::Key_Z);
  CHECK(QTest::qWaitFor([&] { return !isModified(); }, 2000));
  // Undone beyond the place where it was equal again, it is another text.
  test.type("x");
  test.press(Qt::Key_Backspace, {});
  CHECK(QTest::qWaitFor([&] { return !isModified(); }, 2000));
  test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "a = 1\nxb = 2\n");
  CHECK(isModified());
}

namespace {
/// Types a name into the dialog to save that comes next, and answers what it asks. A user who says
/// no gives up.
struct NamedSave {
  MessageAnswer answer;
  InDialog<QFileDialog> dialog;
  NamedSave(const QString &name, QMessageBox::StandardButton button)
      : answer(button), dialog([name](QFileDialog &files) {
          const QPointer<QLineEdit> field = files.findChild<QLineEdit *>();
          field->setText(name);
          QTest::keyClick(field, Qt::Key_Return);
          if (field && field->isVisible())
            QTest::keyClick(field, Qt::Key_Escape);
        }) {}
};
} // namespace

TEST_CASE("a name without an ending becomes that of a Python file", "[gui][saving]") {
  SavingFixture test;
  const auto path = [&](const char *name) {
    return test.folder.filePath(QString::fromLatin1(name));
  };
  const auto saveNew = [&](const char *name, QMessageBox::StandardButton answer) {
    test.window->newFile();
    test.type("x = 1");
    NamedSave dialog(path(name), answer);
    test.save();
    return dialog.answer.text;
  };
  CHECK(saveNew("relu", QMessageBox::NoButton) == QString());
  CHECK(QFile::exists(path("relu.py")));
  CHECK_FALSE(QFile::exists(path("relu")));
  CHECK(test.page().path() == path("relu.py"));
  saveNew("notes.txt", QMessageBox::NoButton);
  CHECK(QFile::exists(path("notes.txt")));
  // The file that would be replaced is asked about, not the name that was typed.
  test.write("taken.py", "a = 1\n");
  CHECK(saveNew("taken", QMessageBox::No).contains(u"taken.py"));
  CHECK(contents(path("taken.py")) == "a = 1\n");
  CHECK(saveNew("taken", QMessageBox::Yes).contains(u"taken.py"));
  CHECK(contents(path("taken.py")).contains("x = 1"));
}

TEST_CASE("the dialog begins where the user works, and its columns can be read", "[gui][saving]") {
  SavingFixture test;
  QDir(test.folder.path()).mkpath(QStringLiteral("mine"));
  test.openAndWait(test.write("mine/a_kernel_with_a_name_of_some_length.py", "a = 1\n"));
  test.window->newFile();
  // As with text of the largest size.
  for (int i = 0; i < 10; ++i)
    test.press(Qt::Key_Plus);
  constexpr int kMostLooks = 500;
  int nameWidth = 0, numLooks = 0;
  bool isReadable = false;
  QString begun;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &look, [&] {
    auto *files = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
    if (!files)
      return;
    auto *list = files->findChild<QTreeView *>(QStringLiteral("treeView"));
    if (!list->model()->rowCount(list->rootIndex()))
      return;
    begun = files->directory().absolutePath();
    isReadable = true;
    const QAbstractItemView &view = *list;
    for (int column = 0; column < 4; ++column) {
      if (!list->isColumnHidden(column))
        isReadable &= list->columnWidth(column) >= view.sizeHintForColumn(column);
    }
    // Sizes and dates come from a thread, and columns follow them.
    if (!isReadable && ++numLooks < kMostLooks)
      return;
    look.stop();
    nameWidth = list->columnWidth(0);
    files->reject();
  });
  look.start(20);
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  test.press(Qt::Key_O);
  test.press(Qt::Key_0);
  CHECK(begun == test.folder.filePath(QStringLiteral("mine")));
  CHECK(isReadable);
  CHECK(nameWidth > 0);
}

TEST_CASE("the window's title marks a text that is not saved", "[gui][saving]") {
  SavingFixture test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  CHECK_FALSE(test.window->isWindowModified());
  test.type("b");
  CHECK(test.window->isWindowModified());
  CHECK(test.window->windowTitle() == QStringLiteral("kernel.py[*] — Tilescope"));
  test.save();
  CHECK_FALSE(test.window->isWindowModified());
}

TEST_CASE("what is typed into a new file takes the place of its empty body", "[gui][saving]") {
  SavingFixture test;
  test.press(Qt::Key_N);
  test.type("x = 1");
  CHECK(test.editor().utf8Text().ends_with("BLOCK: tl.constexpr):\n    x = 1\n"));
}
