// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "profiler/data/Tensor.h"
#include "views/run/RunFormView.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QStackedWidget;
class QTableView;

namespace tilescope::views {

class ElidedLabel;
class HeatMap;
class Histogram;
class TensorModel;

struct RunOutputTensor {
  QString name;
  std::shared_ptr<const profiler::Tensor> tensor;
  /// E.g. how it compares with the interpreter.
  QString remark;
};

/// The launch as a form at the left, what running it gave at the right.
class RunView : public QWidget {
  Q_OBJECT
public:
  explicit RunView(QWidget *parent = nullptr);

  RunFormView &form() { return *m_form; }
  void setRunning(bool running);
  void setProgress(quint64 done, quint64 total);
  void setStatus(const QString &text, bool isError);
  void setOutputs(std::vector<RunOutputTensor> outputs);
  void setFindings(const std::vector<compiler::Diagnostic> &findings);
  QString statusText() const;
  int numOutputs() const;
  TensorModel &tableModel() { return *m_table; }

Q_SIGNALS:
  void placeRequested(const tilescope::SourceRange &range);

private:
  QWidget *createResults();
  void showOutput(int index);

  RunFormView *m_form;
  std::vector<RunOutputTensor> m_outputs;
  std::vector<compiler::Diagnostic> m_findings;
  QProgressBar *m_progress;
  QLabel *m_status;
  QListWidget *m_findingList;
  QComboBox *m_outputChoice;
  QComboBox *m_outputMode;
  ElidedLabel *m_outputFacts;
  /// Of the tensor as a whole; shown while no element is pointed at.
  QString m_facts;
  QStackedWidget *m_outputStack;
  QTableView *m_tableView;
  TensorModel *m_table;
  HeatMap *m_heatMap;
  Histogram *m_histogram;
};

} // namespace tilescope::views
