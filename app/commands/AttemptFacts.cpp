// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AttemptFacts.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/InterpreterRun.h"
#include "app/commands/OutputChecks.h"
#include "app/commands/TemporaryFolder.h"
#include "app/lesson/LessonText.h"
#include "compiler/machine/CodeLiveness.h"
#include "profiler/analysis/Occupancy.h"

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;

AttemptFacts::AttemptFacts(compiler::WorkerClient &worker, AttemptLaunch attempt, KeptFacts *kept,
                           std::stop_token stop)
    : m_worker(&worker), m_kept(kept), m_stop(std::move(stop)), m_lesson(&attempt.lesson),
      m_launch(attempt.launch) {
  const Lesson &lesson = attempt.lesson;
  m_outcome.text = attempt.text;
  m_input = {attempt.path,
             lesson.launches.empty() ? std::move(attempt.text)
                                     : withLaunch(attempt.text, lesson.launches[attempt.launch]),
             StageId::Ast,
             {}};
  m_selection.target = lesson.target;
}

Status AttemptFacts::find(GoalNeeds needs, const FactWishes &wishes) {
  if (needs > GoalNeeds::Launch && !m_outcome.isCompiled)
    return {};
  switch (needs) {
  case GoalNeeds::Text:
    return {};
  case GoalNeeds::Launch:
    return compile(StageId::Ttir);
  case GoalNeeds::Counts:
    return count(false);
  case GoalNeeds::Layouts:
    return compile(StageId::Ttgir, true);
  case GoalNeeds::Touches:
    return trace(wishes.programs);
  case GoalNeeds::Run:
    return run(wishes.hasDiagnostics);
  case GoalNeeds::Lowering:
    return compile(StageId::LlvmIr);
  case GoalNeeds::Ptx:
    return compile(StageId::Ptx);
  case GoalNeeds::MachineCode:
    return compile(StageId::Cubin);
  case GoalNeeds::Pressure:
    return pressure();
  case GoalNeeds::Time:
    return time(wishes);
  case GoalNeeds::Hints:
    return count(true);
  }
  return {};
}

void AttemptFacts::addDiagnostics(const std::vector<compiler::Diagnostic> &found) {
  for (const compiler::Diagnostic &each : found) {
    // That the machine lacks a tool is no fault of the kernel.
    const bool isOfMachine = each.kind == compiler::DiagnosticKind::ToolMissing &&
                             each.severity == compiler::Severity::Note;
    if (!isOfMachine &&
        std::ranges::find(m_outcome.diagnostics, each) == m_outcome.diagnostics.end())
      m_outcome.diagnostics.push_back(each);
  }
}

Status AttemptFacts::compile(StageId stopAfter, bool wantsLayouts) {
  CompileFileOptions options;
  options.stop = m_stop;
  options.stopAfter = stopAfter;
  const auto bit = [](StageId stage) { return 1u << static_cast<int>(stage); };
  uint32_t stages = bit(wantsLayouts ? StageId::Ttgir : StageId::Ptx);
  if (stopAfter == StageId::Sass)
    stages |= bit(StageId::Cubin) | bit(StageId::Sass);
  options.wanted = {
      .stages = stages, .passes = false, .passIr = false, .layouts = wantsLayouts, .values = false};
  Result<CompiledFile> file = compileInput(*m_worker, m_input, m_selection, options);
  if (!file)
    return file.error();
  m_file = std::move(*file);
  const compiler::CompileResult &result = m_file.result;
  addDiagnostics(result.diagnostics);
  m_outcome.kernel = result.kernel;
  m_outcome.isCompiled = result.ok;
  if (m_file.plan)
    m_outcome.grid = m_file.plan->grid;
  if (wantsLayouts)
    m_outcome.layouts = std::move(m_file.result.layouts);
  if (const compiler::Stage *ptx = result.stage(StageId::Ptx))
    m_outcome.ptx = ptx->text;
  if (!result.ok || stopAfter < StageId::Ptx)
    return {};
  m_outcome.resources = result.resources;
  compiler::Resources &used = m_outcome.resources;
  if (used.sharedBytes < 0)
    used.sharedBytes = result.metadata.sharedBytes;
  if (used.threads < 0)
    used.threads = int64_t(result.metadata.numWarps) * 32;
  m_outcome.occupancy = profiler::occupancyOn(
      result.target, {used.registers, used.sharedBytes, static_cast<int32_t>(used.threads)});
  return {};
}

Status AttemptFacts::inspect(compiler::InspectMessage wishes,
                             const std::function<void(compiler::InspectDoneReply &)> &take) {
  if (!m_file.plan)
    return {};
  wishes.request = m_file.request;
  wishes.launchPlan = profiler::launchPlanToJson(*m_file.plan);
  Result<compiler::InspectDoneReply> done = m_worker->inspect(std::move(wishes), m_stop);
  if (!done)
    return done.error();
  addDiagnostics(done->diagnostics);
  if (done->ok)
    take(*done);
  else if (hasErrors(done->diagnostics))
    m_outcome.isCompiled = false;
  return {};
}

Status AttemptFacts::count(bool wantsHints) {
  compiler::InspectMessage wishes;
  wishes.wantsHints = wantsHints;
  return inspect(std::move(wishes), [&](compiler::InspectDoneReply &done) {
    m_outcome.memory = std::move(done.facts);
    m_outcome.hints = std::move(done.hints);
  });
}

Status AttemptFacts::trace(const compiler::ProgramSample &programs) {
  compiler::InspectMessage wishes;
  wishes.touches = programs;
  return inspect(std::move(wishes), [&](compiler::InspectDoneReply &done) {
    m_outcome.touches = std::move(done.touches);
  });
}

Status AttemptFacts::run(bool hasDiagnostics) {
  if (!m_file.plan) {
    m_outcome.failure = "the file does not say how its kernel is launched";
    return {};
  }
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch)
    return scratch.error();
  const profiler::LaunchPlan &plan = *m_file.plan;
  const InterpreterRun run{scratch->path()};
  const Result<compiler::RunDoneReply> done =
      interpret(*m_worker, m_file.request, plan, run, {}, m_stop);
  if (!done)
    return done.error();
  addDiagnostics(done->diagnostics);
  if (!done->ok && done->outputs.empty())
    return {};
  profiler::Measurement measurement = toMeasurement(*done, m_file.request, plan, run);
  compareWithExpected(
      measurement, {plan, m_input.path, {}, m_kept ? &m_kept->expectations : nullptr}, {}, m_stop);
  if (hasDiagnostics)
    for (const profiler::OutputResult &output : measurement.outputs)
      if (output.comparison && output.comparison->mismatches > 0)
        addDiagnostics({mismatchDiagnostic(output, plan.grid, {})});
  m_outcome.outputs = std::move(measurement.outputs);
  return {};
}

/// Of the code that can be read: machine code, else PTX.
static std::optional<RegisterPressure> pressureOf(const compiler::CompileResult &result) {
  const auto ready = [&](StageId id) {
    const compiler::Stage *stage = result.stage(id);
    return stage && stage->ok ? stage : nullptr;
  };
  const compiler::Stage *sass = ready(StageId::Sass), *cubin = ready(StageId::Cubin);
  const compiler::Stage *read = sass ? sass : ready(StageId::Ptx);
  if (!read)
    return std::nullopt;
  const compiler::machine::CodeLiveness code =
      sass ? compiler::machine::sassLiveness(sass->text, cubin ? cubin->text : std::string())
           : compiler::machine::ptxLiveness(read->text);
  if (code.empty())
    return std::nullopt;
  const size_t peak = code.peak();
  RegisterPressure pressure{sass ? "SASS" : "PTX",
                            code.peakRegisters(),
                            compiler::machine::placeInDocument(read->sourceMap, code.lines[peak]),
                            {}};
  for (const compiler::machine::AliveGroup &group :
       compiler::machine::aliveGroups(code, peak, read->sourceMap))
    if (group.place && group.registers > 0)
      pressure.shares.push_back({*group.place, group.registers});
  return pressure;
}

Status AttemptFacts::pressure() {
  // The machine code comes on the way.
  if (Status compiled = compile(StageId::Sass); !compiled || !m_outcome.isCompiled)
    return compiled;
  m_outcome.pressure = pressureOf(m_file.result);
  compiler::InspectMessage wishes;
  wishes.sharedMemory = true;
  wishes.onlyNumbers = true;
  return inspect(std::move(wishes), [&](compiler::InspectDoneReply &done) {
    m_outcome.shared = std::move(done.shared);
  });
}

/// A baseline in the launch that the learner's kernel is checked with; in its own where the lesson has
/// none.
static std::string baselineText(const Lesson &lesson, size_t launch,
                                const LessonBaseline &baseline) {
  std::vector<LessonLaunch> launches = lesson.launches;
  if (launches.empty() && !baseline.kernel.empty())
    launches = launchesIn(baseline.text);
  if (launch >= launches.size())
    return baseline.text;
  return withLaunch(baseline.text, baseline.kernel.empty()
                                       ? launches[launch]
                                       : launchOf(baseline.kernel, launches[launch]));
}

Status AttemptFacts::time(const FactWishes &wishes) {
  KeptFacts own;
  for (const size_t position : wishes.baselines) {
    const LessonBaseline &baseline = m_lesson->baselines[position];
    const InputFile input{m_lesson->folder + "/" + baseline.file,
                          baselineText(*m_lesson, m_launch, baseline),
                          StageId::Ast,
                          {}};
    Result<TimedAgainst> found = timeAgainst(
        *m_worker, {m_input, input, baseline.name(), m_lesson->target, wishes.measureAt},
        (m_kept ? *m_kept : own).times, m_stop);
    if (!found)
      return found.error();
    m_outcome.times[position] = std::move(*found);
  }
  return {};
}

} // namespace tilescope::app
