// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/ResultsView.h"
#include "views/run/RunFormView.h"

class QScrollArea;
class QSplitter;

namespace tilescope::views {

class ScrollPart;

/// The launch as a form, and the results of running it: side by side, each scrolling by itself,
/// where there is room. Else one column scrolls, in which launch, place and buttons are followed by
/// the launch's values or by the results: a run shows the latter, a button the former.
class RunView : public QWidget {
  Q_OBJECT
public:
  explicit RunView(QWidget *parent = nullptr);

  RunFormView &form() { return *m_form; }
  ResultsView &results() { return *m_results; }
  void setRunning(bool running);
  void setStatus(const QString &text, bool isError) { m_results->setStatus(text, isError); }
  QString statusText() const { return m_results->statusText(); }
  int numOutputs() const { return m_results->numOutputs(); }
  TensorModel &tableModel() { return m_results->tableModel(); }
  bool isOneColumn() const { return m_isOneColumn; }
  /// In one column: shows the results in place of the values, from the first line.
  void revealResults();

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void showValues(bool shown);
  void scrollToResults();
  /// One column or two, as the width has room for.
  void arrange();

  RunFormView *m_form;
  ResultsView *m_results;
  ScrollPart *m_resultsPart;
  QSplitter *m_beside;
  QScrollArea *m_column;
  bool m_isOneColumn = false;
  /// In one column: the values are shown, and of the results only how the run ended.
  bool m_showsValues = true;
  /// Until the user scrolls, the results stay at the top however high the form becomes.
  bool m_isRevealing = false;
};

} // namespace tilescope::views
