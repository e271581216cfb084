// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Takes pictures of the window, such as those of the guide, by doing what a script says:
//
//     guide_pictures docs/images/pictures.txt FOLDER [NAME…]
//
// A line of the script makes one picture: its name, then steps in their order (see `kSteps`).
// Without names, all pictures are taken.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/present/PresentController.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/Presentation.h"
#include "views/common/PictureView.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextStream>
#include <QtTest/QtTest>

#include <cstdio>
#include <functional>
#include <map>

using namespace tilescope;

/// For a compile, or for a view to have something to show.
static constexpr int kDeadlineMs = 60000;
/// For what follows from it, such as counts of the whole grid and the last repaints.
static constexpr int kSettleMs = 1500;

namespace {
/// A window in which the steps of one line are done.
struct Stage {
  app::WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  QTemporaryDir folder;
  std::unique_ptr<app::MainWindow> window;
  /// What a picture is taken of.
  QWidget *grabbed = nullptr;
  /// The view that was opened last.
  QWidget *view = nullptr;

  Stage() {
    app::MainWindowOptions options;
    options.examplesFolder = QStringLiteral(TILESCOPE_SOURCES "/examples");
    options.lessonsFolder = QStringLiteral(TILESCOPE_SOURCES "/resources/lessons");
    options.learnerFolder = folder.filePath(QStringLiteral("lessons"));
    window = std::make_unique<app::MainWindow>(&worker, options);
    window->setThemeName(QStringLiteral("dark"));
    window->resize(1366, 768);
    window->show();
    grabbed = view = window.get();
  }
};
} // namespace

static bool resize(Stage &stage, const QString &size) {
  const QStringList sides = size.split(u'x');
  if (sides.size() != 2)
    return false;
  stage.window->resize(sides[0].toInt(), sides[1].toInt());
  stage.window->action(QStringLiteral("defaultLayout"))->trigger();
  return true;
}

/// A copy, under its own name: examples that are opened in place are not the user's.
static bool openFile(Stage &stage, const QString &path) {
  const QString copy = stage.folder.filePath(QFileInfo(path).fileName());
  if (!QFile::exists(copy) &&
      !QFile::copy(
          QFileInfo(path).isAbsolute() ? path : QStringLiteral(TILESCOPE_SOURCES "/") + path, copy))
    return false;
  QSignalSpy settled(stage.window.get(), &app::MainWindow::settled);
  return stage.window->openFile(copy) && settled.wait(kDeadlineMs);
}

static bool goTo(Stage &stage, const QString &words) {
  const QByteArray text = QByteArray::fromStdString(stage.window->editor()->utf8Text());
  const qsizetype at = text.indexOf(words.toUtf8());
  if (at < 0)
    return false;
  const auto line = static_cast<uint32_t>(text.left(at).count('\n'));
  const qsizetype begin = at == 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  stage.window->editor()->goTo({line, static_cast<uint32_t>(at - begin)});
  QTest::qWait(kSettleMs / 3);
  return true;
}

static bool showView(Stage &stage, const QString &id) {
  QAction *action = stage.window->action(QStringLiteral("view.") + id);
  if (!action)
    return false;
  action->trigger();
  app::ViewDock *dock = stage.window->dock(id);
  stage.view = dock;
  if (const auto *picture = dock->findChild<views::PictureView *>())
    (void)QTest::qWaitFor([&] { return picture->hasContent(); }, kDeadlineMs / 4);
  QTest::qWait(kSettleMs);
  return true;
}

/// In a window of the size from before: the offscreen screen is small.
static bool present(Stage &stage, const QString &path) {
  const QSize size = stage.window->size();
  stage.window->presentation()->open(QStringLiteral(TILESCOPE_SOURCES "/") + path);
  stage.window->showNormal();
  stage.window->resize(size);
  QTest::qWait(kSettleMs);
  return stage.window->presentation()->controller()->isUnderWay();
}

/// As many keys as there are; a sequence of Qt's has four at most.
static bool press(Stage &stage, const QString &keys) {
  for (const QString &key : keys.split(u',')) {
    const QKeySequence sequence(key);
    if (sequence.count() != 1)
      return false;
    QWidget *focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : stage.window.get(), sequence[0].key(),
                    sequence[0].keyboardModifiers());
    QTest::qWait(50);
  }
  QTest::qWait(kSettleMs / 3);
  return true;
}

/// `M = 512 => M = 4096`: another text in place of the first that is there.
static bool replaceText(Stage &stage, const QString &change) {
  const QString before = change.section(QStringLiteral(" => "), 0, 0);
  QString text = QString::fromStdString(stage.window->editor()->utf8Text());
  const qsizetype at = text.indexOf(before);
  if (before.isEmpty() || at < 0)
    return false;
  text.replace(at, before.size(), change.section(QStringLiteral(" => "), 1));
  QSignalSpy settled(stage.window.get(), &app::MainWindow::settled);
  stage.window->editor()->replaceText(text);
  return settled.wait(kDeadlineMs);
}

/// The row of a list or a table of the view on show that begins with these words.
static bool selectRow(Stage &stage, const QString &words) {
  for (auto *items : stage.view->findChildren<QAbstractItemView *>()) {
    const QModelIndexList found =
        items->model() ? items->model()->match(items->model()->index(0, 0), Qt::DisplayRole, words,
                                               1, Qt::MatchStartsWith)
                       : QModelIndexList();
    if (!items->isVisible() || found.isEmpty())
      continue;
    items->setCurrentIndex(found.front());
    QTest::qWait(kSettleMs);
    return true;
  }
  return false;
}

/// The first entry of a field of the view on show that has these words.
static bool choose(Stage &stage, const QString &words) {
  for (auto *box : stage.view->findChildren<QComboBox *>())
    if (const int at = box->findText(words, Qt::MatchContains); box->isVisible() && at >= 0) {
      box->setCurrentIndex(at);
      Q_EMIT box->activated(at);
      QTest::qWait(kSettleMs / 3);
      return true;
    }
  for (auto *bar : stage.view->findChildren<QTabBar *>())
    for (int tab = 0; tab < bar->count(); ++tab)
      if (bar->isVisible() && bar->tabText(tab).contains(words)) {
        bar->setCurrentIndex(tab);
        QTest::qWait(kSettleMs / 3);
        return true;
      }
  return false;
}

/// Takes the picture of a window that was opened beside the program's, by words of its title.
static bool grabWindow(Stage &stage, const QString &words) {
  for (QWidget *each : QApplication::topLevelWidgets())
    if (each->isVisible() && each != stage.window.get() && each->windowTitle().contains(words)) {
      stage.grabbed = stage.view = each;
      return true;
    }
  return false;
}

using Step = bool (*)(Stage &, const QString &);

/// What a line may say, as `step=value`.
static const std::map<QString, Step> kSteps{
    {QStringLiteral("theme"),
     [](Stage &stage, const QString &name) { return stage.window->setThemeName(name), true; }},
    {QStringLiteral("size"), resize},
    {QStringLiteral("target"),
     [](Stage &stage, const QString &name) {
       return stage.window->compileController()->setChosenTarget(name.toStdString()), true;
     }},
    {QStringLiteral("open"), openFile},
    {QStringLiteral("profile"),
     [](Stage &stage, const QString &path) {
       return stage.window->openProfile(QStringLiteral(TILESCOPE_SOURCES "/") + path),
              QTest::qWait(kSettleMs * 2), true;
     }},
    {QStringLiteral("at"), goTo},
    {QStringLiteral("replace"), replaceText},
    {QStringLiteral("row"), selectRow},
    {QStringLiteral("view"), showView},
    {QStringLiteral("choose"), choose},
    {QStringLiteral("do"),
     [](Stage &stage, const QString &id) {
       QAction *action = stage.window->action(id);
       return action ? (action->trigger(), QTest::qWait(kSettleMs / 3), true) : false;
     }},
    {QStringLiteral("key"), press},
    {QStringLiteral("type"),
     [](Stage &, const QString &text) {
       return QTest::keyClicks(QApplication::focusWidget(), text), QTest::qWait(kSettleMs / 3),
              true;
     }},
    {QStringLiteral("present"), present},
    {QStringLiteral("wait"),
     [](Stage &, const QString &ms) { return QTest::qWait(ms.toInt()), ms.toInt() > 0; }},
    {QStringLiteral("window"), grabWindow},
    // Of one dock instead of the window.
    {QStringLiteral("dock"),
     [](Stage &stage, const QString &id) {
       return (stage.grabbed = stage.window->dock(id)) != nullptr;
     }},
};

/// `shot=NAME` in the middle of a line takes a further picture. Lists that have popped up are on it.
static bool shoot(const Stage &stage, const QString &folder, const QString &name) {
  QPixmap picture = stage.grabbed->grab();
  QPainter painter(&picture);
  for (QWidget *popup : QApplication::topLevelWidgets())
    if (popup->isVisible() && popup->windowType() == Qt::Popup)
      painter.drawPixmap(stage.grabbed->mapFromGlobal(popup->pos()), popup->grab());
  painter.end();
  return picture.save(folder + u'/' + name + QStringLiteral(".png"));
}

static bool take(const QStringList &line, const QString &folder) {
  Stage stage;
  for (const QString &part : line.mid(1)) {
    const QString name = part.section(u'=', 0, 0), value = part.section(u'=', 1);
    const auto step = kSteps.find(name);
    const bool isDone = name == u"shot"        ? shoot(stage, folder, value)
                        : step == kSteps.end() ? false
                                               : step->second(stage, value);
    if (!isDone) {
      std::fprintf(stderr, "guide_pictures: %s: `%s` cannot be done\n", qPrintable(line.front()),
                   qPrintable(part));
      return false;
    }
  }
  return shoot(stage, folder, line.front());
}

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(argc, argv);
  const QStringList arguments = QApplication::arguments();
  QFile script(arguments.value(1));
  if (arguments.size() < 3 || !script.open(QIODevice::ReadOnly)) {
    std::fputs("usage: guide_pictures SCRIPT FOLDER [NAME…]\n", stderr);
    return 2;
  }
  bool areAllTaken = true;
  QTextStream lines(&script);
  for (QString line = lines.readLine(); !line.isNull(); line = lines.readLine()) {
    const QStringList parts = QProcess::splitCommand(line);
    if (parts.isEmpty() || parts.front().startsWith(u'#') ||
        (arguments.size() > 3 && !arguments.mid(3).contains(parts.front())))
      continue;
    areAllTaken = take(parts, arguments[2]) && areAllTaken;
  }
  return areAllTaken ? 0 : 1;
}
