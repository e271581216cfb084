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
  /// Shows the stage of this result, of the same kernel as the one before. When the result lacks
  /// it, the stage of the kernel's last whole result is shown, marked stale, with the reason: all
  /// columns show one revision then.
  void setResult(const std::shared_ptr<const Correlation> &correlation);
  /// Another kernel or file is to be shown: shows its last whole result, or nothing while there is
  /// none (null).
  void restore(const std::shared_ptr<const Correlation> &kept);
  /// No file is open.
  void clear();
  /// What is shown is of an earlier revision than the one that is being compiled; marked stale
  /// until the next result.
  void setOutdated(const QString &shown);
  /// The earlier compile that `DiffBaseline` compares with; null: there is none.
  void setBaseline(std::shared_ptr<const compiler::CompileResult> baseline);
  void setMode(Mode mode);
  Mode mode() const;
  bool isStale() const { return m_stale || m_outdated; }
  void openFind();
  /// Scrolls to what belongs to the focus; called for columns that are to be aligned on demand.
  void align();

  CodeView &codeView() { return *m_view; }
  /// Facts and mode, above the text or wherever the window puts them.
  QWidget *header() const { return m_header; }
  QString headerText() const;
  QString staleText() const;

Q_SIGNALS:
  /// Somebody types into the text, which is read-only.
  void typedInto();
  /// Whether the column shows what a pass changed, for which the passes must be recorded.
  void passIrWanted(bool wanted);

protected:
  void changeEvent(QEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void showContent();
  void showText();
  void showBaselineDiff();
  void showPassDiff();
  void showDiff(std::string_view before, std::string_view after, const QString &label);
  QString noteText() const;
  void updateHeader();
  /// Over the last rows of the text, so that none moves when the note comes and goes.
  void placeNote();
  void hoverLine(int line);
  void activateLine(int line, int column);
  void followFocus(const Focus &focus, const QObject *author, bool reveal);
  void search(bool forward, bool incremental);

  compiler::StageId m_stage;
  FocusState *m_focus;
  QWidget *m_header;
  ElidedLabel *m_facts;
  QComboBox *m_mode;
  CodeView *m_view;
  QLabel *m_note;
  FindBar *m_findBar;
  /// The last result in which the stage was made: what is shown.
  std::shared_ptr<const Correlation> m_shown;
  /// The last one that was compiled to its end: what remains when a later text is broken.
  std::shared_ptr<const Correlation> m_whole;
  std::shared_ptr<const compiler::CompileResult> m_baseline;
  bool m_stale = false;
  bool m_outdated = false;
  /// What is shown then.
  QString m_outdatedText;
  /// Why the newest result lacks the stage; empty when it has it or nothing is to say.
  QString m_failure;
  /// What this machine lacks to make the stage.
  QString m_lack;
  /// The document is of a later stage: there will be nothing to show.
  bool m_isBeforeEntry = false;
};

} // namespace tilescope::views
