// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/DiskWatch.h"

#include <QFileInfo>

namespace tilescope::app {

/// A program that saves does several things in a row.
static constexpr int kDelayMs = 50;

/// The places whose changes concern a file: itself, what it is a link to, and the folders of both.
static QSet<QString> placesOf(const QString &path) {
  const QFileInfo file(path);
  QSet<QString> places{path, file.absolutePath()};
  const QString target = file.canonicalFilePath();
  if (!target.isEmpty())
    places << target << QFileInfo(target).absolutePath();
  return places;
}

DiskWatch::DiskWatch(QObject *parent) : QObject(parent) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &DiskWatch::report);
  const auto note = [this](const QString &place) {
    m_places << place;
    if (!m_delay.isActive())
      m_delay.start();
  };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, note);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, note);
}

void DiskWatch::setFiles(const QStringList &paths) {
  m_files = paths;
  arm();
}

void DiskWatch::arm() {
  QSet<QString> wanted;
  for (const QString &path : m_files)
    wanted += placesOf(path);
  const QStringList watchedPlaces = m_watcher.files() + m_watcher.directories();
  const QSet<QString> watched(watchedPlaces.begin(), watchedPlaces.end());
  const QStringList gone = (watched - wanted).values();
  if (!gone.isEmpty())
    m_watcher.removePaths(gone);
  QStringList added;
  for (const QString &place : wanted - watched)
    if (QFileInfo::exists(place))
      added << place;
  if (!added.isEmpty())
    m_watcher.addPaths(added);
}

void DiskWatch::report() {
  const QSet<QString> places = std::exchange(m_places, {});
  const QStringList files = m_files;
  for (const QString &path : files)
    if (placesOf(path).intersects(places))
      Q_EMIT touched(path);
  // A file that was replaced is no longer watched: the new one is.
  arm();
}

} // namespace tilescope::app
