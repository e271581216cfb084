// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/common/PassNames.h"
#include "views/passes/PassesModel.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QSlider;
class QSplitter;
class QTableView;

namespace tilescope::views {

class CodeView;

/// All passes with their times; for the selected one the code after it or what it changed.
class PassesView : public QWidget {
  Q_OBJECT
public:
  PassesView(FocusState *focus, QWidget *parent = nullptr);

  void setResult(std::shared_ptr<const compiler::CompileResult> result);
  PassesModel &model() { return *m_model; }
  CodeView &codeView() { return *m_code; }
  /// The line above the code.
  QString titleText() const;
  /// Slider and choices, above the list or wherever the window puts them.
  QWidget *header() const { return m_header; }
  void selectPass(int row);
  int selectedPass() const;
  /// Whether the view can be seen: a tab behind another one is shown, but out of sight.
  void setInFront(bool isInFront);
  /// The pass at which all views are to be, while the view can be seen; nothing: they stay where the
  /// compile ends.
  std::optional<PassKey> followedPass() const;
  /// What the machine code would need if the passes ended at the chosen one; empty: not asked for.
  void setEstimate(const QString &estimate);
  QString estimateText() const;
  QCheckBox &followBox() { return *m_follow; }
  QCheckBox &onlyChangedBox() { return *m_onlyChanged; }
  QCheckBox &diffBox() { return *m_asDiff; }

Q_SIGNALS:
  /// `followedPass` may have changed.
  void followedPassChanged();
  /// The view is shown and needs the IR after every pass.
  void passIrWanted(bool wanted);

protected:
  void showEvent(QShowEvent *event) override;
  void hideEvent(QHideEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void showPass();
  /// The code of a record, or none.
  void showCode(const compiler::PassRecord *record, const QString &title);
  void showChanges(const compiler::PassRecord &before, const compiler::PassRecord &after);
  void hoverLine(int line);
  /// What a column takes.
  int widthOf(int column) const;
  /// As much for the list as it needs, at most half; the rest for the code. Until the user chooses.
  void shareRoom();
  /// Leaves out the stages where there is no room for them.
  void fitColumns();

  FocusState *m_focus;
  PassesModel *m_model;
  QWidget *m_header;
  QTableView *m_table;
  QSlider *m_slider;
  QCheckBox *m_onlyChanged;
  QCheckBox *m_asDiff;
  QCheckBox *m_follow;
  QLabel *m_estimate;
  QLabel *m_title;
  CodeView *m_code;
  QSplitter *m_splitter;
  bool m_isSplitChosen = false;
  bool m_isInFront = true;
  std::shared_ptr<const compiler::CompileResult> m_result;
  std::string m_selectedName;
};

} // namespace tilescope::views
