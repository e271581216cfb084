// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/OutputView.h"

#include "compiler/artifacts/RunFindings.h"
#include "views/common/FlowLayout.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/common/tensor/NumberTable.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/run/LinkLabel.h"
#include "views/run/OutputChoice.h"
#include "views/run/OutputText.h"
#include "views/run/PanelLabels.h"
#include "views/run/TensorLoader.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

/// Leads to the line that wrote the first difference; other links lead to elements.
static constexpr QLatin1String kLineLink("line");
/// Steps to the program that wrote it.
static constexpr QLatin1String kStepLink("step");

/// A picture is readable with the height of this many lines of text.
static constexpr int kRoomyLines = 9;

/// In the order of the choice.
enum Mode { kHeatMap, kTable, kHistogram, kDifference };

namespace {
/// Pictures want no more height than they are readable with: beyond it they get what is left.
class PictureStack : public QStackedWidget {
public:
  using QStackedWidget::QStackedWidget;
  QSize sizeHint() const override {
    return minimumSizeHint().expandedTo({0, kRoomyLines * fontMetrics().lineSpacing()});
  }
};
} // namespace

/// As wide as its placeholder.
static void narrowField(QLineEdit &field) {
  constexpr int kFrame = 24;
  field.setMaximumWidth(QFontMetrics(uiFont()).horizontalAdvance(field.placeholderText()) + kFrame);
}

OutputView::OutputView(QWidget *parent) : QWidget(parent), m_loader(new TensorLoader(this)) {
  createWidgets();
  arrangeWidgets();
  connectWidgets();
  fillOutputs();
}

void OutputView::createWidgets() {
  m_choice = new OutputChoice(this);
  m_mode = new QComboBox(this);
  m_mode->setAccessibleName(tr("How the output is shown"));
  m_mode->addItems({tr("Heat map"), tr("Table"), tr("Histogram")});
  m_goTo = new QLineEdit(this);
  m_goTo->setPlaceholderText(tr("go to element"));
  m_goTo->setAccessibleName(tr("Go to element"));
  narrowField(*m_goTo);
  m_goTo->setToolTip(tr("Coordinates such as 3, 17, or the number of an element"));
  m_remarks = new LinkLabel(this);
  m_remarks->setAccessibleName(tr("Elements worth a look"));
  m_facts = addPanelLabel(this, "muted");
  m_element = addPanelLabel(this, "muted");
  m_table = new TensorModel(this);
  m_tableView = new NumberTable(this);
  m_tableView->setModel(m_table);
  m_tableView->setProperty("code", true);
  fitRowsToFont(m_tableView);
  m_heatMap = new HeatMap(this);
  m_histogram = new Histogram(this);
}

void OutputView::arrangeWidgets() {
  m_stack = new PictureStack(this);
  m_stack->addWidget(m_heatMap);
  m_stack->addWidget(m_tableView);
  m_stack->addWidget(m_histogram);
  m_mode->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto *choice = new FlowLayout;
  choice->setContentsMargins(10, 2, 10, 2);
  choice->addWidget(m_choice);
  choice->addWidget(m_mode);
  choice->addWidget(m_goTo);
  auto *output = new QVBoxLayout(this);
  output->setContentsMargins(0, 0, 0, 0);
  output->setSpacing(0);
  output->addLayout(choice);
  output->addWidget(m_remarks);
  output->addWidget(m_stack, 1);
  output->addWidget(m_element);
  output->addWidget(m_facts);
}

void OutputView::connectWidgets() {
  connect(m_choice, &OutputChoice::chosen, this, [this] {
    m_chosen = output() ? QString::fromStdString(output()->name) : QString();
    showOutput();
  });
  connect(m_mode, &QComboBox::currentIndexChanged, this, &OutputView::showMode);
  connect(m_goTo, &QLineEdit::returnPressed, this, &OutputView::goToTyped);
  connect(m_goTo, &QLineEdit::textEdited, this,
          [this] { setStyleProperty(m_goTo, "invalid", false); });
  connect(m_remarks, &QLabel::linkActivated, this, &OutputView::followLink);
  connect(m_heatMap, &HeatMap::elementHovered, this, &OutputView::showElement);
  connect(m_heatMap, &HeatMap::elementClicked, this, &OutputView::revealElement);
  connect(m_loader, &TensorLoader::loaded, this, &OutputView::showDigest);
  connect(m_loader, &TensorLoader::failed, m_facts, &QLabel::setText);
}

void OutputView::followLink(const QString &target) {
  if (const compiler::ElementWriter *writer = target == kStepLink ? writerOf(*output()) : nullptr)
    return Q_EMIT writeRequested(writer->programId, writer->element);
  const compiler::Diagnostic *difference = target == kLineLink ? differenceOf(*output()) : nullptr;
  if (!difference)
    return revealElement(target.toLongLong());
  if (difference->range.file < m_results->files.size())
    Q_EMIT placeRequested(m_results->files[difference->range.file], difference->range);
}

void OutputView::setResults(RunResultsPointer results) {
  // An element was typed for the file and the kernel that it was of.
  if (!results || !m_results || results->stamp.path != m_results->stamp.path ||
      results->stamp.kernel != m_results->stamp.kernel) {
    m_goTo->clear();
    m_chosen.clear();
  }
  m_results = std::move(results);
  m_pendingElement = -1;
  fillOutputs();
}

void OutputView::setScrolledWithOthers(bool isScrolled) {
  m_isScrolledWithOthers = isScrolled;
  m_stack->setMinimumHeight(isScrolled ? kRoomyLines * m_heatMap->fontMetrics().lineSpacing() : 0);
}

void OutputView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    narrowField(*m_goTo);
    setScrolledWithOthers(m_isScrolledWithOthers);
  }
}

/// `fp32[64, 32]`.
static QString typeText(const profiler::OutputResult &output) {
  QStringList extents;
  for (const int64_t extent : output.shape)
    extents << QString::number(extent);
  return QStringLiteral("%1[%2]").arg(QString::fromStdString(output.dtype),
                                      extents.join(QStringLiteral(", ")));
}

void OutputView::fillOutputs() {
  std::vector<OutputChoice::Entry> entries;
  size_t index = 0;
  bool isWrongShown = false;
  if (m_results)
    for (const profiler::OutputResult &output : m_results->outputs) {
      const bool isWrong = output.isWrong();
      const QString name = QString::fromStdString(output.name);
      // An output that differs from its expectation takes precedence over the one viewed last.
      if ((isWrong && !isWrongShown) || (name == m_chosen && isWrong == isWrongShown))
        index = entries.size();
      isWrongShown |= isWrong;
      entries.push_back({name, typeText(output), outputMark(output)});
    }
  setVisible(!entries.empty());
  m_choice->setEntries(entries);
  m_choice->setCurrent(entries.empty() ? -1 : static_cast<int>(index));
  showOutput();
}

const compiler::Diagnostic *OutputView::differenceOf(const profiler::OutputResult &output) const {
  for (const compiler::Diagnostic &each : m_results->findings)
    if (each.kind == compiler::DiagnosticKind::RunMismatch && each.cause.subject == output.name)
      return &each;
  return nullptr;
}

const compiler::ElementWriter *OutputView::writerOf(const profiler::OutputResult &output) const {
  if (!output.comparison || output.comparison->mismatches == 0)
    return nullptr;
  const compiler::ArgumentElement first{
      output.name, profiler::elementIndex(output.comparison->firstMismatch, output.shape)};
  const auto found =
      std::ranges::find(m_results->writers, first, &compiler::ElementWriter::element);
  return found == m_results->writers.end() ? nullptr : &*found;
}

bool OutputView::isListed(const profiler::OutputResult &unchecked) const {
  return std::ranges::any_of(m_results->findings, [&](const compiler::Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::LaunchBlockInvalid &&
           each.cause.subject == unchecked.name;
  });
}

const profiler::OutputResult *OutputView::output() const {
  const int index = m_choice->current();
  return m_results && index >= 0 ? &m_results->outputs.at(static_cast<size_t>(index)) : nullptr;
}

void OutputView::showOutput() {
  m_digest.reset();
  Q_EMIT changed();
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
    // The place of what was never written is where that is decided.
    remarks += (isFirstUnwritten(*shown) ? tr("; the first is never written, see %1")
                                         : tr("; the first is written in %1"))
                   .arg(QStringLiteral("<a href=\"%1\">%2</a>")
                            .arg(kLineLink, tr("line %1").arg(difference->range.begin.line + 1)));
  if (writerOf(*shown))
    remarks += tr("; %1").arg(
        QStringLiteral("<a href=\"%1\">%2</a>").arg(kStepLink, tr("step to the write")));
  m_remarks->setHtml(remarks);
  m_remarks->setVisible(!remarks.isEmpty());
  m_facts->setText(tr("Reading…"));
  m_loader->load({shown->path, shown->neverWritten.has_value(),
                  shown->comparison.value_or(profiler::OutputComparison())},
                 m_results);
}

void OutputView::showDigest(const TensorDigestPointer &digest) {
  m_digest = digest;
  offerModes();
  showFacts();
  Q_EMIT changed();
  m_table->setTensor(digest);
  m_heatMap->setTensor(digest);
  m_histogram->setStatistics(digest->statistics);
  if (m_pendingElement >= 0)
    revealElement(std::exchange(m_pendingElement, -1));
}

void OutputView::offerModes() {
  const bool isNumber = m_digest->tensor.numElements() == 1;
  if (isNumber && m_mode->currentIndex() == kHeatMap)
    m_mode->setCurrentIndex(kTable);
  else if (!isNumber && m_isNumber && m_mode->currentIndex() == kTable)
    m_mode->setCurrentIndex(kHeatMap);
  m_isNumber = isNumber;
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

void OutputView::showMode(int mode) {
  m_heatMap->setShowsDifference(mode == kDifference);
  m_stack->setCurrentIndex(mode == kDifference ? kHeatMap : mode);
  showFacts();
}

void OutputView::showFacts() {
  if (!m_digest)
    return;
  QStringList parts{output() ? typeText(*output()) : QString(),
                    statisticsText(m_digest->statistics)};
  if (m_mode->currentIndex() == kDifference)
    parts << differenceText(*m_digest);
  else if (m_mode->currentIndex() == kHeatMap)
    parts << pictureText(*m_digest);
  parts.removeAll(QString());
  m_facts->setText(parts.join(QStringLiteral(" · ")));
}

void OutputView::showElement(qint64 element) {
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

void OutputView::revealElement(int64_t element) {
  if (!m_digest) {
    m_pendingElement = element;
    return;
  }
  const QModelIndex cell = m_table->reveal(element);
  if (!cell.isValid())
    return;
  m_mode->setCurrentIndex(kTable);
  m_tableView->goTo(cell);
  showElement(element);
}

/// Which elements there are: `the last one is 1023`, or `the last one is 3, 17`.
static QString elementRange(const std::vector<int64_t> &shape) {
  QStringList last;
  for (const int64_t extent : shape)
    last << QString::number(std::max<int64_t>(0, extent - 1));
  return OutputView::tr("the last one is %1")
      .arg(last.isEmpty() ? QStringLiteral("0") : last.join(QStringLiteral(", ")));
}

void OutputView::goToTyped() {
  const profiler::OutputResult *shown = output();
  const std::optional<int64_t> element =
      shown ? parseElement(m_goTo->text(), shown->shape) : std::nullopt;
  setStyleProperty(m_goTo, "invalid", !element);
  if (element)
    return revealElement(*element);
  const QString why = tr("The output has no element `%1`: %2.")
                          .arg(m_goTo->text(), shown ? elementRange(shown->shape) : QString());
  m_element->setText(why);
  // The line below the table may be out of sight.
  QToolTip::showText(m_goTo->mapToGlobal(m_goTo->rect().bottomLeft()), why, m_goTo);
}

} // namespace tilescope::views
