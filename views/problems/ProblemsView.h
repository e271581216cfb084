// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/problems/ProblemsModel.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace tilescope::views {

/// The list of everything the compiler has to say, worst first.
class ProblemsView : public QWidget {
  Q_OBJECT
public:
  explicit ProblemsView(QWidget *parent = nullptr);

  /// `unchecked` says why the compiler was not asked; empty: it was.
  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                      std::vector<compiler::SourceFile> files, const QString &unchecked = {},
                      std::vector<compiler::Hint> hints = {});
  ProblemsModel &model() { return *m_model; }
  /// Selects the next (or previous) problem and asks to show its place.
  void step(bool forward);
  /// Selects the problem of a place that is shown already.
  void select(const SourceRange &range);

Q_SIGNALS:
  void placeRequested(const tilescope::SourceRange &range);
  void fixRequested(const tilescope::compiler::DiagnosticFix &fix);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void activate(const QModelIndex &index);

  ProblemsModel *m_model;
  QTreeView *m_tree;
  QLabel *m_empty;
};

} // namespace tilescope::views
