// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a model takes: its first run, a new shape, and when each kernel runs.
#include "app/ide/model/ModelController.h"
#include "views/model/ModelWords.h"
#include "views/model/TimelinePanel.h"

namespace tilescope::app {

using views::TimelineSpan;
using views::timeText;

void ModelController::connectTimes() {
  views::TimelinePanel *timeline = &m_view->timeline();
  connect(timeline, &views::TimelinePanel::measureRequested, this, &ModelController::measureTimes);
  connect(timeline, &views::TimelinePanel::stopRequested, m_backend, &ModelBackend::stopCheck);
  connect(m_backend, &ModelBackend::timing, this, &ModelController::noteTiming);
  connect(m_backend, &ModelBackend::timed, this, &ModelController::takeTimes);
}

void ModelController::dropMeasurements(Entry &entry) {
  if (entry.timing != 0 || entry.areTimesFault || entry.spans.empty())
    entry.times.clear();
  entry.areTimesFault = false;
  entry.measurement = entry.timing = 0;
  entry.measured.clear();
}

void ModelController::measureTimes() {
  const auto found = m_entries.find(m_front);
  // What is under way would be ended.
  const DocumentPointer document = m_compile->document();
  if (found == m_entries.end() || found->second.number != 0 || found->second.check != 0 ||
      !document || m_compile->file() != m_front)
    return;
  Entry &entry = found->second;
  dropMeasurements(entry);
  if (entry.timedText != document->source->text)
    entry.beforeUs = entry.steadyUs;
  entry.timedText = document->source->text;
  entry.timing = ++m_lastNumber;
  const RunPlace place = m_place ? m_place() : RunPlace();
  entry.times = tr("Measuring on %1…").arg(QString::fromStdString(runPlaceText(place)));
  m_backend->time(
      {entry.chosenModel(entry.timing), document->source->text, document->source->name(), place});
  showFront();
}

static QString progressText(MeasuringPhase phase, int done, int total) {
  const auto counted = [&](const QString &text) { return text.arg(done).arg(total); };
  switch (phase) {
  case MeasuringPhase::Compiles:
    return done < total ? counted(ModelController::tr("Compiled %1 of %2 kernels…"))
                        : ModelController::tr("Running…");
  case MeasuringPhase::RunsFirst:
    return counted(ModelController::tr("First run: compiled and ran %1 of %2 kernels…"));
  case MeasuringPhase::Repeats:
    return counted(ModelController::tr("Measured %1 of %2 kernels…"));
  }
  return {};
}

void ModelController::noteTiming(uint64_t number, MeasuringPhase phase, int done, int total) {
  for (auto &[file, entry] : m_entries)
    if (entry.timing == number) {
      entry.times = progressText(phase, done, total);
      showFront();
    }
}

/// `First run 812 ms (…) · a new shape from 95 ms · steady 18.2 ms (…)`
static QString factsOf(const ModelBench &bench, double beforeUs) {
  const auto &steady = bench.steadyUs;
  QString facts =
      ModelController::tr("%1 · first run %2, and %3 before it to read and plan · a new "
                          "shape from %4 · steady %5 (%6 to %7)")
          .arg(QString::fromStdString(bench.device), timeText(bench.firstUs),
               timeText(bench.readUs), timeText(bench.shapeUs), timeText(steady.median),
               timeText(steady.min), timeText(steady.max));
  if (bench.isGraph)
    facts += ModelController::tr(" as one CUDA graph");
  if (beforeUs > 0)
    facts += ModelController::tr(", %1 before the last edits").arg(timeText(beforeUs));
  for (const std::string &note : bench.notes)
    facts += QStringLiteral(" · ") + QString::fromStdString(note);
  return facts;
}

void ModelController::takeTimes(uint64_t number, const Result<ModelBench> &bench) {
  for (auto &[file, entry] : m_entries) {
    if (entry.timing != number)
      continue;
    entry.timing = 0;
    entry.areTimesFault = !bench && bench.error().code != ErrorCode::Cancelled;
    if (!bench) {
      entry.times = QString::fromStdString(bench.error().message);
    } else {
      entry.times = factsOf(*bench, entry.beforeUs);
      entry.steadyUs = bench->steadyUs.median;
      entry.spans.clear();
      for (size_t i = 0; i < bench->kernels.size(); ++i)
        if (const auto &span = bench->kernels[i].span)
          entry.spans.push_back({static_cast<int>(i), span->startUs, span->us});
    }
    showFront();
  }
}

void ModelController::showTimes(const Entry &entry) {
  views::TimelinePanel &timeline = m_view->timeline();
  if (timeline.canvas().model() != entry.model || timeline.canvas().given() != entry.spans)
    timeline.canvas().setRun(entry.model, entry.spans);
  const DocumentPointer document = m_compile->document();
  const bool isOutdated = entry.timing == 0 && !entry.spans.empty() && document &&
                          m_compile->file() == m_front && document->source->text != entry.timedText;
  timeline.setFacts(isOutdated ? tr("Before the last edits: %1").arg(entry.times) : entry.times,
                    entry.areTimesFault);
  timeline.setMeasuring(entry.timing != 0);
  timeline.canvas().showKernel(m_view->kernel());
}

} // namespace tilescope::app
