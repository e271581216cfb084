// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/Session.h"

#include "app/ide/SafeFile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

namespace tilescope::app {

static constexpr int kMaxRecent = 12;

void Session::addRecent(const QString &path) {
  recentFiles.removeAll(path);
  recentFiles.prepend(path);
  while (recentFiles.size() > kMaxRecent)
    recentFiles.removeLast();
}

QString defaultSessionPath() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  return folder + QStringLiteral("/session.json");
}

Session loadSession(const QString &path) {
  Session session;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return session;
  const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
  for (const QJsonValue &value : root[u"files"].toArray()) {
    const QJsonObject entry = value.toObject();
    session.files.push_back(
        {entry[u"path"].toString(), entry[u"text"].toString(), entry[u"unsaved"].toBool(),
         QDateTime::fromString(entry[u"diskTime"].toString(), Qt::ISODateWithMs),
         entry[u"line"].toInt(), entry[u"column"].toInt()});
  }
  session.current = root[u"current"].toInt();
  for (const QJsonValue &value : root[u"recentFiles"].toArray())
    session.recentFiles << value.toString();
  session.geometry = QByteArray::fromBase64(root[u"geometry"].toString().toLatin1());
  session.windowState = QByteArray::fromBase64(root[u"windowState"].toString().toLatin1());
  session.theme = root[u"theme"].toString();
  session.fontZoom = root[u"fontZoom"].toInt();
  session.codeFamily = root[u"codeFamily"].toString();
  session.hintsVisible = root[u"hintsVisible"].toBool(true);
  session.target = root[u"target"].toString();
  for (const QJsonValue &value : root[u"importFolders"].toArray())
    session.importFolders << value.toString();
  return session;
}

bool saveSession(const QString &path, const Session &session) {
  QJsonArray files;
  for (const SessionFile &file : session.files)
    files.append(
        QJsonObject{{QStringLiteral("path"), file.path},
                    {QStringLiteral("text"), file.text},
                    {QStringLiteral("unsaved"), file.unsaved},
                    {QStringLiteral("diskTime"), file.diskTime.toString(Qt::ISODateWithMs)},
                    {QStringLiteral("line"), file.line},
                    {QStringLiteral("column"), file.column}});
  const QJsonObject root{
      {QStringLiteral("files"), files},
      {QStringLiteral("current"), session.current},
      {QStringLiteral("recentFiles"), QJsonArray::fromStringList(session.recentFiles)},
      {QStringLiteral("geometry"), QString::fromLatin1(session.geometry.toBase64())},
      {QStringLiteral("windowState"), QString::fromLatin1(session.windowState.toBase64())},
      {QStringLiteral("theme"), session.theme},
      {QStringLiteral("fontZoom"), session.fontZoom},
      {QStringLiteral("codeFamily"), session.codeFamily},
      {QStringLiteral("hintsVisible"), session.hintsVisible},
      {QStringLiteral("target"), session.target},
      {QStringLiteral("importFolders"), QJsonArray::fromStringList(session.importFolders)}};
  QDir().mkpath(QFileInfo(path).path());
  return replaceFile(path, QJsonDocument(root).toJson()).isEmpty();
}

} // namespace tilescope::app
