// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"
#include "views/run/TensorModel.h"
#include "views/run/TensorPictures.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

namespace tilescope::views {

static constexpr int kBins = 64;
/// A field that would show fewer stands below its name.
static constexpr int kFieldCharacters = 14;

RunView::RunView(QWidget *parent) : QWidget(parent) {
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(createForm());
  splitter->addWidget(createResults());
  splitter->setSizes({300, 420});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setRunning(false);
  setOutputs({});
}

QWidget *RunView::createForm() {
  auto *panel = new QWidget(this);
  panel->setProperty("panel", true);
  panel->setAttribute(Qt::WA_StyledBackground);
  m_launches = new QComboBox(panel);
  m_launches->setAccessibleName(tr("Launch"));
  m_places = new QComboBox(panel);
  m_places->setAccessibleName(tr("Where to run"));
  m_places->addItem(tr("Interpreter"));
  m_runButton = new QPushButton(tr("Run"), panel);
  m_runButton->setProperty("primary", true);
  m_createButton = new QPushButton(tr("Write a launch block"), panel);
  m_problem = new QLabel(panel);
  m_problem->setWordWrap(true);
  m_fields = new QWidget;
  m_fields->setProperty("panel", true);
  m_fieldLayout = new QFormLayout(m_fields);
  m_fieldLayout->setContentsMargins(10, 2, 10, 8);
  m_fieldLayout->setSpacing(4);
  // Long names stand above their fields instead of taking their room.
  m_fieldLayout->setRowWrapPolicy(QFormLayout::WrapLongRows);
  auto *scroll = new QScrollArea(panel);
  scroll->setWidget(m_fields);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto *top = new QHBoxLayout;
  top->setContentsMargins(10, 6, 10, 4);
  top->addWidget(m_launches, 1);
  top->addWidget(m_places);
  top->addWidget(m_runButton);
  auto *layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(top);
  m_problem->setContentsMargins(10, 0, 10, 0);
  layout->addWidget(m_problem);
  auto *createRow = new QHBoxLayout;
  createRow->setContentsMargins(10, 0, 10, 0);
  createRow->addWidget(m_createButton);
  createRow->addStretch();
  layout->addLayout(createRow);
  layout->addWidget(scroll, 1);
  connect(m_launches, &QComboBox::activated, this, &RunView::launchChosen);
  connect(m_createButton, &QPushButton::clicked, this, &RunView::createBlockRequested);
  connect(m_runButton, &QPushButton::clicked, this, [this] {
    if (m_progress->isHidden())
      Q_EMIT runRequested();
    else
      Q_EMIT cancelRequested();
  });
  return panel;
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
  m_tableView->setFont(codeFont());
  m_tableView->horizontalHeader()->setDefaultSectionSize(86);
  m_tableView->verticalHeader()->setDefaultSectionSize(21);
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

void RunView::setForm(const RunForm &form) {
  // While a field is being typed into, the text it causes must not rebuild it under the cursor.
  if (form == m_form)
    return;
  const bool sameFields = [&] {
    if (form.sections.size() != m_form.sections.size())
      return false;
    for (size_t i = 0; i < form.sections.size(); ++i) {
      if (form.sections[i].fields.size() != m_form.sections[i].fields.size())
        return false;
      for (size_t j = 0; j < form.sections[i].fields.size(); ++j)
        if (form.sections[i].fields[j].path != m_form.sections[i].fields[j].path ||
            form.sections[i].fields[j].remark != m_form.sections[i].fields[j].remark)
          return false;
    }
    return true;
  }();
  m_form = form;
  const QSignalBlocker blocker(m_launches);
  m_launches->clear();
  m_launches->addItems(form.launches);
  m_launches->setCurrentIndex(form.current);
  m_launches->setVisible(!form.launches.isEmpty());
  m_problem->setText(form.problem);
  m_problem->setStyleSheet(QStringLiteral("color: %1").arg(theme()[ColorRole::Warning].name()));
  m_problem->setVisible(!form.problem.isEmpty());
  m_createButton->setVisible(form.canCreate);
  if (!sameFields) {
    rebuildFields();
    return;
  }
  size_t index = 0;
  const QList<QLineEdit *> edits = m_fields->findChildren<QLineEdit *>();
  for (const RunSection &section : form.sections)
    for (const RunField &field : section.fields) {
      if (index < static_cast<size_t>(edits.size()) && !edits[index]->hasFocus()) {
        edits[index]->setText(field.text);
        edits[index]->setCursorPosition(0);
        edits[index]->setToolTip(field.text);
      }
      ++index;
    }
}

void RunView::rebuildFields() {
  // The field whose edit has led here is still at work: it goes when it is done.
  while (m_fieldLayout->rowCount() > 0) {
    const QFormLayout::TakeRowResult row = m_fieldLayout->takeRow(0);
    for (QLayoutItem *item : {row.labelItem, row.fieldItem}) {
      if (item && item->widget()) {
        item->widget()->hide();
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater();
      }
      delete item;
    }
  }
  for (const RunSection &section : m_form.sections) {
    if (section.fields.empty())
      continue;
    auto *title = new QLabel(section.title, m_fields);
    title->setProperty("title", true);
    title->setContentsMargins(0, 6, 0, 0);
    m_fieldLayout->addRow(title);
    for (const RunField &field : section.fields) {
      auto *edit = new QLineEdit(field.text, m_fields);
      edit->setFont(codeFont());
      edit->setAccessibleName(field.label);
      edit->setReadOnly(!field.editable);
      edit->setMinimumWidth(QFontMetrics(codeFont()).horizontalAdvance(u'0') * kFieldCharacters);
      // Of a long expression the beginning is seen, all of it in the tool tip.
      edit->setCursorPosition(0);
      edit->setToolTip(field.text);
      auto *label = new QLabel(field.label, m_fields);
      label->setProperty("muted", true);
      m_fieldLayout->addRow(label, edit);
      if (!field.remark.isEmpty()) {
        auto *remark = new QLabel(field.remark, m_fields);
        remark->setProperty("faint", true);
        remark->setWordWrap(true);
        m_fieldLayout->addRow(remark);
      }
      connect(edit, &QLineEdit::editingFinished, this, [this, edit, field] {
        const bool isModified = edit->isModified();
        edit->setModified(false);
        if (isModified)
          Q_EMIT fieldEdited(field.path, edit->text());
      });
    }
  }
}

void RunView::setPlaces(const QStringList &names) {
  const int chosen = m_places->currentIndex();
  m_places->clear();
  m_places->addItems(names);
  m_places->setCurrentIndex(std::clamp(chosen, 0, static_cast<int>(names.size()) - 1));
  m_places->setVisible(names.size() > 1);
}

int RunView::place() const { return m_places->currentIndex(); }

void RunView::setRunning(bool running) {
  m_progress->setVisible(running);
  m_progress->setRange(0, 0);
  m_runButton->setText(running ? tr("Stop") : tr("Run"));
}

void RunView::setProgress(quint64 done, quint64 total) {
  m_progress->setRange(0, 1000);
  m_progress->setValue(total > 0 ? static_cast<int>(1000 * done / total) : 0);
}

void RunView::setStatus(const QString &text, bool isError) {
  m_status->setText(text);
  m_status->setStyleSheet(
      isError ? QStringLiteral("color: %1").arg(theme()[ColorRole::Error].name()) : QString());
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
