// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/TogetherWorker.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/MakePackage.h"
#include "app/commands/MeasureBoth.h"
#include "app/ide/compile/Niceness.h"

#include <algorithm>

namespace tilescope::app {

using profiler::KernelPackage;

static QString text(const std::string &value) { return QString::fromStdString(value); }

TogetherWorker::TogetherWorker(QObject *parent) : TogetherBackend(parent), m_thread(kRunNiceness) {}

TogetherWorker::~TogetherWorker() {
  cancel();
  m_thread.finish();
}

void TogetherWorker::say(const QString &what) {
  QMetaObject::invokeMethod(this, [this, what] { Q_EMIT progressed(what); });
}

/// Why there is no package: the first error of the compile, where it is one.
static QString whyNoPackage(const CompiledPackage &compiled) {
  if (!compiled.package.error().message.empty())
    return text(compiled.package.error().message);
  const auto error = std::ranges::find(compiled.diagnostics, compiler::Severity::Error,
                                       &compiler::Diagnostic::severity);
  return error == compiled.diagnostics.end() ? TogetherWorker::tr("it does not compile")
                                             : text(diagnosticHeadline(*error, compiled.files));
}

/// The medians and the verdict, as two sentences.
static QString verdictOf(const TogetherRequest &request, const TimesOfBoth &times,
                         bool isSameCode) {
  const profiler::Measurement &before = times.run->kernels[0].measurement;
  const profiler::Measurement &after = times.run->kernels[1].measurement;
  const QString verdict = text(verdictWithConfidence(times.comparison));
  QString said =
      TogetherWorker::tr("From %1 to %2: %3.").arg(request.names[0], request.names[1], verdict);
  if (before.timeUs && after.timeUs)
    said += TogetherWorker::tr(" %1 → %2 µs, medians of %3 launches each, taken in turns on %4.")
                .arg(before.timeUs->median, 0, 'f', 2)
                .arg(after.timeUs->median, 0, 'f', 2)
                .arg(after.timeUs->n)
                .arg(text(after.device.name));
  if (isSameCode)
    said +=
        TogetherWorker::tr(" Both compile to the same code with the launch that is chosen now.");
  for (const profiler::OutputResult &output : after.outputs)
    if (output.comparison && !output.comparison->ok())
      said += TogetherWorker::tr(" Their outputs differ: `%1` in %2 elements.")
                  .arg(text(output.name))
                  .arg(output.comparison->mismatches);
  return said;
}

TogetherVerdict TogetherWorker::perform(const TogetherRequest &request,
                                        const std::stop_token &stop) {
  std::array<KernelPackage, 2> packages;
  compiler::WorkerClient worker(workerOptions());
  for (size_t i = 0; i < packages.size(); ++i) {
    say(tr("Compiling %1…").arg(request.names[i]));
    CompiledPackage compiled =
        compilePackage(worker, request.inputs[i], request.selection, {.stop = stop});
    if (stop.stop_requested())
      return {tr("The measurement was stopped."), false};
    if (!compiled.package)
      return {tr("Not measured: %1 has no code for this launch: %2.")
                  .arg(request.names[i], whyNoPackage(compiled)),
              true};
    packages[i] = std::move(*compiled.package);
  }
  MeasureBothOptions options;
  options.together.place = request.place;
  RunnerHooks hooks;
  hooks.stop = stop;
  hooks.progress = [this](std::string_view state) {
    if (state == "measure")
      say(tr("Measuring both in turns…"));
  };
  say(tr("Loading both…"));
  const TimesOfBoth times = measureBoth(
      packages, {request.names[0].toStdString(), request.names[1].toStdString()}, options, hooks);
  if (stop.stop_requested())
    return {tr("The measurement was stopped."), false};
  if (times.error)
    return {tr("Not measured: %1.").arg(text(times.error->message)), true};
  return {verdictOf(request, times, packages[0].ptx == packages[1].ptx), false};
}

void TogetherWorker::measure(const TogetherRequest &request) {
  m_stop = {};
  m_isBusy = true;
  m_thread.post([this, request, stop = m_stop.get_token()] {
    const TogetherVerdict verdict = perform(request, stop);
    QMetaObject::invokeMethod(this, [this, verdict] {
      m_isBusy = false;
      Q_EMIT ended(verdict);
    });
  });
}

} // namespace tilescope::app
