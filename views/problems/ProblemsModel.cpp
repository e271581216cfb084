// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/ProblemsModel.h"

#include <QFileInfo>

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::Diagnostic;
using compiler::Severity;

/// Internal id of a top-level row; rows below carry their parent's row plus one.
static constexpr quintptr kTop = 0;

static Diagnostic worded(const compiler::Hint &hint) {
  Diagnostic row;
  row.severity = Severity::Note;
  row.range = hint.range;
  row.message = hint.message;
  row.notes = hint.evidence;
  row.notes.push_back(
      ProblemsModel::tr("Gain: %1").arg(QString::fromStdString(hint.gain)).toStdString());
  row.notes.push_back(
      ProblemsModel::tr("Try: %1").arg(QString::fromStdString(hint.advice)).toStdString());
  for (const compiler::HintFix &fix : hint.fixes) {
    row.fixes.push_back(fix.edit);
    row.fixes.back().title += " (" + fix.outcome + ")";
  }
  if (!hint.whyNoFix.empty())
    row.notes.push_back(ProblemsModel::tr("No fix is offered: %1")
                            .arg(QString::fromStdString(hint.whyNoFix))
                            .toStdString());
  return row;
}

void ProblemsModel::setDiagnostics(std::vector<Diagnostic> diagnostics,
                                   std::vector<compiler::SourceFile> files,
                                   std::vector<compiler::Hint> hints) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic &d) {
    return std::tuple(-static_cast<int>(d.severity), d.range.file, d.range.begin);
  });
  std::vector<std::string> paths;
  for (compiler::SourceFile &file : files)
    paths.push_back(std::move(file.path));
  if (diagnostics == m_diagnostics && paths == m_paths && hints == m_hints)
    return;
  beginResetModel();
  m_diagnostics = std::move(diagnostics);
  m_hints = std::move(hints);
  m_paths = std::move(paths);
  listRows();
  endResetModel();
}

/// Whether two say the same, of different places.
static bool isRepetition(const Diagnostic &first, const Diagnostic &second) {
  return first.kind == second.kind && first.severity == second.severity &&
         first.message == second.message && first.notes == second.notes &&
         first.range != second.range;
}

void ProblemsModel::listRows() {
  m_rows.clear();
  for (const Diagnostic &each : m_diagnostics) {
    if (!isShown(problemSource(each.kind)))
      continue;
    const auto same =
        std::ranges::find_if(m_rows, [&](const Row &row) { return isRepetition(row.said, each); });
    if (same == m_rows.end())
      m_rows.push_back({each});
    else
      same->repeated.push_back({each.range, each.fixes});
  }
  if (isShown(ProblemSource::Hints))
    for (size_t i = 0; i < m_hints.size(); ++i)
      m_rows.push_back({worded(m_hints[i]), static_cast<int>(i), {}, hintPicture(m_hints[i].kind)});
}

ProblemSource problemSource(compiler::DiagnosticKind kind) {
  const std::string_view id = compiler::diagnosticId(kind);
  return id.starts_with("launch-") ? ProblemSource::Launch
         : id.starts_with("run-")  ? ProblemSource::Run
                                   : ProblemSource::Compiler;
}

int ProblemsModel::count(ProblemSource source) const {
  if (source == ProblemSource::Hints)
    return static_cast<int>(m_hints.size());
  return static_cast<int>(std::ranges::count(
      m_diagnostics, source, [](const Diagnostic &each) { return problemSource(each.kind); }));
}

void ProblemsModel::setShown(ProblemSource source, bool isShown) {
  if (this->isShown(source) == isShown)
    return;
  beginResetModel();
  m_isShown[static_cast<size_t>(source)] = isShown;
  listRows();
  endResetModel();
}

int ProblemsModel::count(Severity severity) const {
  return static_cast<int>(
      std::count_if(m_diagnostics.begin(), m_diagnostics.end(),
                    [=](const Diagnostic &d) { return d.severity == severity; }));
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column,
                     parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTop);
}

QModelIndex ProblemsModel::parent(const QModelIndex &index) const {
  if (!index.isValid() || index.internalId() == kTop)
    return {};
  return createIndex(static_cast<int>(index.internalId()) - 1, 0, kTop);
}

bool ProblemsModel::isOpenAtFirst(int row) const {
  constexpr int kShort = 3, kMostBesideFix = 8;
  const Row &shown = m_rows[row];
  if (shown.hint >= 0)
    return m_hints[static_cast<size_t>(shown.hint)].rank == 1 || !shown.said.fixes.empty();
  const auto numRepeated = static_cast<int>(shown.repeated.size());
  return static_cast<int>(shown.numOwn()) <= kShort &&
         numRepeated <= (shown.said.fixes.empty() ? kShort : kMostBesideFix);
}

int ProblemsModel::Row::numDetails() const {
  size_t number = numOwn();
  for (const Place &place : repeated)
    number += 1 + place.fixes.size();
  return static_cast<int>(number);
}

ProblemsModel::Repeated ProblemsModel::Row::repeatedAt(int detail) const {
  auto row = static_cast<size_t>(detail) - numOwn();
  for (const Place &place : repeated) {
    if (row <= place.fixes.size())
      return {&place, row == 0 ? nullptr : &place.fixes[row - 1]};
    row -= place.fixes.size() + 1;
  }
  return {};
}

int ProblemsModel::rowCount(const QModelIndex &parent) const {
  if (!parent.isValid())
    return static_cast<int>(m_rows.size());
  return parent.internalId() == kTop && parent.column() == 0 ? m_rows[parent.row()].numDetails()
                                                             : 0;
}

int ProblemsModel::columnCount(const QModelIndex &) const { return 1; }

QString ProblemsModel::detailText(const Row &shown, int row) const {
  const Diagnostic &d = shown.said;
  auto index = static_cast<size_t>(row);
  if (index >= shown.numOwn()) {
    const Repeated at = shown.repeatedAt(row);
    // Several places may be in one line.
    return at.fix ? tr("Fix in line %1, column %2: %3")
                        .arg(at.place->range.begin.line + 1)
                        .arg(at.place->range.begin.column + 1)
                        .arg(QString::fromStdString(at.fix->title))
                  : tr("also here");
  }
  if (index < d.labels.size())
    return QString::fromStdString(d.labels[index].message);
  index -= d.labels.size();
  if (index < d.notes.size())
    return QString::fromStdString(d.notes[index]);
  index -= d.notes.size();
  return index < shown.numPictures() ? shown.picture.words
                                     : tr("Fix: %1").arg(QString::fromStdString(
                                           d.fixes[index - shown.numPictures()].title));
}

const compiler::DiagnosticFix *ProblemsModel::fixAt(const QModelIndex &index) const {
  if (!index.isValid())
    return nullptr;
  if (index.internalId() == kTop) {
    const Diagnostic &d = m_rows[index.row()].said;
    return d.fixes.empty() ? nullptr : &d.fixes.front();
  }
  const Row &row = m_rows[index.internalId() - 1];
  const Diagnostic &d = row.said;
  const auto detail = static_cast<size_t>(index.row());
  if (detail >= row.numOwn())
    return row.repeatedAt(index.row()).fix;
  const size_t before = row.numOwn() - d.fixes.size();
  return detail >= before ? &d.fixes[detail - before] : nullptr;
}

std::vector<QModelIndex> ProblemsModel::fixesUnder(const QModelIndex &problem) const {
  std::vector<QModelIndex> fixes;
  if (!problem.isValid())
    return fixes;
  for (int row = 0; row < rowCount(problem); ++row)
    if (const QModelIndex detail = index(row, 0, problem); fixAt(detail))
      fixes.push_back(detail);
  return fixes;
}

QString ProblemsModel::pictureAt(const QModelIndex &index) const {
  if (!index.isValid() || index.internalId() == kTop)
    return {};
  const Row &row = m_rows[index.internalId() - 1];
  const size_t before = row.said.labels.size() + row.said.notes.size();
  return static_cast<size_t>(index.row()) == before ? row.picture.view : QString();
}

QImage ProblemsModel::imageAt(const QModelIndex &index) const {
  if (!m_images || pictureAt(index).isEmpty())
    return {};
  return m_images(m_hints[static_cast<size_t>(m_rows[index.internalId() - 1].hint)]);
}

void ProblemsModel::setHintImages(HintImages images) { m_images = std::move(images); }

void ProblemsModel::updateHintImages() {
  for (int row = 0; row < rowCount(); ++row) {
    const QModelIndex top = index(row, 0);
    for (int under = 0; under < rowCount(top); ++under)
      if (const QModelIndex detail = index(under, 0, top); !pictureAt(detail).isEmpty())
        Q_EMIT dataChanged(detail, detail, {ImageRole, Qt::SizeHintRole});
  }
}

SourceRange ProblemsModel::rangeAt(const QModelIndex &index) const {
  if (!index.isValid())
    return {};
  if (index.internalId() == kTop)
    return m_rows[index.row()].said.range;
  const Row &shown = m_rows[index.internalId() - 1];
  const Diagnostic &d = shown.said;
  const auto row = static_cast<size_t>(index.row());
  if (row < d.labels.size())
    return d.labels[row].range;
  return row < shown.numOwn() ? d.range : shown.repeatedAt(index.row()).place->range;
}

QString ProblemsModel::placeText(const SourceRange &range) const {
  if (range == SourceRange{} || range.file >= m_paths.size())
    return {};
  const QString path = QString::fromStdString(m_paths[range.file]);
  const QString name = path.isEmpty() ? tr("line ") : QFileInfo(path).fileName() + u':';
  return name + QString::number(range.begin.line + 1);
}

/// With what the guide lists it by.
QString ProblemsModel::hintPlaceText(const compiler::Hint &hint) const {
  const std::string_view id = compiler::hintId(hint.kind);
  return tr("%1, rank %2 · %3")
      .arg(QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())))
      .arg(hint.rank)
      .arg(placeText(hint.range));
}

QString ProblemsModel::messageText(const Row &row) {
  const QString message = QString::fromStdString(row.said.message);
  return row.repeated.empty() ? message
                              : tr("%1 (at %2 places)").arg(message).arg(row.repeated.size() + 1);
}

QVariant ProblemsModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const bool top = index.internalId() == kTop;
  const int diagnostic = top ? index.row() : static_cast<int>(index.internalId()) - 1;
  const Diagnostic &d = m_rows[diagnostic].said;
  switch (role) {
  case Qt::DisplayRole:
    return top ? messageText(m_rows[diagnostic]) : detailText(m_rows[diagnostic], index.row());
  case Qt::ToolTipRole: {
    const int hint = m_rows[diagnostic].hint;
    const std::string_view id =
        hint >= 0 ? compiler::hintId(m_hints[hint].kind) : compiler::diagnosticId(d.kind);
    return tr("%1\nKind: %2")
        .arg(index.data().toString(),
             QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())));
  }
  case PlaceRole:
    if (const int hint = m_rows[diagnostic].hint; top && hint >= 0)
      return hintPlaceText(m_hints[static_cast<size_t>(hint)]);
    return top || rangeAt(index) != d.range || static_cast<size_t>(index.row()) < d.labels.size()
               ? placeText(rangeAt(index))
               : QString();
  case SeverityRole:
    if (!top)
      return {};
    return m_rows[diagnostic].hint >= 0 ? kHintSeverity : static_cast<int>(d.severity);
  case FixRole:
    return fixAt(index) != nullptr;
  case PictureRole:
    return pictureAt(index);
  case ImageRole:
    return imageAt(index);
  default:
    return {};
  }
}

} // namespace tilescope::views
