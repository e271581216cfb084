// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/run/TensorModel.h"
#include "views/run/TensorPictures.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

namespace tilescope::views {

static constexpr int kBins = 64;

RunView::RunView(QWidget *parent) : QWidget(parent), m_form(new RunFormView(this)) {
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(m_form);
  splitter->addWidget(createResults());
  splitter->setSizes({300, 420});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setRunning(false);
  setOutputs({});
}

QWidget *RunView::createResults() {
  auto *panel = new QWidget(this);
  panel->setProperty("panel", true);
  panel->setAttribute(Qt::WA_StyledBackground);
  m_progress = new QProgressBar(panel);
  m_progress->setTextVisible(false);
  m_status = new QLabel(tr("Not run yet."), panel);
  m_status->setWordWrap(true);
  m_status->setContentsMargins(10, 6, 10, 2);
  m_findingList = new QListWidget(panel);
  m_findingList->setMaximumHeight(110);
  m_findingList->setAccessibleName(tr("Findings"));
  m_outputChoice = new QComboBox(panel);
  m_outputMode = new QComboBox(panel);
  m_outputMode->addItems({tr("Heat map"), tr("Table"), tr("Histogram")});
  m_outputFacts = new ElidedLabel(panel);
  m_outputFacts->setProperty("muted", true);
  m_outputFacts->setContentsMargins(10, 2, 10, 2);
  m_table = new TensorModel(this);
  m_tableView = new QTableView(panel);
  m_tableView->setModel(m_table);
  m_tableView->setProperty("code", true);
  m_tableView->horizontalHeader()->setDefaultSectionSize(86);
  fitRowsToFont(m_tableView);
  m_heatMap = new HeatMap(panel);
  m_histogram = new Histogram(panel);
  m_outputStack = new QStackedWidget(panel);
  for (QWidget *widget : {static_cast<QWidget *>(m_heatMap), static_cast<QWidget *>(m_tableView),
                          static_cast<QWidget *>(m_histogram)})
    m_outputStack->addWidget(widget);
  auto *choice = new QHBoxLayout;
  choice->setContentsMargins(10, 2, 10, 2);
  choice->addWidget(m_outputChoice, 1);
  choice->addWidget(m_outputMode);
  auto *layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(m_progress);
  layout->addWidget(m_status);
  layout->addWidget(m_findingList);
  layout->addLayout(choice);
  layout->addWidget(m_outputFacts);
  layout->addWidget(m_outputStack, 1);
  connect(m_outputChoice, &QComboBox::currentIndexChanged, this, &RunView::showOutput);
  connect(m_outputMode, &QComboBox::currentIndexChanged, m_outputStack,
          &QStackedWidget::setCurrentIndex);
  connect(m_findingList, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0 && row < static_cast<int>(m_findings.size()))
      Q_EMIT placeRequested(m_findings[row].range);
  });
  connect(m_heatMap, &HeatMap::elementHovered, this, [this](qint64 element) {
    const int index = m_outputChoice->currentIndex();
    if (index < 0 || element < 0) {
      m_outputFacts->setText(m_facts);
      return;
    }
    const profiler::Tensor &tensor = *m_outputs[index].tensor;
    QStringList at;
    int64_t rest = element;
    for (size_t dim = tensor.shape.size(); dim-- > 0;) {
      at.prepend(QString::number(rest % tensor.shape[dim]));
      rest /= tensor.shape[dim];
    }
    m_outputFacts->setText(QStringLiteral("[%1] = %2")
                               .arg(at.join(QStringLiteral(", ")))
                               .arg(tensor.at(element), 0, 'g', 8));
  });
  return panel;
}

void RunView::setRunning(bool running) {
  m_progress->setVisible(running);
  m_progress->setRange(0, 0);
  m_form->setRunning(running);
}

void RunView::setProgress(quint64 done, quint64 total) {
  m_progress->setRange(0, 1000);
  m_progress->setValue(total > 0 ? static_cast<int>(1000 * done / total) : 0);
}

void RunView::setStatus(const QString &text, bool isError) {
  m_status->setText(text);
  setStyleProperty(m_status, "tone", isError ? QStringLiteral("error") : QString());
}

QString RunView::statusText() const { return m_status->text(); }
int RunView::numOutputs() const { return static_cast<int>(m_outputs.size()); }

void RunView::setOutputs(std::vector<RunOutputTensor> outputs) {
  const QString chosen = m_outputChoice->currentText().section(u' ', 0, 0);
  const QSignalBlocker blocker(m_outputChoice);
  m_outputs = std::move(outputs);
  m_outputChoice->clear();
  int index = 0;
  for (const RunOutputTensor &output : m_outputs) {
    QString shape;
    for (int64_t extent : output.tensor->shape)
      shape += (shape.isEmpty() ? QString() : QStringLiteral("×")) + QString::number(extent);
    if (output.name == chosen)
      index = m_outputChoice->count();
    m_outputChoice->addItem(QStringLiteral("%1  %2").arg(output.name, shape));
  }
  const bool any = !m_outputs.empty();
  for (QWidget *widget :
       {static_cast<QWidget *>(m_outputChoice), static_cast<QWidget *>(m_outputMode),
        static_cast<QWidget *>(m_outputFacts), static_cast<QWidget *>(m_outputStack)})
    widget->setVisible(any);
  m_outputChoice->setCurrentIndex(any ? index : -1);
  showOutput(any ? index : -1);
}

void RunView::setFindings(const std::vector<compiler::Diagnostic> &findings) {
  const QSignalBlocker blocker(m_findingList);
  m_findings = findings;
  m_findingList->clear();
  for (const compiler::Diagnostic &finding : findings) {
    auto *item = new QListWidgetItem(QStringLiteral("%1: %2")
                                         .arg(finding.range.begin.line + 1)
                                         .arg(QString::fromStdString(finding.message)),
                                     m_findingList);
    item->setIcon(finding.severity == compiler::Severity::Error
                      ? themedIcon(QStringLiteral("error"), ColorRole::Error)
                      : themedIcon(QStringLiteral("warning"), ColorRole::Warning));
  }
  m_findingList->setVisible(!findings.empty());
}

void RunView::showOutput(int index) {
  if (index < 0 || index >= static_cast<int>(m_outputs.size())) {
    m_table->setTensor(nullptr);
    return;
  }
  const RunOutputTensor &output = m_outputs[index];
  const TensorStatistics statistics = tensorStatistics(*output.tensor, kBins);
  QString facts = tr("min %1 · max %2 · mean %3 · deviation %4")
                      .arg(statistics.minimum, 0, 'g', 5)
                      .arg(statistics.maximum, 0, 'g', 5)
                      .arg(statistics.mean, 0, 'g', 5)
                      .arg(statistics.deviation, 0, 'g', 4);
  if (statistics.numNan > 0)
    facts += tr(" · %1 NaN").arg(statistics.numNan);
  if (statistics.numInfinite > 0)
    facts += tr(" · %1 infinite").arg(statistics.numInfinite);
  if (!output.remark.isEmpty())
    facts += QStringLiteral(" · ") + output.remark;
  m_facts = facts;
  m_outputFacts->setText(facts);
  m_table->setTensor(output.tensor);
  m_heatMap->setTensor(output.tensor, statistics);
  m_histogram->setStatistics(statistics);
}

} // namespace tilescope::views
