// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/RunResults.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace tilescope::views {

class FactsLabel;
class FindingsList;
class LinkLabel;
class OutputView;
class TensorModel;

/// The results of running a launch: of which kernel and when, its findings, and its outputs
/// (`OutputView`).
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
  /// They are those of an earlier run, while another one of the same file is under way.
  void setIsEarlier(bool isEarlier);
  /// What is under way and has nothing to do with them: a run of another file; empty: nothing.
  void setElsewhere(const QString &state);
  QString elsewhereText() const;
  void setProgress(quint64 done, quint64 total);
  /// Leaves only the lines that say what was run, when and how it ended.
  void setFolded(bool folded);
  /// They are scrolled with the form above them.
  void setScrolledWithForm(bool isScrolled);
  void setStatus(const QString &text, bool isError);
  QString statusText() const;
  QString stampText() const;
  QString badgesText() const;
  int numOutputs() const;
  /// The chosen output has been read and is shown.
  bool isLoaded() const;
  TensorModel &tableModel();
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
  /// To show those of `RunStamp::other`.
  void otherRequested();

private:
  void createWidgets();
  void arrangeWidgets();
  void connectWidgets();
  /// What is wrong with the results, as far as they have been read.
  void showBadges();
  void updateStamp();
  void fillFaults();

  RunResultsPointer m_results;
  QString m_outdated;
  bool m_isEarlier = false;
  QProgressBar *m_progress;
  QLabel *m_elsewhere;
  QLabel *m_outdatedNote;
  QLabel *m_stamp;
  /// A link to other results.
  LinkLabel *m_other;
  QLabel *m_status;
  /// Above what the run before has found.
  QLabel *m_earlierNote;
  FactsLabel *m_badges;
  /// All but what was run, when and how it ended.
  QWidget *m_body;
  FindingsList *m_findings;
  /// Links to step to what was found.
  LinkLabel *m_faults;
  OutputView *m_output;
};

} // namespace tilescope::views
