// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/ResultsView.h"
#include "views/run/RunFormView.h"

namespace tilescope::views {

/// The launch as a form at the left, what running it gave at the right.
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

private:
  RunFormView *m_form;
  ResultsView *m_results;
};

} // namespace tilescope::views
