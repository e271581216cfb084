// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/Session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tilescope::app {

static constexpr int kMaxRecent = 12;

void Session::addRecent(const QString &path) {
  recentFiles.removeAll(path);
  recentFiles.prepend(path);
  while (recentFiles.size() > kMaxRecent)
    recentFiles.removeLast();
}

static QStringList strings(const QJsonValue &values) {
  QStringList found;
  for (const QJsonValue &value : values.toArray())
    found << value.toString();
  return found;
}

std::optional<Session> sessionFromJson(const QByteArray &json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  const QJsonObject root = document.object();
  if (!root[u"files"].isArray())
    return std::nullopt;
  Session session;
  for (const QJsonValue &value : root[u"files"].toArray()) {
    const QJsonObject entry = value.toObject();
    session.files.push_back({entry[u"id"].toString(), entry[u"path"].toString(),
                             entry[u"line"].toInt(), entry[u"column"].toInt(),
                             entry[u"heldBack"].toBool()});
  }
  session.current = root[u"current"].toString();
  session.recentFiles = strings(root[u"recentFiles"]);
  session.geometry = QByteArray::fromBase64(root[u"geometry"].toString().toLatin1());
  session.windowState = QByteArray::fromBase64(root[u"windowState"].toString().toLatin1());
  session.theme = root[u"theme"].toString();
  session.fontZoom = root[u"fontZoom"].toInt();
  session.codeFamily = root[u"codeFamily"].toString();
  session.hintsVisible = root[u"hintsVisible"].toBool(true);
  session.target = root[u"target"].toString();
  session.importFolders = strings(root[u"importFolders"]);
  session.runHosts = strings(root[u"runHosts"]);
  return session;
}

QByteArray toJson(const Session &session) {
  QJsonArray files;
  for (const SessionFile &file : session.files)
    files.append(QJsonObject{{QStringLiteral("id"), file.id},
                             {QStringLiteral("path"), file.path},
                             {QStringLiteral("line"), file.line},
                             {QStringLiteral("column"), file.column},
                             {QStringLiteral("heldBack"), file.isHeldBack}});
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
      {QStringLiteral("importFolders"), QJsonArray::fromStringList(session.importFolders)},
      {QStringLiteral("runHosts"), QJsonArray::fromStringList(session.runHosts)}};
  return QJsonDocument(root).toJson();
}

} // namespace tilescope::app
