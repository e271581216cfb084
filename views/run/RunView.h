// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "profiler/data/Tensor.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace tilescope::views {

class ElidedLabel;
class HeatMap;
class Histogram;
class TensorModel;

/// One value of the launch that can be edited.
struct RunField {
  /// Where it stands in the launch block, e.g. `sizes`, `n_rows`.
  QStringList path;
  QString label;
  QString text;
  /// Where the value comes from; shown below it.
  QString remark = {};
  /// False: only shown.
  bool editable = true;
  bool operator==(const RunField &) const = default;
};

struct RunSection {
  QString title;
  std::vector<RunField> fields;
  bool operator==(const RunSection &) const = default;
};

struct RunForm {
  QStringList launches;
  int current = 0;
  std::vector<RunSection> sections;
  /// What is wrong with the launch, or what is missing.
  QString problem;
  /// There is no launch block, but one can be written.
  bool canCreate = false;
  bool operator==(const RunForm &) const = default;
};

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

  void setForm(const RunForm &form);
  void setPlaces(const QStringList &names);
  int place() const;
  void setRunning(bool running);
  void setProgress(quint64 done, quint64 total);
  void setStatus(const QString &text, bool isError);
  void setOutputs(std::vector<RunOutputTensor> outputs);
  void setFindings(const std::vector<compiler::Diagnostic> &findings);
  QString statusText() const;
  int numOutputs() const;
  TensorModel &tableModel() { return *m_table; }

Q_SIGNALS:
  void fieldEdited(const QStringList &path, const QString &text);
  void launchChosen(int index);
  void createBlockRequested();
  void runRequested();
  void cancelRequested();
  void placeRequested(const tilescope::SourceRange &range);

private:
  QWidget *createForm();
  QWidget *createResults();
  void rebuildFields();
  void showOutput(int index);

  RunForm m_form;
  std::vector<RunOutputTensor> m_outputs;
  std::vector<compiler::Diagnostic> m_findings;
  QComboBox *m_launches;
  QComboBox *m_places;
  QPushButton *m_runButton;
  QPushButton *m_createButton;
  QLabel *m_problem;
  QWidget *m_fields;
  QFormLayout *m_fieldLayout;
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
