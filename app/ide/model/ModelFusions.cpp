// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What the user wants of the edges of a model, and what that costs or saves.
#include "app/ide/model/ModelController.h"
#include "compiler/support/BytesText.h"
#include "views/common/CountedText.h"
#include "views/model/EdgesPanel.h"
#include "views/model/ModelWords.h"

#include <algorithm>

namespace tilescope::app {

using compiler::FusionChoice;
using compiler::FusionWish;
using views::VariantFact;

void ModelController::connectFusions() {
  views::EdgesPanel *edges = &m_view->edges();
  connect(edges, &views::EdgesPanel::fusionChosen, this, &ModelController::chooseFusion);
  connect(edges, &views::EdgesPanel::undoRequested, this, &ModelController::undoFusions);
  connect(edges, &views::EdgesPanel::measureRequested, this, &ModelController::measureFusions);
  connect(edges, &views::EdgesPanel::stopRequested, m_backend, &ModelBackend::stopCheck);
  connect(m_backend, &ModelBackend::measuring, this, &ModelController::noteMeasuring);
  connect(m_backend, &ModelBackend::measured, this, &ModelController::takeVariants);
}

void ModelController::chooseFusion(const QString &edge, FusionWish wish) {
  const auto entry = m_entries.find(m_front);
  if (entry == m_entries.end() || edge.isEmpty())
    return;
  std::vector<FusionChoice> &fusions = entry->second.origin.fusions;
  std::erase_if(fusions, [&](const FusionChoice &each) { return each.edge == edge.toStdString(); });
  if (wish != FusionWish::None)
    fusions.push_back({edge.toStdString(), wish});
  entry->second.edge = edge;
  Q_EMIT originChanged();
  request(entry->first, entry->second);
}

void ModelController::undoFusions() {
  const auto entry = m_entries.find(m_front);
  if (entry == m_entries.end())
    return;
  entry->second.origin.fusions.clear();
  entry->second.edge = m_view->edges().edge();
  Q_EMIT originChanged();
  request(entry->first, entry->second);
}

/// The kernel of the edge that was chosen, whatever it is called now, and the edge.
void ModelController::showChosenEdge(Entry &entry) {
  const QString edge = std::exchange(entry.edge, {});
  const int kernel = edge.isEmpty() ? -1 : entry.model->kernelBehind(edge.toStdString());
  if (kernel < 0)
    return;
  choose(kernel, false);
  m_view->showKernel(kernel);
  m_view->edges().showEdge(edge);
}

void ModelController::measureFusions() {
  const auto found = m_entries.find(m_front);
  // A model that is being read would be read no more, and kernels that are checked not be checked.
  if (found == m_entries.end() || found->second.number != 0 || found->second.check != 0)
    return;
  Entry &entry = found->second;
  dropMeasurements(entry);
  entry.measurement = ++m_lastNumber;
  entry.measured = tr("Compiling…");
  m_backend->measure({entry.chosenModel(entry.measurement), target()});
  showFront();
}

void ModelController::noteMeasuring(uint64_t number, int done, int total) {
  for (auto &[file, entry] : m_entries)
    if (entry.measurement == number) {
      entry.measured = tr("%1 of %2 runs are done…").arg(done).arg(total);
      showFront();
    }
}

void ModelController::takeVariants(uint64_t number, const Result<FusionVariants> &variants) {
  for (auto &[file, entry] : m_entries) {
    if (entry.measurement != number)
      continue;
    entry.measurement = 0;
    entry.measured.clear();
    if (variants)
      entry.variants = *variants;
    else if (variants.error().code == ErrorCode::Cancelled)
      entry.measured = tr("stopped");
    else
      entry.measured = QString::fromStdString(variants.error().message);
    showFront();
  }
}

static QString timeOf(const FusionVariant &variant) {
  const QString kernels = views::countedText(variant.own.size(), "kernel");
  return variant.own.empty()
             ? kernels
             : QStringLiteral("%1: %2").arg(kernels, views::timeText(variant.ownUs->median));
}

static std::vector<VariantFact> factsOf(const FusionVariants &both) {
  const auto bytes = [](const FusionVariant &each) {
    return QString::fromStdString(bytesText(each.bytes));
  };
  std::vector<VariantFact> facts{
      {ModelController::tr("Kernels"), QString::number(both.chosen.numKernels),
       QString::number(both.planned.numKernels)},
      {ModelController::tr("Moved"), bytes(both.chosen), bytes(both.planned)}};
  if (both.chosen.leastUs && both.planned.leastUs)
    facts.push_back(
        {ModelController::tr("Estimate for %1").arg(QString::fromStdString(both.device)),
         views::timeText(*both.chosen.leastUs), views::timeText(*both.planned.leastUs)});
  if (both.chosen.ownUs && both.planned.ownUs)
    facts.push_back({ModelController::tr("What differs, on this processor"), timeOf(both.chosen),
                     timeOf(both.planned)});
  return facts;
}

void ModelController::showVariants(const Entry &entry) {
  std::vector<VariantFact> facts;
  if (entry.variants)
    facts = factsOf(*entry.variants);
  else if (!entry.origin.fusions.empty())
    facts.push_back(
        {tr("Choices"), QString::number(entry.origin.fusions.size()), QStringLiteral("0")});
  if (!facts.empty() && !entry.measured.isEmpty())
    facts.push_back({tr("Measuring"), entry.measured, {}});
  views::EdgesPanel &edges = m_view->edges();
  edges.setVariants(facts);
  edges.setMeasuring(entry.measurement != 0);
  edges.measureButton().setEnabled(entry.variants.has_value());
}

} // namespace tilescope::app
