// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/ReferenceWatch.h"

#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

ReferenceWatch::ReferenceWatch(QObject *parent) : QObject(parent) {
  connect(&m_watch, &DiskWatch::touched, this, &ReferenceWatch::check);
}

void ReferenceWatch::setFiles(const QObject *document, std::vector<ReferenceFile> files) {
  if (files.empty() && !m_files.contains(document))
    return;
  if (files.empty())
    m_files.erase(document);
  else
    m_files[document] = {std::move(files)};
  QStringList paths;
  for (const auto &[owner, each] : m_files)
    for (const ReferenceFile &file : each.read)
      paths << QString::fromStdString(file.path);
  paths.removeDuplicates();
  m_watch.setFiles(paths);
  // One may have changed while the programs ran.
  check();
}

QString ReferenceWatch::whatChanged(const QObject *document) const {
  const auto found = m_files.find(document);
  return found == m_files.end() ? QString() : found->second.changed;
}

void ReferenceWatch::check() {
  bool isOther = false;
  for (auto &[document, files] : m_files) {
    const auto other = std::ranges::find_if_not(files.read, &isUnchanged);
    QString now;
    if (other != files.read.end()) {
      const bool isThere = QFileInfo::exists(QString::fromStdString(other->path));
      now = (isThere ? tr("`%1` has changed") : tr("`%1` is no longer there"))
                .arg(QString::fromStdString(other->name));
    }
    isOther |= std::exchange(files.changed, now) != now;
  }
  if (isOther)
    Q_EMIT changed();
}

} // namespace tilescope::app
