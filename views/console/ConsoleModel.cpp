// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/console/ConsoleModel.h"

#include "views/common/Theme.h"

#include <QFileInfo>

#include <algorithm>
#include <map>

namespace tilescope::views {

void ConsoleModel::append(std::vector<ConsoleLine> lines) {
  if (lines.size() > kMaxLines)
    lines.erase(lines.begin(), lines.end() - static_cast<ptrdiff_t>(kMaxLines));
  if (lines.empty())
    return;
  const size_t total = m_lines.size() + lines.size();
  if (total > kMaxLines) {
    const auto dropped = static_cast<int>(std::min(total - kMaxLines, m_lines.size()));
    if (dropped > 0) {
      beginRemoveRows({}, 0, dropped - 1);
      m_lines.erase(m_lines.begin(), m_lines.begin() + dropped);
      endRemoveRows();
    }
  }
  const auto first = static_cast<int>(m_lines.size());
  beginInsertRows({}, first, first + static_cast<int>(lines.size()) - 1);
  std::move(lines.begin(), lines.end(), std::back_inserter(m_lines));
  endInsertRows();
}

void ConsoleModel::clear() {
  beginResetModel();
  m_lines.clear();
  endResetModel();
}

void ConsoleModel::followName(const std::string &before, const std::string &path) {
  std::map<const compiler::SourceFile *, std::shared_ptr<const compiler::SourceFile>> renamed;
  for (ConsoleLine &line : m_lines)
    if (line.file && line.file->path == before) {
      auto &file = renamed[line.file.get()];
      if (!file)
        file = std::make_shared<const compiler::SourceFile>(
            compiler::SourceFile{path, line.file->text});
      line.file = file;
    }
  if (!renamed.empty())
    Q_EMIT dataChanged(index(0, PlaceColumn), index(rowCount() - 1, PlaceColumn));
}

int ConsoleModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int ConsoleModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString ConsoleModel::placeText(const ConsoleLine &line) {
  if (!line.file)
    return {};
  const QString name = QFileInfo(QString::fromStdString(line.file->path)).fileName();
  return QStringLiteral("%1:%2")
      .arg(name.isEmpty() ? ConsoleModel::tr("line") : name)
      .arg(line.range.begin.line + 1);
}

QVariant ConsoleModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const ConsoleLine &shown = line(index.row());
  if (role == Qt::DisplayRole)
    return index.column() == TextColumn ? shown.text : placeText(shown);
  if (role == Qt::ToolTipRole)
    return shown.text;
  if (role != Qt::DecorationRole || index.column() != TextColumn)
    return {};
  switch (shown.kind) {
  case ConsoleLine::Kind::Title:
    return themedIcon(QStringLiteral("run"), ColorRole::TextMuted);
  case ConsoleLine::Kind::Warning:
    return themedIcon(QStringLiteral("warning"), ColorRole::Warning);
  case ConsoleLine::Kind::Error:
    return themedIcon(QStringLiteral("error"), ColorRole::Error);
  case ConsoleLine::Kind::Note:
    return themedIcon(QStringLiteral("info"), ColorRole::Info);
  case ConsoleLine::Kind::Print:
    break;
  }
  return {};
}

} // namespace tilescope::views
