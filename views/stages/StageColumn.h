// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/CodeView.h"
#include "views/common/Correlation.h"
#include "views/common/FocusState.h"
#include "views/common/SampleHeat.h"
#include "views/stages/ColumnText.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace tilescope::views {

class ColumnHeader;
class FindBar;

/// One stage of the kernel, or the IR behind one of its passes: a header with what it costs, and its
/// text, or the lines of it that differ from another one, correlated with the source.
class StageColumn : public QWidget {
  Q_OBJECT
public:
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

  /// The pass behind which the IR is shown; nothing: the stage itself.
  void setPass(const std::optional<PassKey> &pass);
  const std::optional<PassKey> &pass() const { return m_pass; }
  /// To the next pass that changed something, or the one before.
  void stepPass(bool forward);
  /// The pass at which all views are, in place of the column's own; nothing: they are at none.
  void setFollowedPass(const std::optional<PassKey> &pass);
  /// The one that is shown: the followed one, if it is of this stage.
  const std::optional<PassKey> &shownPass() const;

  void setComparison(const Comparison &comparison);
  const Comparison &comparison() const;
  /// What can be compared with beside the baseline.
  void setOffers(const std::vector<ComparisonOffer> &offers);
  /// The earlier compile that `Comparison::With::Baseline` compares with; null: there is none.
  void setBaseline(std::shared_ptr<const compiler::CompileResult> baseline);
  /// What `Comparison::With::Other` compares with; null: `why` there is nothing yet.
  void setOther(std::shared_ptr<const compiler::CompileResult> other, const QString &why = {});
  /// The samples of a profile that are shown beside the lines; null: none are.
  void setHeat(SampleHeatPointer heat);
  /// It shows IR behind passes, which must be recorded for that.
  bool needsPasses() const;

  bool isStale() const { return m_stale || m_outdated; }
  void openFind();
  /// Scrolls to what belongs to the focus; called for columns that are to be aligned on demand.
  void align();

  CodeView &codeView() { return *m_view; }
  const CodeView &codeView() const { return *m_view; }
  /// Facts and choices, above the text or wherever the window puts them.
  QWidget *header() const;
  QComboBox &passField();
  QComboBox &comparisonField();
  QString headerText() const;
  QString staleText() const;
  /// The line of the view that shows a line of the stage's own text; -1: none does.
  int32_t rowOf(int32_t stageLine) const;
  /// The line of the stage's own text that a line of the view shows; -1: none.
  int32_t stageLineOf(int32_t row) const;

Q_SIGNALS:
  /// Somebody types into the text, which is read-only.
  void typedInto();
  /// Whether the column shows IR behind passes, for which the passes must be recorded.
  void passIrWanted(bool wanted);
  /// Another pass is shown, or something else is compared with.
  void choiceChanged();
  /// Lines may be in other rows.
  void rowsChanged();

protected:
  void changeEvent(QEvent *event) override;
  void showEvent(QShowEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void connectState();
  // StageColumnContent.cpp
  void showContent();
  /// Shows what was chosen just now, where it has to do with the cursor.
  void showChoice();
  void relate(const Focus &focus);
  /// Once behind a choice, when all of what was chosen is there and in sight.
  void revealChosen();
  /// The text, and the facts about it.
  void showText(const ColumnText &shown);
  /// There is nothing of what was chosen: `why`, in place of the facts.
  void showMissing(const QString &why);
  void showAside();
  void say(const QString &what);
  void showPassDiff();
  void showDiffWith(const compiler::CompileResult *other, const QString &lacking,
                    const QString &label);
  void showDiff(const ColumnText &before, const ColumnText &after, const QString &label);
  QString missingPass() const;
  void listPasses();
  void updateHeader();
  QString noteText() const;

  void chooseNothing();
  void askForPasses();
  /// Over the last rows of the text, so that none moves when the note comes and goes.
  void placeNote();
  Focus focusOf(int line, int column) const;
  void hoverLine(int line);
  void activateLine(int line, int column);
  void followFocus(const Focus &focus, const QObject *author, bool reveal);
  void search(bool forward, bool incremental);

  compiler::StageId m_stage;
  FocusState *m_focus;
  ColumnHeader *m_header;
  CodeView *m_view;
  QLabel *m_note;
  FindBar *m_findBar;
  /// The last result in which the stage was made: what is shown.
  std::shared_ptr<const Correlation> m_shown;
  /// The last one that was compiled to its end: what remains when a later text is broken.
  std::shared_ptr<const Correlation> m_whole;
  std::optional<PassKey> m_pass, m_followed;
  std::shared_ptr<const compiler::CompileResult> m_baseline, m_other;
  QString m_whyNoOther;
  SampleHeatPointer m_heat;
  bool m_hasAskedForPasses = false;
  /// The text is still to be scrolled to what belongs to the cursor: something else was chosen, or
  /// the cursor moved while the column was covered.
  bool m_isRevealDue = false;
  /// Where the lines on show came from, and, of a listing of differences, what they are.
  compiler::SourceMap m_map;
  std::vector<DiffLine> m_lines;
  /// What the text on show costs.
  QStringList m_costs;
  /// What the header says in place of facts; empty: the facts.
  QString m_said;
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
