// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"
#include "views/run/RunResults.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QStackedWidget;
class QTableView;

namespace tilescope::views {

class FactsLabel;
class FindingsList;
class HeatMap;
class Histogram;
class TensorLoader;
class TensorModel;

/// The results of running a launch: of which kernel and when, its findings, and each output as a
/// heat map, a table and a histogram. Outputs are read and digested on their own thread.
class ResultsView : public QWidget {
  Q_OBJECT
public:
  explicit ResultsView(QWidget *parent = nullptr);

  /// Null: nothing was run.
  void setResults(RunResultsPointer results);
  /// Why the results no longer belong to what is in the window; empty: they do.
  void setOutdated(const QString &reason);
  const QString &outdatedReason() const { return m_outdated; }
  void setRunning(bool running);
  void setProgress(quint64 done, quint64 total);
  /// Leaves only the lines that say what was run, when and how it ended.
  void setFolded(bool folded);
  void setStatus(const QString &text, bool isError);
  QString statusText() const;
  QString stampText() const;
  QString badgesText() const;
  int numOutputs() const;
  /// The chosen output has been read and is shown.
  bool isLoaded() const { return m_digest != nullptr; }
  TensorModel &tableModel() { return *m_table; }
  /// Shows an element of the chosen output in the table.
  void revealElement(int64_t element);

Q_SIGNALS:
  /// Other results are shown, or none any longer.
  void resultsChanged(bool any);
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);
  /// To step to where a program writes an element, or to its first fault.
  void writeRequested(const std::array<int32_t, 3> &program,
                      const tilescope::compiler::ArgumentElement &element);
  void faultRequested(const tilescope::views::RunResults::Fault &fault);

protected:
  void changeEvent(QEvent *event) override;

private:
  void createWidgets();
  void arrangeWidgets();
  void connectWidgets();
  void fillOutputs();
  void showOutput(int index);
  void showDigest(const TensorDigestPointer &digest);
  void showMode(int mode);
  /// Which ways of showing the output there are for it.
  void offerModes();
  void showFacts();
  /// What is wrong with the results, as far as they have been read.
  void showBadges();
  void showElement(qint64 element);
  void updateStamp();
  void goToTyped();
  const profiler::OutputResult *output() const;
  /// Whether the findings say why an output could not be checked.
  bool isListed(const profiler::OutputResult &unchecked) const;
  /// What was found about an output that differs; null: nothing.
  const compiler::Diagnostic *differenceOf(const profiler::OutputResult &output) const;
  /// Who wrote the first element that differs; null: it is not known.
  const compiler::ElementWriter *writerOf(const profiler::OutputResult &output) const;
  void fillFaults();

  RunResultsPointer m_results;
  QString m_outdated;
  bool m_isRunning = false;
  TensorDigestPointer m_digest;
  /// To be revealed as soon as the output is there; -1: none.
  int64_t m_pendingElement = -1;
  TensorLoader *m_loader;
  QProgressBar *m_progress;
  QLabel *m_outdatedNote;
  QLabel *m_stamp;
  QLabel *m_status;
  FactsLabel *m_badges;
  /// All but what was run, when and how it ended.
  QWidget *m_body;
  FindingsList *m_findings;
  /// Links to step to what was found.
  QLabel *m_faults;
  QComboBox *m_choice;
  QComboBox *m_mode;
  QLineEdit *m_goTo;
  /// Elements worth a look, as links.
  QLabel *m_remarks;
  QLabel *m_facts;
  QLabel *m_element;
  QStackedWidget *m_stack;
  QWidget *m_outputPart;
  QTableView *m_tableView;
  TensorModel *m_table;
  HeatMap *m_heatMap;
  Histogram *m_histogram;
};

} // namespace tilescope::views
