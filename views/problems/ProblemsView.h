// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/problems/ProblemsModel.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;
class QTreeView;

namespace tilescope::views {

class ProblemDelegate;

/// The list of everything the compiler has to say, worst first. A click selects, a double click or
/// Enter asks for the place. A fix is a button: a click applies it. So is the picture of a hint's
/// cause: a click shows it.
class ProblemsView : public QWidget {
  Q_OBJECT
public:
  explicit ProblemsView(QWidget *parent = nullptr);

  /// `unchecked` says why the compiler was not asked; empty: it was.
  void setDiagnostics(std::vector<compiler::Diagnostic> diagnostics,
                      std::vector<compiler::SourceFile> files, const QString &unchecked = {},
                      std::vector<compiler::Hint> hints = {});
  /// Whether the list is of an earlier text, while the text of now compiles.
  void setOutdated(bool isOutdated);
  bool isOutdated() const { return m_isOutdated; }
  /// Whether a run of the text is under way, which may find more.
  void setRunning(bool isRunning);
  ProblemsModel &model() { return *m_model; }
  /// Which sources are listed, above the list or wherever the window puts it.
  QWidget *header() const { return m_header; }
  /// Selects the next (or previous) problem and asks to show its place.
  void step(bool forward);
  /// Selects the problem of a place that is shown already.
  void select(const SourceRange &range);
  /// The place of the row in use.
  std::optional<SourceRange> chosen() const;

Q_SIGNALS:
  void placeRequested(const tilescope::SourceRange &range);
  void fixRequested(const tilescope::compiler::DiagnosticFix &fix);
  /// The view of this name, at a place.
  void pictureRequested(const QString &view, const tilescope::SourceRange &range);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void createHeader();
  void updateHeader();
  /// Expands short details, but no list of repetitions.
  void showRows();
  void activate(const QModelIndex &index);
  void showMenu(const QPoint &point);
  bool isFix(const QModelIndex &index) const;
  /// Of rows that a single click acts on.
  bool isButton(const QModelIndex &index) const;

  ProblemsModel *m_model;
  QTreeView *m_tree;
  ProblemDelegate *m_delegate;
  QWidget *m_header;
  QStackedLayout *m_pages = nullptr;
  std::array<QToolButton *, kNumProblemSources> m_sources{};
  QLabel *m_empty;
  /// Why the compiler was not asked; empty: it was.
  QString m_unchecked;
  bool m_isOutdated = false;
  bool m_isRunning = false;
  /// What the first of the last clicks was on is a fix.
  bool m_hasClickedFix = false;
  /// The last press was the second one of a double click.
  bool m_isSecondClick = false;
};

} // namespace tilescope::views
