// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/passes/PassesModel.h"

#include <QLocale>

namespace tilescope::views {

using compiler::PassRecord;

void PassesModel::setResult(std::shared_ptr<const compiler::CompileResult> result) {
  m_result = std::move(result);
  update();
}

void PassesModel::setOnlyChanged(bool onlyChanged) {
  if (m_onlyChanged == onlyChanged)
    return;
  m_onlyChanged = onlyChanged;
  update();
}

void PassesModel::update() {
  beginResetModel();
  m_rows.clear();
  m_longestNs = 1;
  const size_t count = m_result ? m_result->passes.size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const PassRecord &record = m_result->passes[i];
    m_longestNs = std::max(m_longestNs, record.durationNs);
    if (!m_onlyChanged || record.changed || record.failed)
      m_rows.push_back(i);
  }
  endResetModel();
}

const PassRecord &PassesModel::pass(int row) const { return m_result->passes[m_rows[row]]; }

PassKey PassesModel::key(int row) const {
  return passKey(*m_result, m_rows[static_cast<size_t>(row)]);
}

const PassRecord *PassesModel::recordedBefore(int row) const {
  for (size_t i = m_rows[row]; i-- > 0;)
    if (!m_result->passes[i].ir.empty())
      return &m_result->passes[i];
  return nullptr;
}

int PassesModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PassesModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : NumColumns;
}

static QString stageText(const PassRecord &record) {
  const std::string_view title = compiler::stageTitle(record.stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// `1,205.0 ms`, `0.004 ms`
static QString timeText(int64_t durationNs) {
  const double ms = static_cast<double>(durationNs) / 1e6;
  const int digits = ms < 1 ? 3 : 1;
  return QLocale(QLocale::English).toString(ms, 'f', digits) + QStringLiteral(" ms");
}

QVariant PassesModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const PassRecord &record = pass(index.row());
  switch (role) {
  case Qt::DisplayRole:
    if (index.column() == NameColumn)
      return shortPassName(record.name);
    if (index.column() == StageColumn)
      return stageText(record);
    return timeText(record.durationNs);
  case Qt::TextAlignmentRole:
    return index.column() == TimeColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
  case Qt::ToolTipRole:
    return QStringLiteral("%1: %2 (%3)")
        .arg(QString::fromStdString(record.name),
             record.failed    ? tr("failed")
             : record.changed ? tr("changed the code")
                              : tr("changed nothing"),
             stageText(record));
  case ChangedRole:
    return record.changed;
  case FailedRole:
    return record.failed;
  case ShareRole:
    return static_cast<double>(record.durationNs) / static_cast<double>(m_longestNs);
  default:
    return {};
  }
}

QVariant PassesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case NameColumn:
    return tr("Pass");
  case StageColumn:
    return tr("Stage");
  default:
    return tr("Time");
  }
}

} // namespace tilescope::views
