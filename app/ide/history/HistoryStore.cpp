// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/HistoryStore.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <utility>

namespace tilescope::app {

using views::HistoryEntry;
using views::VersionFacts;
using views::VersionTime;

static constexpr int kFormat = 1;

/// The facts by their names in the file.
static constexpr std::pair<const char *, int64_t VersionFacts::*> kFacts[] = {
    {"registers", &VersionFacts::registers},     {"spillBytes", &VersionFacts::spillBytes},
    {"sharedBytes", &VersionFacts::sharedBytes}, {"threads", &VersionFacts::threads},
    {"conversions", &VersionFacts::conversions}, {"loads", &VersionFacts::loads},
    {"stores", &VersionFacts::stores},           {"barriers", &VersionFacts::barriers},
    {"atomics", &VersionFacts::atomics},         {"narrowestLoad", &VersionFacts::narrowestLoad},
    {"widestLoad", &VersionFacts::widestLoad}};

static QString key(const char *name) { return QString::fromLatin1(name); }

static QJsonObject toJson(const HistoryEntry &entry) {
  QJsonObject object{{key("number"), static_cast<qint64>(entry.number)},
                     {key("when"), entry.when.toUTC().toString(Qt::ISODateWithMs)},
                     {key("kernel"), QString::fromStdString(entry.kernel)},
                     {key("target"), QString::fromStdString(entry.target)},
                     {key("text"), QString::fromUtf8(entry.text)},
                     {key("digest"), QString::fromLatin1(entry.digest.toHex())}};
  if (entry.facts) {
    QJsonObject facts;
    for (const auto &[name, member] : kFacts)
      if (const auto value = static_cast<qint64>((*entry.facts).*member); value >= 0)
        facts[key(name)] = value;
    object[key("facts")] = facts;
  }
  if (entry.time)
    object[key("time")] = QJsonObject{{key("medianUs"), entry.time->medianUs},
                                      {key("spread"), entry.time->spread},
                                      {key("runs"), static_cast<qint64>(entry.time->runs)},
                                      {key("device"), entry.time->device},
                                      {key("native"), entry.time->isNative}};
  if (entry.isWrong)
    object[key("wrong")] = true;
  if (entry.isBaseline)
    object[key("baseline")] = true;
  return object;
}

static std::optional<HistoryEntry> entryFromJson(const QJsonObject &object) {
  HistoryEntry entry;
  entry.number = object[key("number")].toInteger();
  entry.when =
      QDateTime::fromString(object[key("when")].toString(), Qt::ISODateWithMs).toLocalTime();
  entry.kernel = object[key("kernel")].toString().toStdString();
  entry.target = object[key("target")].toString().toStdString();
  entry.text = object[key("text")].toString().toUtf8();
  entry.digest = QByteArray::fromHex(object[key("digest")].toString().toLatin1());
  entry.isWrong = object[key("wrong")].toBool();
  entry.isBaseline = object[key("baseline")].toBool();
  if (entry.number <= 0 || entry.kernel.empty() || entry.text.isEmpty())
    return std::nullopt;
  if (object[key("facts")].isObject()) {
    const QJsonObject facts = object[key("facts")].toObject();
    entry.facts.emplace();
    for (const auto &[name, member] : kFacts)
      (*entry.facts).*member = facts[key(name)].toInteger(-1);
  }
  if (const QJsonObject time = object[key("time")].toObject(); time[key("medianUs")].toDouble() > 0)
    entry.time = VersionTime{time[key("medianUs")].toDouble(), time[key("spread")].toDouble(),
                             time[key("runs")].toInteger(), time[key("device")].toString(),
                             time[key("native")].toBool()};
  return entry;
}

QByteArray historyToJson(const std::vector<HistoryEntry> &entries) {
  QJsonArray all;
  for (const HistoryEntry &entry : entries)
    all.append(toJson(entry));
  return QJsonDocument(QJsonObject{{key("format"), kFormat}, {key("versions"), all}})
      .toJson(QJsonDocument::Compact);
}

std::optional<std::vector<HistoryEntry>> historyFromJson(const QByteArray &json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (!document.isObject() || document[key("format")].toInt() != kFormat ||
      !document[key("versions")].isArray())
    return std::nullopt;
  std::vector<HistoryEntry> entries;
  for (const QJsonValue &value : document[key("versions")].toArray())
    if (auto entry = entryFromJson(value.toObject());
        entry && (entries.empty() || entry->number > entries.back().number))
      entries.push_back(std::move(*entry));
  return entries;
}

QString HistoryStore::pathOf(const QString &name) const {
  const QByteArray hash = QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha1);
  return m_folder + u'/' + QString::fromLatin1(hash.toHex()) + QStringLiteral(".json");
}

std::vector<HistoryEntry> HistoryStore::load(const QString &name) const {
  QFile file(pathOf(name));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  auto entries = historyFromJson(file.readAll());
  if (entries)
    return std::move(*entries);
  file.close();
  const QString aside = file.fileName() + QStringLiteral(".damaged");
  QFile::remove(aside);
  file.rename(aside);
  return {};
}

QString HistoryStore::save(const QString &name, const std::vector<HistoryEntry> &entries) const {
  const QString path = pathOf(name);
  if (entries.empty()) {
    QFile::remove(path);
    return {};
  }
  const bool isNew = !QFile::exists(path);
  if (!QDir().mkpath(m_folder))
    return QStringLiteral("could not create the folder %1").arg(m_folder);
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(historyToJson(entries)) < 0 || !file.commit())
    return file.errorString();
  if (isNew)
    removeOldest();
  return {};
}

void HistoryStore::removeOldest() const {
  const QFileInfoList files =
      QDir(m_folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
  for (const QFileInfo &old : files.mid(kMostFiles))
    QFile::remove(old.filePath());
}

} // namespace tilescope::app
