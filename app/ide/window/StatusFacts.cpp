// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StatusFacts.h"

#include "compiler/artifacts/EstimateText.h"
#include "profiler/analysis/Occupancy.h"
#include "views/common/CountedText.h"
#include "views/common/FactsLabel.h"
#include "views/common/QuotedCode.h"
#include "views/common/RegisterLimit.h"
#include "views/common/Theme.h"
#include "views/meter/CompileMeter.h"
#include "views/stages/StageFacts.h"

#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace tilescope::app {

using namespace tilescope::views;

/// More of them than one or two values of a thread: every turn of a loop pays for them.
static constexpr int64_t kManySpilledBytes = 32;
/// Of the bar's places, the first that a temporary message leaves alone.
static constexpr int kBehindMessage = 1;
/// Beside a temporary message, up to the facts.
static constexpr int kAroundMessagePx = 24;

StatusFacts::StatusFacts(QStatusBar *bar)
    : QObject(bar), m_bar(bar), m_meterBox(new QFrame(bar, Qt::Popup)),
      m_meter(new CompileMeter(m_meterBox)), m_explanation(new QLabel(m_meterBox)),
      m_meterButton(new QToolButton(bar)), m_resources(new FactsLabel(bar)),
      m_message(new QLabel(bar)), m_gpu(new QLabel(tr("no GPU"), bar)),
      m_assumed(new QToolButton(bar)) {
  m_gpu->setToolTip(tr("No NVIDIA GPU was found on this machine: kernels run on the CPU."));
  m_gpu->setMargin(6);
  for (QLabel *label : {m_message, m_gpu})
    label->setProperty("muted", true);
  m_resources->setIndent(8);
  m_resources->setAccessibleName(tr("Resources of the kernel"));
  m_assumed->setAutoRaise(true);
  m_assumed->setIcon(themedIcon(QStringLiteral("info"), ColorRole::Info));
  m_assumed->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_assumed->hide();
  connect(m_assumed, &QToolButton::clicked, this, &StatusFacts::assumptionsClicked);
  createMeter();
  bar->setSizeGripEnabled(false);
  bar->addWidget(m_resources);
  bar->addWidget(m_message, 1);
  bar->addPermanentWidget(m_assumed);
  bar->addPermanentWidget(m_meterButton);
  bar->addPermanentWidget(m_gpu);
  connect(bar, &QStatusBar::messageChanged, this, &StatusFacts::quoteMessage);
  connect(bar, &QStatusBar::messageChanged, this, &StatusFacts::makeRoom);
}

void StatusFacts::createMeter() {
  m_meterBox->setProperty("popup", true);
  // A press on the button closes the box, and does not open it again.
  m_meterBox->setAttribute(Qt::WA_NoMouseReplay);
  m_meterButton->setAutoRaise(true);
  auto *rows = new QVBoxLayout(m_meterBox);
  rows->setContentsMargins(12, 10, 12, 10);
  rows->addWidget(m_meter);
  rows->addWidget(m_explanation);
  connect(m_meterButton, &QToolButton::clicked, this, &StatusFacts::toggleMeter);
  connect(m_meter, &CompileMeter::changed, this, &StatusFacts::updateMeter);
  updateMeter();
}

void StatusFacts::updateMeter() {
  m_meterButton->setText(m_meter->shortText());
  const QString tone = m_meter->hasSlow() ? QStringLiteral("warning") : QString();
  if (m_meterButton->property("tone").toString() != tone)
    setStyleProperty(m_meterButton, "tone", tone);
  m_meterButton->setToolTip(
      tr("How long after the last key the first stage was on the screen. Click for all stages."));
  if (m_meterBox->isVisible())
    m_explanation->setText(m_meter->explanation());
}

void StatusFacts::toggleMeter() {
  if (m_meterBox->isVisible())
    return m_meterBox->hide();
  m_explanation->setText(m_meter->explanation());
  m_meterBox->adjustSize();
  const QPoint corner = m_bar->mapToGlobal(QPoint(m_bar->width(), 0));
  m_meterBox->move(corner - QPoint(m_meterBox->width() + 8, m_meterBox->height() + 4));
  m_meterBox->show();
}

/// The bar paints its messages without the style.
void StatusFacts::quoteMessage(const QString &said) {
  if (!said.contains(u'`'))
    return;
  const auto *timer = m_bar->findChild<QTimer *>({}, Qt::FindDirectChildrenOnly);
  m_bar->showMessage(quotedCode(said), timer && timer->isActive() ? timer->interval() : 0);
}

/// A temporary message has the left of the bar to itself. The bar hides the widgets there on its
/// own, but whatever changes meanwhile would bring some of them back, over the message. The facts go
/// to the right as far as the message leaves room for them.
void StatusFacts::makeRoom() {
  const QString said = m_bar->currentMessage();
  const bool isFree = said.isEmpty();
  if (std::exchange(m_isAside, !isFree) == isFree) {
    m_bar->removeWidget(m_resources);
    if (isFree)
      m_bar->insertWidget(0, m_resources);
    else
      m_bar->insertPermanentWidget(kBehindMessage, m_resources);
  }
  const int room = m_bar->width() - m_gpu->sizeHint().width() -
                   m_bar->fontMetrics().horizontalAdvance(said) - kAroundMessagePx;
  m_resources->setVisible(isFree || m_resources->sizeHint().width() <= room);
  m_meterButton->setVisible(isFree);
  m_message->setVisible(isFree);
  m_assumed->setVisible(isFree && m_numAssumptions > 0);
}

static Fact occupancyFact(const profiler::Occupancy &occupancy) {
  return {StatusFacts::tr("occupancy %1 %").arg(qRound(occupancy.fraction * 100)),
          ColorRole::TextMuted,
          StatusFacts::tr("%1 of the %2 warps that a multiprocessor can hold, limited by %3")
              .arg(occupancy.warpsPerSm)
              .arg(occupancy.maxWarpsPerSm)
              .arg(QString::fromStdString(occupancy.limiter))};
}

static std::vector<Fact> resourceFacts(const compiler::CompileResult &result) {
  const compiler::Resources &used = result.resources;
  std::vector<Fact> facts;
  const int64_t threads = used.threads >= 0 ? used.threads : int64_t(result.metadata.numWarps) * 32;
  const RegisterLimit limit = registerLimit(result, threads);
  if (used.registers >= 0)
    facts.push_back({countedText(used.registers, "register"), ColorRole::Text,
                     StatusFacts::tr("of each thread. %1").arg(limitSentence(limit))});
  if (used.spillBytes == 0)
    facts.push_back({StatusFacts::tr("no spills")});
  else if (used.spillBytes > 0)
    facts.push_back(
        {StatusFacts::tr("%1 spilled").arg(sizeText(used.spillBytes)),
         used.spillBytes > kManySpilledBytes ? ColorRole::Error : ColorRole::Warning,
         StatusFacts::tr("of each thread, kept in memory because registers do not suffice. %1 %2")
             .arg(limitSentence(limit), spillSentence())});
  if (used.sharedBytes >= 0)
    facts.push_back({StatusFacts::tr("%1 shared").arg(sizeText(used.sharedBytes)),
                     ColorRole::TextMuted, StatusFacts::tr("shared memory of each program")});
  if (const auto occupancy = profiler::occupancyOn(
          result.target,
          {used.registers, std::max<int64_t>(0, used.sharedBytes), static_cast<int32_t>(threads)}))
    facts.push_back(occupancyFact(*occupancy));
  if (!result.target.empty())
    facts.push_back({QString::fromStdString(result.target), ColorRole::TextMuted,
                     StatusFacts::tr("what is compiled for")});
  return facts;
}

/// `Syntax error, line 51`: why there is not all of the kernel, and where it begins.
static QString failureText(const compiler::CompileResult &result) {
  QString why = whyFailed(result);
  if (why.isEmpty())
    return why;
  why[0] = why[0].toUpper();
  for (const compiler::Diagnostic &each : result.diagnostics)
    if (each.severity == compiler::Severity::Error && each.range.file == 0 &&
        each.range != SourceRange{})
      return StatusFacts::tr("%1, line %2").arg(why).arg(each.range.begin.line + 1);
  return why;
}

void StatusFacts::showResult(const compiler::CompileResult &result) {
  m_facts = resourceFacts(result);
  m_resources->setFacts(m_facts);
  m_message->setText(failureText(result));
  showAssumptions(result.assumptions);
}

void StatusFacts::showEstimate(const compiler::Estimate &estimate) {
  std::vector<Fact> facts = m_facts;
  const QString words = QString::fromStdString(estimateHeadline(estimate));
  if (estimate.isKnown())
    facts.push_back(
        {tr("predicted %1").arg(QString::fromStdString(compiler::timeText(estimate.us))),
         ColorRole::TextMuted, tr("A launch should take %1, with a cold L2 cache").arg(words)});
  m_resources->setFacts(facts);
}

void StatusFacts::showAssumptions(const std::vector<compiler::Assumption> &assumptions) {
  QStringList lines;
  for (const std::string &line : compiler::sentences(assumptions))
    lines << QString::fromStdString(line);
  m_numAssumptions = lines.size();
  m_assumed->setText(lines.size() == 1 ? tr("1 assumption about the launch")
                                       : tr("%1 assumptions about the launch").arg(lines.size()));
  m_assumed->setToolTip(
      tr("Click to change what the kernel is compiled for:\n%1").arg(lines.join(u'\n')));
  makeRoom();
}

void StatusFacts::showPending() {
  m_facts.clear();
  m_resources->setFacts({{QStringLiteral("…")}});
  m_message->setText(tr("Compiling…"));
  showAssumptions({});
}

void StatusFacts::showMessage(const QString &message) { m_message->setText(message); }

void StatusFacts::showGpus(const QStringList &names) {
  m_gpu->setText(names.size() == 1 ? names.first() : tr("%1 GPUs").arg(names.size()));
  m_gpu->setToolTip(names.join(u'\n'));
}

void StatusFacts::clear() {
  m_meter->clear();
  m_message->clear();
  m_facts.clear();
  m_resources->setFacts({});
  m_numAssumptions = 0;
  makeRoom();
}

} // namespace tilescope::app
