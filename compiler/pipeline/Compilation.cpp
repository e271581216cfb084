// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"

#include "compiler/dialects/tt/ir/TritonVersion.h"
#include "compiler/pipeline/Dialects.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/PtxFacts.h"

#include "llvm/Target/TargetMachine.h"

#include <algorithm>

namespace tilescope::compiler {

Compilation::Compilation(Compiler::State &state, const CompileRequest &request,
                         const CompileHooks &hooks)
    : m_state(state), m_request(request), m_hooks(hooks), m_start(Clock::now()) {
  m_result.revision = request.revision;
  m_files = FileTable({{request.path, request.text}});
  m_entryIsIr = request.entry != StageId::Ast;
}

CompileOutcome Compilation::run() {
  if (prepare())
    makeStages();
  return {takeResult(), m_cancelled};
}

CompileResult Compilation::takeResult() {
  m_result.files = m_files.files();
  m_result.ok = !m_cancelled && !hasErrors();
  m_result.totalNs =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - m_start).count();
  // Before the context may go: operations refer to it.
  m_module = {};
  return std::move(m_result);
}

/// What was asked for, else what a document in IR names itself.
static std::string chooseTarget(const CompileRequest &request) {
  if (!request.selection.target.empty())
    return request.selection.target;
  if (request.entry != StageId::Ast)
    if (const std::string target = documentTarget(request.text); parseTarget(target))
      return target;
  return kDefaultTarget;
}

bool Compilation::prepare() {
  m_result.target = chooseTarget(m_request);
  const Result<TargetSpec> target = parseTarget(m_result.target);
  if (!target) {
    report(DiagnosticKind::TargetUnsupported, Severity::Error, target.error().message,
           {target.error().hint});
    return false;
  }
  m_options.target = *target;
  m_result.options = m_request.selection.options;
  return takeOptions() && (!m_entryIsIr || checkNesting());
}

bool Compilation::takeOptions() {
  const Result<KernelOptions> options = parseKernelOptions(m_result.options, m_options.target);
  if (!options) {
    report(DiagnosticKind::OptionInvalid, Severity::Error, options.error().message);
    const auto wrong = std::ranges::find_if(m_result.options, [&](const auto &option) {
      return !parseKernelOptions({option}, m_options.target);
    });
    if (wrong != m_result.options.end())
      m_result.diagnostics.back().cause.subject = wrong->first;
    return false;
  }
  m_options = *options;
  tt::PrintedVersion::set(
      *m_state.context,
      tt::parseTritonVersion(m_options.tritonVersion).value_or(tt::TritonVersion()));
  if (m_options.numCtas > 1 && m_request.entry <= StageId::Ttir) {
    // Said once, though options are taken again when the decorators are known.
    if (std::ranges::none_of(m_result.diagnostics, [](const Diagnostic &diagnostic) {
          return diagnostic.kind == DiagnosticKind::OptionInvalid;
        }))
      report(DiagnosticKind::OptionInvalid, Severity::Warning,
             "`num_ctas` is `" + std::to_string(m_options.numCtas) + "`, but is treated as `1`",
             {"one thread block computes what the cluster would; the results are the same"});
    m_options.numCtas = 1;
  }
  return true;
}

/// All stages, in order.
const std::array<Compilation::StageStep, kNumStages> Compilation::kSteps = {{
    {StageId::Ast, &Compilation::makeAst, nullptr},
    {StageId::Ttir, &Compilation::importMlir, &Compilation::makeTtir},
    {StageId::Ttgir, &Compilation::importMlir, &Compilation::makeTtgir},
    {StageId::LlvmIr, &Compilation::importLlvmIr, &Compilation::makeLlvmIr},
    {StageId::Ptx, &Compilation::importPtx, &Compilation::makePtx},
    {StageId::Cubin, nullptr, &Compilation::makeCubin},
    {StageId::Sass, nullptr, &Compilation::makeSass},
}};

void Compilation::makeStages() {
  const StageId entry = m_request.entry;
  const auto enter = kSteps[static_cast<size_t>(entry)].enter;
  if (!enter)
    return report(DiagnosticKind::IrInvalid, Severity::Error, "cannot compile machine code");
  if (!(this->*enter)() || !makeBetween(entry, StageId::Ttir))
    return;
  // From here on the text of the last stage determines the next ones.
  if (entry < StageId::Ptx && !makeLoweredStages())
    return;
  makeBetween(std::max(entry, StageId::Ptx), StageId::Sass);
}

bool Compilation::makeBetween(StageId after, StageId last) {
  return std::ranges::all_of(kSteps, [&](const StageStep &step) {
    return step.id <= after || step.id > last || (wants(step.id) && (this->*step.make)());
  });
}

/// From TTIR (or the form in which the document entered) to PTX, or from the cache.
bool Compilation::makeLoweredStages() {
  const ContentKey key = loweredKey();
  if (std::shared_ptr<const LoweredStages> cached = m_state.lowered.find(key))
    return replayLowered(*cached);
  const size_t firstStage = m_result.stages.size();
  const size_t firstPass = m_result.passes.size();
  const size_t firstDiagnostic = m_result.diagnostics.size();
  const StageId last = std::min(m_request.stopAfter, StageId::Ptx);
  if (!makeBetween(std::max(m_request.entry, StageId::Ttir), last))
    return false;
  rememberLowered(key, firstStage, firstPass, firstDiagnostic);
  return true;
}

/// Everything that the stages from here to PTX depend on: the last stage with its places, and the
/// options. Two texts that differ only in comments have the same key.
ContentKey Compilation::loweredKey() const {
  KeyBuilder builder;
  const Stage &last = m_result.stages.back();
  builder.add(last.text);
  for (const LineMapping &mapping : last.sourceMap.lines) {
    builder.add(mapping.line);
    for (const SourceRange &range : mapping.sources)
      builder.add(range.file)
          .add(range.begin.line)
          .add(range.begin.column)
          .add(range.end.line)
          .add(range.end.column);
  }
  for (const SourceFile &file : m_files.files())
    builder.add(file.path);
  builder.add(m_result.target);
  for (const auto &[name, value] : m_result.options)
    builder.add(name).add(value);
  builder.add(static_cast<uint64_t>(m_request.entry));
  builder.add(static_cast<uint64_t>(std::min(m_request.stopAfter, StageId::Ptx)));
  builder.add(m_request.recordPassIr).add(m_request.collectFacts);
  return builder.key();
}

static size_t approximateSize(const LoweredStages &value) {
  size_t size = sizeof(value);
  const auto addMap = [&size](const SourceMap &map) {
    for (const LineMapping &mapping : map.lines)
      size += sizeof(mapping) + mapping.sources.size() * sizeof(SourceRange);
  };
  for (const Stage &stage : value.stages) {
    size += stage.text.size();
    addMap(stage.sourceMap);
  }
  for (const PassRecord &record : value.passes) {
    size += sizeof(record) + record.ir.size();
    addMap(record.irMap);
  }
  for (const LayoutFacts &facts : value.layouts)
    size += sizeof(facts) + facts.type.size() + facts.encoding.size() + 512;
  return size;
}

void Compilation::rememberLowered(const ContentKey &key, size_t firstStage, size_t firstPass,
                                  size_t firstDiagnostic) {
  LoweredStages value;
  value.stages.assign(m_result.stages.begin() + firstStage, m_result.stages.end());
  value.passes.assign(m_result.passes.begin() + firstPass, m_result.passes.end());
  value.diagnostics.assign(m_result.diagnostics.begin() + firstDiagnostic,
                           m_result.diagnostics.end());
  value.layouts = m_result.layouts;
  value.metadata = m_result.metadata;
  const size_t size = approximateSize(value);
  m_state.lowered.insert(key, std::move(value), size);
}

bool Compilation::replayLowered(const LoweredStages &cached) {
  // The frontend's findings belong to this compilation.
  std::vector<KernelParameter> parameters = std::move(m_result.metadata.parameters);
  m_result.metadata = cached.metadata;
  if (!parameters.empty())
    m_result.metadata.parameters = std::move(parameters);
  m_result.layouts = cached.layouts;
  m_result.passes.insert(m_result.passes.end(), cached.passes.begin(), cached.passes.end());
  m_result.diagnostics.insert(m_result.diagnostics.end(), cached.diagnostics.begin(),
                              cached.diagnostics.end());
  for (const Stage &stage : cached.stages) {
    begin(stage.id);
    Stage copy = stage;
    copy.cached = true;
    publish(std::move(copy));
  }
  return !stopped();
}

bool Compilation::stopped() {
  m_cancelled |= m_hooks.stop.stop_requested();
  return m_cancelled;
}

void Compilation::begin(StageId id) {
  m_stageStart = Clock::now();
  if (m_hooks.stageStarted)
    m_hooks.stageStarted(id);
  step(id, stageName(id));
}

void Compilation::step(StageId id, std::string_view name) {
  if (m_hooks.stepStarted)
    m_hooks.stepStarted(id, name);
}

void Compilation::finish(Stage stage) {
  stage.durationNs =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - m_stageStart).count();
  publish(std::move(stage));
}

void Compilation::publish(Stage stage) {
  m_result.files = m_files.files();
  m_result.stages.push_back(std::move(stage));
  if (m_hooks.stageFinished)
    m_hooks.stageFinished(m_result, m_result.stages.back());
}

void Compilation::report(DiagnosticKind kind, Severity severity, std::string message,
                         std::vector<std::string> notes) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  for (std::string &note : notes)
    if (!note.empty())
      diagnostic.notes.push_back(std::move(note));
  m_result.diagnostics.push_back(std::move(diagnostic));
}

bool Compilation::hasErrors() const {
  return std::any_of(m_result.diagnostics.begin(), m_result.diagnostics.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

} // namespace tilescope::compiler
