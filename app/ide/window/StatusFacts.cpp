// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StatusFacts.h"

#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"
#include "views/meter/CompileMeter.h"
#include "views/stages/StageFacts.h"

#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

namespace tilescope::app {

using namespace tilescope::views;

StatusFacts::StatusFacts(QStatusBar *bar)
    : QObject(bar), m_bar(bar), m_meter(new CompileMeter(bar)), m_resources(new ElidedLabel(bar)),
      m_message(new QLabel(bar)), m_gpu(new QLabel(tr("no GPU"), bar)),
      m_assumed(new QToolButton(bar)) {
  m_resources->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  m_gpu->setToolTip(tr("No NVIDIA GPU was found on this machine: kernels run on the interpreter."));
  m_gpu->setMargin(6);
  for (QLabel *label : {static_cast<QLabel *>(m_resources), m_message, m_gpu})
    label->setProperty("muted", true);
  m_message->setIndent(8);
  m_resources->setContentsMargins(2, 2, 12, 2);
  m_resources->setIndent(8);
  m_assumed->setAutoRaise(true);
  m_assumed->setIcon(themedIcon(QStringLiteral("info"), ColorRole::Info));
  m_assumed->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_assumed->hide();
  connect(m_assumed, &QToolButton::clicked, this, &StatusFacts::assumptionsClicked);
  bar->setSizeGripEnabled(false);
  bar->addWidget(m_assumed);
  bar->addWidget(m_message, 1);
  bar->addPermanentWidget(m_resources);
  bar->addPermanentWidget(m_meter);
  bar->addPermanentWidget(m_gpu);
  connect(bar, &QStatusBar::messageChanged, this, &StatusFacts::makeRoom);
}

/// A temporary message has the bar to itself. The bar hides its widgets on its own, but whatever
/// changes meanwhile would bring some of them back, over the message.
void StatusFacts::makeRoom() {
  const bool isFree = m_bar->currentMessage().isEmpty();
  m_resources->setVisible(isFree);
  m_meter->setVisible(isFree);
  m_message->setVisible(isFree);
  m_assumed->setVisible(isFree && m_numAssumptions > 0);
}

void StatusFacts::showResult(const compiler::CompileResult &result) {
  QStringList facts;
  const compiler::Resources &resources = result.resources;
  if (!result.target.empty())
    facts << QString::fromStdString(result.target);
  if (resources.registers >= 0)
    facts << tr("%1 registers").arg(resources.registers);
  if (resources.sharedBytes >= 0)
    facts << tr("%1 shared").arg(sizeText(resources.sharedBytes));
  if (resources.spillBytes >= 0)
    facts << (resources.spillBytes > 0 ? tr("%1 spilled").arg(sizeText(resources.spillBytes))
                                       : tr("no spills"));
  m_resources->setText(facts.join(QStringLiteral("  ·  ")));
  QString why = whyFailed(result);
  if (!why.isEmpty())
    why[0] = why[0].toUpper();
  m_message->setText(why);
  showAssumptions(result.assumptions);
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
  m_resources->setText(QStringLiteral("…"));
  m_message->clear();
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
  m_resources->setText({});
  m_numAssumptions = 0;
  makeRoom();
}

} // namespace tilescope::app
