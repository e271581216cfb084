// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/Journal.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <map>

namespace tilescope::tests {

inline QByteArray contents(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a kill at this moment would leave in the folder of a session: texts with a history, by the
/// name of their file; that of a text without a file is empty.
inline std::map<QString, std::string> keptTexts(const QString &sessionFolder) {
  std::map<QString, std::string> texts;
  const QDir folder(sessionFolder);
  for (const QString &name : folder.entryList({QStringLiteral("*.journal")}, QDir::Files))
    if (const auto page = app::readJournal(contents(folder.filePath(name))))
      texts[QFileInfo(page->disk.path).fileName()] = page->history.text().value_or("");
  return texts;
}

inline void copyFolder(const QString &from, const QString &to) {
  QDir().mkpath(to);
  for (const QString &name : QDir(from).entryList(QDir::Files))
    QFile::copy(from + u'/' + name, to + u'/' + name);
}

} // namespace tilescope::tests
