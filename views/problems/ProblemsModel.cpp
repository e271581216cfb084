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

void ProblemsModel::setDiagnostics(std::vector<Diagnostic> diagnostics,
                                   std::vector<compiler::SourceFile> files) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic &d) {
    return std::tuple(-static_cast<int>(d.severity), d.range.file, d.range.begin);
  });
  std::vector<std::string> paths;
  for (compiler::SourceFile &file : files)
    paths.push_back(std::move(file.path));
  if (diagnostics == m_diagnostics && paths == m_paths)
    return;
  beginResetModel();
  m_diagnostics = std::move(diagnostics);
  m_paths = std::move(paths);
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

int ProblemsModel::numDetails(int diagnostic) const {
  const Diagnostic &d = m_diagnostics[diagnostic];
  return static_cast<int>(d.labels.size() + d.notes.size() + d.fixes.size());
}

int ProblemsModel::rowCount(const QModelIndex &parent) const {
  if (!parent.isValid())
    return static_cast<int>(m_diagnostics.size());
  return parent.internalId() == kTop && parent.column() == 0 ? numDetails(parent.row()) : 0;
}

int ProblemsModel::columnCount(const QModelIndex &) const { return 1; }

QString ProblemsModel::detailText(int diagnostic, int row) const {
  const Diagnostic &d = m_diagnostics[diagnostic];
  auto index = static_cast<size_t>(row);
  if (index < d.labels.size())
    return QString::fromStdString(d.labels[index].message);
  index -= d.labels.size();
  if (index < d.notes.size())
    return QString::fromStdString(d.notes[index]);
  return tr("Fix: %1").arg(QString::fromStdString(d.fixes[index - d.notes.size()].title));
}

const compiler::DiagnosticFix *ProblemsModel::fixAt(const QModelIndex &index) const {
  if (!index.isValid())
    return nullptr;
  if (index.internalId() == kTop) {
    const Diagnostic &d = m_diagnostics[index.row()];
    return d.fixes.empty() ? nullptr : &d.fixes.front();
  }
  const Diagnostic &d = m_diagnostics[index.internalId() - 1];
  const int fix = index.row() - static_cast<int>(d.labels.size() + d.notes.size());
  return fix >= 0 ? &d.fixes[fix] : nullptr;
}

SourceRange ProblemsModel::rangeAt(const QModelIndex &index) const {
  if (!index.isValid())
    return {};
  if (index.internalId() == kTop)
    return m_diagnostics[index.row()].range;
  const Diagnostic &d = m_diagnostics[index.internalId() - 1];
  const auto row = static_cast<size_t>(index.row());
  return row < d.labels.size() ? d.labels[row].range : d.range;
}

QString ProblemsModel::placeText(const SourceRange &range) const {
  if (range == SourceRange{} || range.file >= m_paths.size())
    return {};
  const QString path = QString::fromStdString(m_paths[range.file]);
  const QString name = path.isEmpty() ? tr("line ") : QFileInfo(path).fileName() + u':';
  return name + QString::number(range.begin.line + 1);
}

QVariant ProblemsModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const bool top = index.internalId() == kTop;
  const int diagnostic = top ? index.row() : static_cast<int>(index.internalId()) - 1;
  const Diagnostic &d = m_diagnostics[diagnostic];
  switch (role) {
  case Qt::DisplayRole:
    return top ? QString::fromStdString(d.message) : detailText(diagnostic, index.row());
  case Qt::ToolTipRole: {
    const std::string_view id = compiler::diagnosticId(d.kind);
    return tr("%1\nKind: %2")
        .arg(index.data().toString(),
             QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())));
  }
  case PlaceRole:
    return top || static_cast<size_t>(index.row()) < d.labels.size() ? placeText(rangeAt(index))
                                                                     : QString();
  case SeverityRole:
    return top ? QVariant(static_cast<int>(d.severity)) : QVariant();
  case FixRole:
    return fixAt(index) != nullptr;
  default:
    return {};
  }
}

} // namespace tilescope::views
