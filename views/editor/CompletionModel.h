// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/EditorServices.h"

#include <QAbstractListModel>

namespace tilescope::views {

/// The compiler's completions as a list.
class CompletionModel : public QAbstractListModel {
  Q_OBJECT
public:
  /// `KindRole` holds a `CompletionKind`.
  enum Role { DetailRole = Qt::UserRole + 1, DocumentationRole, KindRole };
  using QAbstractListModel::QAbstractListModel;

  void setCompletions(std::vector<compiler::ast::Completion> completions);
  const compiler::ast::Completion &completion(int row) const {
    return m_completions[static_cast<size_t>(row)];
  }
  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;

private:
  std::vector<compiler::ast::Completion> m_completions;
};

} // namespace tilescope::views
