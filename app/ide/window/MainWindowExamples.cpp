// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Files that the window offers to open: recent ones, and the examples.
#include "app/ide/window/MainWindow.h"
#include "views/common/MenuText.h"

#include <QCoreApplication>
#include <QDir>
#include <QMenu>

namespace tilescope::app {

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  for (const QString &path : m_session.recentFiles) {
    const QString folder = QDir::toNativeSeparators(QFileInfo(path).path());
    QAction *open = m_recentMenu->addAction(
        views::menuText(
            tr("%1 – %2").arg(QFileInfo(path).fileName(),
                              fontMetrics().elidedText(folder, Qt::ElideMiddle, width() / 3))),
        this, [this, path] { openFile(path); });
    open->setToolTip(QDir::toNativeSeparators(path));
  }
  if (m_session.recentFiles.isEmpty())
    m_recentMenu->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

/// Below the examples: the kernels that the guide's walkthroughs begin with, and their steps.
static constexpr const char *kWalkthroughs = "walkthroughs";
static constexpr const char *kFirstStep = "_0_";

/// Names of the examples, the easiest first; behind them those that walkthroughs begin with.
static QStringList examplesIn(const QString &folder) {
  static const QStringList kEasyFirst{
      QStringLiteral("vector_add.py"),     QStringLiteral("gelu.py"),
      QStringLiteral("row_sum_atomic.py"), QStringLiteral("fused_softmax.py"),
      QStringLiteral("layer_norm.py"),     QStringLiteral("cumsum.py"),
      QStringLiteral("dropout.py"),        QStringLiteral("transpose.py"),
      QStringLiteral("matmul.py")};
  if (folder.isEmpty())
    return {};
  QStringList names = QDir(folder).entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
  std::ranges::sort(names, {}, [](const QString &name) {
    const qsizetype at = kEasyFirst.indexOf(name);
    return std::pair(at < 0 ? kEasyFirst.size() : at, name);
  });
  const QString inside = QString::fromLatin1(kWalkthroughs);
  for (const QString &name :
       QDir(QDir(folder).filePath(inside))
           .entryList({QStringLiteral("*%1*.py").arg(QString::fromLatin1(kFirstStep))}, QDir::Files,
                      QDir::Name))
    names << inside + u'/' + name;
  return names;
}

/// The name of an example as people write it: `vector_add.py` is "Vector add", and
/// `walkthroughs/softmax_0_column.py` is "Walkthrough: Softmax".
static QString exampleTitle(const QString &fileName) {
  static const std::pair<const char *, const char *> kTitles[] = {
      {"cumsum", QT_TRANSLATE_NOOP("Example", "Cumulative sum")},
      {"gelu", QT_TRANSLATE_NOOP("Example", "GELU")},
      {"matmul", QT_TRANSLATE_NOOP("Example", "Matrix product")}};
  if (fileName.startsWith(QString::fromLatin1(kWalkthroughs)))
    return QCoreApplication::translate("Example", "Walkthrough: %1")
        .arg(exampleTitle(
            QFileInfo(fileName).fileName().section(QString::fromLatin1(kFirstStep), 0, 0)));
  const QString name = QFileInfo(fileName).completeBaseName();
  for (const auto &[known, title] : kTitles)
    if (name == QLatin1StringView(known))
      return QCoreApplication::translate("Example", title);
  QString title = name;
  title.replace(u'_', u' ');
  title[0] = title[0].toUpper();
  return title;
}

void MainWindow::fillExamplesMenu(QMenu *menu) {
  const QDir folder(m_options.examplesFolder);
  const QStringList names = examplesIn(m_options.examplesFolder);
  for (const QString &name : names) {
    const QString path = folder.filePath(name);
    QAction *open =
        m_actions.add(QStringLiteral("example.") + name, exampleTitle(name), {}, [this, path] {
          if (openFile(path))
            focusOnFirstLoad();
        });
    open->setProperty("group", tr("Example"));
    menu->QWidget::addAction(open);
  }
  menu->menuAction()->setVisible(!names.isEmpty());
  addExampleProfiles(menu);
}

/// Recorded ones, which need no GPU.
void MainWindow::addExampleProfiles(QMenu *menu) {
  const QDir folder(QDir(m_options.examplesFolder).filePath(QStringLiteral("profiles")));
  if (m_options.examplesFolder.isEmpty() || !folder.exists())
    return;
  menu->addSeparator();
  for (const QString &name :
       folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
    const QString path = folder.filePath(name);
    QAction *open = m_actions.add(QStringLiteral("profileExample.") + name,
                                  tr("Profile: %1").arg(exampleTitle(name)), {},
                                  [this, path] { openProfile(path); });
    open->setProperty("group", tr("Example"));
    menu->QWidget::addAction(open);
  }
}

void MainWindow::openFirstExample() {
  const QStringList names = examplesIn(m_options.examplesFolder);
  if (names.isEmpty() || !openFile(QDir(m_options.examplesFolder).filePath(names.first()))) {
    newFile();
    return;
  }
  focusOnFirstLoad();
}

} // namespace tilescope::app
