// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"
#include "views/run/RunResults.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace tilescope::views {

class HeatMap;
class Histogram;
class LinkLabel;
class NumberTable;
class OutputChoice;
class TensorLoader;
class TensorModel;

/// One output of a run, or an input, chosen among all: as a heat map, a table and a histogram, with what is worth
/// a look. Outputs are read and digested on their own thread.
class OutputView : public QWidget {
  Q_OBJECT
public:
  explicit OutputView(QWidget *parent = nullptr);

  /// Null: nothing was run.
  void setResults(RunResultsPointer results);
  /// It lies below other things that it is scrolled with, and so need not become as low as they leave
  /// it room.
  void setScrolledWithOthers(bool isScrolled);
  /// The one that is chosen; null: there is none.
  const profiler::OutputResult *output() const;
  /// Of the chosen output; null until it has been read.
  const TensorDigestPointer &digest() const { return m_digest; }
  TensorModel &tableModel() { return *m_table; }
  /// Shows an element of the chosen output in the table.
  void revealElement(int64_t element);

Q_SIGNALS:
  /// Another output is shown, or it has been read.
  void changed();
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);
  /// To step to where a program writes an element.
  void writeRequested(const std::array<int32_t, 3> &program,
                      const tilescope::compiler::ArgumentElement &element);

protected:
  void changeEvent(QEvent *event) override;

private:
  void createWidgets();
  void arrangeWidgets();
  void connectWidgets();
  void followLink(const QString &target);
  void fillOutputs();
  void showOutput();
  void showDigest(const TensorDigestPointer &digest);
  void showMode(int mode);
  /// Which ways of showing the output there are for it.
  void offerModes();
  void showFacts();
  void showElement(qint64 element);
  void goToTyped();
  /// Whether the findings say why an output could not be checked.
  bool isListed(const profiler::OutputResult &unchecked) const;
  /// What was found about an output that differs; null: nothing.
  const compiler::Diagnostic *differenceOf(const profiler::OutputResult &output) const;
  /// Who wrote the first element that differs; null: it is not known.
  const compiler::ElementWriter *writerOf(const profiler::OutputResult &output) const;

  RunResultsPointer m_results;
  /// The output that the user has chosen, of this file and kernel.
  QString m_chosen;
  /// Of the chosen output, as rich text.
  bool m_isScrolledWithOthers = false;
  /// The table stands in for a picture, which says nothing of a single element.
  bool m_isNumber = false;
  TensorDigestPointer m_digest;
  /// To be revealed as soon as the output is there; -1: none.
  int64_t m_pendingElement = -1;
  TensorLoader *m_loader;
  OutputChoice *m_choice;
  QComboBox *m_mode;
  QLineEdit *m_goTo;
  /// Elements worth a look, as links.
  LinkLabel *m_remarks;
  QLabel *m_facts;
  QLabel *m_element;
  QStackedWidget *m_stack;
  NumberTable *m_tableView;
  TensorModel *m_table;
  HeatMap *m_heatMap;
  Histogram *m_histogram;
};

} // namespace tilescope::views
