// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/CodeView.h"
#include "views/common/Correlation.h"
#include "views/common/FocusState.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace tilescope::views {

class ElidedLabel;
class FindBar;

/// One stage of the kernel: a header with what it cost, and its text, correlated with the source.
class StageColumn : public QWidget {
  Q_OBJECT
public:
  enum class Mode { Content, DiffBaseline, DiffPass };

  StageColumn(compiler::StageId stage, FocusState *focus, QWidget *parent = nullptr);

  compiler::StageId stage() const { return m_stage; }
  /// Shows the stage of this result. When the result lacks it, what was shown of the same document
  /// stays, marked stale, with the stage that failed named.
  void setResult(const std::shared_ptr<const Correlation> &correlation);
  /// No file is open.
  void clear();
  /// The earlier compile that `DiffBaseline` compares with.
  void setBaseline(std::shared_ptr<const compiler::CompileResult> baseline);
  void setMode(Mode mode);
  Mode mode() const;
  bool isStale() const { return m_stale; }
  void openFind();
  /// Scrolls to what belongs to the focus; called for columns that are to be aligned on demand.
  void align();

  CodeView &codeView() { return *m_view; }
  QString headerText() const;
  QString staleText() const;

protected:
  void changeEvent(QEvent *event) override;

private:
  void showContent();
  void showDiff(std::string_view before, const QString &against);
  std::string_view textBeforeLastPass(QString &pass) const;
  void updateHeader();
  void hoverLine(int line);
  void activateLine(int line, int column);
  void followFocus(const Focus &focus, const QObject *author, bool reveal);
  void search(bool forward, bool incremental);

  compiler::StageId m_stage;
  FocusState *m_focus;
  ElidedLabel *m_facts;
  QLabel *m_note;
  QComboBox *m_mode;
  CodeView *m_view;
  FindBar *m_findBar;
  /// The last result in which the stage was made: what is shown.
  std::shared_ptr<const Correlation> m_shown;
  std::shared_ptr<const compiler::CompileResult> m_baseline;
  bool m_stale = false;
  QString m_failure;
  /// The document is of a later stage: there will be nothing to show.
  bool m_isBeforeEntry = false;
};

} // namespace tilescope::views
