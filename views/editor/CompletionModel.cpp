// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/CompletionModel.h"

namespace tilescope::views {

void CompletionModel::setCompletions(std::vector<compiler::ast::Completion> completions) {
  beginResetModel();
  m_completions = std::move(completions);
  endResetModel();
}

int CompletionModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_completions.size());
}

QVariant CompletionModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const compiler::ast::Completion &completion = m_completions[static_cast<size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return QString::fromStdString(completion.text);
  case DetailRole:
    return QString::fromStdString(completion.detail);
  case DocumentationRole:
    return QString::fromStdString(completion.doc);
  case KindRole:
    return static_cast<int>(completion.kind);
  default:
    return {};
  }
}

} // namespace tilescope::views
