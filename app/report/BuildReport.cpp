// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/BuildReport.h"

#include "app/report/AccessReport.h"
#include "app/report/ConversionReport.h"
#include "app/report/LaunchTitle.h"
#include "app/report/LayoutGroups.h"
#include "app/report/LayoutSvg.h"
#include "app/report/PipelineReport.h"
#include "app/report/ProgramsReport.h"
#include "app/report/RegistersReport.h"
#include "app/report/SampleLines.h"
#include "app/report/SharedReport.h"
#include "compiler/artifacts/MappedShare.h"
#include "compiler/syntax/EditorServices.h"
#include "profiler/analysis/Occupancy.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Unwritten.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/utsname.h>

namespace tilescope::app {

using namespace compiler;
using profiler::ReportKernel;

static double toMs(int64_t ns) { return double(ns) / 1e6; }

static std::optional<int64_t> known(int64_t value) {
  return value < 0 ? std::nullopt : std::optional(value);
}

/// The document's lines that each line of the stage came from. Places in other files (the prelude)
/// are left to their callers, which the map lists too.
static void addSources(const SourceMap &map, profiler::ReportStage &stage) {
  constexpr uint32_t kLongest = 12;
  for (const LineMapping &mapping : map.lines) {
    if (mapping.line >= stage.sources.size())
      stage.sources.resize(mapping.line + 1);
    std::vector<uint32_t> &sources = stage.sources[mapping.line];
    for (const SourceRange &range : mapping.sources) {
      if (range.file != 0)
        continue;
      // A range over many lines is a whole statement: its first line names it.
      uint32_t last =
          range.end.line - range.begin.line > kLongest ? range.begin.line : range.end.line;
      for (uint32_t line = range.begin.line; line <= last; ++line)
        if (std::find(sources.begin(), sources.end(), line) == sources.end())
          sources.push_back(line);
    }
  }
}

static profiler::ReportStage reportStage(const Stage &stage) {
  profiler::ReportStage result;
  result.id = stageName(stage.id);
  result.title = stageTitle(stage.id);
  result.ok = stage.ok;
  result.ms = toMs(stage.durationNs);
  result.text = stage.text;
  addSources(stage.sourceMap, result);
  if (stage.id != StageId::Cubin)
    result.mappedShare = mappedShare(result.text, [&](size_t line) {
      return line < result.sources.size() && !result.sources[line].empty();
    });
  return result;
}

static profiler::ReportMessage reportMessage(const Diagnostic &diagnostic,
                                             const ReportInputs &inputs) {
  auto fileName = [&](uint32_t file) {
    return file > 0 && file < inputs.result.files.size() ? inputs.result.files[file].path
                                                         : inputs.path;
  };
  profiler::ReportMessage message;
  message.severity = diagnostic.severity == Severity::Error     ? "error"
                     : diagnostic.severity == Severity::Warning ? "warning"
                                                                : "note";
  message.file = fileName(diagnostic.range.file);
  message.line = diagnostic.range.begin.line + 1;
  message.column = diagnostic.range.begin.column + 1;
  message.text = diagnostic.message;
  for (const DiagnosticLabel &label : diagnostic.labels)
    message.notes.push_back(fmt::format("{}:{}: {}", fileName(label.range.file),
                                        label.range.begin.line + 1, label.message));
  message.notes.insert(message.notes.end(), diagnostic.notes.begin(), diagnostic.notes.end());
  return message;
}

/// Elements that no program wrote are a problem where the tensor began empty. That none was is said
/// by the run.
static void addUnwritten(const ReportInputs &inputs, ReportKernel &kernel) {
  if (!inputs.cpuRun)
    return;
  const std::optional<profiler::LaunchBlock> block = ownBlock(inputs);
  for (const profiler::ReportOutput &output : inputs.cpuRun->outputs) {
    const int64_t unwritten = output.summary.numUnwritten;
    const int64_t all = profiler::numElements(output.shape);
    if (unwritten <= 0 || unwritten >= all)
      continue;
    profiler::ReportMessage message;
    message.severity = "warning";
    message.file = inputs.path;
    message.line = message.column = 1;
    if (block)
      for (const profiler::LaunchArgument &argument : block->args)
        if (argument.name == output.name) {
          message.line = argument.nameRange.begin.line + 1;
          message.column = argument.nameRange.begin.column + 1;
        }
    message.text = fmt::format("{} of {} elements of `{}` {} never written ({:.3g} %)", unwritten,
                               all, output.name, unwritten == 1 ? "was" : "were",
                               100 * static_cast<double>(unwritten) / static_cast<double>(all));
    kernel.messages.push_back(std::move(message));
  }
}

static void addDiagrams(const CompileResult &result, ReportKernel &kernel) {
  constexpr size_t kMost = 8;
  for (const LayoutGroup &group : layoutGroups(result.layouts)) {
    auto diagram = layoutDiagram(*group.facts());
    if (!diagram)
      continue;
    if (kernel.diagrams.size() == kMost) {
      ++kernel.numDiagramsLeftOut;
      continue;
    }
    diagram->title = groupTitle(group);
    diagram->caption = groupValues(group) + " " + diagram->caption;
    kernel.diagrams.push_back(std::move(*diagram));
  }
}

static void addResources(const CompileResult &result, ReportKernel &kernel) {
  kernel.registers = known(result.resources.registers);
  kernel.sharedBytes = known(result.resources.sharedBytes);
  kernel.spillBytes = known(result.resources.spillBytes);
  kernel.threads = known(result.resources.threads);
  if (result.metadata.name.empty())
    return;
  if (!kernel.sharedBytes)
    kernel.sharedBytes = result.metadata.sharedBytes;
  if (!kernel.threads)
    kernel.threads = int64_t(result.metadata.numWarps) * 32;
  int capability = result.target.starts_with("cuda:") ? std::atoi(result.target.c_str() + 5) : 0;
  if (auto limits = profiler::smLimits(capability); limits && kernel.registers)
    kernel.occupancy = profiler::occupancy(
        *limits, {*kernel.registers, *kernel.sharedBytes, int32_t(*kernel.threads)});
}

/// The class of the page's style for a word of a kernel file; nothing for plain ones.
static char styleOf(ast::TokenClass tokenClass) {
  switch (tokenClass) {
  case ast::TokenClass::Comment:
  case ast::TokenClass::LaunchMark:
    return 'c';
  case ast::TokenClass::Keyword:
  case ast::TokenClass::LaunchSection:
    return 'k';
  case ast::TokenClass::Number:
    return 'n';
  case ast::TokenClass::String:
  case ast::TokenClass::LaunchValue:
    return 's';
  case ast::TokenClass::LanguageType:
    return 't';
  case ast::TokenClass::KernelArgument:
  case ast::TokenClass::LaunchKey:
    return 'v';
  case ast::TokenClass::Constexpr:
    return 'a';
  case ast::TokenClass::LanguageModule:
  case ast::TokenClass::LanguageFunction:
  case ast::TokenClass::KernelName:
  case ast::TokenClass::DefinitionName:
  case ast::TokenClass::Decorator:
  case ast::TokenClass::Builtin:
    return 'f';
  case ast::TokenClass::Operator:
  case ast::TokenClass::Identifier:
    break;
  }
  return 0;
}

/// The words of a kernel file as its editor distinguishes them, each within one line.
static std::vector<profiler::CodeWord> sourceWords(const std::string &source) {
  constexpr uint32_t kRest = UINT32_MAX;
  std::vector<profiler::CodeWord> words;
  for (const ast::ClassifiedToken &token : ast::EditorDocument(source).classifyTokens()) {
    const char style = styleOf(token.tokenClass);
    const SourceRange &range = token.range;
    for (uint32_t line = range.begin.line; style != 0 && line <= range.end.line; ++line)
      words.push_back({line, line == range.begin.line ? range.begin.column : 0,
                       line == range.end.line ? range.end.column : kRest, style});
  }
  return words;
}

static void addHints(const ReportInputs &inputs, ReportKernel &kernel) {
  for (const compiler::Hint &hint : inputs.hints) {
    const bool isHere = !hint.range.empty() && hint.range.file == 0;
    kernel.hints.push_back({isHere ? hint.range.begin.line + 1 : 0, hint.rank,
                            std::string(hintId(hint.kind)), hint.message, hint.evidence, hint.gain,
                            hint.advice});
  }
}

ReportKernel buildReportKernel(const ReportInputs &inputs) {
  const CompileResult &result = inputs.result;
  ReportKernel kernel;
  kernel.kernel = result.kernel;
  kernel.path = inputs.path;
  kernel.source = inputs.source;
  kernel.isPython = !result.stages.empty() && result.stages.front().id == StageId::Ast;
  if (kernel.isPython)
    kernel.sourceWords = sourceWords(inputs.source);
  kernel.target = result.target;
  kernel.signature.assign(result.signature.begin(), result.signature.end());
  kernel.constexprs.assign(result.constexprs.begin(), result.constexprs.end());
  kernel.options.assign(result.options.begin(), result.options.end());
  kernel.assumptions = compiler::sentences(result.assumptions);
  kernel.compiled = result.ok;
  kernel.compileMs = toMs(result.totalNs);
  for (const Stage &stage : result.stages) {
    kernel.stages.push_back(reportStage(stage));
    if (stage.id == StageId::Sass && inputs.measurement && inputs.measurement->samples)
      kernel.stages.back().sampleShares =
          sampleShares(*inputs.measurement->samples, stage, inputs.measurement->kernel);
  }
  for (const PassRecord &pass : result.passes)
    kernel.passes.push_back(
        {std::string(stageName(pass.stage)), pass.name, toMs(pass.durationNs), pass.changed});
  // What the machine lacks is no problem of the kernel: the environment says it.
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.kind != compiler::DiagnosticKind::ToolMissing ||
        diagnostic.severity != compiler::Severity::Note)
      kernel.messages.push_back(reportMessage(diagnostic, inputs));
  addUnwritten(inputs, kernel);
  addLaunchTitle(inputs, kernel);
  addDiagrams(result, kernel);
  addHints(inputs, kernel);
  addAccesses(inputs, kernel);
  addSharedMemory(inputs, kernel);
  addLoops(inputs, kernel);
  addRegisters(inputs, kernel);
  addConversions(inputs, kernel);
  addPrograms(inputs, kernel);
  addResources(result, kernel);
  kernel.plan = inputs.plan;
  kernel.cpuRun = inputs.cpuRun;
  kernel.measurement = inputs.measurement;
  kernel.measurementMissing = inputs.measurementMissing;
  return kernel;
}

/// Of an output that began empty, of which some elements may not have been written.
static profiler::TensorSummary summaryOf(const profiler::Tensor &tensor,
                                         const profiler::Unwritten &unwritten) {
  if (!unwritten.flags())
    return profiler::summarizeTensor(tensor, !unwritten.isNone());
  profiler::Tensor written{tensor.dtype, {0}, {}};
  const size_t size = profiler::dtypeSize(tensor.dtype);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    if (!unwritten.has(tensor, i))
      written.data.insert(written.data.end(), tensor.element(i), tensor.element(i) + size);
  written.shape = {static_cast<int64_t>(written.data.size() / size)};
  profiler::TensorSummary summary = profiler::summarizeTensor(written, false);
  summary.numUnwritten = tensor.numElements() - written.numElements();
  return summary;
}

std::vector<profiler::ReportOutput> reportOutputs(const profiler::LaunchPlan &plan,
                                                  const std::string &folder) {
  std::vector<profiler::ReportOutput> outputs;
  for (const profiler::PlanArgument &argument : plan.args) {
    const profiler::PlanTensor *planned = argument.tensor();
    if (!planned)
      continue;
    auto tensor = profiler::readNpy(folder + "/" + argument.name + ".npy");
    if (!tensor)
      continue;
    profiler::Unwritten unwritten;
    if (planned->init.kind == profiler::TensorInit::Kind::Poison)
      unwritten = profiler::readUnwritten(*tensor, folder + "/" + argument.name + ".npy");
    outputs.push_back({argument.name, std::string(profiler::dtypeName(tensor->dtype)),
                       tensor->shape, summaryOf(*tensor, unwritten)});
  }
  return outputs;
}

std::vector<profiler::NamedText> hostEnvironment() {
  std::vector<profiler::NamedText> rows;
  utsname system = {};
  if (uname(&system) == 0)
    rows.emplace_back("system",
                      fmt::format("{} {} ({})", system.sysname, system.release, system.machine));
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);)
    if (line.starts_with("model name")) {
      rows.emplace_back("processor", line.substr(std::min(line.find(':') + 2, line.size())));
      break;
    }
  return rows;
}

std::string reportTime() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

} // namespace tilescope::app
