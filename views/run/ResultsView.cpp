// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/ResultsView.h"

#include "views/common/FlowLayout.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/run/OutputText.h"
#include "views/run/TensorLoader.h"
#include "views/run/TensorModel.h"
#include "views/run/TensorPictures.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace tilescope::views {

/// In the order of the choice.
enum Mode { kHeatMap, kTable, kHistogram };

/// Lines of findings that are shown before their list scrolls.
static constexpr int kFindingsLines = 7;

/// Findings get the height of some lines of text.
static void fitLines(QWidget &findings) {
  const int line = QFontMetrics(uiFont()).lineSpacing();
  findings.setMinimumHeight(2 * line);
  findings.setMaximumHeight(kFindingsLines * line);
}

ResultsView::ResultsView(QWidget *parent) : QWidget(parent), m_loader(new TensorLoader(this)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  createWidgets();
  arrangeWidgets();
  connectWidgets();
  setRunning(false);
  setResults(nullptr);
}

namespace {
/// A table whose columns share its width evenly, so that none is cut.
struct NumberTable : QTableView {
  using QTableView::QTableView;
  void resizeEvent(QResizeEvent *event) override {
    QTableView::resizeEvent(event);
    constexpr int kLongestNumber = 12;
    const int least = fontMetrics().horizontalAdvance(u'0') * kLongestNumber;
    const int width = viewport()->width();
    horizontalHeader()->setDefaultSectionSize(width / std::max(1, width / std::max(1, least)));
  }
};
} // namespace

static QLabel *addLabel(QWidget *parent, const char *property) {
  auto *label = new QLabel(parent);
  label->setWordWrap(true);
  label->setContentsMargins(10, 2, 10, 2);
  if (property)
    label->setProperty(property, true);
  return label;
}

void ResultsView::createWidgets() {
  m_progress = new QProgressBar(this);
  m_progress->setTextVisible(false);
  m_stamp = addLabel(this, "muted");
  m_status = addLabel(this, nullptr);
  m_findings = new QListWidget(this);
  m_findings->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_findings->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
  m_findings->setWordWrap(true);
  fitLines(*m_findings);
  // Lines wrap: nothing lies beside them.
  m_findings->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_findings->setAccessibleName(tr("Findings"));
  m_outputPart = new QWidget(this);
  m_choice = new QComboBox(m_outputPart);
  m_choice->setAccessibleName(tr("Output"));
  m_mode = new QComboBox(m_outputPart);
  m_mode->setAccessibleName(tr("How the output is shown"));
  m_mode->addItems({tr("Heat map"), tr("Table"), tr("Histogram")});
  m_goTo = new QLineEdit(m_outputPart);
  m_goTo->setPlaceholderText(tr("go to element"));
  m_goTo->setAccessibleName(tr("Go to element"));
  m_goTo->setToolTip(tr("Coordinates such as 3, 17, or the number of an element"));
  m_remarks = addLabel(m_outputPart, nullptr);
  m_remarks->setTextFormat(Qt::RichText);
  m_remarks->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
  m_remarks->setAccessibleName(tr("Elements worth a look"));
  m_facts = addLabel(m_outputPart, "muted");
  m_element = addLabel(m_outputPart, "muted");
  m_table = new TensorModel(this);
  m_tableView = new NumberTable(m_outputPart);
  m_tableView->setModel(m_table);
  m_tableView->setProperty("code", true);
  fitRowsToFont(m_tableView);
  m_heatMap = new HeatMap(m_outputPart);
  m_histogram = new Histogram(m_outputPart);
}

void ResultsView::arrangeWidgets() {
  m_stack = new QStackedWidget(m_outputPart);
  m_stack->addWidget(m_heatMap);
  m_stack->addWidget(m_tableView);
  m_stack->addWidget(m_histogram);
  for (QComboBox *box : {m_choice, m_mode})
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto *choice = new FlowLayout;
  choice->setContentsMargins(10, 2, 10, 2);
  choice->addWidget(m_choice);
  choice->addWidget(m_mode);
  choice->addWidget(m_goTo);
  auto *output = new QVBoxLayout(m_outputPart);
  output->setContentsMargins(0, 0, 0, 0);
  output->setSpacing(0);
  output->addLayout(choice);
  output->addWidget(m_remarks);
  output->addWidget(m_facts);
  output->addWidget(m_element);
  output->addWidget(m_stack, 1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_progress);
  layout->addWidget(m_stamp);
  layout->addWidget(m_status);
  layout->addWidget(m_findings);
  layout->addWidget(m_outputPart, 1);
  layout->addStretch(0);
}

void ResultsView::connectWidgets() {
  connect(m_choice, &QComboBox::currentIndexChanged, this, &ResultsView::showOutput);
  connect(m_mode, &QComboBox::currentIndexChanged, m_stack, &QStackedWidget::setCurrentIndex);
  connect(m_goTo, &QLineEdit::returnPressed, this, &ResultsView::goToTyped);
  connect(m_remarks, &QLabel::linkActivated, this,
          [this](const QString &target) { revealElement(target.toLongLong()); });
  const auto request = [this](QListWidgetItem *item) {
    const compiler::Diagnostic &finding =
        m_results->findings.at(static_cast<size_t>(m_findings->row(item)));
    if (finding.range.file < m_results->files.size())
      Q_EMIT placeRequested(m_results->files[finding.range.file], finding.range);
  };
  connect(m_findings, &QListWidget::itemClicked, this, request);
  connect(m_findings, &QListWidget::itemActivated, this, request);
  connect(m_heatMap, &HeatMap::elementHovered, this, &ResultsView::showElement);
  connect(m_heatMap, &HeatMap::elementClicked, this, &ResultsView::revealElement);
  connect(m_loader, &TensorLoader::loaded, this, &ResultsView::showDigest);
  connect(m_loader, &TensorLoader::failed, m_facts, &QLabel::setText);
}

void ResultsView::setResults(RunResultsPointer results) {
  if (results)
    setStatus(results->status, !results->ok);
  else
    setStatus(tr("Not run yet."), false);
  if (results && results == m_results)
    return;
  m_results = std::move(results);
  m_outdated.clear();
  m_pendingElement = -1;
  fillFindings();
  fillOutputs();
  updateStamp();
}

void ResultsView::setOutdated(const QString &reason) {
  if (reason == m_outdated)
    return;
  m_outdated = reason;
  updateStamp();
}

/// Grey and without colours is what no longer belongs to the window's text.
void ResultsView::updateStamp() {
  const bool isOutdated = !m_outdated.isEmpty();
  m_stamp->setVisible(m_results != nullptr);
  m_outputPart->setEnabled(!isOutdated);
  m_findings->setEnabled(!isOutdated);
  m_status->setEnabled(!isOutdated);
  if (!m_results)
    return m_stamp->clear();
  const RunStamp &stamp = m_results->stamp;
  QStringList parts;
  if (isOutdated)
    parts << QStringLiteral("<b>%1</b>").arg(tr("Outdated: %1").arg(m_outdated.toHtmlEscaped()));
  parts
      << (stamp.path.isEmpty() ? tr("untitled") : QFileInfo(stamp.path).fileName()).toHtmlEscaped()
      << stamp.kernel.toHtmlEscaped() << stamp.place.toHtmlEscaped()
      << stamp.time.toString(QStringLiteral("HH:mm:ss"));
  m_stamp->setText(parts.join(QStringLiteral(" · ")));
  m_stamp->setToolTip(stamp.path);
}

static QIcon findingIcon(compiler::Severity severity) {
  switch (severity) {
  case compiler::Severity::Error:
    return themedIcon(QStringLiteral("error"), ColorRole::Error);
  case compiler::Severity::Warning:
    return themedIcon(QStringLiteral("warning"), ColorRole::Warning);
  case compiler::Severity::Note:
    break;
  }
  return themedIcon(QStringLiteral("info"), ColorRole::Info);
}

void ResultsView::fillFindings() {
  m_findings->clear();
  if (m_results)
    for (const compiler::Diagnostic &finding : m_results->findings) {
      const bool isKnown = finding.range.file < m_results->files.size();
      const QString file =
          isKnown && finding.range.file > 0
              ? QFileInfo(QString::fromStdString(m_results->files[finding.range.file].path))
                        .fileName() +
                    u':'
              : QString();
      auto *item = new QListWidgetItem(file + QStringLiteral("%1: %2")
                                                  .arg(finding.range.begin.line + 1)
                                                  .arg(QString::fromStdString(finding.message)),
                                       m_findings);
      item->setToolTip(item->text());
      item->setIcon(findingIcon(finding.severity));
    }
  m_findings->setVisible(m_findings->count() > 0);
}

void ResultsView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    // Links keep the color that they were laid out with.
    const QString remarks = m_remarks->text();
    m_remarks->clear();
    m_remarks->setText(remarks);
  }
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
    return;
  fitLines(*m_findings);
}

void ResultsView::fillOutputs() {
  const QString chosen = m_choice->currentData().toString();
  const QSignalBlocker blocker(m_choice);
  m_choice->clear();
  int index = 0;
  if (m_results)
    for (const profiler::OutputResult &output : m_results->outputs) {
      const QString name = QString::fromStdString(output.name);
      QStringList extents;
      for (const int64_t extent : output.shape)
        extents << QString::number(extent);
      if (name == chosen)
        index = m_choice->count();
      m_choice->addItem(QStringLiteral("%1  %2 %3")
                            .arg(name, QString::fromStdString(output.dtype), extents.join(u'×')),
                        name);
    }
  const bool any = m_choice->count() > 0;
  m_outputPart->setVisible(any);
  m_choice->setCurrentIndex(any ? index : -1);
  showOutput(any ? index : -1);
}

const profiler::OutputResult *ResultsView::output() const {
  const int index = m_choice->currentIndex();
  return m_results && index >= 0 ? &m_results->outputs.at(static_cast<size_t>(index)) : nullptr;
}

void ResultsView::showOutput(int) {
  m_digest.reset();
  m_table->setTensor(nullptr);
  m_heatMap->setTensor(nullptr);
  m_histogram->setStatistics({});
  m_facts->clear();
  m_element->clear();
  const profiler::OutputResult *shown = output();
  if (!shown)
    return m_loader->cancel();
  const QString remarks = outputRemarks(*shown);
  m_remarks->setText(remarks);
  m_remarks->setVisible(!remarks.isEmpty());
  m_facts->setText(tr("Reading…"));
  m_loader->load(shown->path, shown->neverWritten.has_value(), m_results);
}

void ResultsView::showDigest(const TensorDigestPointer &digest) {
  m_digest = digest;
  const QString picture = pictureText(*digest);
  m_facts->setText(statisticsText(digest->statistics) +
                   (picture.isEmpty() ? QString() : QStringLiteral(" · ") + picture));
  m_table->setTensor(digest);
  m_heatMap->setTensor(digest);
  m_histogram->setStatistics(digest->statistics);
  if (m_pendingElement >= 0)
    revealElement(std::exchange(m_pendingElement, -1));
}

void ResultsView::showElement(qint64 element) {
  if (!m_digest || element < 0)
    return m_element->clear();
  m_element->setText(QStringLiteral("%1 = %2").arg(
      coordinatesText(profiler::elementCoordinates(element, m_digest->tensor.shape)),
      elementText(*m_digest, element, 8)));
}

void ResultsView::revealElement(int64_t element) {
  if (!m_digest) {
    m_pendingElement = element;
    return;
  }
  const QModelIndex cell = m_table->reveal(element);
  if (!cell.isValid())
    return;
  m_mode->setCurrentIndex(kTable);
  m_tableView->setCurrentIndex(cell);
  m_tableView->scrollTo(cell, QAbstractItemView::PositionAtCenter);
  m_tableView->setFocus();
  showElement(element);
}

void ResultsView::goToTyped() {
  const profiler::OutputResult *shown = output();
  const std::optional<int64_t> element =
      shown ? parseElement(m_goTo->text(), shown->shape) : std::nullopt;
  if (element)
    revealElement(*element);
  else
    m_element->setText(tr("The output has no element `%1`.").arg(m_goTo->text()));
}

void ResultsView::setRunning(bool running) {
  m_progress->setVisible(running);
  m_progress->setRange(0, 0);
}

void ResultsView::setProgress(quint64 done, quint64 total) {
  m_progress->setRange(0, 1000);
  m_progress->setValue(
      total > 0 ? static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(total))
                : 0);
}

void ResultsView::setStatus(const QString &text, bool isError) {
  m_status->setText(text);
  const QString tone = isError ? QStringLiteral("error") : QString();
  if (m_status->property("tone").toString() != tone)
    setStyleProperty(m_status, "tone", tone);
}

QString ResultsView::statusText() const { return m_status->text(); }
QString ResultsView::stampText() const { return m_stamp->text(); }
int ResultsView::numOutputs() const {
  return m_results ? static_cast<int>(m_results->outputs.size()) : 0;
}

} // namespace tilescope::views
