// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/Session.h"

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

using Assignments = std::map<std::string, std::string>;

static Assignments assignments(const QJsonValue &value) {
  Assignments found;
  const QJsonObject object = value.toObject();
  for (auto entry = object.begin(); entry != object.end(); ++entry)
    found[entry.key().toStdString()] = entry->toString().toStdString();
  return found;
}

static QJsonObject toJson(const Assignments &assignments) {
  QJsonObject object;
  for (const auto &[name, value] : assignments)
    object[QString::fromStdString(name)] = QString::fromStdString(value);
  return object;
}

static std::map<QString, QByteArray> arrangementsFromJson(const QJsonObject &object) {
  std::map<QString, QByteArray> arrangements;
  for (auto entry = object.begin(); entry != object.end(); ++entry)
    arrangements[entry.key()] = QByteArray::fromBase64(entry->toString().toLatin1());
  return arrangements;
}

static QJsonObject toJson(const std::map<QString, QByteArray> &arrangements) {
  QJsonObject object;
  for (const auto &[name, arrangement] : arrangements)
    object[name] = QString::fromLatin1(arrangement.toBase64());
  return object;
}

static KernelChoice choiceFromJson(const QJsonObject &object) {
  KernelChoice choice;
  choice.kernel = object[u"kernel"].toString().toStdString();
  if (const int launch = object[u"launch"].toInt(-1); launch >= 0)
    choice.launch = launch;
  choice.constexprs = assignments(object[u"constexprs"]);
  choice.options = assignments(object[u"options"]);
  choice.isPinned = object[u"pinned"].toBool();
  return choice;
}

static QJsonObject toJson(const KernelChoice &choice) {
  QJsonObject object{{QStringLiteral("kernel"), QString::fromStdString(choice.kernel)},
                     {QStringLiteral("constexprs"), toJson(choice.constexprs)},
                     {QStringLiteral("options"), toJson(choice.options)},
                     {QStringLiteral("pinned"), choice.isPinned}};
  if (choice.launch)
    object[u"launch"] = *choice.launch;
  return object;
}

static std::map<uint32_t, std::string> breakpointsFromJson(const QJsonObject &object) {
  std::map<uint32_t, std::string> breakpoints;
  for (auto entry = object.begin(); entry != object.end(); ++entry)
    breakpoints[entry.key().toUInt()] = entry->toString().toStdString();
  return breakpoints;
}

static QJsonObject toJson(const std::map<uint32_t, std::string> &breakpoints) {
  QJsonObject object;
  for (const auto &[line, condition] : breakpoints)
    object[QString::number(line)] = QString::fromStdString(condition);
  return object;
}

using StageBreakpoints = decltype(SessionFile::stageBreakpoints);

static StageBreakpoints stageBreakpointsFromJson(const QJsonObject &object) {
  StageBreakpoints found;
  for (const compiler::StageId stage : {compiler::StageId::Ttir, compiler::StageId::Ttgir}) {
    const std::string_view name = compiler::stageTitle(stage);
    const QString key = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    if (auto lines = breakpointsFromJson(object[key].toObject()); !lines.empty())
      found[stage] = std::move(lines);
  }
  return found;
}

static QJsonObject toJson(const StageBreakpoints &breakpoints) {
  QJsonObject object;
  for (const auto &[stage, lines] : breakpoints)
    if (const std::string_view name = compiler::stageTitle(stage); !lines.empty())
      object[QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))] = toJson(lines);
  return object;
}

static QMap<QString, SessionColumn> columnsFromJson(const QJsonObject &object) {
  QMap<QString, SessionColumn> columns;
  for (auto entry = object.begin(); entry != object.end(); ++entry) {
    const QJsonObject column = entry->toObject();
    columns[entry.key()] = {column[u"pass"].toString(), column[u"turn"].toInt(),
                            column[u"comparedWith"].toString(), column[u"key"].toString(),
                            column[u"title"].toString()};
  }
  return columns;
}

static QJsonObject toJson(const QMap<QString, SessionColumn> &columns) {
  QJsonObject object;
  for (const auto &[id, column] : columns.asKeyValueRange())
    object[id] = QJsonObject{{QStringLiteral("pass"), column.pass},
                             {QStringLiteral("turn"), column.turn},
                             {QStringLiteral("comparedWith"), column.comparedWith},
                             {QStringLiteral("key"), column.key},
                             {QStringLiteral("title"), column.title}};
  return object;
}

/// In their order.
static QJsonArray toJson(const std::vector<std::pair<std::string, int64_t>> &extents) {
  QJsonArray all;
  for (const auto &[name, value] : extents)
    all.append(QJsonObject{{QStringLiteral("name"), QString::fromStdString(name)},
                           {QStringLiteral("value"), static_cast<qint64>(value)}});
  return all;
}

static std::vector<std::pair<std::string, int64_t>> extentsFromJson(const QJsonArray &all) {
  std::vector<std::pair<std::string, int64_t>> extents;
  for (const QJsonValue &each : all)
    extents.emplace_back(each.toObject()[u"name"].toString().toStdString(),
                         each.toObject()[u"value"].toInteger());
  return extents;
}

/// In their order.
static QJsonArray toJson(const std::vector<compiler::FusionChoice> &fusions) {
  QJsonArray all;
  for (const compiler::FusionChoice &each : fusions)
    all.append(QJsonObject{{QStringLiteral("edge"), QString::fromStdString(each.edge)},
                           {QStringLiteral("fused"), each.wish == compiler::FusionWish::Fused}});
  return all;
}

static std::vector<compiler::FusionChoice> fusionsFromJson(const QJsonArray &all) {
  std::vector<compiler::FusionChoice> fusions;
  for (const QJsonValue &each : all)
    fusions.push_back({each.toObject()[u"edge"].toString().toStdString(),
                       each.toObject()[u"fused"].toBool() ? compiler::FusionWish::Fused
                                                          : compiler::FusionWish::Apart});
  return fusions;
}

static std::map<uint64_t, uint64_t> checksumsFromJson(const QJsonObject &object) {
  constexpr int kHexadecimal = 16;
  std::map<uint64_t, uint64_t> checksums;
  for (auto entry = object.begin(); entry != object.end(); ++entry)
    checksums[entry.key().toULongLong(nullptr, kHexadecimal)] =
        entry->toString().toULongLong(nullptr, kHexadecimal);
  return checksums;
}

/// As texts: numbers of JSON are not exact.
static QJsonObject toJson(const std::map<uint64_t, uint64_t> &checksums) {
  constexpr int kHexadecimal = 16;
  QJsonObject object;
  for (const auto &[key, value] : checksums)
    object[QString::number(key, kHexadecimal)] = QString::number(value, kHexadecimal);
  return object;
}

std::optional<Session> sessionFromJson(const QByteArray &json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  const QJsonObject root = document.object();
  if (!root[u"files"].isArray())
    return std::nullopt;
  Session session;
  for (const QJsonValue &value : root[u"files"].toArray()) {
    const QJsonObject entry = value.toObject();
    session.files.push_back(
        {entry[u"id"].toString(), entry[u"path"].toString(), entry[u"line"].toInt(),
         entry[u"column"].toInt(), entry[u"firstLine"].toInt(-1), entry[u"heldBack"].toBool(),
         choiceFromJson(entry[u"choice"].toObject()),
         breakpointsFromJson(entry[u"breakpoints"].toObject()),
         stageBreakpointsFromJson(entry[u"stageBreakpoints"].toObject()),
         entry[u"profile"].toString(), entry[u"profileKernel"].toInt(), entry[u"model"].toString(),
         extentsFromJson(entry[u"modelExtents"].toArray()),
         fusionsFromJson(entry[u"modelFusions"].toArray()),
         checksumsFromJson(entry[u"guessedBlocks"].toObject()), entry[u"lastRun"].toString(),
         entry[u"untitledNumber"].toInt()});
  }
  session.current = root[u"current"].toString();
  session.recentFiles = strings(root[u"recentFiles"]);
  session.geometry = QByteArray::fromBase64(root[u"geometry"].toString().toLatin1());
  session.workspace = root[u"workspace"].toString();
  session.arrangements = arrangementsFromJson(root[u"arrangements"].toObject());
  session.rooms = arrangementsFromJson(root[u"rooms"].toObject());
  session.windowSize = {root[u"windowWidth"].toInt(), root[u"windowHeight"].toInt()};
  session.theme = root[u"theme"].toString();
  session.fontZoom = root[u"fontZoom"].toInt();
  session.codeFamily = root[u"codeFamily"].toString();
  session.hintsVisible = root[u"hintsVisible"].toBool(true);
  session.showsHeat = root[u"showsHeat"].toBool(true);
  session.guidePage = root[u"guidePage"].toString();
  session.guidePlace = root[u"guidePlace"].toDouble();
  session.guideGeometry = QByteArray::fromBase64(root[u"guideGeometry"].toString().toLatin1());
  session.layoutColoring = root[u"layoutColoring"].toString();
  session.target = root[u"target"].toString();
  session.importFolders = strings(root[u"importFolders"]);
  session.runHosts = strings(root[u"runHosts"]);
  session.interpretsRuns = root[u"interpretsRuns"].toBool();
  session.columns = strings(root[u"columns"]);
  session.columnChoices = columnsFromJson(root[u"columnChoices"].toObject());
  session.knowsTextsAreKept = root[u"knowsTextsAreKept"].toBool();
  session.stepsTtgir = root[u"stepsTtgir"].toBool();
  const QJsonObject watches = root[u"stepWatches"].toObject();
  for (auto each = watches.begin(); each != watches.end(); ++each)
    session.stepWatches[each.key()] = strings(each.value());
  return session;
}

QByteArray toJson(const Session &session) {
  QJsonArray files;
  for (const SessionFile &file : session.files)
    files.append(QJsonObject{{QStringLiteral("id"), file.id},
                             {QStringLiteral("path"), file.path},
                             {QStringLiteral("line"), file.line},
                             {QStringLiteral("column"), file.column},
                             {QStringLiteral("firstLine"), file.firstLine},
                             {QStringLiteral("heldBack"), file.isHeldBack},
                             {QStringLiteral("choice"), toJson(file.choice)},
                             {QStringLiteral("breakpoints"), toJson(file.breakpoints)},
                             {QStringLiteral("stageBreakpoints"), toJson(file.stageBreakpoints)},
                             {QStringLiteral("profile"), file.profile},
                             {QStringLiteral("profileKernel"), file.profileKernel},
                             {QStringLiteral("model"), file.model},
                             {QStringLiteral("modelExtents"), toJson(file.modelExtents)},
                             {QStringLiteral("modelFusions"), toJson(file.modelFusions)},
                             {QStringLiteral("guessedBlocks"), toJson(file.guessedBlocks)},
                             {QStringLiteral("lastRun"), file.lastRun},
                             {QStringLiteral("untitledNumber"), file.untitledNumber}});
  QJsonObject watches;
  for (const auto &[path, expressions] : session.stepWatches.asKeyValueRange())
    if (!expressions.isEmpty())
      watches[path] = QJsonArray::fromStringList(expressions);
  const QJsonObject root{
      {QStringLiteral("files"), files},
      {QStringLiteral("current"), session.current},
      {QStringLiteral("recentFiles"), QJsonArray::fromStringList(session.recentFiles)},
      {QStringLiteral("geometry"), QString::fromLatin1(session.geometry.toBase64())},
      {QStringLiteral("workspace"), session.workspace},
      {QStringLiteral("arrangements"), toJson(session.arrangements)},
      {QStringLiteral("rooms"), toJson(session.rooms)},
      {QStringLiteral("windowWidth"), session.windowSize.width()},
      {QStringLiteral("windowHeight"), session.windowSize.height()},
      {QStringLiteral("theme"), session.theme},
      {QStringLiteral("fontZoom"), session.fontZoom},
      {QStringLiteral("codeFamily"), session.codeFamily},
      {QStringLiteral("hintsVisible"), session.hintsVisible},
      {QStringLiteral("showsHeat"), session.showsHeat},
      {QStringLiteral("guidePage"), session.guidePage},
      {QStringLiteral("guidePlace"), session.guidePlace},
      {QStringLiteral("guideGeometry"), QString::fromLatin1(session.guideGeometry.toBase64())},
      {QStringLiteral("layoutColoring"), session.layoutColoring},
      {QStringLiteral("target"), session.target},
      {QStringLiteral("importFolders"), QJsonArray::fromStringList(session.importFolders)},
      {QStringLiteral("runHosts"), QJsonArray::fromStringList(session.runHosts)},
      {QStringLiteral("interpretsRuns"), session.interpretsRuns},
      {QStringLiteral("columns"), QJsonArray::fromStringList(session.columns)},
      {QStringLiteral("columnChoices"), toJson(session.columnChoices)},
      {QStringLiteral("knowsTextsAreKept"), session.knowsTextsAreKept},
      {QStringLiteral("stepsTtgir"), session.stepsTtgir},
      {QStringLiteral("stepWatches"), watches}};
  return QJsonDocument(root).toJson();
}

} // namespace tilescope::app
