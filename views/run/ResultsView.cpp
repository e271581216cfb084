// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/ResultsView.h"

#include "views/common/FactsLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/common/tensor/NumberTable.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/run/FindingsList.h"
#include "views/run/OutputText.h"
#include "views/run/TensorLoader.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

/// Leads to the line that wrote the first difference; other links lead to elements.
static constexpr QLatin1String kLineLink("line");
/// Steps to the program that wrote it.
static constexpr QLatin1String kStepLink("step");
/// Faults that have a link.
static constexpr size_t kMostFaults = 4;

/// In the order of the choice.
enum Mode { kHeatMap, kTable, kHistogram, kDifference };

ResultsView::ResultsView(QWidget *parent) : QWidget(parent), m_loader(new TensorLoader(this)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  createWidgets();
  arrangeWidgets();
  connectWidgets();
  setRunning(false);
  setStatus(tr("Not run yet."), false);
  m_findings->setFindings({}, {});
  fillFaults();
  fillOutputs();
  updateStamp();
}

QString RunStamp::fileName() const {
  if (!path.isEmpty())
    return QFileInfo(path).fileName();
  return untitledName.isEmpty() ? QStringLiteral("untitled.py") : untitledName;
}

static QLabel *addLabel(QWidget *parent, const char *property) {
  auto *label = new QLabel(parent);
  label->setWordWrap(true);
  label->setContentsMargins(10, 2, 10, 2);
  if (property)
    label->setProperty(property, true);
  return label;
}

/// As wide as its placeholder.
static void narrowField(QLineEdit &field) {
  constexpr int kFrame = 24;
  field.setMaximumWidth(QFontMetrics(uiFont()).horizontalAdvance(field.placeholderText()) + kFrame);
}

void ResultsView::createWidgets() {
  m_progress = new QProgressBar(this);
  m_progress->setTextVisible(false);
  m_outdatedNote = addLabel(this, "muted");
  m_stamp = addLabel(this, "muted");
  m_status = addLabel(this, nullptr);
  m_badges = new FactsLabel(this);
  m_badges->setIndent(10);
  m_badges->setAccessibleName(tr("What is wrong with the results"));
  m_body = new QWidget(this);
  m_findings = new FindingsList(m_body);
  m_faults = addLabel(m_body, nullptr);
  m_faults->setTextFormat(Qt::RichText);
  m_faults->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
  m_faults->setAccessibleName(tr("Step to what was found"));
  m_outputPart = new QWidget(m_body);
  m_choice = new QComboBox(m_outputPart);
  m_choice->setAccessibleName(tr("Output"));
  m_mode = new QComboBox(m_outputPart);
  m_mode->setAccessibleName(tr("How the output is shown"));
  m_mode->addItems({tr("Heat map"), tr("Table"), tr("Histogram")});
  m_goTo = new QLineEdit(m_outputPart);
  m_goTo->setPlaceholderText(tr("go to element"));
  m_goTo->setAccessibleName(tr("Go to element"));
  narrowField(*m_goTo);
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
  output->addWidget(m_stack, 1);
  output->addWidget(m_element);
  output->addWidget(m_facts);
  auto *body = new QVBoxLayout(m_body);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(0);
  body->addWidget(m_findings);
  body->addWidget(m_faults);
  body->addWidget(m_outputPart, 1);
  // Without outputs, what was found stays at the top.
  body->addStretch(0);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_progress);
  layout->addWidget(m_outdatedNote);
  layout->addWidget(m_status);
  layout->addWidget(m_badges);
  layout->addWidget(m_body, 1);
  // The user who has just run it knows what it belongs to: the result comes first.
  layout->addWidget(m_stamp);
  layout->addStretch(0);
}

void ResultsView::connectWidgets() {
  connect(m_choice, &QComboBox::currentIndexChanged, this, &ResultsView::showOutput);
  connect(m_mode, &QComboBox::currentIndexChanged, this, &ResultsView::showMode);
  connect(m_goTo, &QLineEdit::returnPressed, this, &ResultsView::goToTyped);
  connect(m_remarks, &QLabel::linkActivated, this, [this](const QString &target) {
    if (const compiler::ElementWriter *writer = target == kStepLink ? writerOf(*output()) : nullptr)
      return Q_EMIT writeRequested(writer->programId, writer->element);
    const compiler::Diagnostic *difference =
        target == kLineLink ? differenceOf(*output()) : nullptr;
    if (!difference)
      return revealElement(target.toLongLong());
    if (difference->range.file < m_results->files.size())
      Q_EMIT placeRequested(m_results->files[difference->range.file], difference->range);
  });
  connect(m_faults, &QLabel::linkActivated, this, [this](const QString &target) {
    const size_t index = target.toULongLong();
    if (m_results && index < m_results->faults.size())
      Q_EMIT faultRequested(m_results->faults[index]);
  });
  connect(m_findings, &FindingsList::placeRequested, this, &ResultsView::placeRequested);
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
  if (results == m_results)
    return;
  // An element was typed for the file and the kernel that it was of.
  if (!results || !m_results || results->stamp.path != m_results->stamp.path ||
      results->stamp.kernel != m_results->stamp.kernel)
    m_goTo->clear();
  m_results = std::move(results);
  m_outdated.clear();
  m_pendingElement = -1;
  std::vector<compiler::Diagnostic> findings;
  // Differences are listed beside the output's picture, with links.
  for (const compiler::Diagnostic &each :
       m_results ? m_results->findings : std::vector<compiler::Diagnostic>())
    if (each.kind != compiler::DiagnosticKind::RunMismatch)
      findings.push_back(each);
  m_findings->setFindings(std::move(findings),
                          m_results ? m_results->files : std::vector<compiler::SourceFile>());
  fillFaults();
  fillOutputs();
  showBadges();
  updateStamp();
  Q_EMIT resultsChanged(m_results != nullptr);
}

void ResultsView::setOutdated(const QString &reason) {
  if (reason == m_outdated)
    return;
  m_outdated = reason;
  updateStamp();
}

/// Gray and without colors is what no longer belongs to the window's text.
void ResultsView::updateStamp() {
  const bool isOutdated = !m_outdated.isEmpty();
  // While the next run is told of, nothing is said of the one before.
  m_outdatedNote->setVisible(isOutdated && m_results && !m_isRunning);
  m_outdatedNote->setText(
      QStringLiteral("<b>%1</b>").arg(tr("Outdated: %1").arg(m_outdated.toHtmlEscaped())));
  m_stamp->setVisible(m_results != nullptr);
  // Also of the same kernel, what was found before is not what the run under way has found.
  m_outputPart->setEnabled(!isOutdated && !m_isRunning);
  m_findings->setEnabled(!isOutdated && !m_isRunning);
  m_status->setEnabled(!isOutdated || m_isRunning);
  m_badges->setEnabled(!isOutdated && !m_isRunning);
  if (!m_results)
    return m_stamp->clear();
  const RunStamp &stamp = m_results->stamp;
  QStringList parts;
  parts << stamp.fileName().toHtmlEscaped() << stamp.kernel.toHtmlEscaped()
        << stamp.place.toHtmlEscaped();
  if (stamp.time.isValid())
    parts << stamp.time.toString(QStringLiteral("HH:mm:ss"));
  m_stamp->setText(parts.join(QStringLiteral(" · ")));
  m_stamp->setToolTip(stamp.path);
}

void ResultsView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    // Links keep the color that they were laid out with.
    for (QLabel *label : {m_remarks, m_faults}) {
      const QString text = label->text();
      label->clear();
      label->setText(text);
    }
  }
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    narrowField(*m_goTo);
}

void ResultsView::fillOutputs() {
  const QString chosen = m_choice->currentData().toString();
  const QSignalBlocker blocker(m_choice);
  m_choice->clear();
  int index = 0;
  bool isWrongShown = false;
  if (m_results)
    for (const profiler::OutputResult &output : m_results->outputs) {
      const bool isWrong = output.isWrong();
      const QString name = QString::fromStdString(output.name);
      QStringList extents;
      for (const int64_t extent : output.shape)
        extents << QString::number(extent);
      // An output that differs from its expectation takes precedence over the one viewed last.
      if ((isWrong && !isWrongShown) || (name == chosen && isWrong == isWrongShown))
        index = m_choice->count();
      isWrongShown |= isWrong;
      QString title =
          QStringLiteral("%1  %2[%3]")
              .arg(name, QString::fromStdString(output.dtype), extents.join(QStringLiteral(", ")));
      if (const QString mark = outputMark(output); !mark.isEmpty())
        title += QStringLiteral("  ") + mark;
      m_choice->addItem(title, name);
    }
  const bool any = m_choice->count() > 0;
  m_outputPart->setVisible(any);
  m_choice->setCurrentIndex(any ? index : -1);
  showOutput(any ? index : -1);
}

const compiler::Diagnostic *ResultsView::differenceOf(const profiler::OutputResult &output) const {
  for (const compiler::Diagnostic &each : m_results->findings)
    if (each.kind == compiler::DiagnosticKind::RunMismatch && each.cause.subject == output.name)
      return &each;
  return nullptr;
}

const compiler::ElementWriter *ResultsView::writerOf(const profiler::OutputResult &output) const {
  if (!output.comparison || output.comparison->mismatches == 0)
    return nullptr;
  const compiler::ArgumentElement first{
      output.name, profiler::elementIndex(output.comparison->firstMismatch, output.shape)};
  const auto found =
      std::ranges::find(m_results->writers, first, &compiler::ElementWriter::element);
  return found == m_results->writers.end() ? nullptr : &*found;
}

void ResultsView::fillFaults() {
  QStringList links, places;
  const size_t count = m_results ? m_results->faults.size() : 0;
  for (size_t i = 0; i < std::min(count, kMostFaults); ++i) {
    const RunResults::Fault &fault = m_results->faults[i];
    const QString program =
        QString::fromStdString(compiler::programText(fault.program, m_results->grid));
    // Several faults of one line are one place to step to.
    const QString place = tr("%1, line %2").arg(program).arg(fault.range.begin.line + 1);
    if (places.contains(place))
      continue;
    places << place;
    links << QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(place);
  }
  m_faults->setText(tr("Step to: %1").arg(links.join(QStringLiteral(" · "))));
  m_faults->setVisible(!links.isEmpty());
}

bool ResultsView::isListed(const profiler::OutputResult &unchecked) const {
  return std::ranges::any_of(m_results->findings, [&](const compiler::Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::LaunchBlockInvalid &&
           each.cause.subject == unchecked.name;
  });
}

const profiler::OutputResult *ResultsView::output() const {
  const int index = m_choice->currentIndex();
  return m_results && index >= 0 ? &m_results->outputs.at(static_cast<size_t>(index)) : nullptr;
}

void ResultsView::showOutput(int) {
  m_digest.reset();
  showBadges();
  m_table->setTensor(nullptr);
  m_heatMap->setTensor(nullptr);
  m_histogram->setStatistics({});
  m_facts->clear();
  m_element->clear();
  const profiler::OutputResult *shown = output();
  if (!shown)
    return m_loader->cancel();
  profiler::OutputResult told = *shown;
  // Why it could not be checked is listed above, with its line.
  if (told.isUnchecked() && isListed(told))
    told.comparison.reset();
  QString remarks = outputRemarks(told);
  if (const compiler::Diagnostic *difference = differenceOf(*shown);
      difference && !difference->range.empty())
    remarks += tr("; the first is written in %1")
                   .arg(QStringLiteral("<a href=\"%1\">%2</a>")
                            .arg(kLineLink, tr("line %1").arg(difference->range.begin.line + 1)));
  if (writerOf(*shown))
    remarks += tr("; %1").arg(
        QStringLiteral("<a href=\"%1\">%2</a>").arg(kStepLink, tr("step to the write")));
  m_remarks->setText(remarks);
  m_remarks->setVisible(!remarks.isEmpty());
  m_facts->setText(tr("Reading…"));
  m_loader->load({shown->path, shown->neverWritten.has_value(),
                  shown->comparison.value_or(profiler::OutputComparison())},
                 m_results);
}

void ResultsView::showDigest(const TensorDigestPointer &digest) {
  m_digest = digest;
  offerModes();
  showFacts();
  showBadges();
  m_table->setTensor(digest);
  m_heatMap->setTensor(digest);
  m_histogram->setStatistics(digest->statistics);
  if (m_pendingElement >= 0)
    revealElement(std::exchange(m_pendingElement, -1));
}

void ResultsView::offerModes() {
  const bool isOffered = m_mode->count() > kDifference;
  if (m_digest->expected && !isOffered) {
    m_mode->addItem(tr("Difference"));
    // Values alone would not say what is wrong.
    if (m_digest->differsMostly() && m_mode->currentIndex() == kHeatMap)
      m_mode->setCurrentIndex(kDifference);
  }
  if (m_digest->expected || !isOffered)
    return;
  if (m_mode->currentIndex() == kDifference)
    m_mode->setCurrentIndex(kHeatMap);
  m_mode->removeItem(kDifference);
}

void ResultsView::showMode(int mode) {
  m_heatMap->setShowsDifference(mode == kDifference);
  m_stack->setCurrentIndex(mode == kDifference ? kHeatMap : mode);
  showFacts();
}

void ResultsView::showFacts() {
  if (!m_digest)
    return;
  QStringList parts{statisticsText(m_digest->statistics)};
  if (m_mode->currentIndex() == kDifference)
    parts << differenceText(*m_digest);
  else if (m_mode->currentIndex() == kHeatMap)
    parts << pictureText(*m_digest);
  parts.removeAll(QString());
  m_facts->setText(parts.join(QStringLiteral(" · ")));
}

void ResultsView::showBadges() {
  std::vector<Fact> badges;
  if (m_results)
    badges = resultBadges(*m_results);
  if (m_digest && output())
    for (Fact &each : digestBadges(*m_digest, *output()))
      badges.push_back(std::move(each));
  m_badges->setVisible(!badges.empty());
  m_badges->setFacts(std::move(badges));
}

QString ResultsView::badgesText() const {
  return m_badges->isHidden() ? QString() : m_badges->text();
}

void ResultsView::showElement(qint64 element) {
  if (!m_digest || element < 0) {
    m_heatMap->setToolTip({});
    return m_element->clear();
  }
  QString text = QStringLiteral("%1 = %2").arg(
      coordinatesText(profiler::elementCoordinates(element, m_digest->tensor.shape)),
      elementText(*m_digest, element, 8));
  if (const QString expected = expectedText(*m_digest, element); !expected.isEmpty())
    text += QStringLiteral(", ") + expected;
  m_element->setText(text);
  // The line below the picture may be out of sight.
  m_heatMap->setToolTip(text);
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

/// Which elements there are: `the last one is 1023`, or `the last one is 3, 17`.
static QString elementRange(const std::vector<int64_t> &shape) {
  QStringList last;
  for (const int64_t extent : shape)
    last << QString::number(std::max<int64_t>(0, extent - 1));
  return ResultsView::tr("the last one is %1")
      .arg(last.isEmpty() ? QStringLiteral("0") : last.join(QStringLiteral(", ")));
}

void ResultsView::goToTyped() {
  const profiler::OutputResult *shown = output();
  const std::optional<int64_t> element =
      shown ? parseElement(m_goTo->text(), shown->shape) : std::nullopt;
  if (element)
    revealElement(*element);
  else
    m_element->setText(tr("The output has no element `%1`: %2.")
                           .arg(m_goTo->text(), shown ? elementRange(shown->shape) : QString()));
}

void ResultsView::setRunning(bool running) {
  m_isRunning = running;
  m_progress->setVisible(running);
  m_progress->setRange(0, 0);
  updateStamp();
}

void ResultsView::setFolded(bool folded) { m_body->setVisible(!folded); }

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
QString ResultsView::stampText() const {
  return (m_outdated.isEmpty() ? QString() : m_outdatedNote->text() + QStringLiteral(" · ")) +
         m_stamp->text();
}
int ResultsView::numOutputs() const {
  return m_results ? static_cast<int>(m_results->outputs.size()) : 0;
}

} // namespace tilescope::views
