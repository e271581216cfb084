// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/registers/RegistersView.h"

#include "views/common/CountedText.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/registers/AliveModel.h"
#include "views/registers/LiveStrip.h"
#include "views/registers/OccupancyText.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableView>
#include <QToolButton>

namespace tilescope::views {

namespace machine = compiler::machine;
using compiler::StageId;

static constexpr int64_t kKib = 1024;

StageId RegistersView::stage() const {
  return m_stages->count() == 0 ? StageId::Sass
                                : static_cast<StageId>(m_stages->currentData().toInt());
}

void RegistersView::setStage(StageId stage) {
  if (const int index = m_stages->findData(static_cast<int>(stage)); index >= 0)
    m_stages->setCurrentIndex(index);
}

void RegistersView::setContent(RegistersContentPointer content) {
  const bool wasTried = isTried();
  m_content = std::move(content);
  showContent();
  setStaleNote({});
  fillStages();
  showCode();
  if (!wasTried)
    showCompiled();
  updateOccupancy();
}

void RegistersView::clear(const QString &why, bool offersBlock) {
  m_content.reset();
  m_step = -1;
  m_strip->setContent(nullptr, StageId::Sass);
  m_alive->setStep(nullptr, StageId::Sass, 0);
  showNothing(why, offersBlock);
}

/// The choice stays while it can be made.
void RegistersView::fillStages() {
  const QSignalBlocker blocker(m_stages);
  const QVariant before = m_stages->currentData();
  m_stages->clear();
  if (!m_content->sass.liveness.empty())
    m_stages->addItem(tr("SASS"), static_cast<int>(StageId::Sass));
  if (!m_content->ptx.liveness.empty())
    m_stages->addItem(tr("PTX"), static_cast<int>(StageId::Ptx));
  m_stages->setCurrentIndex(std::max(0, m_stages->findData(before)));
  m_stages->setEnabled(m_stages->count() > 1);
}

void RegistersView::showCode() {
  if (!m_content || m_stages->count() == 0)
    return;
  m_strip->setContent(m_content, stage());
  m_strip->setEmptyText(tr("There is no instruction."));
  m_step = -1;
  updateTitle();
  showPeak();
  follow();
}

void RegistersView::showPeak() {
  if (m_content && !code().liveness.empty())
    setStep(static_cast<int>(code().liveness.peak()));
}

void RegistersView::setStep(int step) {
  if (!m_content || step < 0 || step >= static_cast<int>(code().liveness.steps.size()))
    return;
  m_step = step;
  m_strip->setSelected(step);
  m_alive->setStep(m_content, stage(), static_cast<size_t>(step));
  m_table->resizeColumnsToContents();
  pointAt(step);
}

QString RegistersView::stepText(int step) const {
  const auto at = static_cast<size_t>(step);
  const auto &counts = code().liveness.counts[at];
  QString text = tr("line %1: %2 · %3 registers alive")
                     .arg(code().liveness.lines[at] + 1)
                     .arg(QString::fromStdString(RegistersContent::lineText(code(), at)))
                     .arg(counts[0]);
  if (counts[1] > 0)
    text += tr(", %1 uniform").arg(counts[1]);
  if (const int predicates = counts[2] + counts[3]; predicates > 0)
    text += predicates == 1 ? tr(", 1 predicate") : tr(", %1 predicates").arg(predicates);
  return text;
}

void RegistersView::pointAt(int step) {
  m_strip->setHighlighted(step);
  const int shown = step >= 0 ? step : m_step;
  setInfo(m_content && shown >= 0 ? stepText(shown) : QString(), {m_strip});
}

void RegistersView::goToRow(int row) {
  if (row < 0 || row >= m_alive->rowCount())
    return;
  if (const auto &place = m_alive->group(row).place)
    Q_EMIT placeShown(*place);
}

void RegistersView::follow() {
  const Focus &focus = m_focus->selected();
  const bool isKnown = !focus.isNew && !focus.sources.empty();
  m_strip->setMarkedLine(isKnown ? static_cast<int>(focus.sources.front().begin.line) : -1);
}

/// Which limit applies, and what is beyond it.
QString RegistersView::limitWords() const {
  const QString limit = limitSentence(m_content->limit);
  const int64_t all = m_content->resources.spillBytes;
  const int64_t loaded = m_content->resources.spillLoadBytes;
  if (all <= 0)
    return limit;
  // A value that is stored once may be loaded several times.
  const QString spilled =
      loaded < 0 ? tr("%1 of each thread are spilled.").arg(countedText(all, "byte"))
                 : tr("Each thread stores %1 of spilled values and loads %2 of them back.")
                       .arg(countedText(all - loaded, "byte"), countedText(loaded, "byte"));
  return QStringLiteral("%1 %2 %3").arg(limit, spilled, spillSentence());
}

void RegistersView::updateTitle() {
  const machine::CodeLiveness &liveness = code().liveness;
  const size_t peak = liveness.peak();
  const int64_t reserved = m_content->resources.registers;
  // What is left out last says why another number of registers stands elsewhere.
  QStringList parts{
      tr("at most %1 alive")
          .arg(countedText(liveness.peakRegisters(),
                           stage() == StageId::Ptx ? "virtual register" : "register"))};
  if (reserved > 0)
    parts << tr(stage() == StageId::Ptx ? "machine code takes %1" : "%1 reserved").arg(reserved);
  parts << tr("peak at line %1").arg(liveness.lines[peak] + 1)
        << tr("%1 of %2")
               .arg(countedText(liveness.steps.size(), "instruction"), m_stages->currentText());
  m_title->setText(parts.join(QStringLiteral(" · ")));
  if (stage() == StageId::Ptx)
    m_relation->setText(
        tr("PTX has as many registers as it likes; the assembler schedules anew, so "
           "the peak of the machine code may be elsewhere."));
  else if (reserved > 0)
    m_relation->setText(
        tr("ptxas reserves %1 for each thread: the peak and %2 that alignment and its schedule "
           "leave unused. %3")
            .arg(reserved)
            .arg(reserved - liveness.peakRegisters())
            .arg(limitWords()));
  else
    m_relation->setText({});
  m_relation->setHidden(m_relation->text().isEmpty());
}

void RegistersView::resizeEvent(QResizeEvent *event) {
  PictureView::resizeEvent(event);
  // The fields keep to one row, so that the strip is in sight below.
  static constexpr int kWidePx = 900;
  for (Scrubber *scrubber : {m_registers, m_shared, m_warps})
    scrubber->slider().setVisible(width() >= scaledPx(kWidePx));
}

bool RegistersView::isTried() const {
  if (!m_content)
    return false;
  const compiler::Resources &resources = m_content->resources;
  return m_registers->value() != std::max<int64_t>(0, resources.registers) ||
         m_shared->value() != (std::max<int64_t>(0, resources.sharedBytes) + kKib - 1) / kKib ||
         m_warps->value() != resources.threads / 32;
}

void RegistersView::showCompiled() {
  if (!m_content)
    return;
  const auto limits = profiler::smLimits(capabilityOf(m_content->target));
  const compiler::Resources &resources = m_content->resources;
  const int64_t sharedKib = (std::max<int64_t>(0, resources.sharedBytes) + kKib - 1) / kKib;
  const int64_t mostKib = limits ? limits->sharedBytes / kKib : 228;
  m_registers->setState(256, std::max<int64_t>(0, resources.registers));
  m_shared->setState(std::max(mostKib, sharedKib) + 1, sharedKib);
  m_warps->setState(33, resources.threads / 32);
  updateOccupancy();
}

void RegistersView::updateOccupancy() {
  // A row of fields less in a narrow view.
  m_reset->setVisible(isTried());
  if (!m_content)
    return;
  const auto limits = profiler::smLimits(capabilityOf(m_content->target));
  profiler::KernelResources kernel;
  // What is not tried is exact.
  kernel.registersPerThread = m_registers->value();
  kernel.sharedBytes = int64_t{m_shared->value()} * kKib;
  if (const int64_t exact = m_content->resources.sharedBytes;
      (exact + kKib - 1) / kKib == m_shared->value())
    kernel.sharedBytes = exact;
  kernel.threads = std::max(1, m_warps->value()) * 32;
  QString text =
      limits
          ? occupancySentence(*limits, kernel)
          : tr("The limits of `%1` are not known.").arg(QString::fromStdString(m_content->target));
  if (kernel.registersPerThread == 0)
    text.prepend(tr("The registers of a thread are not known without an assembler. "));
  m_occupancy->setText(isTried() ? tr("What if: %1").arg(text) : text);
}

QString RegistersView::titleText() const { return m_title->text(); }
QString RegistersView::relationText() const { return m_relation->text(); }
QString RegistersView::occupancyText() const { return m_occupancy->text(); }

ExportedPicture RegistersView::exported() const {
  QStringList lines{titleText(), occupancyText(), relationText(), infoText()};
  for (int row = 0; row < std::min(12, m_alive->rowCount()); ++row) {
    QStringList cells;
    for (int column = 0; column < AliveModel::kNumColumns; ++column)
      cells << m_alive->index(row, column).data().toString();
    lines << tr("line %1  %2: %3 registers, %4").arg(cells[0], cells[1], cells[2], cells[3]);
  }
  return {lines, LiveStrip::exportHeight(),
          [this](QPainter &painter, const QRectF &target) { m_strip->render(painter, target); }};
}

void RegistersView::changeEvent(QEvent *event) {
  PictureView::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_content)
    m_table->resizeColumnsToContents();
}

} // namespace tilescope::views
