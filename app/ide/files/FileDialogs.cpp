// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/FileDialogs.h"

#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScreen>
#include <QTreeView>

namespace tilescope::app {

/// As the file dialog counts its columns.
static constexpr int kTypeColumn = 2;
/// Wide and high enough for a list of names with sizes and dates, in characters.
static constexpr QSize kCharacters{120, 34};

static void prepare(QFileDialog &dialog, const FileQuestion &question) {
  const QFontMetrics metrics = dialog.fontMetrics();
  const QSize wanted(metrics.averageCharWidth() * kCharacters.width(),
                     metrics.lineSpacing() * kCharacters.height());
  dialog.resize(wanted.boundedTo(question.window->screen()->availableSize() * 0.9));
  // A dialog of the desktop has its own columns.
  auto *list = dialog.findChild<QTreeView *>(QStringLiteral("treeView"));
  if (!list)
    return;
  // Each is as wide as what it says; what kind a file is, its ending says.
  QHeaderView &header = *list->header();
  list->setColumnHidden(kTypeColumn, true);
  header.setStretchLastSection(false);
  header.setSectionResizeMode(QHeaderView::ResizeToContents);
}

/// A path that is typed in full counts as it stands. While it is typed, the dialog chooses each
/// folder on its way in the list, and what is chosen there would go before the text.
static void takeTypedPaths(QFileDialog &dialog) {
  auto *field = dialog.findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
  auto *list = dialog.findChild<QListView *>(QStringLiteral("listView"));
  if (!field || !list)
    return;
  QObject::connect(field, &QLineEdit::textChanged, list, [list](const QString &text) {
    if (QDir::isAbsolutePath(text) || text.startsWith(u'~'))
      list->selectionModel()->clear();
  });
}

QStringList askFilesToOpen(const FileQuestion &question) {
  QFileDialog dialog(question.window, question.title, question.place, question.kinds);
  dialog.setFileMode(QFileDialog::ExistingFiles);
  takeTypedPaths(dialog);
  prepare(dialog, question);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles() : QStringList();
}

QString askFileToSave(const FileQuestion &question) {
  QFileDialog dialog(question.window, question.title, question.place, question.kinds);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setDefaultSuffix(question.ending);
  dialog.setLabelText(QFileDialog::LookIn, QObject::tr("Save in:"));
  // The text in the field counts, not the file of that name in the list.
  if (const auto *list = dialog.findChild<QListView *>(QStringLiteral("listView")))
    list->selectionModel()->clear();
  // A user who chooses one kind means it.
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString &kind) {
    static const QRegularExpression kOneEnding(QStringLiteral("\\(\\*\\.([\\w.]+)\\)$"));
    if (const QRegularExpressionMatch match = kOneEnding.match(kind); match.hasMatch())
      dialog.setDefaultSuffix(match.captured(1));
  });
  prepare(dialog, question);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString askFolder(const FileQuestion &question) {
  QFileDialog dialog(question.window, question.title, question.place);
  dialog.setFileMode(QFileDialog::Directory);
  dialog.setOption(QFileDialog::ShowDirsOnly);
  prepare(dialog, question);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace tilescope::app
