// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Hint.h"

#include <QAbstractItemModel>

#include <vector>

namespace tilescope::views {

/// The diagnostics of a result, and behind them hints on what costs more than it needs to; under
/// each its labels, notes and fixes. One column: the message.
class ProblemsModel : public QAbstractItemModel {
  Q_OBJECT
public:
  /// Of a row with its own place, `PlaceRole` says it as `kernel.py:23`. `SeverityRole` is a
  /// `Severity`, or `kHintSeverity`.
  enum Role { PlaceRole = Qt::UserRole + 1, SeverityRole, FixRole };

  using QAbstractItemModel::QAbstractItemModel;

  static constexpr int kHintSeverity = -1;

  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                      std::vector<compiler::SourceFile> files,
                      std::vector<compiler::Hint> hints = {});
  const std::vector<compiler::Diagnostic> &diagnostics() const { return m_diagnostics; }
  int count(compiler::Severity severity) const;
  const std::vector<compiler::Hint> &hints() const { return m_hints; }
  /// The fix of a row that offers one, else null.
  const compiler::DiagnosticFix *fixAt(const QModelIndex &index) const;
  /// The place of a row.
  SourceRange rangeAt(const QModelIndex &index) const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &index) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  bool isHint(int row) const { return row >= static_cast<int>(m_diagnostics.size()); }
  int numDetails(int diagnostic) const;
  QString detailText(int diagnostic, int row) const;
  QString placeText(const SourceRange &range) const;

  std::vector<compiler::Diagnostic> m_diagnostics;
  std::vector<compiler::Hint> m_hints;
  /// The diagnostics, then the hints worded as such.
  std::vector<compiler::Diagnostic> m_rows;
  /// Of the files that ranges are in.
  std::vector<std::string> m_paths;
};

} // namespace tilescope::views
